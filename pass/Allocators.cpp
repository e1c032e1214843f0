// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Allocators.h"
#include "Names.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/IR/GlobalIFunc.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace benchmem {

namespace {
constexpr Allocator Table[] = {
#define BM_HOOKED(symbol, kind, signature)                                     \
  {StringLiteral(#symbol), BM_KIND_##kind, true, Signature::signature},
#define BM_NAMED(symbol, kind)                                                 \
  {StringLiteral(#symbol), BM_KIND_##kind, false, Signature::None},
#include "runtime/allocators.inc"
};

/// The letters of a signature: p pointer, s size, i int; the result first.
StringRef getShape(Signature Sig) {
  switch (Sig) {
  case Signature::None:
    return "";
  case Signature::P_S:
    return "ps";
  case Signature::P_SS:
    return "pss";
  case Signature::P_PS:
    return "pps";
  case Signature::P_PSS:
    return "ppss";
  case Signature::I_PSS:
    return "ipss";
  case Signature::P_C:
    return "pp";
  case Signature::P_CS:
    return "pps";
  case Signature::P_SR:
    return "psp";
  case Signature::P_SSR:
    return "pssp";
  }
  return "";
}

bool fits(const Type *T, char Letter, const DataLayout &DL) {
  if (Letter == 'p')
    return T->isPointerTy() && T->getPointerAddressSpace() == 0;
  if (Letter == 'i')
    return T->isIntegerTy(32);
  return T->isIntegerTy(DL.getPointerSizeInBits());
}

bool fits(const CallBase &CB, Signature Sig) {
  StringRef Shape = getShape(Sig);
  const DataLayout &DL = CB.getModule()->getDataLayout();
  if (CB.arg_size() + 1 != Shape.size() || !fits(CB.getType(), Shape[0], DL))
    return false;
  for (unsigned I = 0; I != CB.arg_size(); ++I)
    if (!fits(CB.getArgOperand(I)->getType(), Shape[I + 1], DL))
      return false;
  return true;
}

bool isVisibleElsewhere(const GlobalValue &GV) {
  return !GV.hasLocalLinkage() && GV.hasDefaultVisibility();
}
} // namespace

const Allocator *findAllocator(StringRef Name) {
  static const StringMap<const Allocator *> Index = [] {
    StringMap<const Allocator *> Map;
    for (const Allocator &A : Table)
      Map[A.Name] = &A;
    return Map;
  }();
  return Index.lookup(Name);
}

bool fitsSignature(const FunctionType &Type, const Allocator &A,
                   const DataLayout &DL) {
  StringRef Shape = getShape(A.Sig);
  if (Type.isVarArg() || Type.getNumParams() + 1 != Shape.size() ||
      !fits(Type.getReturnType(), Shape[0], DL))
    return false;
  for (unsigned I = 0; I != Type.getNumParams(); ++I)
    if (!fits(Type.getParamType(I), Shape[I + 1], DL))
      return false;
  return true;
}

const Allocator *getHookedCallee(const CallBase &CB) {
  const auto *Callee = dyn_cast<Function>(CB.getCalledOperand());
  if (!Callee || CB.getCallingConv() != CallingConv::C)
    return nullptr;
  const Allocator *A = findAllocator(dropEscape(Callee->getName()));
  if (!A || !A->Hooked || !isVisibleElsewhere(*Callee) || !fits(CB, A->Sig))
    return nullptr;
  return A;
}

bm_kind getCallKind(StringRef Name, const GlobalValue *GV) {
  const Allocator *A = findAllocator(Name);
  if (!A || (GV && !isVisibleElsewhere(*GV)))
    return BM_KIND_CALL;
  // Programs define their own `getline`; their own `malloc` is an allocator.
  if (!A->Hooked && GV && !GV->isDeclaration())
    return BM_KIND_CALL;
  return A->Kind;
}

bool isLeftAlone(const Function &F) {
  if (F.hasFnAttribute(Attribute::Naked))
    return true;
  for (const GlobalIFunc &IFunc : F.getParent()->ifuncs())
    if (IFunc.getResolverFunction() == &F)
      return true;
  const Allocator *A = findAllocator(dropEscape(F.getName()));
  return A && A->Hooked && isVisibleElsewhere(F);
}

} // namespace benchmem
