// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "LibraryAccesses.h"
#include "llvm/ADT/StringMap.h"

using namespace llvm;

namespace benchmem {

namespace {
#define READS(argument, ...)                                                   \
  Effect { BM_ACCESS_READ, argument, __VA_ARGS__ }
#define WRITES(argument, ...)                                                  \
  Effect { BM_ACCESS_WRITE, argument, __VA_ARGS__ }
#define BYTES(n) Extent::Bytes, n
#define ARGUMENT(n) Extent::Argument, n
#define PRODUCT(a, b) Extent::Product, a, b
#define STRING Extent::String
#define STRING_MOST(n) Extent::StringMost, n
#define UNSEEN Extent::Unseen
#define RESULT ResultArgument
#define RESULT_BYTES Extent::Result
#define RESULT_TIMES(n) Extent::ResultTimes, n
#define RESULT_STRING Extent::ResultString
#define RESULT_MOST(n) Extent::ResultMost, n

constexpr LibraryFunction Table[] = {
#define BM_LIBRARY(name, ...)                                                  \
  {StringLiteral(#name), {__VA_ARGS__}, /*Format=*/-1},
#define BM_FORMATTED(name, format, ...)                                        \
  {StringLiteral(#name), {__VA_ARGS__}, format},
#include "LibraryAccesses.inc"
};
} // namespace

const LibraryFunction *findLibraryFunction(StringRef Name) {
  static const StringMap<const LibraryFunction *> Index = [] {
    StringMap<const LibraryFunction *> Map;
    for (const LibraryFunction &F : Table)
      Map[F.Name] = &F;
    return Map;
  }();
  return Index.lookup(Name);
}

// printf(3): %[flags][width][.precision][length]conversion
void readFormat(StringRef Format, SmallVectorImpl<FormatUse> &Uses) {
  for (size_t At = Format.find('%'); At != StringRef::npos;
       At = Format.find('%', At)) {
    StringRef Rest = Format.substr(At + 1);
    size_t Length = Rest.find_first_not_of("-+ #0123456789.*'hljztLq");
    if (Length == StringRef::npos)
      return;
    StringRef Modifiers = Rest.take_front(Length);
    At += Length + 2;
    if (Rest[Length] == '%' || Rest[Length] == 'm')
      continue;
    Uses.append(Modifiers.count('*'), FormatUse::Value);
    if (Rest[Length] == '$') // arguments by number: none is known
      return Uses.clear();
    if (Rest[Length] == 's')
      Uses.push_back(Modifiers.find_first_of(".l") == StringRef::npos
                         ? FormatUse::String
                         : FormatUse::Unknown);
    else
      Uses.push_back(StringRef("nS").contains(Rest[Length]) ? FormatUse::Unknown
                                                            : FormatUse::Value);
  }
}

} // namespace benchmem
