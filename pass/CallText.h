// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is told of a call: where it is by the source, what it calls and what
// it is for, as the texts that tables and inventories hold. What debug
// information does not say (the path as given, system headers, wrappers,
// types) comes from SourceInfo. One implementation, so that the same call has
// the same texts, and with them the same id, wherever it is listed.
//
// Used while the LLVM context of the locations lives.
#ifndef BENCHMEM_PASS_CALLTEXT_H
#define BENCHMEM_PASS_CALLTEXT_H

#include "SourceInfo.h"
#include "runtime/abi.h"
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

/// The place of a location's scope: all but line and column.
SourcePlace getScopePlace(const llvm::DIScope &Scope);

/// The place of a location itself, without what it is inlined into.
SourcePlace getPlace(const llvm::DILocation &Loc);

/// What the source tells of a call at Place, or null.
const CallDetail *findDetail(const SourcePlace &Place,
                             const CallTarget &Target);

/// Empty texts are unknown. They last as long as their writer and the place.
struct CallText {
  llvm::StringRef Function; ///< Qualified, without parameters.
  llvm::StringRef Linkage, File, Dir;
  unsigned Line = 0, Column = 0;
  llvm::StringRef Callee; ///< As Function.
  uint16_t Kind = BM_KIND_CALL;
  uint16_t Flags = 0; ///< enum bm_frame_flags
};

class CallTextWriter {
public:
  CallText write(const SourcePlace &Place, const CallTarget &Target);

private:
  llvm::StringMap<std::string> FunctionNames; ///< By linkage name.
  llvm::StringMap<std::string> CalleeNames;
};

} // namespace benchmem

#endif
