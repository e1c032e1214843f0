// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "HookCalls.h"
#include "Sites.h"
#include "llvm/ADT/Twine.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace benchmem {

namespace {
/// What is true of an allocator and not of its hook. The link-time optimizer
/// must not take a hook for an allocator, and the hook writes to its use.
constexpr Attribute::AttrKind FalseOfHooks[] = {
    Attribute::AllocKind, Attribute::Builtin, Attribute::NoBuiltin,
    Attribute::Memory,    Attribute::NoSync,
};

/// Attributes of a declaration that its calls rely on when code is made. Not
/// NonLazyBind (-fno-plt): a call through a register cannot be seen to be a
/// hook's (CallTable.cpp), and hooks are mostly in the same module.
constexpr Attribute::AttrKind KeptOfDeclarations[] = {
    Attribute::NoUnwind,
    Attribute::WillReturn,
};

AttributeList getCallAttributes(const CallBase &CB) {
  LLVMContext &Ctx = CB.getContext();
  AttributeList Attrs = CB.getAttributes();
  for (Attribute::AttrKind Kind : FalseOfHooks)
    Attrs = Attrs.removeFnAttribute(Ctx, Kind);
  Attrs = Attrs.removeFnAttribute(Ctx, "alloc-family");
  return Attrs.removeFnAttribute(Ctx, SiteAttribute);
}

FunctionCallee getHook(CallBase &CB, const Allocator &A) {
  SmallVector<Type *, 4> Params;
  for (const Use &Arg : CB.args())
    Params.push_back(Arg->getType());
  Params.append(2, PointerType::getUnqual(CB.getContext()));
  auto *Type = FunctionType::get(CB.getType(), Params, /*isVarArg=*/false);

  Module &M = *CB.getFunction()->getParent();
  std::string Name = (Twine(BM_ABI_HOOK_PREFIX) + A.Name).str();
  bool Known = M.getFunction(Name);
  FunctionCallee Hook = M.getOrInsertFunction(Name, Type);
  auto *F = dyn_cast<Function>(Hook.getCallee());
  if (Known || !F)
    return Hook;

  const Function *Callee = CB.getCalledFunction();
  if (!Callee)
    return Hook;
  AttributeList Old = Callee->getAttributes();
  for (Attribute::AttrKind Kind : KeptOfDeclarations)
    if (Old.hasFnAttr(Kind))
      F->addFnAttr(Kind);
  AttrBuilder Result(M.getContext(), Old.getRetAttrs());
  F->addRetAttrs(Result);
  return Hook;
}
} // namespace

void callHook(CallBase &CB, const Allocator &A, Constant *Use, Value *Stamp) {
  FunctionCallee Hook = getHook(CB, A);
  SmallVector<Value *, 4> Args(CB.args());
  Args.push_back(Use);
  Args.push_back(Stamp);
  SmallVector<OperandBundleDef, 1> Bundles;
  CB.getOperandBundlesAsDefs(Bundles);

  IRBuilder<> Builder(&CB);
  CallBase *New;
  if (auto *Invoke = dyn_cast<InvokeInst>(&CB)) {
    New = Builder.CreateInvoke(Hook, Invoke->getNormalDest(),
                               Invoke->getUnwindDest(), Args, Bundles);
  } else {
    CallInst *Call = Builder.CreateCall(Hook, Args, Bundles);
    // A tail call promises to leave the frame alone.
    if (isa<Constant>(Stamp))
      Call->setTailCallKind(cast<CallInst>(CB).getTailCallKind());
    New = Call;
  }
  New->setCallingConv(CB.getCallingConv());
  New->setAttributes(getCallAttributes(CB));
  New->copyMetadata(CB);
  New->takeName(&CB);
  CB.replaceAllUsesWith(New);
  CB.eraseFromParent();
}

} // namespace benchmem
