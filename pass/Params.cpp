// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Params.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace benchmem {

namespace {
using Kind = ParamInfo::Kind;

/// Structs are passed in at most this many pieces on the supported targets
/// (AArch64: four members of a homogeneous aggregate).
constexpr unsigned MaxPieces = 4;

bool fits(const Type *T, const ParamInfo &Param) {
  switch (Param.How) {
  case Kind::Signed:
  case Kind::Unsigned:
    return T->isIntegerTy(Param.Bits);
  case Kind::Bool:
    return T->isIntegerTy(1) || T->isIntegerTy(8);
  case Kind::Double:
    return T->isFloatingPointTy();
  case Kind::String:
  case Kind::Pointer:
    return T->isPointerTy();
  case Kind::Aggregate:
    return true;
  }
  return false;
}

/// Assigns arguments to parameters from the given positions on. Places[I]
/// is the first argument of parameter I.
bool match(const Function &F, ArrayRef<ParamInfo> Params, unsigned Arg,
           SmallVectorImpl<unsigned> &Places) {
  unsigned Param = Places.size();
  if (Param == Params.size())
    return Arg == F.arg_size();
  bool Whole = Params[Param].How != Kind::Aggregate;
  // One piece is the usual case, none that of an empty struct in C.
  SmallVector<unsigned, 4> Pieces{1};
  if (!Whole)
    Pieces = {1, 2, 0, 3, MaxPieces};
  for (unsigned Count : Pieces) {
    if (Arg + Count > F.arg_size() ||
        (Whole && !fits(F.getArg(Arg)->getType(), Params[Param])))
      continue;
    Places.push_back(Arg);
    if (match(F, Params, Arg + Count, Places))
      return true;
    Places.pop_back();
  }
  return false;
}

bool getType(const ParamInfo &Param, bm_param_type &Type) {
  switch (Param.How) {
  case Kind::Signed:
    Type = BM_PARAM_SIGNED;
    return Param.Bits <= 64;
  case Kind::Unsigned:
    Type = BM_PARAM_UNSIGNED;
    return Param.Bits <= 64;
  case Kind::Bool:
    Type = BM_PARAM_BOOL;
    return true;
  case Kind::Double:
    Type = BM_PARAM_DOUBLE;
    return true;
  case Kind::String:
    Type = BM_PARAM_STRING;
    return true;
  case Kind::Pointer:
  case Kind::Aggregate:
    return false;
  }
  return false;
}
} // namespace

std::vector<BoundParam> bindParams(Function &F, const BenchmarkInfo &Info) {
  // The result's place comes first if it is returned in memory.
  unsigned First = F.hasStructRetAttr() ? 1 : 0;
  SmallVector<unsigned, 8> Places;
  std::vector<BoundParam> Bound;
  if (F.isVarArg() && F.arg_size() < Info.Params.size())
    return Bound;
  if (!match(F, Info.Params, First, Places))
    return Bound;
  for (unsigned I = 0; I != Info.Params.size(); ++I) {
    const ParamInfo &Param = Info.Params[I];
    bm_param_type Type;
    if (getType(Param, Type))
      Bound.push_back(
          {Param.Name, Type, F.getArg(Places[I]), Param.How == Kind::Signed});
  }
  return Bound;
}

Argument *bindState(Function &F, const BenchmarkInfo &Info) {
  SmallVector<unsigned, 8> Places;
  if (Info.StateParam < 0 || F.isVarArg() ||
      !match(F, Info.Params, F.hasStructRetAttr() ? 1 : 0, Places))
    return nullptr;
  return F.getArg(Places[Info.StateParam]);
}

Value *getParamBits(IRBuilder<> &Builder, const BoundParam &Param) {
  Type *I64 = Builder.getInt64Ty();
  Value *V = Param.Arg;
  switch (Param.Type) {
  case BM_PARAM_SIGNED:
  case BM_PARAM_UNSIGNED:
    return Builder.CreateIntCast(V, I64, Param.SignedBits);
  case BM_PARAM_BOOL:
    V = Builder.CreateIsNotNull(V);
    return Builder.CreateZExt(V, I64);
  case BM_PARAM_DOUBLE:
    V = Builder.CreateFPCast(V, Builder.getDoubleTy());
    return Builder.CreateBitCast(V, I64);
  case BM_PARAM_STRING:
    return Builder.CreatePtrToInt(V, I64);
  }
  return ConstantInt::get(I64, 0);
}

} // namespace benchmem
