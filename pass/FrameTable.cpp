// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FrameTable.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/MD5.h"

using namespace llvm;

namespace benchmem {

namespace {
// The order of the words is that of the structs in abi.h.
static_assert(sizeof(bm_frame) == 28 && offsetof(bm_frame, parent) == 12 &&
              offsetof(bm_frame, callee) == 16 &&
              offsetof(bm_frame, detail) == 20 &&
              offsetof(bm_frame, kind) == 24);
static_assert(sizeof(bm_scope) == 16 && sizeof(bm_detail) == 12 &&
              sizeof(bm_param) == 8);

constexpr unsigned FrameScope = 0, FrameParent = 3, FrameCallee = 4,
                   FrameDetail = 5;

/// From a word at From to what it refers to.
uint32_t distance(uint64_t From, uint64_t To) {
  return static_cast<uint32_t>(To - From);
}
} // namespace

TableId FrameTable::Rows::add(Row Entry) {
  auto [Known, Inserted] = Ids.try_emplace(Entry, List.size() + 1);
  if (Inserted)
    List.push_back(std::move(Entry));
  return Known->second;
}

TableId FrameTable::addString(StringRef Text) {
  if (Text.empty())
    return 0;
  // Ids of strings are their offsets plus one.
  auto [Known, Inserted] = StringIds.try_emplace(Text, Strings.size() + 1);
  if (Inserted) {
    // A NUL inside would end the string for the reader.
    Strings += Text.take_until([](char C) { return C == '\0'; });
    Strings += '\0';
  }
  return Known->second;
}

TableId FrameTable::addScope(StringRef Function, StringRef LinkageName,
                             StringRef File, StringRef Dir) {
  if (LinkageName == Function)
    LinkageName = "";
  return Scopes.add({addString(Function), addString(LinkageName),
                     addString(File), addString(Dir)});
}

TableId FrameTable::addDetail(const CallDetail &Detail) {
  if (Detail.empty())
    return 0;
  return Details.add({addString(Detail.Type), addString(Detail.SizeExpr),
                      addString(Detail.Count)});
}

TableId FrameTable::addFrame(const FrameEntry &Frame) {
  return Frames.add({Frame.Scope, Frame.Line, Frame.Column, Frame.Parent,
                     Frame.Callee, Frame.Detail,
                     uint32_t(Frame.Kind) | uint32_t(Frame.Flags) << 16});
}

TableId FrameTable::addParams(ArrayRef<std::pair<std::string, uint32_t>> List) {
  if (List.empty())
    return 0;
  TableId Id = Params.size() + 1;
  for (const auto &[Name, Type] : List) {
    Params.push_back(addString(Name));
    Params.push_back(Type);
  }
  return Id;
}

uint64_t FrameTable::getFrameOffset(TableId Frame) const {
  return uint64_t(Frame - 1) * sizeof(bm_frame);
}

uint64_t FrameTable::getParamsOffset(TableId Id) const {
  return ParamsStart + uint64_t(Id - 1) * 4;
}

uint64_t FrameTable::getStringOffset(TableId String) const {
  return StringsStart + String - 1;
}

StringRef FrameTable::getString(TableId String) const {
  return String ? StringRef(Strings.c_str() + String - 1) : StringRef();
}

uint64_t FrameTable::getFingerprint(TableId Frame) const {
  MD5 Hash;
  auto AddNumber = [&](uint32_t Number) {
    Hash.update((Twine(Number) + ",").str());
  };
  auto AddStrings = [&](const Row &Ids) {
    for (uint32_t Id : Ids) {
      AddNumber(getString(Id).size());
      Hash.update(getString(Id));
    }
  };
  for (TableId Id = Frame; Id;) {
    const Row &Words = Frames.List[Id - 1];
    AddStrings(Scopes.List[Words[FrameScope] - 1]);
    AddStrings({Words[FrameCallee]});
    if (Words[FrameDetail])
      AddStrings(Details.List[Words[FrameDetail] - 1]);
    for (unsigned I : {1u, 2u, 6u}) // line, column, kind and flags
      AddNumber(Words[I]);
    Id = Words[FrameParent];
  }
  MD5::MD5Result Result;
  Hash.final(Result);
  return Result.low();
}

/// Scopes and details: every word is a string.
void FrameTable::layoutRows(const Rows &Rows, uint64_t Start,
                            TableImage &Image) const {
  uint64_t Here = Start;
  for (const Row &Entry : Rows.List)
    for (uint32_t String : Entry) {
      Image.Words.push_back(String ? distance(Here, getStringOffset(String))
                                   : 0);
      Here += 4;
    }
}

void FrameTable::layoutParams(TableImage &Image) const {
  for (size_t I = 0; I != Params.size(); I += 2) {
    uint64_t Here = ParamsStart + I * 4;
    Image.Words.push_back(Params[I] ? distance(Here, getStringOffset(Params[I]))
                                    : 0);
    Image.Words.push_back(Params[I + 1]);
  }
}

TableImage FrameTable::layout() {
  ScopesStart = Frames.List.size() * sizeof(bm_frame);
  DetailsStart = ScopesStart + Scopes.List.size() * sizeof(bm_scope);
  ParamsStart = DetailsStart + Details.List.size() * sizeof(bm_detail);
  StringsStart = ParamsStart + Params.size() * 4;

  TableImage Image;
  uint64_t Here = 0;
  for (Row Frame : Frames.List) {
    auto Resolve = [&](unsigned Word, auto GetOffset) {
      if (Frame[Word])
        Frame[Word] = distance(Here + Word * 4, GetOffset(Frame[Word]));
    };
    auto String = [&](TableId Id) { return getStringOffset(Id); };
    Resolve(FrameScope, [&](TableId Id) {
      return ScopesStart + uint64_t(Id - 1) * sizeof(bm_scope);
    });
    Resolve(FrameParent, [&](TableId Id) { return getFrameOffset(Id); });
    Resolve(FrameCallee, String);
    Resolve(FrameDetail, [&](TableId Id) {
      return DetailsStart + uint64_t(Id - 1) * sizeof(bm_detail);
    });
    auto &Words = Image.Frames.emplace_back();
    std::copy(Frame.begin(), Frame.end(), Words.begin());
    Here += sizeof(bm_frame);
  }
  layoutRows(Scopes, ScopesStart, Image);
  layoutRows(Details, DetailsStart, Image);
  layoutParams(Image);
  Image.Strings = Strings;
  return Image;
}

} // namespace benchmem
