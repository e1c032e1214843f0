// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions about one allocating call in the AST. Queries only.
#ifndef BENCHMEM_PASS_ALLOCEXPR_H
#define BENCHMEM_PASS_ALLOCEXPR_H

#include "SourceInfo.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"
#include <memory>

namespace benchmem {

/// Linkage names of declarations, as code generation makes them.
class LinkageNames {
public:
  explicit LinkageNames(clang::ASTContext &Ctx);
  std::string get(clang::GlobalDecl D);

  /// A constructor or destructor has several names, any other function one.
  llvm::SmallVector<std::string, 2> getAll(const clang::FunctionDecl &F);

private:
  std::unique_ptr<clang::MangleContext> Mangler;
};

class AllocExpr {
public:
  explicit AllocExpr(clang::ASTContext &Ctx);

  /// The function called, by the name that the compiled call has: that of
  /// `operator new` for a new-expression, that of the library function for a
  /// builtin. Empty through a pointer.
  std::string getCallee(const clang::CallExpr &Call);
  std::string getCallee(const clang::CXXNewExpr &New);

  /// Whether the call may allocate for its caller: a known allocator, a
  /// function with an allocator's attributes, or one whose result is `void *`
  /// (also through a pointer).
  bool mayAllocate(const clang::CallExpr &Call);

  /// What the call is for. Target is the type that its result becomes, null
  /// if nothing converts it.
  CallDetail getDetail(const clang::CallExpr &Call, clang::QualType Target);
  CallDetail getDetail(const clang::CXXNewExpr &New);

  /// Whether the function's attributes say that it allocates.
  static bool hasAllocatorAttribute(const clang::FunctionDecl &F);

private:
  struct SizeArguments {
    const clang::Expr *Size = nullptr;
    const clang::Expr *Count = nullptr;
    const clang::Expr *Result = nullptr; ///< Of posix_memalign and kin.
  };
  SizeArguments findSizeArguments(const clang::CallExpr &Call);
  std::string getText(const clang::Expr *E);
  clang::QualType desugar(clang::QualType T) const;
  std::string getTypeName(clang::QualType T);
  std::string getCount(const SizeArguments &Sizes);

  clang::ASTContext &Ctx;
  clang::PrintingPolicy Policy;
  LinkageNames Names;
};

} // namespace benchmem

#endif
