// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "AccessInstrumentation.h"
#include "Accesses.h"
#include "Allocators.h"
#include "LibraryAccesses.h"
#include "Names.h"
#include "Options.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Support/KnownBits.h"
#include "llvm/TargetParser/Triple.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace benchmem {

namespace {
constexpr uint64_t CellSize = 1u << BM_ACCESS_CELL_BITS;

/// Accesses of more cells are marked by a call.
constexpr uint64_t MostCells = 4;

class Marker {
public:
  explicit Marker(Module &M);

  /// True if anything changed.
  bool run();

private:
  void run(Function &F);
  void prepare(Function &F);

  // One access.
  void mark(const Access &A);
  void markPiece(Instruction &At, Value *Pointer, uint64_t Size, Align Known,
                 unsigned What);
  void markScalable(Instruction &I);
  Value *makeMarks(IRBuilder<> &Builder, Value *Address, uint64_t Size,
                   Align Known, unsigned What);

  // One call.
  void mark(CallBase &CB);
  void markMemory(AnyMemIntrinsic &MI);
  bool markMasked(IntrinsicInst &II);
  void markLanes(IRBuilder<> &Builder, Value *Pointer, Type *Vector,
                 Value *Mask, unsigned What);
  void markEach(IRBuilder<> &Builder, Value *Pointers, Type *Vector,
                Value *Mask, unsigned What);
  void markByValue(CallBase &CB);
  void markLibrary(CallBase &CB, const LibraryFunction &Known);
  void markEffect(IRBuilder<> &Builder, CallBase &CB, const Effect &E);
  void markFormat(CallBase &CB, unsigned Argument);
  void escape(CallBase &CB);
  void escapeFrom(CallBase &CB, unsigned First);

  void callRange(IRBuilder<> &Builder, Value *Pointer, Value *Size,
                 unsigned What);
  void callString(IRBuilder<> &Builder, Value *Pointer, Value *Most,
                  unsigned What);
  void callEscape(IRBuilder<> &Builder, Value *Pointer);

  void call(IRBuilder<> &Builder, FunctionCallee Callee,
            ArrayRef<Value *> Arguments);
  FunctionCallee declare(StringRef Name, ArrayRef<Type *> Parameters);
  void emitKnown(Function &F);
  Constant *getKnown(const Function &Callee);
  template <typename T> T *ours(T *I) {
    I->setMetadata(LLVMContext::MD_nosanitize, MDNode::get(Ctx, {}));
    return I;
  }

