// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How functions and files are called in tables and reports.
#ifndef BENCHMEM_PASS_NAMES_H
#define BENCHMEM_PASS_NAMES_H

#include "llvm/ADT/StringRef.h"
#include <string>

namespace benchmem {

/// A symbol as the linker sees it: without LLVM's "\1", which says that the
/// name is final.
inline llvm::StringRef dropEscape(llvm::StringRef Name) {
  Name.consume_front("\1");
  return Name;
}

/// Qualified, with template arguments, without parameters: `ns::f<int>` for
/// _ZN2ns1fIiEEvT_. Names that are not mangled come back as they are.
std::string getFunctionName(llvm::StringRef LinkageName);

/// The last part of it alone: `f`.
std::string getBaseName(llvm::StringRef LinkageName);

/// A path as it was given, without leading "./" and "../".
llvm::StringRef trimFileName(llvm::StringRef Path);

} // namespace benchmem

#endif
