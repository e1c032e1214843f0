// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs before the optimizer: marks each direct call of a hooked allocator
// with the site that it is (see Sites.h), and names functions in line tables.
// Unlike marks keep unlike calls from being merged; that is all that the
// optimizer sees of it.
#ifndef BENCHMEM_PASS_TAGGER_H
#define BENCHMEM_PASS_TAGGER_H

#include "llvm/IR/PassManager.h"

namespace benchmem {

class TaggerPass : public llvm::PassInfoMixin<TaggerPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace benchmem

#endif
