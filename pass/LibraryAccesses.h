// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What functions of the C library read and write through their arguments, by
// LibraryAccesses.inc. Queries only.
#ifndef BENCHMEM_PASS_LIBRARYACCESSES_H
#define BENCHMEM_PASS_LIBRARYACCESSES_H

#include "runtime/abi.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

namespace benchmem {

/// How many bytes: by constants or arguments A and B of the call.
enum class Extent {
  None,
  Bytes,        ///< A bytes
  Argument,     ///< argument A
  Product,      ///< arguments A and B multiplied
  String,       ///< through the terminator
  StringMost,   ///< the same, argument A bytes at most
  Result,       ///< the call's result, if it is above 0
  ResultTimes,  ///< the same, times argument A
  ResultString, ///< the result and a terminator
  ResultMost,   ///< the same, argument A bytes at most
  Unseen,       ///< not told: the block escapes
};

/// In place of an argument: what the call returns.
constexpr unsigned ResultArgument = ~0u;

struct Effect {
  unsigned What; ///< enum bm_access_what
  unsigned Argument;
  Extent Size;
  unsigned A = 0, B = 0;

  /// Known only once the call has returned.
  bool isAfter() const {
    switch (Size) {
    case Extent::Result:
    case Extent::ResultTimes:
    case Extent::ResultString:
    case Extent::ResultMost:
      return true;
    case Extent::String:
    case Extent::StringMost:
      return What & BM_ACCESS_WRITE;
    case Extent::Unseen:
      return Argument == ResultArgument;
    default:
      return false;
    }
  }
};

struct LibraryFunction {
  llvm::StringLiteral Name;
  Effect Effects[3]; ///< The unused ones have no extent.
  int Format;        ///< Argument that is a format of printf, or -1.
};

/// The function of that name, or null if nothing is known of it.
const LibraryFunction *findLibraryFunction(llvm::StringRef Name);

/// What a format of printf does with an argument behind it.
enum class FormatUse {
  Value,   ///< no memory is touched
  String,  ///< read through its terminator
  Unknown, ///< a pointer to something else
};

/// Appends the use of each argument. Of those that are left, nothing is known.
void readFormat(llvm::StringRef Format, llvm::SmallVectorImpl<FormatUse> &Uses);

} // namespace benchmem

#endif
