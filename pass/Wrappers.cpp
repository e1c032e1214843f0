// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Wrappers.h"
#include "Allocators.h"
#include "Options.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/Builtins.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace benchmem {

namespace {
const VarDecl *getVariable(const Expr *E) {
  const auto *Ref = dyn_cast<DeclRefExpr>(E->IgnoreParenCasts());
  const auto *V = Ref ? dyn_cast<VarDecl>(Ref->getDecl()) : nullptr;
  return V && V->hasLocalStorage() ? V : nullptr;
}

/// memcpy and its like: duplicating functions end in one.
bool returnsFirstArgument(const CallExpr &Call) {
  switch (Call.getBuiltinCallee()) {
  case Builtin::BImemcpy:
  case Builtin::BImemmove:
  case Builtin::BImemset:
  case Builtin::BIstrcpy:
  case Builtin::BIstrncpy:
  case Builtin::BI__builtin_memcpy:
  case Builtin::BI__builtin_memmove:
  case Builtin::BI__builtin_memset:
  case Builtin::BI__builtin_strcpy:
  case Builtin::BI__builtin_strncpy:
  case Builtin::BI__builtin___memcpy_chk:
  case Builtin::BI__builtin___memmove_chk:
  case Builtin::BI__builtin___memset_chk:
  case Builtin::BI__builtin___strcpy_chk:
  case Builtin::BI__builtin___strncpy_chk:
    return Call.getNumArgs() > 0;
  default:
    return false;
  }
}

/// The variable whose address an expression takes.
const VarDecl *getPointedVariable(const Expr *E) {
  const auto *Address = dyn_cast<UnaryOperator>(E->IgnoreParenCasts());
  if (!Address || Address->getOpcode() != UO_AddrOf)
    return nullptr;
  return getVariable(Address->getSubExpr());
}
} // namespace

void WrapperFinder::Origin::merge(const Origin &Other) {
  Unknown |= Other.Unknown;
  Allocated |= Other.Allocated;
  Callees.append(Other.Callees.begin(), Other.Callees.end());
}

/// Every assignment of a local variable and every returned value below S.
void WrapperFinder::collect(const Stmt *S, Values &Assigned,
                            llvm::SmallVectorImpl<const Expr *> &Returned) {
  if (!S || isa<LambdaExpr>(S))
    return;
  if (const auto *Return = dyn_cast<ReturnStmt>(S)) {
    if (Return->getRetValue())
      Returned.push_back(Return->getRetValue());
  } else if (const auto *Decls = dyn_cast<DeclStmt>(S)) {
    for (const Decl *D : Decls->decls())
      if (const auto *V = dyn_cast<VarDecl>(D); V && V->getInit())
        Assigned[V].push_back(V->getInit());
  } else if (const auto *Op = dyn_cast<BinaryOperator>(S)) {
    const VarDecl *V =
        Op->isAssignmentOp() ? getVariable(Op->getLHS()) : nullptr;
    if (V)
      Assigned[V].push_back(Op->getOpcode() == BO_Assign ? Op->getRHS() : Op);
  } else if (const auto *Op = dyn_cast<UnaryOperator>(S)) {
    const VarDecl *V =
        Op->isIncrementDecrementOp() ? getVariable(Op->getSubExpr()) : nullptr;
    if (V)
      Assigned[V].push_back(Op);
  } else if (const auto *Call = dyn_cast<CallExpr>(S)) {
    // posix_memalign(&p, ...), asprintf(&p, ...): p is what the call makes.
    if (const Expr *First = Call->getNumArgs() ? Call->getArg(0) : nullptr)
      if (const VarDecl *V = getPointedVariable(First))
        Assigned[V].push_back(Call);
  }
  for (const Stmt *Child : S->children())
    collect(Child, Assigned, Returned);
}

