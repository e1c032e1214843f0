// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Invocation.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Driver/Options.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/Utils.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Tooling/Tooling.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Option/ArgList.h"
#include "llvm/Option/OptTable.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/TargetSelect.h"

using namespace clang;
using namespace llvm;

namespace benchmem {

//===- Diagnostics --------------------------------------------------------===//

namespace {
IntrusiveRefCntPtr<DiagnosticOptions> makeOptions() {
  return new DiagnosticOptions;
}
} // namespace

FirstError::FirstError(bool Verbose) {
  if (Verbose)
    Printer =
        std::make_unique<TextDiagnosticPrinter>(errs(), makeOptions().get());
}

void FirstError::BeginSourceFile(const LangOptions &Opts,
                                 const Preprocessor *PP) {
  if (Printer)
    Printer->BeginSourceFile(Opts, PP);
}

void FirstError::EndSourceFile() {
  if (Printer)
    Printer->EndSourceFile();
}

void FirstError::HandleDiagnostic(DiagnosticsEngine::Level Level,
                                  const Diagnostic &Info) {
  DiagnosticConsumer::HandleDiagnostic(Level, Info);
  if (Printer)
    Printer->HandleDiagnostic(Level, Info);
  if (Level < DiagnosticsEngine::Error || !Text.empty())
    return;
  if (Info.hasSourceManager() && Info.getLocation().isValid()) {
    const SourceManager &Sources = Info.getSourceManager();
    PresumedLoc Place = Sources.getPresumedLoc(Info.getLocation());
    if (Place.isValid() && Sources.isInMainFile(Info.getLocation()))
      Text = ("line " + Twine(Place.getLine()) + ": ").str();
    else if (Place.isValid())
      Text = (Twine(Place.getFilename()) + ":" + Twine(Place.getLine()) + ": ")
                 .str();
  }
  SmallString<128> Message;
  Info.FormatDiagnostic(Message);
  Text += Message;
}

std::string FirstError::describe() const {
  if (Text.empty())
    return "clang cannot make sense of its command";
  if (getNumErrors() < 2)
    return Text;
  unsigned More = getNumErrors() - 1;
  return (Text + " (and " + Twine(More) + " more error" +
          (More == 1 ? ")" : "s)"))
      .str();
}

//===- The command --------------------------------------------------------===//

namespace {
std::string makeAbsolute(StringRef Path) {
  SmallString<256> Whole = Path;
  sys::fs::make_absolute(Whole);
  sys::path::remove_dots(Whole, /*remove_dot_dot=*/true);
  return Whole.str().str();
}

/// Without the options that Clang does not know, as gcc has some, and
/// without the inputs beside the one that is meant.
std::vector<const char *> chooseWords(const std::vector<std::string> &Words,
                                      StringRef File) {
  SmallVector<const char *, 64> Behind;
  for (size_t I = 1; I < Words.size(); ++I)
    Behind.push_back(Words[I].c_str());
  unsigned Missing, NrMissing;
  opt::InputArgList Args = clang::driver::getDriverOptTable().ParseArgs(
      Behind, Missing, NrMissing,
      opt::Visibility(clang::driver::options::ClangOption));

  std::string Wanted = makeAbsolute(File);
  bool Named = any_of(
      Args.getAllArgValues(clang::driver::options::OPT_INPUT),
      [&](const std::string &Input) { return makeAbsolute(Input) == Wanted; });
  std::vector<bool> Dropped(Behind.size());
  for (const opt::Arg *A : Args) {
    bool Unknown = A->getOption().getKind() == opt::Option::UnknownClass;
    bool Other = Named &&
                 A->getOption().matches(clang::driver::options::OPT_INPUT) &&
                 makeAbsolute(A->getValue()) != Wanted;
    if ((Unknown || Other) && A->getIndex() < Dropped.size())
      Dropped[A->getIndex()] = true;
  }
  std::vector<const char *> Chosen = {Words[0].c_str()};
  for (size_t I = 0; I != Behind.size(); ++I)
    if (!Dropped[I])
      Chosen.push_back(Behind[I]);
  return Chosen;
}

/// Of headers that a build precompiles, the source serves as well, where it
/// is included besides, as CMake has it.
void forgetPrecompiled(PreprocessorOptions &Opts) {
  StringRef Source = Opts.ImplicitPCHInclude;
  if (!Source.consume_back(".pch") && !Source.consume_back(".gch"))
    return;
  if (is_contained(Opts.Includes, Source))
    Opts.ImplicitPCHInclude.clear();
}

/// Nothing is written, and what a run of the program leaves is not there.
void writeNothing(CompilerInvocation &Invocation) {
  Invocation.getDependencyOutputOpts() = DependencyOutputOptions();
  FrontendOptions &Frontend = Invocation.getFrontendOpts();
  Frontend.OutputFile.clear();
  Frontend.StatsFile.clear();
  Frontend.TimeTracePath.clear();
  Frontend.DisableFree = false;
  DiagnosticOptions &Diags = Invocation.getDiagnosticOpts();
  Diags.DiagnosticLogFile.clear();
  Diags.DiagnosticSerializationFile.clear();
  Diags.ShowCarets = false;
  // Whether a warning is an error is the build's business.
  Diags.IgnoreWarnings = true;
  CodeGenOptions &CodeGen = Invocation.getCodeGenOpts();
  CodeGen.setProfileUse(CodeGenOptions::ProfileNone);
  CodeGen.ProfileInstrumentUsePath.clear();
  CodeGen.SampleProfileFile.clear();
  forgetPrecompiled(Invocation.getPreprocessorOpts());
}

/// What benchmem-cc adds to a command without -g.
void addLineTable(CodeGenOptions &CodeGen) {
  if (CodeGen.getDebugInfo() < llvm::codegenoptions::DebugLineTablesOnly)
    CodeGen.setDebugInfo(llvm::codegenoptions::DebugLineTablesOnly);
}
} // namespace

std::unique_ptr<CompilerInvocation>
makeInvocation(const bm_inventory_request &Request) {
  InitializeAllTargetInfos();
  InitializeAllTargetMCs();
  InitializeAllAsmParsers();
  std::vector<std::string> Words(Request.words,
                                 Request.words + Request.nr_words);
  std::string Program = Words[0];
  Words[0] = Request.compiler;
  tooling::addTargetAndModeForProgramName(Words, Program);
  std::vector<const char *> Chosen = chooseWords(Words, Request.file);

  // Errors of the command alone are the build's business as well: with what
  // is wrong with it left out, the source tells whether that matters.
  IgnoringDiagConsumer Ignored;
  CreateInvocationOptions How;
  How.Diags = CompilerInstance::createDiagnostics(makeOptions().get(), &Ignored,
                                                  /*ShouldOwnClient=*/false);
  How.RecoverOnError = true;
  std::unique_ptr<CompilerInvocation> Invocation =
      createInvocation(Chosen, std::move(How));
  if (!Invocation)
    return nullptr;
  writeNothing(*Invocation);
  if (Request.add_line_table)
    addLineTable(Invocation->getCodeGenOpts());
  return Invocation;
}

} // namespace benchmem
