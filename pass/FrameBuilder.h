// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns debug locations into frames of a FrameTable: the location of a call,
// and above it the calls that it was inlined through. What debug information
// does not say (the path as given, system headers, wrappers, types) comes
// from SourceInfo.
//
// Used while the LLVM context of the locations lives.
#ifndef BENCHMEM_PASS_FRAMEBUILDER_H
#define BENCHMEM_PASS_FRAMEBUILDER_H

#include "FrameTable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/DebugInfoMetadata.h"

namespace benchmem {

/// A place in the source, independent of the lifetime of debug information.
struct SourcePlace {
  std::string Linkage; ///< Of the function that the source puts it in.
  std::string Name;    ///< Its own, where the linkage name cannot be read.
  std::string File, Dir;
  unsigned Line = 0, Column = 0;
  bool System = false;
};

/// What is called there.
struct CallTarget {
  llvm::StringRef Callee; ///< Linkage name, empty through a pointer.
  bm_kind Kind = BM_KIND_CALL;
  uint16_t Flags = 0;
};

/// The linkage name that a subprogram stands for.
llvm::StringRef getLinkageName(const llvm::DISubprogram &SP);

/// The place of a location itself, without what it is inlined into.
SourcePlace getPlace(const llvm::DILocation &Loc);

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
  llvm::StringMap<std::string> FunctionNames; ///< By linkage name.
  llvm::StringMap<std::string> CalleeNames;
};

} // namespace benchmem

#endif
