// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Options.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace benchmem {

namespace {
constexpr StringLiteral DefaultPrefixes[] = {"bench_", "benchmark_", "BM_"};
constexpr StringLiteral DefaultNoSuffixes[] = {"_setup", "_teardown", "_init",
                                               "_free", "_main"};

bool isDefaultBenchmarkName(StringRef Name) {
  auto Begins = [&](StringRef Prefix) { return Name.starts_with(Prefix); };
  auto Ends = [&](StringRef Suffix) { return Name.ends_with(Suffix); };
  return any_of(DefaultPrefixes, Begins) && none_of(DefaultNoSuffixes, Ends);
}
} // namespace

Options &Options::get() {
  static Options Instance;
  return Instance;
}

Error Options::addPattern(StringRef Glob) {
  std::vector<GlobPattern> &Patterns =
      Glob.consume_front("!") ? Excluded : Included;
  Expected<GlobPattern> Pattern = GlobPattern::create(Glob);
  if (!Pattern)
    return createStringError(inconvertibleErrorCode(),
                             "benchmem: benchmark=%s: %s", Glob.str().c_str(),
                             toString(Pattern.takeError()).c_str());
  Patterns.push_back(std::move(*Pattern));
  return Error::success();
}

Error Options::parse(StringRef Argument) {
  auto [Key, Value] = Argument.split('=');
  if (Key == "benchmark" && !Value.empty())
    return addPattern(Value);
  if (Key == "wrapper" && !Value.empty()) {
    Wrappers.insert(Value);
    return Error::success();
  }
  if (Argument == "lto") {
    LinkTimeOptimized = CodeElsewhere = true;
    return Error::success();
  }
  if (Argument == "access") {
    MarksAccesses = true;
    return Error::success();
  }
  if (Argument == "no-debug-output") {
    NoDebugOutput = true;
    return Error::success();
  }
  return createStringError(inconvertibleErrorCode(),
                           "benchmem: unknown plugin argument: %s",
                           Argument.str().c_str());
}

bool Options::isExcludedName(StringRef Name) const {
  return any_of(Excluded, [&](const GlobPattern &Pattern) {
    return Pattern.match(Name);
  });
}

bool Options::isBenchmarkName(StringRef Name) const {
  auto Matches = [&](const GlobPattern &Pattern) {
    return Pattern.match(Name);
  };
  if (any_of(Excluded, Matches))
    return false;
  if (Included.empty())
    return isDefaultBenchmarkName(Name);
  return any_of(Included, Matches);
}

} // namespace benchmem
