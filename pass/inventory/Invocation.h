// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a command of a compilation database to what Clang's parser is set up
// with: as that command would, but for what writes files, what only a build
// makes, and options of other compilers, which are dropped.
#ifndef BENCHMEM_PASS_INVENTORY_INVOCATION_H
#define BENCHMEM_PASS_INVENTORY_INVOCATION_H

#include "inventory.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/TextDiagnosticPrinter.h"
#include <memory>
#include <string>

namespace benchmem {

/// Keeps the first error of a compilation; prints all of it if verbose.
class FirstError : public clang::DiagnosticConsumer {
public:
  explicit FirstError(bool Verbose);

  void BeginSourceFile(const clang::LangOptions &Opts,
                       const clang::Preprocessor *PP) override;
  void EndSourceFile() override;
  void HandleDiagnostic(clang::DiagnosticsEngine::Level Level,
                        const clang::Diagnostic &Info) override;

  bool any() const { return getNumErrors() != 0; }

  /// "line 3: unknown type name 'a' (and 2 more errors)".
  std::string describe() const;

private:
  std::unique_ptr<clang::TextDiagnosticPrinter> Printer;
  std::string Text;
};

/// Null if the command compiles nothing.
std::unique_ptr<clang::CompilerInvocation>
makeInvocation(const bm_inventory_request &Request);

} // namespace benchmem

#endif
