// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Clang half of the plugin: takes the arguments (Plugin.cpp lists them)
// and puts the collector beside code generation. Anything but code generation
// (-fsyntax-only, -E, precompiled headers, modules) runs as if it were not
// there.
#include "Collector.h"
#include "Options.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include <dlfcn.h>

using namespace clang;
using namespace benchmem;

namespace {
bool generatesCode(frontend::ActionKind Action) {
  switch (Action) {
  case frontend::EmitObj:
  case frontend::EmitAssembly:
  case frontend::EmitBC:
  case frontend::EmitLLVM:
  case frontend::EmitLLVMOnly:
  case frontend::EmitCodeGenOnly:
    return true;
  default:
    return false;
  }
}

class Action : public PluginASTAction {
public:
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &Instance,
                                                 llvm::StringRef) override {
    if (!generatesCode(Instance.getFrontendOpts().ProgramAction))
      return std::make_unique<ASTConsumer>();
    const CodeGenOptions &CodeGen = Instance.getCodeGenOpts();
    Options &Opts = Options::get();
    if (CodeGen.PrepareForLTO || CodeGen.PrepareForThinLTO)
      Opts.LinkTimeOptimized = true;
    // Fat objects hold bitcode for the linker and machine code made here.
    if (Opts.LinkTimeOptimized)
      Opts.CodeElsewhere = !CodeGen.FatLTO;
    return makeCollector(Instance);
  }

  bool ParseArgs(const CompilerInstance &Instance,
                 const std::vector<std::string> &Arguments) override {
    for (const std::string &Argument : Arguments) {
      llvm::Error Problem = Options::get().parse(Argument);
      if (!Problem)
        continue;
      DiagnosticsEngine &Diags = Instance.getDiagnostics();
      unsigned Id = Diags.getCustomDiagID(DiagnosticsEngine::Error, "%0");
      Diags.Report(Id) << llvm::toString(std::move(Problem));
      return false;
    }
    return true;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }
};

/// `opt` loads the plugin too, and there is no Clang in it. Everything of
/// Clang is a weak reference (see CMakeLists.txt), so this must be asked
/// before the first use of any.
bool isInsideClang() {
  return dlsym(RTLD_DEFAULT,
               "_ZN4llvm8RegistryIN5clang15PluginASTActionEE4HeadE");
}

struct Registration {
  Registration() {
    if (!isInsideClang())
      return;
    static FrontendPluginRegistry::Add<Action> Entry(
        "benchmem", "allocation sites for benchmem");
  }
} Register;
} // namespace
