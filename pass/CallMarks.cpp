// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CallMarks.h"
#include "Allocators.h"
#include "MarkedFunctions.h"
#include "Names.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace benchmem {

//===- Intrinsics ---------------------------------------------------------===//

void CallMarks::markMemory(AnyMemIntrinsic &MI) {
  IRBuilder<> Builder(&MI);
  if (auto *Transfer = dyn_cast<AnyMemTransferInst>(&MI))
    Marks.callRange(Builder, Transfer->getRawSource(), MI.getLength(),
                    BM_ACCESS_READ);
  Marks.callRange(Builder, MI.getRawDest(), MI.getLength(), BM_ACCESS_WRITE);
}

/// Elements that lie together, each with a bit of the mask.
void CallMarks::markLanes(IRBuilder<> &Builder, Value *Pointer, Type *Vector,
                          Value *Mask, unsigned What) {
  auto *Fixed = dyn_cast<FixedVectorType>(Vector);
  if (!mayBeHeap(*Pointer) || !Fixed || Fixed->getNumElements() > 64)
    return Marks.callEscape(Builder, Pointer);
  Value *Bits =
      Builder.CreateBitCast(Mask, Builder.getIntNTy(Fixed->getNumElements()));
  uint64_t Size = DL.getTypeStoreSize(Fixed->getElementType());
  Marks.callLanes(Builder, Pointer, Size, Bits, What);
}

/// Elements with an address of their own.
void CallMarks::markEach(IRBuilder<> &Builder, Value *Pointers, Type *Vector,
                         Value *Mask, unsigned What) {
  auto *Fixed = dyn_cast<FixedVectorType>(Vector);
  if (!Fixed)
    return;
  uint64_t Size = DL.getTypeStoreSize(Fixed->getElementType());
  for (unsigned I = 0; I != Fixed->getNumElements(); ++I) {
    Value *Wanted = Builder.CreateSelect(Builder.CreateExtractElement(Mask, I),
                                         ConstantInt::get(I64, Size),
                                         ConstantInt::get(I64, 0));
    Marks.callRange(Builder, Builder.CreateExtractElement(Pointers, I), Wanted,
                    What);
  }
}

/// False if II is no access of masked lanes.
bool CallMarks::markMasked(IntrinsicInst &II) {
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
    Marks.callEscape(Builder, II.getOperand(0));
    return true;
  case Intrinsic::masked_compressstore:
    Marks.callEscape(Builder, II.getOperand(1));
    return true;
  default:
    return false;
  }
}

//===- Functions of the library -------------------------------------------===//

namespace {
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
} // namespace

void CallMarks::markEffect(IRBuilder<> &Builder, CallBase &CB,
                           const Effect &E) {
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
    return Marks.callRange(Builder, Pointer, ConstantInt::get(I64, E.A),
                           E.What);
  case Extent::Argument:
    return Marks.callRange(Builder, Pointer, Argument(E.A), E.What);
  case Extent::Product:
    return Marks.callRange(Builder, Pointer,
                           Builder.CreateMul(Argument(E.A), Argument(E.B)),
                           E.What);
  case Extent::String:
    return Marks.callString(Builder, Pointer, ConstantInt::get(I64, -1),
                            E.What);
  case Extent::StringMost:
    return Marks.callString(Builder, Pointer, Argument(E.A), E.What);
  case Extent::Unseen:
    return Marks.callEscape(Builder, Pointer);
  case Extent::Result:
    return Marks.callRange(Builder, Pointer, ResultAndMore(0), E.What);
  case Extent::ResultTimes:
    return Marks.callRange(Builder, Pointer,
                           Builder.CreateMul(ResultAndMore(0), Argument(E.A)),
                           E.What);
  case Extent::ResultString:
    return Marks.callRange(Builder, Pointer, ResultAndMore(1), E.What);
  case Extent::ResultMost:
    return Marks.callRange(Builder, Pointer,
                           Builder.CreateBinaryIntrinsic(Intrinsic::umin,
                                                         ResultAndMore(1),
                                                         Argument(E.A)),
                           E.What);
  }
}

void CallMarks::markFormat(CallBase &CB, unsigned Argument) {
  IRBuilder<> Builder(&CB);
  SmallVector<FormatUse, 8> Uses;
  StringRef Format;
  if (Argument >= CB.arg_size())
    return;
  if (getConstantStringInfo(CB.getArgOperand(Argument), Format))
    readFormat(Format, Uses);
  Marks.callString(Builder, CB.getArgOperand(Argument),
                   ConstantInt::get(I64, -1), BM_ACCESS_READ);
  for (unsigned I = Argument + 1; I < CB.arg_size(); ++I) {
    Value *Pointer = CB.getArgOperand(I);
    unsigned Number = I - Argument - 1;
    FormatUse Use = Number < Uses.size() ? Uses[Number] : FormatUse::Unknown;
    if (Use == FormatUse::String && Pointer->getType()->isPointerTy())
      Marks.callString(Builder, Pointer, ConstantInt::get(I64, -1),
                       BM_ACCESS_READ);
    else if (Use == FormatUse::Unknown)
      Marks.callEscape(Builder, Pointer);
  }
}

void CallMarks::markLibrary(CallBase &CB, const LibraryFunction &Known) {
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

void CallMarks::markByValue(CallBase &CB) {
  IRBuilder<> Builder(&CB);
  for (unsigned I = 0; I != CB.arg_size(); ++I)
    if (CB.isByValArgument(I))
      Marks.callRange(
          Builder, CB.getArgOperand(I),
          ConstantInt::get(I64, DL.getTypeAllocSize(CB.getParamByValType(I))),
          BM_ACCESS_READ);
}

//===- Escapes ------------------------------------------------------------===//

/// What the callee is given, it may use unseen.
void CallMarks::escape(CallBase &CB) {
  SmallVector<Value *, 4> Pointers;
  for (Value *Argument : CB.args())
    if (mayBeHeap(*Argument) && !is_contained(Pointers, Argument))
      Pointers.push_back(Argument);
  auto *Callee = dyn_cast<Function>(CB.getCalledOperand());
  if (Pointers.empty() || !(CB.isInlineAsm() || Callee))
    return;

  // What a static function does, no other module can tell.
  IRBuilder<> Builder(&CB);
  if (Callee && !Callee->hasLocalLinkage())
    Builder.SetInsertPoint(
        SplitBlockAndInsertIfThen(Builder.CreateIsNull(getToldMarked(*Callee)),
                                  &CB, /*Unreachable=*/false));
  for (Value *Pointer : Pointers)
    Marks.callEscape(Builder, Pointer);
}

/// Those arguments, whoever is called.
void CallMarks::escapeFrom(CallBase &CB, unsigned First) {
  IRBuilder<> Builder(&CB);
  for (unsigned I = First; I < CB.arg_size(); ++I)
    Marks.callEscape(Builder, CB.getArgOperand(I));
}

//===- All calls ----------------------------------------------------------===//

/// How many arguments have a parameter: the others are in a va_list, from
/// which functions of the library read them (vsnprintf). Without a prototype
/// there are none of those.
static unsigned countNamed(const CallBase &CB) {
  const FunctionType *Type = CB.getFunctionType();
  return Type->isVarArg() && Type->getNumParams() ? Type->getNumParams()
                                                  : CB.arg_size();
}

void CallMarks::mark(CallBase &CB) {
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

} // namespace benchmem
