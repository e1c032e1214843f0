// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stamps: a word in the frame of a function, in which the recorder notes by
// which path this activation was entered (struct bm_stamp of abi.h). A
// function gets one if what is allocated below one activation of it may be
// asked for more than once.
#ifndef BENCHMEM_PASS_STAMPS_H
#define BENCHMEM_PASS_STAMPS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Instructions.h"
#include <optional>

namespace llvm {
class MachineFunction;
}

namespace benchmem {

/// Gives F a stamp, which is emptied before F calls anything. Null if F needs
/// none, or can have none.
llvm::AllocaInst *addStamp(llvm::Function &F);

/// What the hook in place of CB is handed: the stamp of its function, or a
/// null pointer if there is none or CB may become a jump, which leaves the
/// frame. Call it before CB is replaced.
llvm::Value *getStampFor(const llvm::CallBase &CB, llvm::AllocaInst *Stamp);

/// Whether calls of Callee are put in behind this pass, and so perhaps before
/// the stamp is emptied: those that instrument each function or each block.
bool mayPrecedeStamp(llvm::StringRef Callee);

/// Where the stamp of a compiled function lies, from the canonical frame
/// address; nothing if it has none or has it at no fixed place.
std::optional<int32_t> getStampOffset(const llvm::MachineFunction &MF);

} // namespace benchmem

#endif
