// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Instrumenter.h"
#include "AccessInstrumentation.h"
#include "Announced.h"
#include "DebugInfo.h"
#include "HookCalls.h"
#include "Names.h"
#include "Options.h"
#include "OwnAllocators.h"
#include "Sites.h"
#include "Stamps.h"
#include "TableEmitter.h"
#include "Target.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/ModuleUtils.h"
#include <set>
#include <tuple>

using namespace llvm;

namespace benchmem {

namespace {
/// What makes two sites one, by design: copies of a function have one site.
using SiteKey =
    std::tuple<std::string, std::string, unsigned, unsigned, StringRef>;

SiteKey getKey(const Site &S) {
  return {getFunctionName(S.Place.Linkage), S.Place.File, S.Place.Line,
          S.Place.Column, S.Callee->Name};
}

class Instrumenter {
public:
  explicit Instrumenter(Module &M)
      : M(M), Sites(SiteList::get()), Alive(Sites.Sites.size()),
        Builder(Table) {}

  /// True if anything changed.
  bool run();

private:
  /// A call that tells the recorder which one it is: by its hook, or announced.
  struct Redirection {
    CallBase *CB;
    const Allocator *A; ///< Null: announced as How says.
    Announcement How;
    TableId Frame;
  };

  void collect(Function &F);
  void collect(Function &F, CallBase &CB);
  void collectAnnounced(Function &F, CallBase &CB);
  Site *findSite(const CallBase &CB);
  Site *findReplaced(const CallBase &CB);
  void markAlive(const Site &S) { Alive[&S - Sites.Sites.data()] = true; }
  void collectElided();

  void redirect(Function &F, ArrayRef<Redirection> Calls);
  GlobalVariable *makeUse(TableId Frame);
  GlobalVariable *makeUses(Function &F, ArrayRef<TableId> Frames);
  Constant *getUse(TableId Frame, GlobalVariable &Uses, unsigned Index);
  void emitElided(StringRef Linkage, ArrayRef<TableId> Frames);
  void separateBenchmarks();
  void emitLink();

