// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Benchmarks.h"
#include "Allocators.h"
#include "Compat.h"
#include "FrameBuilder.h"
#include "GoogleBenchmark.h"
#include "Names.h"
#include "Options.h"
#include "Params.h"
#include "TableEmitter.h"
#include "Target.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/EscapeEnumerator.h"

using namespace llvm;

namespace benchmem {

namespace {
constexpr StringLiteral WindowsFlag = "benchmem-windows";

enum class Mark { None, Benchmark, Ignore };

/// What `__attribute__((annotate("benchmem.…")))` says of functions.
DenseMap<const Function *, Mark> readMarks(const Module &M) {
  DenseMap<const Function *, Mark> Marks;
  const GlobalVariable *List = M.getNamedGlobal("llvm.global.annotations");
  const auto *Entries =
      List ? dyn_cast<ConstantArray>(List->getInitializer()) : nullptr;
  if (!Entries)
    return Marks;
  for (const Use &Entry : Entries->operands()) {
    const auto *Fields = cast<ConstantStruct>(Entry);
    const auto *F =
        dyn_cast<Function>(Fields->getOperand(0)->stripPointerCasts());
    const auto *Text =
        dyn_cast<GlobalVariable>(Fields->getOperand(1)->stripPointerCasts());
    if (!F || !Text || !Text->hasInitializer())
      continue;
    const auto *Data = dyn_cast<ConstantDataArray>(Text->getInitializer());
    if (!Data || !Data->isCString())
      continue;
    Mark Found = StringSwitch<Mark>(Data->getAsCString())
                     .Case("benchmem.benchmark", Mark::Benchmark)
                     .Case("benchmem.ignore", Mark::Ignore)
                     .Default(Mark::None);
    if (Found != Mark::None)
      Marks[F] = std::max(Marks.lookup(F), Found);
  }
  return Marks;
}

/// An entry and its own parameters' values.
struct Benchmark {
  Function *F;
  std::vector<BoundParam> Params;
  TableId Frame = 0, ParamsId = 0;
  Argument *State = nullptr; ///< Of Google Benchmark: its loop is the window.
  uint64_t RangeOffset = 0;
};

class Windows {
public:
  explicit Windows(Module &M) : M(M), Builder(Table) {}

  /// True if anything changed.
  bool run() {
    DenseMap<const Function *, Mark> Marks = readMarks(M);
    std::vector<Benchmark> Found;
    bool Loops = insertLoopHooks(M);
    for (Function &F : M)
      if (isBenchmark(F, Marks.lookup(&F)))
        Found.push_back(describe(F));
    if (Found.empty())
      return Loops;
    Tables = emitTable(M, Table, "benchmem.benchmarks");
    for (Benchmark &B : Found)
      insert(B, makeEntry(B));
    return true;
  }

private:
  bool isBenchmark(const Function &F, Mark Marked) {
    // A coroutine comes and goes within one call of the source.
    if (F.isDeclaration() || F.hasAvailableExternallyLinkage() ||
        F.isPresplitCoroutine() || isLeftAlone(F) || Marked == Mark::Ignore)
      return false;
    StringRef Name = dropEscape(F.getName());
    std::string Base = getBaseName(Name);
    if (Options::get().isExcludedName(Base))
      return Marked == Mark::Benchmark;
    const BenchmarkInfo *Info = SourceInfo::get().findBenchmark(Name);
    return Marked == Mark::Benchmark || Options::get().isBenchmarkName(Base) ||
           (Info && Info->StateParam >= 0);
  }

  Benchmark describe(Function &F) {
    Benchmark B{&F, {}};
    if (const BenchmarkInfo *Info =
            SourceInfo::get().findBenchmark(dropEscape(F.getName()))) {
      B.Params = bindParams(F, *Info);
      B.State = bindState(F, *Info);
      B.RangeOffset = Info->RangeOffset;
    }

    const DILocation *Loc = nullptr;
    if (DISubprogram *SP = F.getSubprogram())
      Loc = DILocation::get(F.getContext(), SP->getLine(), 0, SP);
    B.Frame = Builder.addCall(Loc, dropEscape(F.getName()), CallTarget());

    std::vector<std::pair<std::string, uint32_t>> Params;
    for (const BoundParam &Param : B.Params)
      Params.push_back({Param.Name, Param.Type});
    B.ParamsId = Table.addParams(Params);
    return B;
  }

