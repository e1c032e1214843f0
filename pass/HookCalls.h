// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rewrites one call of an allocator into a call of its hook.
#ifndef BENCHMEM_PASS_HOOKCALLS_H
#define BENCHMEM_PASS_HOOKCALLS_H

#include "Allocators.h"
#include "llvm/IR/Constant.h"
#include "llvm/IR/Value.h"

namespace benchmem {

/// Replaces CB by the same call, or invoke, of A's hook with Use and Stamp as
/// its last arguments. Everything that holds for the hook as well is kept:
/// place, bundles, metadata, attributes, and the tail kind if Stamp is null.
/// CB is gone afterwards.
void callHook(llvm::CallBase &CB, const Allocator &A, llvm::Constant *Use,
              llvm::Value *Stamp);

} // namespace benchmem

#endif
