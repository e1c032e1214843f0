// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the command line tells the plugin. Filled once by the Clang half,
// before anything is compiled, and read by every part; the defaults serve
// `opt`, which has no such arguments.
#ifndef BENCHMEM_PASS_OPTIONS_H
#define BENCHMEM_PASS_OPTIONS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/GlobPattern.h"
#include <vector>

namespace benchmem {

class Options {
public:
  /// The one set of this process.
  static Options &get();

  /// Takes one `-fplugin-arg-benchmem-ARGUMENT`; the error names it.
  llvm::Error parse(llvm::StringRef Argument);

  /// Whether the unqualified name of a function says that it is a benchmark.
  bool isBenchmarkName(llvm::StringRef Name) const;

  /// Whether the user said of that name that it is none.
  bool isExcludedName(llvm::StringRef Name) const;

  /// Whether the user named this function as an allocating wrapper.
  bool isWrapperName(llvm::StringRef Name) const {
    return Wrappers.contains(Name);
  }
  bool hasWrapperNames() const { return !Wrappers.empty(); }

  /// The linker will optimize the module again, so it must stay importable.
  bool LinkTimeOptimized = false;

  /// Machine code is made by the linker alone, where the plugin is not: there
  /// is no call table, and debug information has no further use.
  bool CodeElsewhere = false;

  /// Reads and writes of the heap are marked: AccessInstrumentation.h.
  bool MarksAccesses = false;

  /// The object may hold no debug information.
  bool NoDebugOutput = false;

private:
  llvm::Error addPattern(llvm::StringRef Glob);

  std::vector<llvm::GlobPattern> Included, Excluded;
  llvm::StringSet<> Wrappers;
};

} // namespace benchmem

#endif
