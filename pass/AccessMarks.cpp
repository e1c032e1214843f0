// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AccessMarks.h"
#include "runtime/abi.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace benchmem {

namespace {
constexpr uint64_t CellSize = 1u << BM_ACCESS_CELL_BITS;

/// Accesses of more cells are marked by a call.
constexpr uint64_t MostCells = 4;

/// Whether Size bytes of that alignment never lie in two cells.
bool staysInCell(uint64_t Size, Align Known) {
  return Known.value() >= CellSize || PowerOf2Ceil(Size) <= Known.value();
}

Value *getField(IRBuilder<> &Builder, Value *Base, uint64_t Offset) {
  return Builder.CreatePtrAdd(Base, Builder.getInt64(Offset));
}
} // namespace

AccessMarks::AccessMarks(Module &M)
    : M(M), Ctx(M.getContext()), DL(M.getDataLayout()),
      I32(Type::getInt32Ty(Ctx)), I64(Type::getInt64Ty(Ctx)),
      Ptr(PointerType::get(Ctx, 0)) {
  Mark = declare(BM_ABI_ACCESS_MARK, {Ptr, I32});
  Range = declare(BM_ABI_ACCESS_RANGE, {Ptr, I64, I32});
  String = declare(BM_ABI_ACCESS_STRING, {Ptr, I64, I32});
  Lanes = declare(BM_ABI_ACCESS_LANES, {Ptr, I64, I64, I32});
  Escape = declare(BM_ABI_ACCESS_ESCAPE, {Ptr});
  View = M.getNamedGlobal(BM_ABI_ACCESS_VIEW);
  if (View)
    return;
  View = new GlobalVariable(M, Ptr, /*isConstant=*/false,
                            GlobalValue::ExternalLinkage, nullptr,
                            BM_ABI_ACCESS_VIEW);
  View->setVisibility(GlobalValue::HiddenVisibility);
  View->setDSOLocal(true);
}

FunctionCallee AccessMarks::declare(StringRef Name,
                                    ArrayRef<Type *> Parameters) {
  auto *Type = FunctionType::get(Type::getVoidTy(Ctx), Parameters, false);
  FunctionCallee Callee = M.getOrInsertFunction(Name, Type);
  auto *F = cast<Function>(Callee.getCallee());
  F->setDoesNotThrow();
  F->setVisibility(GlobalValue::HiddenVisibility);
  F->setDSOLocal(true);
  // They are called in the middle of anything.
  if (Triple(M.getTargetTriple()).getArch() == Triple::x86_64)
    F->setCallingConv(CallingConv::PreserveAll);
  return Callee;
}

void AccessMarks::call(IRBuilder<> &Builder, FunctionCallee Callee,
                       ArrayRef<Value *> Arguments) {
  CallInst *Call = Builder.CreateCall(Callee, Arguments);
  Call->setCallingConv(cast<Function>(Callee.getCallee())->getCallingConv());
}

/// What we add is no access of the program's.
template <typename T> T *AccessMarks::ours(T *I) {
  I->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(Ctx, {}));
  return I;
}

//===- Functions ----------------------------------------------------------===//

/// Checks split blocks; what must stay in the first one goes to its front.
void AccessMarks::enter(Function &F) {
  BasicBlock &Entry = F.getEntryBlock();
  Instruction *First = &*Entry.getFirstInsertionPt();
  for (Instruction &I : make_early_inc_range(Entry))
    if (auto *Alloca = dyn_cast<AllocaInst>(&I);
        Alloca && Alloca->isStaticAlloca() && Alloca != First)
      Alloca->moveBefore(First);

  IRBuilder<> Builder(First);
  LoadInst *Load = ours(Builder.CreateLoad(Ptr, View));
  // Cheaper to load again than to keep: it changes once, before the recorder
  // has any cells.
  MDNode *Nothing = MDNode::get(Ctx, {});
  Load->setMetadata(LLVMContext::MD_invariant_load, Nothing);
  Load->setMetadata(LLVMContext::MD_nonnull, Nothing);
  Map = Load;
}

void AccessMarks::leave() {
  if (Map->use_empty())
    cast<Instruction>(Map)->eraseFromParent();
}

//===- One access ---------------------------------------------------------===//
/// The marks of Size bytes from an address, which lie in one cell.
Value *AccessMarks::makeMarks(IRBuilder<> &Builder, Value *Address,
                              uint64_t Size, Align Known, unsigned What) {
  uint64_t Bytes = (uint64_t(1) << 2 * Size) - 1;
  uint64_t Kinds = (What & BM_ACCESS_WRITE ? 0x55555555 : 0) |
                   (What & BM_ACCESS_READ ? 0xaaaaaaaa : 0);
  Value *Marks = ConstantInt::get(I32, uint32_t(Bytes & Kinds));
  if (Known.value() >= CellSize)
    return Marks;
  Value *Shift = Builder.CreateShl(Builder.CreateTrunc(Address, I32), 1);
  return Builder.CreateShl(Marks, Builder.CreateAnd(Shift, 31));
}

LoadInst *AccessMarks::load(IRBuilder<> &Builder, Value *From) {
  LoadInst *Load = ours(Builder.CreateLoad(I32, From));
  Load->setAtomic(AtomicOrdering::Monotonic);
  return Load;
}

/// Null where no cells are kept for the addresses around.
Value *AccessMarks::loadOrigin(IRBuilder<> &Builder, Value *Address) {
  Value *Region =
      Builder.CreateAnd(Builder.CreateLShr(Address, BM_ACCESS_REGION_BITS),
                        BM_ACCESS_NR_REGIONS - 1);
  Value *Origins = getField(Builder, Map, offsetof(bm_access_map, origins));
  return ours(Builder.CreateLoad(Ptr, Builder.CreateGEP(I64, Origins, Region)));
}

