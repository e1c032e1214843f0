// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "FrameBuilder.h"
#include "Allocators.h"
#include "Names.h"
#include "Options.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace benchmem {

namespace {
/// Clang splits an absolute path where it leaves the folder of the
/// compilation, so the parts are put together before they are looked up.
void setFile(SourcePlace &Place, const DIFile &File, StringRef CompilationDir) {
  SmallString<128> Path;
  if (!sys::path::is_absolute(File.getFilename()))
    Path = File.getDirectory();
  sys::path::append(Path, File.getFilename());

  if (const FileInfo *Known = SourceInfo::get().findFile(Path)) {
    Place.File = trimFileName(Known->Name).str();
    Place.System = Known->System;
    return;
  }
  bool Relative = File.getDirectory() == CompilationDir;
  Place.File =
      trimFileName(Relative ? File.getFilename() : StringRef(Path)).str();
}

SourcePlace getScopePlace(const DIScope &Scope) {
  SourcePlace Place;
  const auto *Local = cast<DILocalScope>(&Scope);
  const DISubprogram *SP = Local->getSubprogram();
  Place.Linkage = getLinkageName(*SP).str();
  Place.Name = SP->getName().str();
  if (const DICompileUnit *Unit = SP->getUnit())
    Place.Dir = Unit->getDirectory().str();
  if (const DIFile *File = Scope.getFile())
    setFile(Place, *File, Place.Dir);
  return Place;
}

/// A call whose result may be a fresh block.
bool isAllocating(const CallTarget &Target) {
  return Target.Kind != BM_KIND_CALL || Target.Callee.empty() ||
         SourceInfo::get().isWrapper(Target.Callee) ||
         Options::get().isWrapperName(Target.Callee);
}

/// Some of Clang's names (of generic lambdas, say) LLVM cannot demangle.
std::string getReadableName(const SourcePlace &Place) {
  std::string Name = getFunctionName(Place.Linkage);
  bool Mangled = Name == Place.Linkage && StringRef(Name).starts_with("_Z");
  return Mangled && !Place.Name.empty() ? Place.Name : Name;
}

bool isWrapper(StringRef Linkage) {
  const Options &Opts = Options::get();
  if (SourceInfo::get().isWrapper(Linkage))
    return true;
  return Opts.hasWrapperNames() &&
         (Opts.isWrapperName(Linkage) ||
          Opts.isWrapperName(getFunctionName(Linkage)));
}
} // namespace

StringRef getLinkageName(const DISubprogram &SP) {
  StringRef Linkage = SP.getLinkageName();
  return dropEscape(Linkage.empty() ? SP.getName() : Linkage);
}

SourcePlace getPlace(const DILocation &Loc) {
  SourcePlace Place = getScopePlace(*Loc.getScope());
  Place.Line = Loc.getLine();
  Place.Column = Loc.getColumn();
  return Place;
}

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
  auto [Name, Inserted] = FunctionNames.try_emplace(Place.Linkage);
  if (Inserted)
    Name->second = getReadableName(Place);
  auto [Callee, IsNew] = CalleeNames.try_emplace(Target.Callee);
  if (IsNew)
    Callee->second = getFunctionName(Target.Callee);

  FrameEntry Frame;
  Frame.Scope =
      Table.addScope(Name->second, Place.Linkage, Place.File, Place.Dir);
  Frame.Line = Place.Line;
  Frame.Column = Place.Column;
  Frame.Parent = Parent;
  Frame.Callee = Table.addString(Callee->second);
  Frame.Detail = Detail ? Table.addDetail(*Detail) : 0;
  Frame.Kind = Target.Kind;
  Frame.Flags = Target.Flags;
  if (Place.System)
    Frame.Flags |= BM_FRAME_SYSTEM;
  if (isAllocating(Target) && isWrapper(Place.Linkage))
    Frame.Flags |= BM_FRAME_WRAPPER;
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
  const CallDetail *Detail = nullptr;
  if (Place.Line)
    Detail = SourceInfo::get().findDetail(
        {Place.Linkage, Place.File, Place.Line, Place.Column, Target.Callee});
  return addFrame(Place, Detail, Parent, Target);
}

TableId FrameBuilder::addCall(const SourcePlace &Place,
                              const CallDetail &Detail, const DILocation *Loc,
                              const CallTarget &Target) {
  return addFrame(Place, &Detail, addInlinedAt(Loc), Target);
}

} // namespace benchmem
