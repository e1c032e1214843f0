// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Tagger.h"
#include "DebugInfo.h"
#include "Names.h"
#include "OwnAllocators.h"
#include "Sites.h"
#include "Target.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include <map>
#include <tuple>

using namespace llvm;

namespace benchmem {

namespace {
class Tagger {
public:
  explicit Tagger(Module &M) : M(M), Sites(SiteList::get().Sites) {
    Sites.clear();
  }

  bool run() {
    for (Function &F : M)
      if (!F.isDeclaration() && !isLeftAlone(F))
        tag(F);
    return !Sites.empty();
  }

private:
  void tag(Function &F) {
    // Several calls of one macro share a position and are told apart by order.
    std::map<std::tuple<unsigned, unsigned, StringRef>, unsigned> Seen;
    for (Instruction &I : instructions(F)) {
      auto *CB = dyn_cast<CallBase>(&I);
      const Allocator *A = CB ? getHookedCallee(*CB) : nullptr;
      if (!A)
        continue;
      CB->addFnAttr(
          Attribute::get(M.getContext(), SiteAttribute, utostr(Sites.size())));
      Site &S = Sites.emplace_back(makeSite(*CB, *A));
      unsigned Index = Seen[{S.Place.Line, S.Place.Column, A->Name}]++;
      complete(S, Index);
    }
  }

  Site makeSite(const CallBase &CB, const Allocator &A) {
    Site S;
    const Function &F = *CB.getFunction();
    if (const DILocation *Loc = CB.getDebugLoc())
      S.Place = getPlace(*Loc);
    else
      S.Place.Linkage = dropEscape(F.getName()).str();
    S.Callee = &A;
    S.Shared = F.hasLinkOnceLinkage() || F.hasWeakLinkage();
    S.Emitted = !F.hasAvailableExternallyLinkage();
    return S;
  }

  /// Adds what the AST knows.
  void complete(Site &S, unsigned Index) {
    const SourceCall *Call =
        SourceInfo::get().findCall({S.Place.Linkage, S.Place.File, S.Place.Line,
                                    S.Place.Column, S.Callee->Name},
                                   Index);
    if (!Call)
      return;
    S.Detail = Call->Detail;
    if (!S.Place.Column)
      S.Place.Column = Call->Column;
  }

  Module &M;
  std::vector<Site> &Sites;
};
} // namespace

SiteList &SiteList::get() {
  static SiteList Instance;
  return Instance;
}

Site *SiteList::find(const CallBase &CB) {
  // Only the call's own attributes: a function's would be another key.
  Attribute Mark = CB.getAttributes().getFnAttr(SiteAttribute);
  unsigned Index;
  if (!Mark.isValid() || Mark.getValueAsString().getAsInteger(10, Index) ||
      Index >= Sites.size())
    return nullptr;
  return &Sites[Index];
}

PreservedAnalyses TaggerPass::run(Module &M, ModuleAnalysisManager &) {
  if (!isSupportedTarget(Triple(M.getTargetTriple())) ||
      M.getModuleFlag(TaggedFlag))
    return PreservedAnalyses::all();
  bool Changed = addLinkageNames(M);
  Changed |= Tagger(M).run();
  Changed |= keepOwnAllocators(M);
  M.addModuleFlag(Module::Max, TaggedFlag, BM_ABI_VERSION);

  PreservedAnalyses PA;
  PA.preserveSet<CFGAnalyses>();
  if (!Changed)
    PA = PreservedAnalyses::all();
  return PA;
}

} // namespace benchmem
