// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "SourceInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace benchmem {

namespace {
/// Debug locations have 16 bits for a column and give up beyond.
constexpr unsigned MaxColumn = (1u << 16) - 1;

/// Function and file are left out: see findCalls.
StringRef makeKey(StringRef Callee, unsigned Line, unsigned Column,
                  SmallVectorImpl<char> &Out) {
  return (Twine(Line) + ":" + Twine(Column > MaxColumn ? 0 : Column) + ":" +
          Callee)
      .toStringRef(Out);
}
} // namespace

SourceInfo &SourceInfo::get() {
  static SourceInfo Instance;
  return Instance;
}

void SourceInfo::addCall(SourceCall Call) {
  SmallString<64> Buffer;
  // The second entry serves -gno-column-info.
  for (unsigned Column : {Call.Column, 0u}) {
    Buffer.clear();
    CallsByPosition[makeKey(Call.Callee, Call.Line, Column, Buffer)].push_back(
        Calls.size());
    if (Call.Column == 0)
      break;
  }
  Calls.push_back(std::move(Call));
}

void SourceInfo::addFile(StringRef DebugPath, FileInfo File) {
  auto [Entry, Inserted] = Files.try_emplace(DebugPath, std::move(File));
  if (!Inserted)
    Entry->second.System |= File.System;
}

SourceInfo::Matches SourceInfo::findCalls(const CallPosition &At) const {
  SmallString<64> Buffer;
  auto Entry =
      CallsByPosition.find(makeKey(At.Callee, At.Line, At.Column, Buffer));
  Matches Same, Near;
  if (Entry == CallsByPosition.end())
    return Same;
  StringRef Base = sys::path::filename(At.File);
  for (unsigned Index : Entry->second) {
    const SourceCall &Call = Calls[Index];
    if (Call.Function == At.Function)
      Same.push_back(&Call);
    else if (Base.empty() || sys::path::filename(Call.File) == Base)
      Near.push_back(&Call);
  }
  // Initializers of globals and of members, default arguments and outlined
  // regions are compiled into functions that the source does not name.
  return Same.empty() ? Near : Same;
}

const SourceCall *SourceInfo::findCall(const CallPosition &At,
                                       unsigned Index) const {
  Matches Found = findCalls(At);
  if (Found.empty())
    return nullptr;
  return Found[std::min<size_t>(Index, Found.size() - 1)];
}

const CallDetail *SourceInfo::findDetail(const CallPosition &At) const {
  Matches Found = findCalls(At);
  auto Differs = [&](const SourceCall *Call) {
    return !(Call->Detail == Found.front()->Detail);
  };
  if (Found.empty() || any_of(Found, Differs))
    return nullptr;
  return &Found.front()->Detail;
}

const FileInfo *SourceInfo::findFile(StringRef DebugPath) const {
  auto Entry = Files.find(DebugPath);
  return Entry == Files.end() ? nullptr : &Entry->second;
}

const BenchmarkInfo *SourceInfo::findBenchmark(StringRef LinkageName) const {
  auto Entry = Benchmarks.find(LinkageName);
  return Entry == Benchmarks.end() ? nullptr : &Entry->second;
}

} // namespace benchmem