  Module &M;
  SiteList &Sites;
  std::vector<bool> Alive;
  FrameTable Table;
  FrameBuilder Builder;
  MapVector<Function *, std::vector<Redirection>> Redirections;
  DenseMap<Function *, AllocaInst *> Stamps;
  MapVector<StringRef, std::vector<TableId>> Elided; ///< By function.
  std::set<StringRef> SharedFunctions;               ///< Of elided sites.
  GlobalVariable *Tables = nullptr;
};

//===- Finding out what is left -------------------------------------------===//

/// The optimizer makes new calls in place of old ones, without their
/// attribute: calloc for malloc and memset, malloc for realloc of null. They
/// keep the position. Without columns (-gno-column-info) that is a line, which
/// tells where it has one call.
Site *Instrumenter::findReplaced(const CallBase &CB) {
  const DILocation *Loc = CB.getDebugLoc();
  if (!Loc || !Loc->getLine())
    return nullptr;
  StringRef Linkage = getLinkageName(*Loc->getScope()->getSubprogram());
  Site *OnLine = nullptr;
  bool Several = false;
  for (Site &S : Sites.Sites) {
    if (S.Place.Line != Loc->getLine() || S.Place.Linkage != Linkage)
      continue;
    if (S.Place.Column == Loc->getColumn())
      return &S;
    Several |= OnLine && OnLine->Place.Column != S.Place.Column;
    OnLine = &S;
  }
  return Loc->getColumn() || Several ? nullptr : OnLine;
}

Site *Instrumenter::findSite(const CallBase &CB) {
  Site *S = Sites.find(CB);
  return S ? S : findReplaced(CB);
}

void Instrumenter::collect(Function &F, CallBase &CB) {
  const Allocator *A = getHookedCallee(CB);
  Site *S = A ? findSite(CB) : Sites.find(CB);
  if (S)
    markAlive(*S);
  if (isLeftAlone(F))
    return;
  if (!A || CB.isMustTailCall())
    return collectAnnounced(F, CB);

  CallTarget Target{A->Name, A->Kind};
  const DILocation *Loc = CB.getDebugLoc();
  TableId Frame = S ? Builder.addCall(S->Place, S->Detail, Loc, Target)
                    : Builder.addCall(Loc, dropEscape(F.getName()), Target);
  Redirections[&F].push_back({&CB, A, Announcement::Note, Frame});
}

void Instrumenter::collectAnnounced(Function &F, CallBase &CB) {
  std::optional<Announcement> How = getAnnouncement(CB);
  if (!How)
    return;
  TableId Frame = Builder.addCall(CB.getDebugLoc(), dropEscape(F.getName()),
                                  getAnnouncedTarget(CB));
  Redirections[&F].push_back({&CB, nullptr, *How, Frame});
}

void Instrumenter::collect(Function &F) {
  // Copies for the optimizer's eyes make no code, except in a later link.
  bool Compiled =
      !F.hasAvailableExternallyLinkage() || Options::get().LinkTimeOptimized;
  for (Instruction &I : instructions(F)) {
    auto *CB = dyn_cast<CallBase>(&I);
    if (CB && Compiled)
      collect(F, *CB);
    if (CB)
      CB->removeFnAttr(SiteAttribute);
  }
}

void Instrumenter::collectElided() {
  std::set<SiteKey> Known;
  for (size_t I = 0; I != Alive.size(); ++I)
    if (Alive[I])
      Known.insert(getKey(Sites.Sites[I]));
  for (size_t I = 0; I != Alive.size(); ++I) {
    const Site &S = Sites.Sites[I];
    if (Alive[I] || !S.Emitted || !Known.insert(getKey(S)).second)
      continue;
    Elided[S.Place.Linkage].push_back(Builder.addCall(
        S.Place, S.Detail, nullptr, {S.Callee->Name, S.Callee->Kind}));
    if (S.Shared)
      SharedFunctions.insert(S.Place.Linkage);
  }
}

//===- Writing ------------------------------------------------------------===//

Constant *makeUseInit(GlobalVariable &Table, uint64_t FrameOffset,
                      GlobalVariable &Use, unsigned Index) {
  Type *I32 = Type::getInt32Ty(Use.getContext());
  Constant *Zero = ConstantInt::get(I32, 0);
  uint64_t Where = Index * sizeof(bm_use) + offsetof(bm_use, where);
  return ConstantStruct::getAnon(
      {Zero, Zero, getDistance(&Table, FrameOffset, Use, Where), Zero});
}

StructType *getUseType(LLVMContext &Ctx) {
  Type *I32 = Type::getInt32Ty(Ctx);
  return StructType::get(I32, I32, I32, I32);
}

/// The uses of one function.
GlobalVariable *Instrumenter::makeUses(Function &F, ArrayRef<TableId> Frames) {
  auto *Type = ArrayType::get(getUseType(M.getContext()), Frames.size());
  auto *Uses = new GlobalVariable(M, Type, /*isConstant=*/false,
                                  GlobalValue::PrivateLinkage, nullptr,
                                  "benchmem.uses." + dropEscape(F.getName()));
  SmallVector<Constant *, 8> Inits;
  for (unsigned I = 0; I != Frames.size(); ++I)
    Inits.push_back(
        makeUseInit(*Tables, Table.getFrameOffset(Frames[I]), *Uses, I));
  Uses->setInitializer(ConstantArray::get(Type, Inits));
  placeInSection(*Uses, BM_ABI_SECTION_USES);
  separate(*Uses, F);
  return Uses;
}

/// A use that link-time optimization can share and import: a private symbol
/// in a section would keep ThinLTO from importing the function. Equal names
/// mean equal uses, whatever modules they come from.
GlobalVariable *Instrumenter::makeUse(TableId Frame) {
  std::string Name =
      BM_ABI_HOOK_PREFIX "use." + utohexstr(Table.getFingerprint(Frame), true);
  if (GlobalVariable *Known = M.getNamedGlobal(Name))
    return Known;
  auto *Use = new GlobalVariable(
      M, getUseType(M.getContext()),
      /*isConstant=*/false, GlobalValue::LinkOnceODRLinkage, nullptr, Name);
  Use->setInitializer(
      makeUseInit(*Tables, Table.getFrameOffset(Frame), *Use, 0));
  Use->setVisibility(GlobalValue::HiddenVisibility);
  Use->setDSOLocal(true);
  placeInSection(*Use, BM_ABI_SECTION_USES);
  return Use;
}

void Instrumenter::redirect(Function &F, ArrayRef<Redirection> Calls) {
  // Copies of one call with one chain of inlining share their use.
  SmallVector<TableId, 8> Frames;
  for (const Redirection &Call : Calls)
    if (!is_contained(Frames, Call.Frame))
      Frames.push_back(Call.Frame);

  GlobalVariable *Uses =
      Options::get().LinkTimeOptimized ? nullptr : makeUses(F, Frames);
  AllocaInst *Stamp = Stamps.lookup(&F);
  for (const Redirection &Call : Calls) {
    Constant *Use = Uses ? nullptr : makeUse(Call.Frame);
    if (Uses) {
      auto *I64 = Type::getInt64Ty(M.getContext());
      uint64_t Index = find(Frames, Call.Frame) - Frames.begin();
      Use = ConstantExpr::getInBoundsGetElementPtr(
          Uses->getValueType(), Uses,
          ArrayRef<Constant *>(
              {ConstantInt::get(I64, 0), ConstantInt::get(I64, Index)}));
    }
    if (Call.A)
      callHook(*Call.CB, *Call.A, Use, getStampFor(*Call.CB, Stamp));
    else
      announce(*Call.CB, Call.How, Use);
  }
}

void Instrumenter::emitElided(StringRef Linkage, ArrayRef<TableId> Frames) {
  auto *Type = ArrayType::get(Type::getInt32Ty(M.getContext()), Frames.size());
  auto *Entries = new GlobalVariable(M, Type, /*isConstant=*/true,
                                     GlobalValue::PrivateLinkage, nullptr,
                                     "benchmem.elided." + Linkage);
  SmallVector<Constant *, 8> Inits;
  for (unsigned I = 0; I != Frames.size(); ++I)
    Inits.push_back(getDistance(Tables, Table.getFrameOffset(Frames[I]),
                                *Entries, I * sizeof(bm_elided)));
  Entries->setInitializer(ConstantArray::get(Type, Inits));
  placeInSection(*Entries, BM_ABI_SECTION_ELIDED);

  Function *F = M.getFunction(Linkage);
  if (F && !F->isDeclaration() && !Options::get().LinkTimeOptimized) {
    tieToFunction(*Entries, *F);
    appendToCompilerUsed(M, Entries);
    return;
  }
  // The function is gone as well. One of several modules' entries is enough.
  if (SharedFunctions.count(Linkage))
    Entries->setComdat(M.getOrInsertComdat(Entries->getName()));
  appendToUsed(M, Entries);
}

/// A benchmark's entry goes where its function goes, unless that was inlined.
void Instrumenter::separateBenchmarks() {
  for (GlobalVariable &Global : M.globals()) {
    if (Global.getSection() != BM_ABI_SECTION_BENCHES || Global.use_empty())
      continue;
    auto GetFunction = [](const User *U) -> const Function * {
      const auto *I = dyn_cast<Instruction>(U);
      return I ? I->getFunction() : nullptr;
    };
    const Function *F = GetFunction(*Global.user_begin());
    if (F && all_of(Global.users(),
                    [&](const User *U) { return GetFunction(U) == F; }))
      separate(Global, const_cast<Function &>(*F));
  }
}

/// Makes a link without the matching recorder fail on a name that tells why.
void Instrumenter::emitLink() {
  auto *Pointer = PointerType::getUnqual(M.getContext());
  Constant *Symbol =
      M.getOrInsertGlobal(BM_ABI_LINK_SYMBOL, Type::getInt8Ty(M.getContext()));
  auto *Link =
      new GlobalVariable(M, Pointer, /*isConstant=*/false,
                         GlobalValue::PrivateLinkage, Symbol, "benchmem.link");
  placeInSection(*Link, BM_ABI_SECTION_LINK);
  Link->setAlignment(M.getDataLayout().getPointerABIAlignment(0));
  appendToUsed(M, Link);
  if (!Options::get().LinkTimeOptimized)
    return;
  // The code generator of the linker writes no table of calls.
  auto *Linked = new GlobalVariable(
      M, Type::getInt32Ty(M.getContext()), /*isConstant=*/true,
      GlobalValue::PrivateLinkage,
      ConstantInt::get(Type::getInt32Ty(M.getContext()), 1), "benchmem.linked");
  placeInSection(*Linked, BM_ABI_SECTION_LINKED);
  appendToUsed(M, Linked);
}

bool Instrumenter::run() {
  for (Function &F : M)
    collect(F);
  collectElided();
  // Only code that is made here has tables that tell where a stamp lies.
  if (!Options::get().LinkTimeOptimized)
    for (Function &F : M)
      if (AllocaInst *Stamp = addStamp(F))
        Stamps[&F] = Stamp;
  if (!Table.empty())
    Tables = emitTable(M, Table, "benchmem.tables");
  for (auto &[F, Calls] : Redirections)
    redirect(*F, Calls);
  for (auto &[Linkage, Frames] : Elided)
    emitElided(Linkage, Frames);
  if (!Options::get().LinkTimeOptimized)
    separateBenchmarks();
  bool HasCode = any_of(M, [](const Function &F) {
    return !F.isDeclaration() && !F.hasAvailableExternallyLinkage();
  });
  if (HasCode)
    emitLink();
  coverOwnAllocators(M);
  return HasCode || Tables;
}
} // namespace

PreservedAnalyses InstrumenterPass::run(Module &M, ModuleAnalysisManager &) {
  if (!isSupportedTarget(Triple(M.getTargetTriple())) ||
      M.getModuleFlag(InstrumentedFlag))
    return PreservedAnalyses::all();
  bool Marked = Options::get().MarksAccesses && markAccesses(M);
  bool Changed = Instrumenter(M).run() || Marked;
  M.addModuleFlag(Module::Max, InstrumentedFlag, BM_ABI_VERSION);

  const Options &Opts = Options::get();
  if (Opts.NoDebugOutput)
    Changed |= Opts.CodeElsewhere ? StripDebugInfo(M) : silenceDebugInfo(M);
  if (!Changed)
    return PreservedAnalyses::all();
  // Brackets around invokes split edges, checks of accesses split blocks.
  PreservedAnalyses PA;
  if (!Opts.CodeElsewhere && !Marked)
    PA.preserveSet<CFGAnalyses>();
  return PA;
}

} // namespace benchmem
