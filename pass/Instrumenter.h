// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs after the optimizer: redirects each call of a hooked allocator that
// is left to its hook, and writes the tables for them (uses, elided sites,
// the link symbol). A musttail call keeps its callee, whose prototype it must
// share; such calls are found by their return address.
#ifndef BENCHMEM_PASS_INSTRUMENTER_H
#define BENCHMEM_PASS_INSTRUMENTER_H

#include "llvm/IR/PassManager.h"

namespace benchmem {

class InstrumenterPass : public llvm::PassInfoMixin<InstrumenterPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace benchmem

#endif
