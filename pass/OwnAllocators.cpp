// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "OwnAllocators.h"
#include "Allocators.h"
#include "Names.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace benchmem {

namespace {
/// Whether the family of malloc has a member of that name and type.
bool isOfFamily(StringRef Name, const FunctionType &Type,
                const DataLayout &DL) {
  if (Name == "free")
    return Type.getNumParams() == 1 && Type.getReturnType()->isVoidTy() &&
           Type.getParamType(0)->isPointerTy() && !Type.isVarArg();
  const Allocator *A = findAllocator(Name);
  if (!A || !A->Hooked)
    return false;
  bool InFamily = A->Kind == BM_KIND_MALLOC || A->Kind == BM_KIND_CALLOC ||
                  A->Kind == BM_KIND_REALLOC || A->Kind == BM_KIND_ALIGNED;
  return InFamily && fitsSignature(Type, *A, DL);
}

/// Static ones are the program's own business, and none of malloc's.
bool isCovered(const GlobalValue &GV) {
  if (GV.isDeclaration() || GV.hasLocalLinkage() ||
      !GV.hasDefaultVisibility() || GV.hasAvailableExternallyLinkage())
    return false;
  auto *Type = dyn_cast<FunctionType>(GV.getValueType());
  if (!Type || !isOfFamily(dropEscape(GV.getName()), *Type,
                           GV.getParent()->getDataLayout()))
    return false;
  auto *F = dyn_cast<Function>(&GV);
  return F ? !F->hasFnAttribute(Attribute::Naked) : isa<GlobalAlias>(GV);
}

SmallVector<GlobalValue *, 8> getOwnAllocators(Module &M) {
  SmallVector<GlobalValue *, 8> Found;
  for (Function &F : M)
    if (isCovered(F))
      Found.push_back(&F);
  for (GlobalAlias &A : M.aliases())
    if (isCovered(A))
      Found.push_back(&A);
  return Found;
}

/// The name by which the recorder finds the definition (runtime/own.h).
void hide(GlobalValue &Body, StringRef Name) {
  Body.setName("__benchmem_body_" + Name);
  Body.setVisibility(GlobalValue::HiddenVisibility);
  Body.setDSOLocal(true);
}

/// What other code calls: a jump to the recorder.
void fill(Function &F, StringRef Name) {
  Module &M = *F.getParent();
  FunctionCallee Entry = M.getOrInsertFunction(("__benchmem_own_" + Name).str(),
                                               F.getFunctionType());
  auto *Callee = cast<Function>(Entry.getCallee());
  Callee->setVisibility(GlobalValue::HiddenVisibility);
  Callee->setDSOLocal(true);
  Callee->setCallingConv(F.getCallingConv());

  IRBuilder<> Builder(BasicBlock::Create(M.getContext(), "entry", &F));
  SmallVector<Value *, 3> Args;
  for (Argument &Arg : F.args())
    Args.push_back(&Arg);
  CallInst *Call = Builder.CreateCall(Entry, Args);
  // A jump at every level: the caller's return address tells the site.
  Call->setTailCallKind(CallInst::TCK_MustTail);
  Call->setCallingConv(F.getCallingConv());
  if (F.getReturnType()->isVoidTy())
    Builder.CreateRetVoid();
  else
    Builder.CreateRet(Call);
}

/// A function of F's type and linkage in front of Body, which had its name.
Function *makeFront(GlobalValue &Body, FunctionType *Type, StringRef Name) {
  Module &M = *Body.getParent();
  auto *Front =
      Function::Create(Type, Body.getLinkage(), Body.getAddressSpace(), "", &M);
  Front->setUnnamedAddr(Body.getUnnamedAddr());
  Front->setDSOLocal(Body.isDSOLocal());
  Front->addFnAttr(Attribute::NoInline);
  Body.replaceAllUsesWith(Front);
  hide(Body, Name);
  Front->setName(Name);
  return Front;
}

void cover(GlobalValue &Body) {
  std::string Name = dropEscape(Body.getName()).str();
  auto *Type = cast<FunctionType>(Body.getValueType());
  Function *Front = makeFront(Body, Type, Name);
  if (auto *F = dyn_cast<Function>(&Body)) {
    Front->setCallingConv(F->getCallingConv());
    for (StringRef Kept : {"target-cpu", "target-features", "tune-cpu"})
      if (F->hasFnAttribute(Kept))
        Front->addFnAttr(F->getFnAttribute(Kept));
    Front->setComdat(F->getComdat());
    // In a link-time optimization, malloc and memset would become a call of
    // calloc; LLVM only knows by its name not to do that in calloc itself.
    F->addFnAttr("no-builtin-calloc");
  }
  if (Front->hasUWTable() == false)
    Front->setUWTableKind(UWTableKind::Async);
  fill(*Front, Name);
}
} // namespace

/// No instruction; but calls of a `free` that does nothing stay calls, with
/// their arguments.
static void useArguments(Function &F) {
  SmallVector<Value *, 3> Args;
  SmallVector<Type *, 3> Types;
  std::string Constraints;
  for (Argument &Arg : F.args()) {
    Args.push_back(&Arg);
    Types.push_back(Arg.getType());
    Constraints += "r,";
  }
  auto *Type = FunctionType::get(Type::getVoidTy(F.getContext()), Types, false);
  IRBuilder<> Builder(&*F.getEntryBlock().getFirstInsertionPt());
  Builder.SetCurrentDebugLocation(DebugLoc());
  Builder.CreateCall(
      InlineAsm::get(Type, "", Constraints + "~{memory}", /*sideeffects*/ true),
      Args);
}

bool keepOwnAllocators(Module &M) {
  bool Changed = false;
  for (GlobalValue *GV : getOwnAllocators(M)) {
    auto *F = dyn_cast<Function>(GV->getAliaseeObject());
    if (!F || F->hasFnAttribute(Attribute::AlwaysInline))
      continue;
    F->addFnAttr(Attribute::NoInline);
    useArguments(*F);
    Changed = true;
  }
  return Changed;
}

bool coverOwnAllocators(Module &M) {
  SmallVector<GlobalValue *, 8> Own = getOwnAllocators(M);
  for (GlobalValue *GV : Own)
    cover(*GV);
  return !Own.empty();
}

} // namespace benchmem
