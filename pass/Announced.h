// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls that may allocate for their caller, have no hook, and whose return
// address will tell nothing: jumps, and code that the linker makes. They are
// announced to the recorder (__benchmem_note, _push and _pop of abi.h).
#ifndef BENCHMEM_PASS_ANNOUNCED_H
#define BENCHMEM_PASS_ANNOUNCED_H

#include "FrameBuilder.h"
#include "llvm/IR/Constant.h"
#include "llvm/IR/InstrTypes.h"
#include <optional>

namespace benchmem {

enum class Announcement {
  Note,    ///< Before a call that may become a jump.
  Bracket, ///< Around any other.
};

/// How CB, which is no hooked call, has to be announced; nothing for most.
std::optional<Announcement> getAnnouncement(const llvm::CallBase &CB);

/// What an announced call calls.
CallTarget getAnnouncedTarget(const llvm::CallBase &CB);

/// Adds the announcement that CB is Use. A bracket around an invoke splits
/// edges.
void announce(llvm::CallBase &CB, Announcement How, llvm::Constant *Use);

} // namespace benchmem

#endif
