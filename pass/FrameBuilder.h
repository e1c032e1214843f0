// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns debug locations into frames of a FrameTable: the location of a call,
// and above it the calls that it was inlined through.
//
// Used while the LLVM context of the locations lives.
#ifndef BENCHMEM_PASS_FRAMEBUILDER_H
#define BENCHMEM_PASS_FRAMEBUILDER_H

#include "CallText.h"
#include "FrameTable.h"
#include "llvm/ADT/DenseMap.h"

namespace benchmem {

class FrameBuilder {
public:
  explicit FrameBuilder(FrameTable &Table) : Table(Table) {}

  /// The frame of a call at Loc. A null Loc leaves only Function, the name of
  /// the function that holds the call. Details are looked up.
  TableId addCall(const llvm::DILocation *Loc, llvm::StringRef Function,
                  const CallTarget &Target);

  /// The frame of a call at a known place, inlined as Loc (may be null) says.
  TableId addCall(const SourcePlace &Place, const CallDetail &Detail,
                  const llvm::DILocation *Loc, const CallTarget &Target);

private:
  TableId addInlinedAt(const llvm::DILocation *Loc);
  const SourcePlace &getCachedPlace(const llvm::DILocation &Loc);
  TableId addFrame(const SourcePlace &Place, const CallDetail *Detail,
                   TableId Parent, const CallTarget &Target);

  FrameTable &Table;
  llvm::DenseMap<const llvm::DILocation *, TableId> InlinedAt;
  llvm::DenseMap<const llvm::DIScope *, SourcePlace> Places;
  CallTextWriter Writer;
};

} // namespace benchmem

#endif
