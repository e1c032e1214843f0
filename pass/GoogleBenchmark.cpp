// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "GoogleBenchmark.h"
#include "runtime/abi.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstrTypes.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace benchmem {

namespace {
/// A method of benchmark::State and the hook beside each call of it.
struct LoopHook {
  StringLiteral Method;
  StringLiteral Hook;
  bool After;
  int Change; ///< The hook's argument, 0 if it takes none.
};

constexpr LoopHook Hooks[] = {
    {"_ZN9benchmark5State16StartKeepRunningEv", BM_ABI_LOOP_BEGIN, true, 0},
    {"_ZN9benchmark5State17FinishKeepRunningEv", BM_ABI_LOOP_END, false, 0},
    {"_ZN9benchmark5State11PauseTimingEv", BM_ABI_LOOP_PAUSE, false, 1},
    {"_ZN9benchmark5State12ResumeTimingEv", BM_ABI_LOOP_PAUSE, true, -1},
};

/// Where control goes on once the call has returned.
Instruction *getPlaceAfter(CallBase &Call) {
  auto *Invoke = dyn_cast<InvokeInst>(&Call);
  if (!Invoke)
    return Call.getNextNode();
  BasicBlock *Normal = Invoke->getNormalDest();
  if (!Normal->getSinglePredecessor())
    Normal = SplitEdge(Invoke->getParent(), Normal);
  return &*Normal->getFirstInsertionPt();
}

void insertBeside(CallBase &Call, const LoopHook &Kind) {
  IRBuilder<> At(Kind.After ? getPlaceAfter(Call) : &Call);
  At.SetCurrentDebugLocation(Call.getDebugLoc());
  Module &M = *Call.getModule();
  SmallVector<Type *, 1> Types;
  SmallVector<Value *, 1> Arguments;
  if (Kind.Change) {
    Types.push_back(At.getInt32Ty());
    Arguments.push_back(At.getInt32(Kind.Change));
  }
  FunctionCallee Hook = M.getOrInsertFunction(
      Kind.Hook, FunctionType::get(At.getVoidTy(), Types, /*isVarArg=*/false));
  CallInst *Inserted = At.CreateCall(Hook, Arguments);
  Inserted->setDoesNotThrow();
  Inserted->setTailCallKind(CallInst::TCK_NoTail);
}
} // namespace

bool insertLoopHooks(Module &M) {
  bool Changed = false;
  for (const LoopHook &Kind : Hooks) {
    Function *Method = M.getFunction(Kind.Method);
    // The library itself defines it.
    if (!Method || !Method->isDeclaration())
      continue;
    SmallVector<CallBase *, 8> Calls;
    for (User *U : Method->users())
      if (auto *Call = dyn_cast<CallBase>(U))
        if (Call->getCalledOperand() == Method && !isa<CallBrInst>(Call))
          Calls.push_back(Call);
    for (CallBase *Call : Calls)
      insertBeside(*Call, Kind);
    Changed |= !Calls.empty();
  }
  return Changed;
}

} // namespace benchmem