/// Leaves what lies in two cells to the recorder. Where the way of the others
/// goes on.
Instruction *AccessMarks::splitStraddling(Instruction &At, Value *Pointer,
                                          Value *Address, uint64_t Size,
                                          unsigned What) {
  IRBuilder<> Builder(&At);
  Value *First = Builder.CreateAnd(Address, CellSize - 1);
  Instruction *Two, *One;
  SplitBlockAndInsertIfThenElse(
      Builder.CreateICmpUGT(First, ConstantInt::get(I64, CellSize - Size)), &At,
      &Two, &One, MDBuilder(Ctx).createBranchWeights(1, 20));
  Builder.SetInsertPoint(Two);
  callRange(Builder, Pointer, ConstantInt::get(I64, Size), What);
  return One;
}

/// The cell's last touch is now, which is stored only where it was not yet.
void AccessMarks::touch(Instruction &At, Value *Cell) {
  IRBuilder<> Builder(&At);
  LoadInst *Now = load(Builder, Map);
  Value *Last = getField(Builder, Cell, 4);
  Value *IsOld = Builder.CreateICmpNE(load(Builder, Last), Now);
  Builder.SetInsertPoint(
      SplitBlockAndInsertIfThen(IsOld, &At, /*Unreachable=*/false));
  StoreInst *Set = ours(Builder.CreateStore(Now, Last));
  Set->setAtomic(AtomicOrdering::Monotonic);
}

/// At most as many bytes as a cell has, inline: see struct bm_access_map.
void AccessMarks::markPiece(Instruction &At, Value *Pointer, uint64_t Size,
                            Align Known, unsigned What) {
  IRBuilder<> Builder(&At);
  Value *Address = Builder.CreatePtrToInt(Pointer, I64);
  Value *Origin = loadOrigin(Builder, Address);
  Instruction *Then = SplitBlockAndInsertIfThen(Builder.CreateIsNotNull(Origin),
                                                &At, /*Unreachable=*/false);
  if (!staysInCell(Size, Known))
    Then = splitStraddling(*Then, Pointer, Address, Size, What);

  Builder.SetInsertPoint(Then);
  Value *Marks = makeMarks(Builder, Address, Size, Known, What);
  Value *Cell = Builder.CreateGEP(
      I64, Origin, Builder.CreateLShr(Address, BM_ACCESS_CELL_BITS));
  Value *Missing = Builder.CreateIsNotNull(
      Builder.CreateAnd(Builder.CreateNot(load(Builder, Cell)), Marks));
  Instruction *Rare, *Common;
  SplitBlockAndInsertIfThenElse(Missing, Then, &Rare, &Common,
                                MDBuilder(Ctx).createBranchWeights(1, 1000));
  Builder.SetInsertPoint(Rare);
  call(Builder, Mark, {Pointer, Marks});
  touch(*Common, Cell);
}

void AccessMarks::mark(const Access &A) {
  Align Known = std::max(A.Alignment, getKnownAlignment(A.Pointer, DL, A.At));
  if (A.Size > MostCells * CellSize) {
    IRBuilder<> Builder(A.At);
    callRange(Builder, A.Pointer, ConstantInt::get(I64, A.Size), A.What);
    return;
  }
  for (uint64_t Offset = 0; Offset < A.Size; Offset += CellSize) {
    IRBuilder<> Builder(A.At);
    Value *Pointer =
        Offset ? Builder.CreatePtrAdd(A.Pointer, ConstantInt::get(I64, Offset))
               : A.Pointer;
    markPiece(*A.At, Pointer, std::min(CellSize, A.Size - Offset), Known,
              A.What);
  }
}

void AccessMarks::markScalable(Instruction &I) {
  IRBuilder<> Builder(&I);
  bool Writes = isa<StoreInst>(I);
  Type *T =
      Writes ? cast<StoreInst>(I).getValueOperand()->getType() : I.getType();
  callRange(Builder, getLoadStorePointerOperand(&I),
            Builder.CreateTypeSize(I64, DL.getTypeStoreSize(T)),
            Writes ? BM_ACCESS_WRITE : BM_ACCESS_READ);
}

//===- Calls of the recorder ----------------------------------------------===//
void AccessMarks::callRange(IRBuilder<> &Builder, Value *Pointer, Value *Size,
                            unsigned What) {
  if (mayBeHeap(*Pointer))
    call(Builder, Range,
         {Pointer, Builder.CreateZExtOrTrunc(Size, I64),
          ConstantInt::get(I32, What)});
}

void AccessMarks::callString(IRBuilder<> &Builder, Value *Pointer, Value *Most,
                             unsigned What) {
  if (mayBeHeap(*Pointer))
    call(Builder, String,
         {Pointer, Builder.CreateZExtOrTrunc(Most, I64),
          ConstantInt::get(I32, What)});
}

void AccessMarks::callLanes(IRBuilder<> &Builder, Value *Pointer, uint64_t Size,
                            Value *Bits, unsigned What) {
  if (mayBeHeap(*Pointer))
    call(Builder, Lanes,
         {Pointer, ConstantInt::get(I64, Size), Builder.CreateZExt(Bits, I64),
          ConstantInt::get(I32, What)});
}

void AccessMarks::callEscape(IRBuilder<> &Builder, Value *Pointer) {
  if (mayBeHeap(*Pointer))
    call(Builder, Escape, {Pointer});
}

} // namespace benchmem
