// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two changes that the plugin makes to debug information.
#ifndef BENCHMEM_PASS_DEBUGINFO_H
#define BENCHMEM_PASS_DEBUGINFO_H

#include "llvm/IR/Module.h"

namespace benchmem {

/// Gives each defined function's subprogram its linkage name, which line
/// tables lack: once inlined, a function has no other name. True if anything
/// changed.
bool addLinkageNames(llvm::Module &M);

/// Marks every compile unit as one that emits nothing. Locations stay on the
/// instructions, for the call table, and no debug section comes out. True if
/// anything changed.
bool silenceDebugInfo(llvm::Module &M);

} // namespace benchmem

#endif
