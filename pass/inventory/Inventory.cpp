// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code is generated for a unit, but neither optimized nor made machine code
// of: what is in the module then is what the plugin's tagger sees in a build.
#include "inventory.h"
#include "Invocation.h"
#include "pass/CallText.h"
#include "pass/Collector.h"
#include "pass/Names.h"
#include "pass/Options.h"
#include "pass/Sites.h"
#include "pass/Tagger.h"
#include "pass/Target.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/MultiplexConsumer.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include <cstring>

using namespace clang;
using namespace llvm;
using namespace benchmem;

namespace {
//===- From source to module ----------------------------------------------===//

class GenerateAction : public ASTFrontendAction {
public:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Instance,
                                                 StringRef File) override {
    Generator = CreateLLVMCodeGen(
        Instance.getDiagnostics(), File, &Instance.getVirtualFileSystem(),
        Instance.getHeaderSearchOpts(), Instance.getPreprocessorOpts(),
        Instance.getCodeGenOpts(), Context);
    // As the plugin has it: the collector comes first.
    std::vector<std::unique_ptr<ASTConsumer>> Consumers;
    Consumers.push_back(makeCollector(Instance));
    Consumers.emplace_back(Generator);
    return std::make_unique<MultiplexConsumer>(std::move(Consumers));
  }

  void EndSourceFileAction() override {
    Result.reset(Generator->ReleaseModule());
  }

  /// Null if the unit has errors.
  llvm::Module *getModule() { return Result.get(); }

private:
  LLVMContext Context; ///< Outlives the module.
  CodeGenerator *Generator = nullptr;
  std::unique_ptr<llvm::Module> Result;
};

//===- From module to calls -----------------------------------------------===//

class Lister {
public:
  Lister(bm_inventory_sink Sink, void *Context)
      : Sink(Sink), Context(Context) {}

  void list(llvm::Module &M) {
    ModuleAnalysisManager None;
    TaggerPass().run(M, None);
    for (Function &F : M)
      for (Instruction &I : instructions(F))
        if (auto *CB = dyn_cast<CallBase>(&I))
          list(F, *CB);
  }

private:
  void list(const Function &F, const CallBase &CB) {
    if (const Site *S = SiteList::get().find(CB))
      return tell(S->Place, &S->Detail, {S->Callee->Name, S->Callee->Kind});
    // What has no hook stands in the table of calls, by its name.
    const auto *Callee = dyn_cast<GlobalValue>(CB.getCalledOperand());
    if (!Callee || isa<GlobalVariable>(Callee))
      return;
    CallTarget Target;
    Target.Callee = dropEscape(Callee->getName());
    Target.Kind = getCallKind(Target.Callee, Callee);
    if (Target.Kind == BM_KIND_CALL)
      return;
    SourcePlace Place = getPlaceIn(F, CB);
    tell(Place, findDetail(Place, Target), Target);
  }

  static SourcePlace getPlaceIn(const Function &F, const CallBase &CB) {
    if (const DILocation *Loc = CB.getDebugLoc())
      return getPlace(*Loc);
    if (const DISubprogram *SP = F.getSubprogram())
      return getScopePlace(*SP);
    SourcePlace Place;
    Place.Linkage = dropEscape(F.getName()).str();
    return Place;
  }

  void tell(const SourcePlace &Place, const CallDetail *Detail,
            const CallTarget &Target) {
    static const CallDetail Nothing;
    if (!Detail)
      Detail = &Nothing;
    CallText Text = Writer.write(Place, Target);
    // As in tables: where both names are one, there is one.
    if (Text.Linkage == Text.Function)
      Text.Linkage = "";
    std::string Texts[] = {Text.Function.str(), Text.Linkage.str(),
                           Text.File.str(),     Text.Dir.str(),
                           Text.Callee.str(),   Detail->Type,
                           Detail->SizeExpr,    Detail->Count};
    bm_inventory_call Call = {
        Texts[0].c_str(), Texts[1].c_str(), Texts[2].c_str(), Texts[3].c_str(),
        Texts[4].c_str(), Texts[5].c_str(), Texts[6].c_str(), Texts[7].c_str(),
        Text.Line,        Text.Column,      Text.Kind,        Text.Flags};
    Sink(Context, &Call);
  }

  bm_inventory_sink Sink;
  void *Context;
  CallTextWriter Writer;
};

bool takePluginArgs(ArrayRef<std::string> Args, char **Why) {
  for (StringRef Arg : Args)
    if (Error Problem = Options::get().parse(Arg)) {
      *Why = strdup(toString(std::move(Problem)).c_str());
      return false;
    }
  return true;
}
} // namespace

bm_inventory_end bm_inventory_read(const bm_inventory_request *Request,
                                   bm_inventory_sink Sink, void *Context,
                                   char **Why) {
  FirstError Errors(Request->verbose);
  std::unique_ptr<CompilerInvocation> Invocation = makeInvocation(*Request);
  if (!Invocation) {
    *Why = strdup(Errors.describe().c_str());
    return BM_INVENTORY_FAILED;
  }
  Triple Target(Invocation->getTargetOpts().Triple);
  if (!isSupportedTarget(Target)) {
    *Why = strdup(("there is no recorder for " + Target.str()).c_str());
    return BM_INVENTORY_LEFT_OUT;
  }
  std::vector<std::string> Args(
      Invocation->getFrontendOpts().PluginArgs["benchmem"]);
  for (const char *const *Arg = Request->plugin_args; Arg && *Arg; ++Arg)
    Args.push_back(*Arg);
  if (!takePluginArgs(Args, Why))
    return BM_INVENTORY_FAILED;

  CompilerInstance Instance;
  Instance.setInvocation(std::move(Invocation));
  Instance.setVerboseOutputStream(nulls());
  Instance.createDiagnostics(&Errors, /*ShouldOwnClient=*/false);
  GenerateAction Action;
  Instance.ExecuteAction(Action);
  if (Errors.any() || !Action.getModule()) {
    *Why = strdup(Errors.describe().c_str());
    return BM_INVENTORY_FAILED;
  }
  Lister(Sink, Context).list(*Action.getModule());
  return BM_INVENTORY_READ;
}
