// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FrameBuilder.h"
#include "Options.h"

using namespace llvm;

namespace benchmem {

const SourcePlace &FrameBuilder::getCachedPlace(const DILocation &Loc) {
  auto [Entry, Inserted] = Places.try_emplace(Loc.getScope());
  if (Inserted)
    Entry->second = getScopePlace(*Loc.getScope());
  Entry->second.Line = Loc.getLine();
  Entry->second.Column = Loc.getColumn();
  return Entry->second;
}

TableId FrameBuilder::addFrame(const SourcePlace &Place,
                               const CallDetail *Detail, TableId Parent,
                               const CallTarget &Target) {
  CallText Text = Writer.write(Place, Target);
  FrameEntry Frame;
  Frame.Scope =
      Table.addScope(Text.Function, Text.Linkage, Text.File, Text.Dir);
  Frame.Line = Text.Line;
  Frame.Column = Text.Column;
  Frame.Parent = Parent;
  Frame.Callee = Table.addString(Text.Callee);
  Frame.Detail = Detail ? Table.addDetail(*Detail) : 0;
  Frame.Kind = Text.Kind;
  Frame.Flags = Text.Flags;
  if (Options::get().MarksAccesses)
    Frame.Flags |= BM_FRAME_ACCESS;
  return Table.addFrame(Frame);
}

/// The calls that the scope of Loc was inlined through.
TableId FrameBuilder::addInlinedAt(const DILocation *Loc) {
  const DILocation *At = Loc ? Loc->getInlinedAt() : nullptr;
  if (!At)
    return 0;
  auto Known = InlinedAt.find(At);
  TableId Frame = Known == InlinedAt.end() ? 0 : Known->second;
  CallTarget Target;
  Target.Callee = getLinkageName(*Loc->getScope()->getSubprogram());
  if (!Frame)
    InlinedAt[At] = Frame = addCall(At, "", Target);
  return Frame;
}

TableId FrameBuilder::addCall(const DILocation *Loc, StringRef Function,
                              const CallTarget &Target) {
  if (!Loc) {
    SourcePlace Place;
    Place.Linkage = Function.str();
    return addFrame(Place, nullptr, 0, Target);
  }
  TableId Parent = addInlinedAt(Loc);
  const SourcePlace &Place = getCachedPlace(*Loc);
  return addFrame(Place, findDetail(Place, Target), Parent, Target);
}

TableId FrameBuilder::addCall(const SourcePlace &Place,
                              const CallDetail &Detail, const DILocation *Loc,
                              const CallTarget &Target) {
  return addFrame(Place, &Detail, addInlinedAt(Loc), Target);
}

} // namespace benchmem