/// A parameter that is not assigned on every way through the function may be
/// returned as it came; it then counts as assigned from itself.
void WrapperFinder::addUnassignedParams(const FunctionDecl &F,
                                        Values &Assigned) {
  Values Always;
  llvm::SmallVector<const Expr *, 4> Returned;
  for (const Stmt *S : F.getBody()->children()) {
    if (const auto *If = dyn_cast_or_null<IfStmt>(S))
      collect(If->getCond(), Always, Returned);
    else if (isa_and_nonnull<Expr>(S))
      collect(S, Always, Returned);
  }
  for (auto &[V, Sources] : Assigned)
    if (isa<ParmVarDecl>(V) && !Always.count(V))
      Sources.push_back(nullptr);
}

WrapperFinder::Origin WrapperFinder::getCallOrigin(const CallExpr &Call,
                                                   const Values &Assigned) {
  if (returnsFirstArgument(Call))
    return getOrigin(Call.getArg(0), Assigned);
  Origin Result;
  const FunctionDecl *F = Call.getDirectCallee();
  std::string Callee = F ? Exprs.getCallee(Call) : std::string();
  if (Callee.empty())
    Result.Unknown = true;
  else if (findAllocator(Callee) || AllocExpr::hasAllocatorAttribute(*F))
    Result.Allocated = true;
  else
    Result.Callees.push_back(std::move(Callee));
  return Result;
}

WrapperFinder::Origin WrapperFinder::getVariableOrigin(const VarDecl &V,
                                                       const Values &Assigned) {
  Origin Result;
  auto Known = Assigned.find(&V);
  if (Known == Assigned.end()) {
    Result.Unknown = true;
    return Result;
  }
  // All of a function's origins are put together: once is enough.
  if (!Followed.insert(&V).second)
    return Result;
  for (const Expr *E : Known->second) {
    if (E)
      Result.merge(getOrigin(E, Assigned));
    else
      Result.Unknown = true;
  }
  return Result;
}

WrapperFinder::Origin WrapperFinder::getOrigin(const Expr *E,
                                               const Values &Assigned) {
  E = E->IgnoreParenCasts();
  Origin Result;
  if (const auto *Call = dyn_cast<CallExpr>(E))
    return getCallOrigin(*Call, Assigned);
  if (const auto *New = dyn_cast<CXXNewExpr>(E)) {
    Result.Allocated = findAllocator(Exprs.getCallee(*New));
    Result.Unknown = !Result.Allocated;
  } else if (const auto *Choice = dyn_cast<ConditionalOperator>(E)) {
    Result = getOrigin(Choice->getTrueExpr(), Assigned);
    Result.merge(getOrigin(Choice->getFalseExpr(), Assigned));
  } else if (const VarDecl *V = getVariable(E)) {
    Result = getVariableOrigin(*V, Assigned);
  } else {
    const auto *Number = dyn_cast<IntegerLiteral>(E);
    bool Null = (Number && Number->getValue() == 0) ||
                isa<CXXNullPtrLiteralExpr, GNUNullExpr>(E);
    Result.Unknown = !Null;
  }
  return Result;
}

void WrapperFinder::addFunction(const FunctionDecl &F) {
  if (AllocExpr::hasAllocatorAttribute(F)) {
    for (std::string &Name : Names.getAll(F))
      ByAttribute.push_back(std::move(Name));
    return;
  }
  if (!F.getReturnType()->isPointerType())
    return;
  Values Assigned;
  llvm::SmallVector<const Expr *, 4> Returned;
  collect(F.getBody(), Assigned, Returned);
  addUnassignedParams(F, Assigned);
  Followed.clear();
  Origin Result;
  for (const Expr *E : Returned)
    Result.merge(getOrigin(E, Assigned));
  if (!Result.Unknown && (Result.Allocated || !Result.Callees.empty()))
    Candidates.push_back({Names.get(GlobalDecl(&F)), std::move(Result)});
}

void WrapperFinder::finish(SourceInfo &Info) {
  for (const std::string &Name : ByAttribute)
    Info.addWrapper(Name);
  auto IsWrapper = [&](llvm::StringRef Name) {
    return Info.isWrapper(Name) || Options::get().isWrapperName(Name);
  };
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (const Candidate &C : Candidates) {
      if (IsWrapper(C.Function) || !llvm::all_of(C.Returned.Callees, IsWrapper))
        continue;
      Info.addWrapper(C.Function);
      Changed = true;
    }
  }
}

} // namespace benchmem
