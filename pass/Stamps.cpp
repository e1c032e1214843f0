// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Stamps.h"
#include "Allocators.h"
#include "runtime/abi.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/CodeGen/MachineFrameInfo.h"
#include "llvm/CodeGen/MachineFunction.h"
#include "llvm/CodeGen/TargetRegisterInfo.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/EHPersonalities.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace benchmem {

namespace {
/// Of the alloca: names do not outlive a release build of clang.
constexpr const char *StampMetadata = "benchmem.stamp";

//===- Which functions ----------------------------------------------------===//

bool canHaveStamp(const Function &F) {
  if (F.isDeclaration() || F.hasAvailableExternallyLinkage() ||
      F.isPresplitCoroutine() || isLeftAlone(F))
    return false;
  // Its frame would be in two places.
  if (F.hasFnAttribute(Attribute::SafeStack))
    return false;
  return !F.hasPersonalityFn() ||
         !isFuncletEHPersonality(classifyEHPersonality(F.getPersonalityFn()));
}

/// Code may be called here, whatever it does.
const CallBase *getCall(const Instruction &I) {
  const auto *CB = dyn_cast<CallBase>(&I);
  if (!CB || CB->isDebugOrPseudoInst() || CB->isLifetimeStartOrEnd())
    return nullptr;
  const auto *Intrinsic = dyn_cast<IntrinsicInst>(CB);
  return Intrinsic && Intrinsic->isAssumeLikeIntrinsic() ? nullptr : CB;
}

/// What frees, or reports undefined behaviour.
bool isKnownNotToAllocate(StringRef Name) {
  return Name == "free" || Name.starts_with("_Zdl") ||
         Name.starts_with("_Zda") || Name.starts_with("__ubsan_handle_");
}

/// A tail call that the code generator may turn into a jump. It copies a
/// block that only returns into those that branch to it.
bool mayJump(const CallBase &CB) {
  const auto *Call = dyn_cast<CallInst>(&CB);
  if (!Call || !Call->isTailCall())
    return false;
  const Instruction *Next = Call->getNextNonDebugInstruction();
  const auto *Branch = dyn_cast_or_null<BranchInst>(Next);
  if (Branch && Branch->isUnconditional())
    Next = Branch->getSuccessor(0)->getFirstNonPHIOrDbgOrLifetime();
  return isa_and_nonnull<ReturnInst>(Next);
}

/// Without optimization nothing else tells that a function calls none.
bool isLeaf(const Function &F) {
  return F.hasExactDefinition() && none_of(instructions(F), getCall);
}

/// Whether a block may be allocated while the function waits for this call.
bool mayAllocate(const CallBase &CB) {
  if (isa<IntrinsicInst>(CB) || CB.isInlineAsm() || CB.doesNotReturn() ||
      mayJump(CB))
    return false;
  const Function *Callee = CB.getCalledFunction();
  if (Callee && (isKnownNotToAllocate(Callee->getName()) || isLeaf(*Callee)))
    return false;
  // What allocates writes to memory that cannot be seen from here.
  return isModSet(
      CB.getMemoryEffects().getModRef(IRMemLocation::InaccessibleMem));
}

//===- Where it is emptied ------------------------------------------------===//

/// A block that is run before each call of the function, and once: not in a
/// loop.
BasicBlock *getDominating(Function &F, const DominatorTree &DT,
                          const LoopInfo &LI) {
  BasicBlock *Common = nullptr;
  for (BasicBlock &Block : F) {
    if (!DT.isReachableFromEntry(&Block) || none_of(Block, getCall))
      continue;
    Common = Common ? DT.findNearestCommonDominator(Common, &Block) : &Block;
  }
  while (Common && LI.getLoopFor(Common))
    Common = DT.getNode(Common)->getIDom()->getBlock();
  return Common;
}

Instruction *getPlace(BasicBlock &Block) {
  for (Instruction &I : Block)
    if (getCall(I))
      return &I;
  return Block.getTerminator();
}

bool isAllocatingCall(const Instruction &I) {
  const auto *CB = dyn_cast<CallBase>(&I);
  return CB && mayAllocate(*CB);
}

/// Whether one activation may make two such calls: in a loop, or one behind the
/// other. A single one leads to one allocation, or to a function that has its
/// own stamp.
bool isNeeded(Function &F, const LoopInfo &LI) {
  DenseMap<const BasicBlock *, unsigned> Most; ///< Calls on a way to its end.
  for (const BasicBlock *Block : ReversePostOrderTraversal<Function *>(&F)) {
    unsigned Before = 0;
    for (const BasicBlock *Pred : predecessors(Block))
      Before = std::max(Before, Most.lookup(Pred));
    unsigned Here = count_if(*Block, isAllocatingCall);
    if (Here && (Before + Here > 1 || LI.getLoopFor(Block)))
      return true;
    Most[Block] = Before + Here;
  }
  return false;
}
} // namespace

AllocaInst *addStamp(Function &F) {
  if (!canHaveStamp(F) || none_of(instructions(F), isAllocatingCall))
    return nullptr;
  DominatorTree DT(F);
  LoopInfo LI(DT);
  if (!isNeeded(F, LI))
    return nullptr;
  BasicBlock *Block = getDominating(F, DT, LI);
  if (!Block)
    return nullptr;

  LLVMContext &Ctx = F.getContext();
  Type *I64 = Type::getInt64Ty(Ctx);
  static_assert(sizeof(bm_stamp) == sizeof(uint64_t));
  IRBuilder<> AtEntry(&*F.getEntryBlock().getFirstInsertionPt());
  AtEntry.SetCurrentDebugLocation(DebugLoc());
  AllocaInst *Stamp = AtEntry.CreateAlloca(
      I64, F.getParent()->getDataLayout().getAllocaAddrSpace());
  Stamp->setMetadata(StampMetadata, MDNode::get(Ctx, {}));
  IRBuilder<> Builder(getPlace(*Block));
  Builder.SetCurrentDebugLocation(DebugLoc());
  // Volatile: nothing in the function reads it.
  Builder.CreateStore(ConstantInt::get(I64, BM_STAMP_EMPTY), Stamp,
                      /*isVolatile=*/true);
  return Stamp;
}

Value *getStampFor(const CallBase &CB, AllocaInst *Stamp) {
  // An address that is given away would ask for a stack protector.
  if (!Stamp || mayJump(CB) ||
      Stamp->getFunction()->hasFnAttribute(Attribute::StackProtectStrong))
    return ConstantPointerNull::get(PointerType::getUnqual(CB.getContext()));
  return Stamp;
}

bool mayPrecedeStamp(StringRef Callee) {
  return Callee.starts_with("__cyg_profile_func_") ||
         Callee.starts_with("__sanitizer_cov_") ||
         Callee.ltrim("\1_") == "mcount";
}

std::optional<int32_t> getStampOffset(const MachineFunction &MF) {
  const MachineFrameInfo &Frame = MF.getFrameInfo();
  // From an address that was rounded, nothing is at a known distance.
  if (MF.getSubtarget().getRegisterInfo()->hasStackRealignment(MF))
    return std::nullopt;
  for (int I = 0, End = Frame.getObjectIndexEnd(); I != End; ++I) {
    const AllocaInst *Object = Frame.getObjectAllocation(I);
    if (Object && Object->hasMetadata(StampMetadata) &&
        !Frame.isDeadObjectIndex(I) &&
        Frame.getStackID(I) == TargetStackID::Default)
      return static_cast<int32_t>(Frame.getObjectOffset(I));
  }
  return std::nullopt;
}

} // namespace benchmem
