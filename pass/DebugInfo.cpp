// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "DebugInfo.h"
#include "Names.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DebugInfoMetadata.h"

using namespace llvm;

namespace benchmem {

namespace {
DICompileUnit *makeSilent(const DICompileUnit &Unit) {
  return DICompileUnit::getDistinct(
      Unit.getContext(), Unit.getSourceLanguage(), Unit.getFile(),
      Unit.getProducer(), Unit.isOptimized(), Unit.getFlags(),
      Unit.getRuntimeVersion(), Unit.getSplitDebugFilename(),
      DICompileUnit::NoDebug, Unit.getEnumTypes(), Unit.getRetainedTypes(),
      Unit.getGlobalVariables(), Unit.getImportedEntities(), Unit.getMacros(),
      Unit.getDWOId(), Unit.getSplitDebugInlining(),
      Unit.getDebugInfoForProfiling(), Unit.getNameTableKind(),
      Unit.getRangesBaseAddress(), Unit.getSysRoot(), Unit.getSDK());
}
} // namespace

bool addLinkageNames(Module &M) {
  bool Changed = false;
  for (Function &F : M) {
    DISubprogram *SP = F.isDeclaration() ? nullptr : F.getSubprogram();
    StringRef Name = dropEscape(F.getName());
    if (!SP || !SP->isDistinct() || !SP->getLinkageName().empty() ||
        SP->getName() == Name)
      continue;
    SP->replaceLinkageName(MDString::get(M.getContext(), Name));
    Changed = true;
  }
  return Changed;
}

bool silenceDebugInfo(Module &M) {
  NamedMDNode *Units = M.getNamedMetadata("llvm.dbg.cu");
  if (!Units)
    return false;
  DebugInfoFinder Finder;
  Finder.processModule(M);
  bool Changed = false;
  for (unsigned I = 0; I != Units->getNumOperands(); ++I) {
    auto *Unit = cast<DICompileUnit>(Units->getOperand(I));
    if (Unit->getEmissionKind() == DICompileUnit::NoDebug)
      continue;
    // A unit's kind cannot be changed, so a copy takes its place.
    DICompileUnit *Silent = makeSilent(*Unit);
    for (DISubprogram *SP : Finder.subprograms())
      if (SP->getUnit() == Unit)
        SP->replaceUnit(Silent);
    Units->setOperand(I, Silent);
    Changed = true;
  }
  return Changed;
}

} // namespace benchmem
