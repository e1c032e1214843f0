// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the functions that return what they allocate, so that reports can
// charge their callers instead: by attribute, and because every value that
// the function returns comes from an allocator, from another such function,
// or is null. One look at each function body; functions that call each other
// are settled together at the end.
#ifndef BENCHMEM_PASS_WRAPPERS_H
#define BENCHMEM_PASS_WRAPPERS_H

#include "AllocExpr.h"
#include "SourceInfo.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <vector>

namespace benchmem {

class WrapperFinder {
public:
  WrapperFinder(AllocExpr &Exprs, LinkageNames &Names)
      : Exprs(Exprs), Names(Names) {}

  /// Looks at the body of F.
  void addFunction(const clang::FunctionDecl &F);

  /// Tells Info what was found.
  void finish(SourceInfo &Info);

private:
  /// What a returned value can be.
  struct Origin {
    bool Unknown = false;   ///< Something else than a fresh block.
    bool Allocated = false; ///< A block of a known allocator.
    llvm::SmallVector<std::string, 2> Callees; ///< Results of these.
    void merge(const Origin &Other);
  };
  struct Candidate {
    std::string Function;
    Origin Returned;
  };
  using Values = llvm::DenseMap<const clang::VarDecl *,
                                llvm::SmallVector<const clang::Expr *, 2>>;

  static void addUnassignedParams(const clang::FunctionDecl &F,
                                  Values &Assigned);
  static void collect(const clang::Stmt *S, Values &Assigned,
                      llvm::SmallVectorImpl<const clang::Expr *> &Returned);
  Origin getOrigin(const clang::Expr *E, const Values &Assigned);
  Origin getCallOrigin(const clang::CallExpr &Call, const Values &Assigned);
  Origin getVariableOrigin(const clang::VarDecl &V, const Values &Assigned);

  AllocExpr &Exprs;
  LinkageNames &Names;
  llvm::SmallPtrSet<const clang::VarDecl *, 4> Followed;
  std::vector<Candidate> Candidates;
  std::vector<std::string> ByAttribute;
};

} // namespace benchmem

#endif
