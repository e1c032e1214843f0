// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "inventory.h"
#include "clang/Tooling/JSONCompilationDatabase.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"
#include <cstring>

using namespace clang::tooling;
using namespace llvm;

struct bm_database {
  std::vector<CompileCommand> Commands;
  std::vector<std::vector<const char *>> Words; ///< Of each, and a null.
};

namespace {
/// As commands say it: one line, lower case, no full stop.
std::string makeReason(StringRef Text) {
  std::string Reason =
      Text.take_until([](char C) { return C == '\n'; }).rtrim(".!").str();
  if (Reason.size() > 1 && isUpper(Reason[0]) && !isUpper(Reason[1]))
    Reason[0] = toLower(Reason[0]);
  return Reason;
}

/// Where the text cannot be parsed; the database itself prints that.
std::string findFault(StringRef Text) {
  std::string Fault;
  SourceMgr Sources;
  Sources.setDiagHandler(
      [](const SMDiagnostic &Problem, void *Context) {
        auto &First = *static_cast<std::string *>(Context);
        if (First.empty())
          First = ("line " + Twine(Problem.getLineNo()) + ": " +
                   makeReason(Problem.getMessage()))
                      .str();
      },
      &Fault);
  yaml::Stream Stream(Text, Sources);
  if (!Stream.validate() && Fault.empty())
    Fault = "it is no JSON";
  return Fault;
}
} // namespace

bm_database *bm_database_read(const char *Path, char **Why) {
  auto Buffer = MemoryBuffer::getFile(Path, /*IsText=*/true);
  if (!Buffer) {
    *Why = strdup(makeReason(Buffer.getError().message()).c_str());
    return nullptr;
  }
  StringRef Text = (*Buffer)->getBuffer();
  std::string Fault = findFault(Text);
  std::unique_ptr<JSONCompilationDatabase> Parsed;
  if (Fault.empty())
    Parsed = JSONCompilationDatabase::loadFromBuffer(
        Text, Fault, JSONCommandLineSyntax::Gnu);
  if (!Parsed) {
    *Why = strdup(makeReason(Fault).c_str());
    return nullptr;
  }
  auto *Database = new bm_database;
  Database->Commands = Parsed->getAllCompileCommands();
  for (const CompileCommand &Command : Database->Commands) {
    auto &Words = Database->Words.emplace_back();
    for (const std::string &Word : Command.CommandLine)
      Words.push_back(Word.c_str());
    Words.push_back(nullptr);
  }
  return Database;
}

size_t bm_database_count(const bm_database *Database) {
  return Database->Commands.size();
}

bm_database_unit bm_database_at(const bm_database *Database, size_t I) {
  const CompileCommand &Command = Database->Commands[I];
  return {Command.Directory.c_str(), Command.Filename.c_str(),
          Database->Words[I].data(), Command.CommandLine.size()};
}

void bm_database_free(bm_database *Database) { delete Database; }
