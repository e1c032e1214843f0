// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites one call of an allocator into a call of its hook.
#ifndef BENCHMEM_PASS_HOOKCALLS_H
#define BENCHMEM_PASS_HOOKCALLS_H

#include "Allocators.h"
#include "llvm/IR/Constant.h"

namespace benchmem {

/// Replaces CB by the same call, or invoke, of A's hook with Use as its last
/// argument. Everything that holds for the hook as well is kept: place, tail
/// kind, bundles, metadata, attributes. CB is gone afterwards.
void callHook(llvm::CallBase &CB, const Allocator &A, llvm::Constant *Use);

} // namespace benchmem

#endif
