// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs before the optimizer: opens a window at the entry of each benchmark
// function and closes it wherever the function is left, also by an
// exception. Benchmark functions are not inlined, so that a window is one
// call of the source.
#ifndef BENCHMEM_PASS_BENCHMARKS_H
#define BENCHMEM_PASS_BENCHMARKS_H

#include "llvm/IR/PassManager.h"

namespace benchmem {

class BenchmarksPass : public llvm::PassInfoMixin<BenchmarksPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace benchmem

#endif
