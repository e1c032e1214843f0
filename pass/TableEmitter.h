// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Puts tables of runtime/abi.h into a module as constants.
#ifndef BENCHMEM_PASS_TABLEEMITTER_H
#define BENCHMEM_PASS_TABLEEMITTER_H

#include "FrameTable.h"
#include "llvm/IR/GlobalVariable.h"
#include "llvm/IR/Module.h"

namespace benchmem {

/// Where tables lie that nothing iterates over. By its name a linker keeps
/// it with the other constants, also in the medium and large code models.
constexpr llvm::StringLiteral TableSection = ".rodata.benchmem";

/// The table as one private constant; lays it out.
llvm::GlobalVariable *emitTable(llvm::Module &M, FrameTable &Table,
                                llvm::StringRef Name);

/// The distance from byte FromOffset of From to byte ToOffset of To, as i32.
llvm::Constant *getDistance(llvm::Constant *To, uint64_t ToOffset,
                            llvm::GlobalVariable &From, uint64_t FromOffset);

/// Gives an entry of a table its section. The sanitizers' red zones would
/// tear a section apart, so they stay away.
void placeInSection(llvm::GlobalVariable &Entry, llvm::StringRef Section);

/// Lets the linker keep or drop Entry by itself. F is the one function that
/// refers to it: both are in one group if F is in any, so that of several
/// copies of F the entries of one are left.
void separate(llvm::GlobalVariable &Entry, llvm::Function &F);

/// Lets the linker keep Entry, to which nothing refers, exactly if it keeps F.
void tieToFunction(llvm::GlobalVariable &Entry, llvm::Function &F);

} // namespace benchmem

#endif
