// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which instructions of a function read or write memory that may be heap, and
// which of those need a check of their own. Queries only.
//
// Left out is what is provably no heap: local variables, globals, functions,
// thread-local storage, other address spaces. Of two accesses of the same
// bytes with no call between them the first one stands for both: no block can
// come or go in between, nor can the clock of one thread.
#ifndef BENCHMEM_PASS_ACCESSES_H
#define BENCHMEM_PASS_ACCESSES_H

#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include <vector>

namespace benchmem {

/// A load, store or atomic: a constant number of bytes at one address.
struct Access {
  llvm::Instruction *At; ///< The check comes before it.
  llvm::Value *Pointer;
  uint64_t Size;
  llvm::Align Alignment;
  unsigned What; ///< enum bm_access_what of runtime/abi.h
};

/// All of a function, in the order of its code.
struct Accesses {
  std::vector<Access> Plain;
  std::vector<llvm::Instruction *> Scalable; ///< of vectors without a size
  std::vector<llvm::CallBase *> Calls;       ///< intrinsics and functions
};

Accesses findAccesses(llvm::Function &F);

/// Whether V can be an address of a block at all.
bool mayBeHeap(const llvm::Value &V);

} // namespace benchmem

#endif