  GlobalVariable *makeEntry(const Benchmark &B) {
    Type *I32 = Type::getInt32Ty(M.getContext());
    auto Number = [&](uint32_t N) { return ConstantInt::get(I32, N); };
    auto *Entry = new GlobalVariable(
        M, StructType::get(I32, I32, I32, I32), /*isConstant=*/true,
        GlobalValue::PrivateLinkage, nullptr,
        "benchmem.bench." + dropEscape(B.F->getName()));
    Constant *Params = Number(0);
    if (B.ParamsId)
      Params = getDistance(Tables, Table.getParamsOffset(B.ParamsId), *Entry,
                           offsetof(bm_bench, params));
    Entry->setInitializer(ConstantStruct::getAnon(
        {getDistance(Tables, Table.getFrameOffset(B.Frame), *Entry,
                     offsetof(bm_bench, where)),
         Params, Number(B.Params.size()), Number(0)}));
    placeInSection(*Entry, BM_ABI_SECTION_BENCHES);
    return Entry;
  }

  void insert(const Benchmark &B, GlobalVariable *Entry) {
    if (!B.F->hasFnAttribute(Attribute::AlwaysInline))
      B.F->addFnAttr(Attribute::NoInline);
    insertEnter(B, Entry);
    FunctionCallee Leave = getWindowFunction(
        B.State ? BM_ABI_LOOP_LEAVE : BM_ABI_LEAVE, {Entry->getType()});
    EscapeEnumerator Escapes(*B.F, "benchmem.unwind");
    while (IRBuilder<> *At = Escapes.Next()) {
      setLocation(*At, *B.F);
      CallInst *Call = At->CreateCall(Leave, {Entry});
      Call->setDoesNotThrow();
      // A jump would look as if the caller left.
      Call->setTailCallKind(CallInst::TCK_NoTail);
    }
  }

  void insertEnter(const Benchmark &B, GlobalVariable *Entry) {
    BasicBlock &Block = B.F->getEntryBlock();
    BasicBlock::iterator First = Block.getFirstNonPHIOrDbgOrAlloca();
    IRBuilder<> At(&Block, First);
    setLocation(At, *B.F);
    PointerType *Pointer = At.getPtrTy();
    Value *Values = ConstantPointerNull::get(Pointer);
    if (!B.Params.empty()) {
      auto *Type = ArrayType::get(At.getInt64Ty(), B.Params.size());
      Values = At.CreateAlloca(Type, nullptr, "benchmem.values");
      for (unsigned I = 0; I != B.Params.size(); ++I)
        At.CreateStore(getParamBits(At, B.Params[I]),
                       At.CreateConstInBoundsGEP2_64(Type, Values, 0, I));
    }
    SmallVector<Value *, 3> Arguments = {Entry, Values};
    if (B.State)
      Arguments.push_back(At.CreateConstInBoundsGEP1_64(At.getInt8Ty(), B.State,
                                                        B.RangeOffset));
    SmallVector<Type *, 3> Types(Arguments.size(), Pointer);
    FunctionCallee Enter =
        getWindowFunction(B.State ? BM_ABI_LOOP_ENTER : BM_ABI_ENTER, Types);
    CallInst *Call = At.CreateCall(Enter, Arguments);
    Call->setDoesNotThrow();
    // The values are read before it returns: calls after it may be tail calls.
    addNoCapture(*Call, 1);
    Call->addParamAttr(1, Attribute::ReadOnly);
  }

  FunctionCallee getWindowFunction(StringRef Name, ArrayRef<Type *> Params) {
    return M.getOrInsertFunction(
        Name, FunctionType::get(Type::getVoidTy(M.getContext()), Params,
                                /*isVarArg=*/false));
  }

  static void setLocation(IRBuilder<> &At, Function &F) {
    if (DISubprogram *SP = F.getSubprogram())
      At.SetCurrentDebugLocation(DILocation::get(F.getContext(), 0, 0, SP));
  }

  Module &M;
  FrameTable Table;
  FrameBuilder Builder;
  GlobalVariable *Tables = nullptr;
};
} // namespace

PreservedAnalyses BenchmarksPass::run(Module &M, ModuleAnalysisManager &) {
  if (!isSupportedTarget(Triple(M.getTargetTriple())) ||
      M.getModuleFlag(WindowsFlag))
    return PreservedAnalyses::all();
  bool Changed = Windows(M).run();
  M.addModuleFlag(Module::Max, WindowsFlag, BM_ABI_VERSION);
  return Changed ? PreservedAnalyses::none() : PreservedAnalyses::all();
}

} // namespace benchmem
