// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions mark the accesses of their own, so that what they are given
// has not escaped. Those that may be called from other modules tell them by a
// symbol of their name (BM_ABI_ACCESS_KNOWN_PREFIX), which only the linker
// finds out.
#ifndef BENCHMEM_PASS_MARKEDFUNCTIONS_H
#define BENCHMEM_PASS_MARKEDFUNCTIONS_H

#include "llvm/IR/Function.h"

namespace benchmem {

/// Whether the accesses of F are marked in this module.
bool isInstrumented(const llvm::Function &F);

/// Whether a call of F runs the code of this module, and that is marked. In
/// place of a weak function the linker may take any other.
bool isMarked(const llvm::Function &F);

/// Tells other modules that F marks its accesses.
void tellMarked(llvm::Function &F);

/// The address that is null where no code of the process that marks its
/// accesses defines the function.
llvm::Constant *getToldMarked(llvm::Function &Callee);

} // namespace benchmem

#endif
