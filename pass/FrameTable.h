// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The read-only tables of runtime/abi.h that one object carries: frames,
// scopes, details, parameters and strings, each once however often it is
// used. They form one block in which all references are distances known at
// compile time, so an object pays no relocation for them.
//
// Entries are added and named by ids (0 is none); layout() then gives each a
// place. Two writers take the result: emitTables for IR, and the call table
// for machine code.
#ifndef BENCHMEM_PASS_FRAMETABLE_H
#define BENCHMEM_PASS_FRAMETABLE_H

#include "SourceInfo.h"
#include "runtime/abi.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include <array>
#include <map>

namespace benchmem {

using TableId = unsigned;

/// struct bm_frame, its references being ids of the same table.
struct FrameEntry {
  TableId Scope = 0;
  unsigned Line = 0;
  unsigned Column = 0;
  TableId Parent = 0;
  TableId Callee = 0;
  TableId Detail = 0;
  uint16_t Kind = BM_KIND_CALL;
  uint16_t Flags = 0;
};

/// What layout() makes of a table.
struct TableImage {
  static constexpr unsigned FrameWords = sizeof(bm_frame) / 4;
  std::vector<std::array<uint32_t, FrameWords>> Frames;
  std::vector<uint32_t> Words; ///< Scopes, details, parameters.
  std::string Strings;         ///< Each with its NUL.

  /// Kind and flags share the last word of a frame; writers take them apart.
  static uint16_t kind(uint32_t Last) { return Last & 0xffff; }
  static uint16_t flags(uint32_t Last) { return Last >> 16; }
};

class FrameTable {
public:
  TableId addString(llvm::StringRef Text);
  TableId addScope(llvm::StringRef Function, llvm::StringRef LinkageName,
                   llvm::StringRef File, llvm::StringRef Dir);
  TableId addDetail(const CallDetail &Detail);
  TableId addFrame(const FrameEntry &Frame);

  /// Parameters of one benchmark, kept together.
  TableId addParams(llvm::ArrayRef<std::pair<std::string, uint32_t>> Params);

  bool empty() const { return Frames.List.empty(); }

  /// A hash of what the frame says, parents included, that is the same in
  /// every module.
  uint64_t getFingerprint(TableId Frame) const;

  /// Nothing can be added afterwards.
  TableImage layout();

  /// Distances from the table's start; after layout().
  uint64_t getFrameOffset(TableId Frame) const;
  uint64_t getParamsOffset(TableId Params) const;

private:
  using Row = std::vector<uint32_t>;
  struct Rows {
    std::vector<Row> List;
    std::map<Row, TableId> Ids;
    TableId add(Row Entry);
  };
  void layoutRows(const Rows &Rows, uint64_t Start, TableImage &Image) const;
  void layoutParams(TableImage &Image) const;
  uint64_t getStringOffset(TableId String) const;
  llvm::StringRef getString(TableId String) const;

  Rows Frames, Scopes, Details;
  std::vector<uint32_t> Params; ///< Pairs of string id and type.
  std::string Strings;
  llvm::StringMap<TableId> StringIds;
  uint64_t ScopesStart = 0, DetailsStart = 0, ParamsStart = 0, StringsStart = 0;
};

} // namespace benchmem

#endif
