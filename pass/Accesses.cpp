// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Accesses.h"
#include "runtime/abi.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Module.h"
#include <map>

using namespace llvm;

namespace benchmem {

namespace {
bool isNoHeap(const Value &Object) {
  if (isa<AllocaInst>(Object) || isa<Constant>(Object))
    return true;
  if (const auto *A = dyn_cast<Argument>(&Object))
    return A->hasByValAttr();
  const auto *II = dyn_cast<IntrinsicInst>(&Object);
  return II && II->getIntrinsicID() == Intrinsic::threadlocal_address;
}

struct Operand {
  const Value *Pointer = nullptr;
  Type *Accessed = nullptr;
  Align Alignment;
  unsigned What = 0;
};

Operand getOperand(const Instruction &I) {
  if (const auto *LI = dyn_cast<LoadInst>(&I))
    return {LI->getPointerOperand(), LI->getType(), LI->getAlign(),
            BM_ACCESS_READ};
  if (const auto *SI = dyn_cast<StoreInst>(&I))
    return {SI->getPointerOperand(), SI->getValueOperand()->getType(),
            SI->getAlign(), BM_ACCESS_WRITE};
  const unsigned Both = BM_ACCESS_READ | BM_ACCESS_WRITE;
  if (const auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return {RMW->getPointerOperand(), RMW->getType(), RMW->getAlign(), Both};
  if (const auto *CX = dyn_cast<AtomicCmpXchgInst>(&I))
    return {CX->getPointerOperand(), CX->getNewValOperand()->getType(),
            CX->getAlign(), Both};
  return {};
}

/// A call after which an address may be another block's.
bool endsStretch(const Instruction &I) {
  const auto *CB = dyn_cast<CallBase>(&I);
  if (!CB)
    return false;
  // An intrinsic becomes no call that frees; a memcpy at most.
  return !isa<IntrinsicInst>(CB);
}

/// Bytes by a base and a constant distance from it.
using Place = std::pair<const Value *, int64_t>;

class Finder {
public:
  explicit Finder(Function &F) : DL(F.getParent()->getDataLayout()) {}

  void visit(BasicBlock &Block);
  Accesses Found;

private:
  /// What was checked since the last call: its size, and its number in
  /// Found.Plain if it is in this very block, where a check can take over
  /// more.
  struct Check {
    uint64_t Size;
    unsigned What;
    size_t Number;
  };
  using Checks = std::map<Place, Check>;
  static constexpr size_t Elsewhere = SIZE_MAX;

  void visit(Instruction &I, Checks &Known);

  const DataLayout &DL;
  DenseMap<const BasicBlock *, Checks> AtEnd;
};

void Finder::visit(Instruction &I, Checks &Known) {
  if (endsStretch(I))
    Known.clear();
  if (auto *CB = dyn_cast<CallBase>(&I)) {
    Found.Calls.push_back(CB);
    return;
  }
  Operand Op = getOperand(I);
  if (!Op.Pointer || I.hasMetadata(LLVMContext::MD_nosanitize) ||
      !mayBeHeap(*Op.Pointer))
    return;
  TypeSize Size = DL.getTypeStoreSize(Op.Accessed);
  if (Size.isScalable()) {
    Found.Scalable.push_back(&I);
    return;
  }

  APInt Offset(DL.getIndexTypeSizeInBits(Op.Pointer->getType()), 0);
  const Value *Base = Op.Pointer->stripAndAccumulateConstantOffsets(
      DL, Offset, /*AllowNonInbounds=*/true);
  auto [Entry, IsNew] = Known.try_emplace(
      {Base, Offset.getSExtValue()},
      Check{Size.getFixedValue(), Op.What, Found.Plain.size()});
  Check &C = Entry->second;
  if (!IsNew && C.Size >= Size.getFixedValue()) {
    if ((C.What & Op.What) == Op.What)
      return;
    if (C.Number != Elsewhere && C.Size == Size.getFixedValue()) {
      Found.Plain[C.Number].What |= Op.What;
      C.What |= Op.What;
      return;
    }
  }
  C = {Size.getFixedValue(), Op.What, Found.Plain.size()};
  Found.Plain.push_back({&I, const_cast<Value *>(Op.Pointer),
                         Size.getFixedValue(), Op.Alignment, Op.What});
}

void Finder::visit(BasicBlock &Block) {
  Checks Known;
  // What the only block before has checked needs no check here.
  if (const BasicBlock *Before = Block.getSinglePredecessor()) {
    auto End = AtEnd.find(Before);
    if (End != AtEnd.end())
      Known = End->second;
    for (auto &Entry : Known)
      Entry.second.Number = Elsewhere;
  }
  for (Instruction &I : Block)
    visit(I, Known);
  AtEnd[&Block] = std::move(Known);
}
} // namespace

bool mayBeHeap(const Value &V) {
  if (!V.getType()->isPointerTy() || V.getType()->getPointerAddressSpace())
    return false;
  SmallVector<const Value *, 4> Objects;
  getUnderlyingObjects(&V, Objects);
  return !all_of(Objects,
                 [](const Value *Object) { return isNoHeap(*Object); });
}

Accesses findAccesses(Function &F) {
  Finder All(F);
  // Predecessors first, so that what they have checked is known.
  ReversePostOrderTraversal<Function *> Order(&F);
  for (BasicBlock *Block : Order)
    All.visit(*Block);
  return std::move(All.Found);
}

} // namespace benchmem
