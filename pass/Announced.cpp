// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Announced.h"
#include "Allocators.h"
#include "Names.h"
#include "Options.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/Module.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace benchmem {

namespace {
/// A call in tail position that the code generator may turn into a jump.
bool mayJump(const CallBase &CB) {
  const auto *Call = dyn_cast<CallInst>(&CB);
  return Call && Call->isTailCall() &&
         isa_and_nonnull<ReturnInst>(Call->getNextNonDebugInstruction());
}

/// A pointer that malloc, realloc or posix_memalign could be behind.
bool mayBeAllocator(const FunctionType &Type) {
  if (Type.isVarArg() || Type.getNumParams() == 0)
    return false;
  if (Type.getReturnType()->isPointerTy())
    return true;
  return Type.getReturnType()->isIntegerTy(32) && Type.getNumParams() == 3 &&
         Type.getParamType(0)->isPointerTy() &&
         Type.getParamType(1)->isIntegerTy(64) &&
         Type.getParamType(2)->isIntegerTy(64);
}

/// A function of another module that is known to allocate for its caller.
bool isForeignAllocator(const Function &F) {
  StringRef Name = dropEscape(F.getName());
  if (!F.isDeclaration() || F.isIntrinsic())
    return false;
  return getCallKind(Name, &F) != BM_KIND_CALL ||
         SourceInfo::get().isWrapper(Name) ||
         Options::get().isWrapperName(Name);
}

void say(IRBuilder<> &Builder, CallBase &CB, StringRef Name,
         ArrayRef<Value *> Args) {
  Module &M = *CB.getModule();
  SmallVector<Type *, 2> Params(Args.size(), Builder.getPtrTy());
  auto *Type = FunctionType::get(Builder.getVoidTy(), Params, false);
  FunctionCallee Callee = M.getOrInsertFunction(Name, Type);
  if (auto *F = dyn_cast<Function>(Callee.getCallee()))
    F->setDoesNotThrow();
  Builder.CreateCall(Callee, Args)->setDebugLoc(CB.getDebugLoc());
}

/// Where the function's return address lies, or a null pointer.
Value *getReturnSlot(IRBuilder<> &Builder, const Module &M) {
  PointerType *Pointer = Builder.getPtrTy();
  if (Triple(M.getTargetTriple()).getArch() != Triple::x86_64)
    return ConstantPointerNull::get(Pointer);
  return Builder.CreateIntrinsic(Intrinsic::addressofreturnaddress, {Pointer},
                                 {});
}

void sayAt(BasicBlock &Block, CallBase &CB, StringRef Name, Constant *Use) {
  IRBuilder<> Builder(&Block, Block.getFirstInsertionPt());
  say(Builder, CB, Name, Use);
}
} // namespace

std::optional<Announcement> getAnnouncement(const CallBase &CB) {
  if (CB.isInlineAsm() || isa<CallBrInst>(CB))
    return std::nullopt;
  const Function *Callee = CB.getCalledFunction();
  if (Callee ? !isForeignAllocator(*Callee)
             : !mayBeAllocator(*CB.getFunctionType()))
    return std::nullopt;
  if (mayJump(CB))
    return Announcement::Note;
  if (Options::get().CodeElsewhere)
    return Announcement::Bracket;
  return std::nullopt;
}

CallTarget getAnnouncedTarget(const CallBase &CB) {
  CallTarget Target;
  if (const Function *Callee = CB.getCalledFunction()) {
    Target.Callee = dropEscape(Callee->getName());
    Target.Kind = getCallKind(Target.Callee, Callee);
  } else {
    Target.Flags |= BM_FRAME_INDIRECT;
  }
  if (mayJump(CB))
    Target.Flags |= BM_FRAME_TAIL;
  return Target;
}

void announce(CallBase &CB, Announcement How, Constant *Use) {
  IRBuilder<> Before(&CB);
  if (How == Announcement::Note)
    return say(Before, CB, BM_ABI_NOTE,
               {Use, getReturnSlot(Before, *CB.getModule())});
  say(Before, CB, BM_ABI_PUSH, Use);
  auto *Invoke = dyn_cast<InvokeInst>(&CB);
  if (!Invoke) {
    IRBuilder<> After(CB.getNextNode());
    return say(After, CB, BM_ABI_POP, Use);
  }
  BasicBlock *Normal = Invoke->getNormalDest();
  if (!Normal->getSinglePredecessor())
    Normal = SplitEdge(Invoke->getParent(), Normal);
  sayAt(*Normal, CB, BM_ABI_POP, Use);
  // Others may land there too; a pop that does not fit does nothing.
  sayAt(*Invoke->getUnwindDest(), CB, BM_ABI_POP, Use);
}

} // namespace benchmem
