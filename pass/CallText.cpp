// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "CallText.h"
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

SourcePlace getPlace(const DILocation &Loc) {
  SourcePlace Place = getScopePlace(*Loc.getScope());
  Place.Line = Loc.getLine();
  Place.Column = Loc.getColumn();
  return Place;
}

const CallDetail *findDetail(const SourcePlace &Place,
                             const CallTarget &Target) {
  if (!Place.Line)
    return nullptr;
  return SourceInfo::get().findDetail(
      {Place.Linkage, Place.File, Place.Line, Place.Column, Target.Callee});
}

CallText CallTextWriter::write(const SourcePlace &Place,
                               const CallTarget &Target) {
  auto [Name, Inserted] = FunctionNames.try_emplace(Place.Linkage);
  if (Inserted)
    Name->second = getReadableName(Place);
  auto [Callee, IsNew] = CalleeNames.try_emplace(Target.Callee);
  if (IsNew)
    Callee->second = getFunctionName(Target.Callee);

  CallText Text;
  Text.Function = Name->second;
  Text.Linkage = Place.Linkage;
  Text.File = Place.File;
  Text.Dir = Place.Dir;
  Text.Line = Place.Line;
  Text.Column = Place.Column;
  Text.Callee = Callee->second;
  Text.Kind = Target.Kind;
  Text.Flags = Target.Flags;
  if (Place.System)
    Text.Flags |= BM_FRAME_SYSTEM;
  if (isAllocating(Target) && isWrapper(Place.Linkage))
    Text.Flags |= BM_FRAME_WRAPPER;
  return Text;
}

} // namespace benchmem
