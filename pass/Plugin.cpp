// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The LLVM half of the plugin: where its passes run.
//
//   clang -fplugin=benchmem-pass.so -fpass-plugin=benchmem-pass.so
//
// loads it once, as both halves. Its arguments go to the Clang half, one
// `-fplugin-arg-benchmem-ARGUMENT` each:
//
//   benchmark=GLOB    functions of that name are benchmarks (repeatable;
//                     replaces the default pattern)
//   benchmark=!GLOB   and these are not
//   wrapper=NAME      the function allocates for its caller (repeatable)
//   access            code marks what it reads and writes of the heap
//   lto               machine code is made by the linker
//   no-debug-output   debug information is there for the plugin alone: none
//                     comes out
//
// In `opt -load-pass-plugin=benchmem-pass.so` the passes are benchmem-tag,
// benchmem-windows and benchmem-instrument; `benchmem-instrument<lto>` and
// `benchmem-instrument<no-debug-output>` set an argument for the whole run.
#include "Benchmarks.h"
#include "CallTable.h"
#include "Compat.h"
#include "Instrumenter.h"
#include "Options.h"
#include "Tagger.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Transforms/IPO/GlobalDCE.h"

using namespace llvm;
using namespace benchmem;

namespace {
/// PASS or PASS<ARGUMENT;...>
bool parsePass(StringRef Text, ModulePassManager &MPM,
               ArrayRef<PassBuilder::PipelineElement>) {
  auto [Name, Rest] = Text.split('<');
  Rest.consume_back(">");
  SmallVector<StringRef, 2> Arguments;
  Rest.split(Arguments, ';', -1, /*KeepEmpty=*/false);
  if (Name == "benchmem-tag")
    MPM.addPass(TaggerPass());
  else if (Name == "benchmem-windows")
    MPM.addPass(BenchmarksPass());
  else if (Name == "benchmem-instrument")
    MPM.addPass(InstrumenterPass());
  else
    return false;
  for (StringRef Argument : Arguments)
    if (Error Problem = Options::get().parse(Argument)) {
      errs() << toString(std::move(Problem)) << '\n';
      return false;
    }
  return true;
}

void registerPasses(PassBuilder &PB) {
  installCallTable();
  atPipelineStart(PB, [](ModulePassManager &MPM) {
    MPM.addPass(TaggerPass());
    MPM.addPass(BenchmarksPass());
  });
  atOptimizerLast(PB, [](ModulePassManager &MPM, bool Optimizes) {
    // The optimizer drops unused functions later, and tables may be tied only
    // to functions that stay.
    if (Optimizes)
      MPM.addPass(GlobalDCEPass());
    MPM.addPass(InstrumenterPass());
  });
  PB.registerPipelineParsingCallback(parsePass);
}
} // namespace

extern "C" __attribute__((visibility("default"))) PassPluginLibraryInfo
llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "benchmem", BENCHMEM_VERSION,
          registerPasses};
}