  Module &M;
  LLVMContext &Ctx;
  const DataLayout &DL;
  Type *I32, *I64, *Ptr;
  FunctionCallee Mark, Range, String, Lanes, Escape;
  GlobalVariable *View;
  Value *Map = nullptr; ///< What View holds, in the present function.
};

Marker::Marker(Module &M)
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

FunctionCallee Marker::declare(StringRef Name, ArrayRef<Type *> Parameters) {
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

void Marker::call(IRBuilder<> &Builder, FunctionCallee Callee,
                  ArrayRef<Value *> Arguments) {
  CallInst *Call = Builder.CreateCall(Callee, Arguments);
  Call->setCallingConv(cast<Function>(Callee.getCallee())->getCallingConv());
}

//===- One access ---------------------------------------------------------===//

/// The marks of Size bytes from an address, which lie in one cell.
Value *Marker::makeMarks(IRBuilder<> &Builder, Value *Address, uint64_t Size,
                         Align Known, unsigned What) {
  uint64_t Bytes = (uint64_t(1) << 2 * Size) - 1;
  uint64_t Kinds = (What & BM_ACCESS_WRITE ? 0x55555555 : 0) |
                   (What & BM_ACCESS_READ ? 0xaaaaaaaa : 0);
  Value *Marks = ConstantInt::get(I32, uint32_t(Bytes & Kinds));
  if (Known.value() >= CellSize)
    return Marks;
  Value *Shift = Builder.CreateShl(Builder.CreateTrunc(Address, I32), 1);
  return Builder.CreateShl(Marks, Builder.CreateAnd(Shift, 31));
}

/// Whether Size bytes of that alignment never lie in two cells.
bool staysInCell(uint64_t Size, Align Known) {
  return Known.value() >= CellSize || PowerOf2Ceil(Size) <= Known.value();
}

/// At most as many bytes as a cell has, inline: see struct bm_access_map.
void Marker::markPiece(Instruction &At, Value *Pointer, uint64_t Size,
                       Align Known, unsigned What) {
  MDBuilder Weights(Ctx);
  IRBuilder<> Builder(&At);
  auto Field = [&](Value *Base, uint64_t Offset) {
    return Builder.CreatePtrAdd(Base, ConstantInt::get(I64, Offset));
  };

  Value *Address = Builder.CreatePtrToInt(Pointer, I64);
  Value *Region =
      Builder.CreateAnd(Builder.CreateLShr(Address, BM_ACCESS_REGION_BITS),
                        BM_ACCESS_NR_REGIONS - 1);
  Value *Origin = ours(Builder.CreateLoad(
      Ptr, Builder.CreateGEP(I64, Field(Map, offsetof(bm_access_map, origins)),
                             Region)));
  Instruction *Then = SplitBlockAndInsertIfThen(Builder.CreateIsNotNull(Origin),
                                                &At, /*Unreachable=*/false);

  Builder.SetInsertPoint(Then);
  if (!staysInCell(Size, Known)) {
    Value *Last = Builder.CreateAnd(Address, CellSize - 1);
    Instruction *Two, *One;
    SplitBlockAndInsertIfThenElse(
        Builder.CreateICmpUGT(Last, ConstantInt::get(I64, CellSize - Size)),
        Then, &Two, &One, Weights.createBranchWeights(1, 20));
    IRBuilder<> Straddling(Two);
    callRange(Straddling, Pointer, ConstantInt::get(I64, Size), What);
    Builder.SetInsertPoint(Then = One);
  }
  Value *Marks = makeMarks(Builder, Address, Size, Known, What);
  Value *Cell = Builder.CreateGEP(
      I64, Origin, Builder.CreateLShr(Address, BM_ACCESS_CELL_BITS));
  LoadInst *Have = ours(Builder.CreateLoad(I32, Cell));
  Have->setAtomic(AtomicOrdering::Monotonic);
  Value *Missing = Builder.CreateIsNotNull(
      Builder.CreateAnd(Builder.CreateNot(Have), Marks));
  Instruction *Rare, *Common;
  SplitBlockAndInsertIfThenElse(Missing, Then, &Rare, &Common,
                                Weights.createBranchWeights(1, 1000));

  Builder.SetInsertPoint(Rare);
  call(Builder, Mark, {Pointer, Marks});

  Builder.SetInsertPoint(Common);
  LoadInst *Now = ours(Builder.CreateLoad(I32, Map));
  Now->setAtomic(AtomicOrdering::Monotonic);
  Value *Last = Field(Cell, 4);
  LoadInst *Then2 = ours(Builder.CreateLoad(I32, Last));
  Then2->setAtomic(AtomicOrdering::Monotonic);
  Instruction *Old = SplitBlockAndInsertIfThen(Builder.CreateICmpNE(Then2, Now),
                                               Common, /*Unreachable=*/false);
  Builder.SetInsertPoint(Old);
  StoreInst *Set = ours(Builder.CreateStore(Now, Last));
  Set->setAtomic(AtomicOrdering::Monotonic);
}

void Marker::mark(const Access &A) {
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

void Marker::markScalable(Instruction &I) {
  IRBuilder<> Builder(&I);
  bool Writes = isa<StoreInst>(I);
  Type *T =
      Writes ? cast<StoreInst>(I).getValueOperand()->getType() : I.getType();
  callRange(Builder, getLoadStorePointerOperand(&I),
            Builder.CreateTypeSize(I64, DL.getTypeStoreSize(T)),
            Writes ? BM_ACCESS_WRITE : BM_ACCESS_READ);
}

//===- Calls of the recorder ----------------------------------------------===//

void Marker::callRange(IRBuilder<> &Builder, Value *Pointer, Value *Size,
                       unsigned What) {
  if (mayBeHeap(*Pointer))
    call(Builder, Range,
         {Pointer, Builder.CreateZExtOrTrunc(Size, I64),
          ConstantInt::get(I32, What)});
}

void Marker::callString(IRBuilder<> &Builder, Value *Pointer, Value *Most,
                        unsigned What) {
  if (mayBeHeap(*Pointer))
    call(Builder, String,
         {Pointer, Builder.CreateZExtOrTrunc(Most, I64),
          ConstantInt::get(I32, What)});
}

void Marker::callEscape(IRBuilder<> &Builder, Value *Pointer) {
  if (mayBeHeap(*Pointer))
    call(Builder, Escape, {Pointer});
}

//===- Intrinsics ---------------------------------------------------------===//

void Marker::markMemory(AnyMemIntrinsic &MI) {
  IRBuilder<> Builder(&MI);
  if (auto *Transfer = dyn_cast<AnyMemTransferInst>(&MI))
    callRange(Builder, Transfer->getRawSource(), MI.getLength(),
              BM_ACCESS_READ);
  callRange(Builder, MI.getRawDest(), MI.getLength(), BM_ACCESS_WRITE);
}

/// Elements that lie together, each with a bit of the mask.
void Marker::markLanes(IRBuilder<> &Builder, Value *Pointer, Type *Vector,
                       Value *Mask, unsigned What) {
  auto *Fixed = dyn_cast<FixedVectorType>(Vector);
  if (!mayBeHeap(*Pointer) || !Fixed || Fixed->getNumElements() > 64)
    return callEscape(Builder, Pointer);
  Value *Bits =
      Builder.CreateBitCast(Mask, Builder.getIntNTy(Fixed->getNumElements()));
  uint64_t Size = DL.getTypeStoreSize(Fixed->getElementType());
  call(Builder, Lanes,
       {Pointer, ConstantInt::get(I64, Size), Builder.CreateZExt(Bits, I64),
        ConstantInt::get(I32, What)});
}

/// Elements with an address of their own.
void Marker::markEach(IRBuilder<> &Builder, Value *Pointers, Type *Vector,
                      Value *Mask, unsigned What) {
  auto *Fixed = dyn_cast<FixedVectorType>(Vector);
  if (!Fixed)
    return;
  uint64_t Size = DL.getTypeStoreSize(Fixed->getElementType());
  for (unsigned I = 0; I != Fixed->getNumElements(); ++I) {
    Value *Wanted = Builder.CreateSelect(Builder.CreateExtractElement(Mask, I),
                                         ConstantInt::get(I64, Size),
                                         ConstantInt::get(I64, 0));
    call(Builder, Range,
         {Builder.CreateExtractElement(Pointers, I), Wanted,
          ConstantInt::get(I32, What)});
  }
}

/// False if II is no access of masked lanes.
bool Marker::markMasked(IntrinsicInst &II) {
  IRBuilder<> Builder(&II);
  Type *Read = II.getType();
  switch (II.getIntrinsicID()) {
  case Intrinsic::masked_load:
    markLanes(Builder, II.getOperand(0), Read, II.getOperand(2),
              BM_ACCESS_READ);
    return true;
  case Intrinsic::masked_store:
    markLanes(Builder, II.getOperand(1), II.getOperand(0)->getType(),
              II.getOperand(3), BM_ACCESS_WRITE);
    return true;
  case Intrinsic::masked_gather:
    markEach(Builder, II.getOperand(0), Read, II.getOperand(2), BM_ACCESS_READ);
    return true;
  case Intrinsic::masked_scatter:
    markEach(Builder, II.getOperand(1), II.getOperand(0)->getType(),
             II.getOperand(3), BM_ACCESS_WRITE);
    return true;
  case Intrinsic::masked_expandload:
    callEscape(Builder, II.getOperand(0));
    return true;
  case Intrinsic::masked_compressstore:
    callEscape(Builder, II.getOperand(1));
    return true;
  default:
    return false;
  }
}

//===- Functions ----------------------------------------------------------===//

/// The place behind a call, on the way on which it returned a result; null
/// where there is none that code could be put into.
Instruction *getAfter(CallBase &CB) {
  if (CB.isMustTailCall() || isa<CallBrInst>(CB))
    return nullptr;
  auto *Invoke = dyn_cast<InvokeInst>(&CB);
  if (!Invoke)
    return CB.getNextNode();
  BasicBlock *Normal = Invoke->getNormalDest();
  if (!Normal->getSinglePredecessor())
    Normal = SplitEdge(Invoke->getParent(), Normal);
  return &*Normal->getFirstInsertionPt();
}

/// A result below 0, or -1 as a size, is an error.
Value *makeResult(IRBuilder<> &Builder, CallBase &CB) {
  Value *Result = Builder.CreateSExtOrTrunc(&CB, Builder.getInt64Ty());
  Value *Zero = Builder.getInt64(0);
  return Builder.CreateSelect(Builder.CreateICmpSGT(Result, Zero), Result,
                              Zero);
}

void Marker::markEffect(IRBuilder<> &Builder, CallBase &CB, const Effect &E) {
  Value *Pointer =
      E.Argument == ResultArgument ? &CB : CB.getArgOperand(E.Argument);
  auto Argument = [&](unsigned I) {
    return Builder.CreateZExtOrTrunc(CB.getArgOperand(I), I64);
  };
  auto ResultAndMore = [&](uint64_t More) {
    return Builder.CreateAdd(makeResult(Builder, CB),
                             ConstantInt::get(I64, More));
  };

  switch (E.Size) {
  case Extent::None:
    return;
  case Extent::Bytes:
    return callRange(Builder, Pointer, ConstantInt::get(I64, E.A), E.What);
  case Extent::Argument:
    return callRange(Builder, Pointer, Argument(E.A), E.What);
  case Extent::Product:
    return callRange(Builder, Pointer,
                     Builder.CreateMul(Argument(E.A), Argument(E.B)), E.What);
  case Extent::String:
    return callString(Builder, Pointer, ConstantInt::get(I64, -1), E.What);
  case Extent::StringMost:
    return callString(Builder, Pointer, Argument(E.A), E.What);
  case Extent::Unseen:
    return callEscape(Builder, Pointer);
  case Extent::Result:
    return callRange(Builder, Pointer, ResultAndMore(0), E.What);
  case Extent::ResultTimes:
    return callRange(Builder, Pointer,
                     Builder.CreateMul(ResultAndMore(0), Argument(E.A)),
                     E.What);
  case Extent::ResultString:
    return callRange(Builder, Pointer, ResultAndMore(1), E.What);
  case Extent::ResultMost:
    return callRange(Builder, Pointer,
                     Builder.CreateBinaryIntrinsic(
                         Intrinsic::umin, ResultAndMore(1), Argument(E.A)),
                     E.What);
  }
}

/// Whether a call has the arguments and the result that an effect speaks of.
bool fits(const CallBase &CB, const Effect &E) {
  auto IsInteger = [&](unsigned I) {
    return I < CB.arg_size() && CB.getArgOperand(I)->getType()->isIntegerTy();
  };
  const Type *Pointer = E.Argument == ResultArgument ? CB.getType()
                        : E.Argument < CB.arg_size()
                            ? CB.getArgOperand(E.Argument)->getType()
                            : nullptr;
  if (!Pointer || !Pointer->isPointerTy())
    return false;
  switch (E.Size) {
  case Extent::None:
  case Extent::Bytes:
  case Extent::String:
  case Extent::Unseen:
    return true;
  case Extent::Argument:
  case Extent::StringMost:
    return IsInteger(E.A);
  case Extent::Product:
    return IsInteger(E.A) && IsInteger(E.B);
  case Extent::Result:
  case Extent::ResultString:
    return CB.getType()->isIntegerTy();
  case Extent::ResultTimes:
  case Extent::ResultMost:
    return CB.getType()->isIntegerTy() && IsInteger(E.A);
  }
  return false;
}

void Marker::markFormat(CallBase &CB, unsigned Argument) {
  IRBuilder<> Builder(&CB);
  SmallVector<FormatUse, 8> Uses;
  StringRef Format;
  if (Argument >= CB.arg_size())
    return;
  if (getConstantStringInfo(CB.getArgOperand(Argument), Format))
    readFormat(Format, Uses);
  callString(Builder, CB.getArgOperand(Argument), ConstantInt::get(I64, -1),
             BM_ACCESS_READ);
  for (unsigned I = Argument + 1; I < CB.arg_size(); ++I) {
    Value *Pointer = CB.getArgOperand(I);
    unsigned Number = I - Argument - 1;
    FormatUse Use = Number < Uses.size() ? Uses[Number] : FormatUse::Unknown;
    if (Use == FormatUse::String && Pointer->getType()->isPointerTy())
      callString(Builder, Pointer, ConstantInt::get(I64, -1), BM_ACCESS_READ);
    else if (Use == FormatUse::Unknown)
      callEscape(Builder, Pointer);
  }
}

void Marker::markLibrary(CallBase &CB, const LibraryFunction &Known) {
  // A program's own function of that name does something else.
  if (any_of(Known.Effects, [&](const Effect &E) {
        return E.Size != Extent::None && !fits(CB, E);
      }))
    return escape(CB);

  IRBuilder<> Before(&CB);
  Instruction *After = nullptr;
  for (const Effect &E : Known.Effects) {
    if (E.Size == Extent::None)
      continue;
    if (!E.isAfter()) {
      markEffect(Before, CB, E);
      continue;
    }
    if (!After)
      After = getAfter(CB);
    if (!After)
      return escape(CB);
    IRBuilder<> Behind(After);
    Behind.SetCurrentDebugLocation(CB.getDebugLoc());
    markEffect(Behind, CB, E);
  }
  if (Known.Format >= 0)
    markFormat(CB, unsigned(Known.Format));
}

void Marker::markByValue(CallBase &CB) {
  IRBuilder<> Builder(&CB);
  for (unsigned I = 0; I != CB.arg_size(); ++I)
    if (CB.isByValArgument(I))
      callRange(
          Builder, CB.getArgOperand(I),
          ConstantInt::get(I64, DL.getTypeAllocSize(CB.getParamByValType(I))),
          BM_ACCESS_READ);
}

//===- Escapes ------------------------------------------------------------===//

/// The address is null where no code of the process that is built so defines
/// the function.
Constant *Marker::getKnown(const Function &Callee) {
  std::string Name =
      (BM_ABI_ACCESS_KNOWN_PREFIX + dropEscape(Callee.getName())).str();
  if (GlobalVariable *Have = M.getNamedGlobal(Name))
    return Have;
  return new GlobalVariable(M, Type::getInt8Ty(Ctx), /*isConstant=*/true,
                            GlobalValue::ExternalWeakLinkage, nullptr, Name);
}

void Marker::emitKnown(Function &F) {
  std::string Name =
      (BM_ABI_ACCESS_KNOWN_PREFIX + dropEscape(F.getName())).str();
  if (M.getNamedValue(Name))
    return;
  Type *I8 = Type::getInt8Ty(Ctx);
  auto *Known = new GlobalVariable(M, I8, /*isConstant=*/true,
                                   GlobalValue::WeakODRLinkage,
                                   ConstantInt::get(I8, 1), Name);
  Known->setVisibility(F.getVisibility());
}

/// What the callee is given, it may use unseen.
void Marker::escape(CallBase &CB) {
  SmallVector<Value *, 4> Pointers;
  for (Value *Argument : CB.args())
    if (mayBeHeap(*Argument) && !is_contained(Pointers, Argument))
      Pointers.push_back(Argument);
  const auto *Callee = dyn_cast<Function>(CB.getCalledOperand());
  if (Pointers.empty() || !(CB.isInlineAsm() || Callee))
    return;

  // What a static function does, no other module can tell.
  IRBuilder<> Builder(&CB);
  if (Callee && !Callee->hasLocalLinkage())
    Builder.SetInsertPoint(SplitBlockAndInsertIfThen(
        Builder.CreateIsNull(getKnown(*Callee)), &CB, /*Unreachable=*/false));
  for (Value *Pointer : Pointers)
    callEscape(Builder, Pointer);
}

/// Those arguments, whoever is called.
void Marker::escapeFrom(CallBase &CB, unsigned First) {
  IRBuilder<> Builder(&CB);
  for (unsigned I = First; I < CB.arg_size(); ++I)
    callEscape(Builder, CB.getArgOperand(I));
}

/// How many arguments have a parameter: the others are in a va_list, from
/// which functions of the library read them (vsnprintf). Without a prototype
/// there are none of those.
unsigned countNamed(const CallBase &CB) {
  const FunctionType *Type = CB.getFunctionType();
  return Type->isVarArg() && Type->getNumParams() ? Type->getNumParams()
                                                  : CB.arg_size();
}

bool isInstrumented(const Function &F) {
  return !F.isDeclaration() && !F.hasAvailableExternallyLinkage() &&
         !F.hasFnAttribute(Attribute::DisableSanitizerInstrumentation) &&
         !F.getName().starts_with(BM_ABI_HOOK_PREFIX) && !isLeftAlone(F);
}

/// Whether a call of F runs the code of this module, and that is marked. In
/// place of a weak function the linker may take any other.
bool isMarked(const Function &F) {
  return isInstrumented(F) &&
         !GlobalValue::isInterposableLinkage(F.getLinkage());
}

void Marker::mark(CallBase &CB) {
  if (auto *MI = dyn_cast<AnyMemIntrinsic>(&CB))
    return markMemory(*MI);
  if (auto *II = dyn_cast<IntrinsicInst>(&CB)) {
    // Of a processor's own nothing is known but that they get an address.
    if (!markMasked(*II) && II->getCalledFunction()->isTargetIntrinsic() &&
        II->mayReadOrWriteMemory())
      escapeFrom(CB, 0);
    return;
  }
  markByValue(CB);
  const auto *Callee = dyn_cast<Function>(CB.getCalledOperand());
  StringRef Name = Callee ? dropEscape(Callee->getName()) : "";
  if (CB.isInlineAsm())
    return escape(CB);
  if (Name.starts_with(BM_ABI_HOOK_PREFIX))
    return;
  if (Callee && Callee->isDeclarationForLinker())
    if (const LibraryFunction *Known = findLibraryFunction(Name))
      return markLibrary(CB, *Known);
  if (const Allocator *A = findAllocator(Name); A && A->Hooked)
    return;
  escapeFrom(CB, countNamed(CB));
  if (Callee && !isMarked(*Callee))
    escape(CB);
}

//===- Functions of the module --------------------------------------------===//

/// Checks split blocks; what must stay in the first one goes to its front.
void Marker::prepare(Function &F) {
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

void Marker::run(Function &F) {
  Accesses Found = findAccesses(F);
  prepare(F);
  for (const Access &A : Found.Plain)
    mark(A);
  for (Instruction *I : Found.Scalable)
    markScalable(*I);
  for (CallBase *CB : Found.Calls)
    mark(*CB);
  if (Map->use_empty())
    cast<Instruction>(Map)->eraseFromParent();
}

bool Marker::run() {
  SmallVector<Function *, 16> Functions;
  for (Function &F : M)
    if (isInstrumented(F))
      Functions.push_back(&F);
  for (Function *F : Functions) {
    run(*F);
    if (!F->hasLocalLinkage() && isMarked(*F))
      emitKnown(*F);
  }
  return !Functions.empty();
}
} // namespace

bool markAccesses(Module &M) { return Marker(M).run(); }

} // namespace benchmem
