// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program's own malloc and kin. Where a module defines one, the recorder's
// is put in front of it: the definition gets another name, and what is left
// under its own jumps to the recorder, with its arguments and its caller's
// return address as they were. So calls from anywhere are counted, as with
// libc's.
#ifndef BENCHMEM_PASS_OWNALLOCATORS_H
#define BENCHMEM_PASS_OWNALLOCATORS_H

#include "llvm/IR/Module.h"

namespace benchmem {

/// At the start of the pipeline: calls of them are neither inlined nor removed.
/// True if anything changed.
bool keepOwnAllocators(llvm::Module &M);

/// At its end. True if anything changed.
bool coverOwnAllocators(llvm::Module &M);

} // namespace benchmem

#endif
