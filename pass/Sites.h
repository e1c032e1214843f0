// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The allocation calls of the module in work, as they stood before the
// optimizer. The tagger fills the list and writes each call's index into a
// string attribute of the call; the optimizer carries that through inlining,
// cloning and call-to-invoke, and the instrumenter reads it back.
#ifndef BENCHMEM_PASS_SITES_H
#define BENCHMEM_PASS_SITES_H

#include "Allocators.h"
#include "CallText.h"
#include <vector>

namespace benchmem {

/// The attribute's key.
constexpr llvm::StringLiteral SiteAttribute = "benchmem-site";

/// Module flags: a module that has one is not tagged, or instrumented, again
/// (fat LTO runs the pipeline twice).
constexpr llvm::StringLiteral TaggedFlag = "benchmem-tagged";
constexpr llvm::StringLiteral InstrumentedFlag = "benchmem-instrumented";

struct Site {
  SourcePlace Place;
  CallDetail Detail;
  const Allocator *Callee = nullptr;
  bool Shared = false;  ///< Other modules may hold a copy of its function.
  bool Emitted = false; ///< Its function is compiled here, not elsewhere.
};

class SiteList {
public:
  /// The one of this process.
  static SiteList &get();

  std::vector<Site> Sites;

  /// The site that a call's attribute names, or null.
  Site *find(const llvm::CallBase &CB);
};

} // namespace benchmem

#endif
