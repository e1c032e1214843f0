// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// --benchmem-access: code that marks in the cells of runtime/abi.h what it
// reads and writes of the heap, before it does so. What library functions do
// is marked around their calls (LibraryAccesses.inc); a block whose address
// goes to a function that is not built so has escaped.
#ifndef BENCHMEM_PASS_ACCESSINSTRUMENTATION_H
#define BENCHMEM_PASS_ACCESSINSTRUMENTATION_H

#include "llvm/IR/Module.h"

namespace benchmem {

/// Instruments all functions of M. True if anything changed.
bool markAccesses(llvm::Module &M);

} // namespace benchmem

#endif
