// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the Clang half knows of a translation unit and the LLVM half asks
// for. The two run one after the other in one process: the collector fills
// the one SourceInfo of the process while the AST is there, the passes and
// the call table look things up when it may be gone, so strings are copied
// and nothing of Clang shows here. Without a Clang half (in `opt`) it is
// empty, and every query says "unknown".
#ifndef BENCHMEM_PASS_SOURCEINFO_H
#define BENCHMEM_PASS_SOURCEINFO_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <string>
#include <vector>

namespace benchmem {

/// What an allocation is for, as the source tells. Empty where it does not.
struct CallDetail {
  std::string Type;     ///< "struct node"
  std::string SizeExpr; ///< "n * sizeof *p"
  std::string Count;    ///< "n"

  bool empty() const {
    return Type.empty() && SizeExpr.empty() && Count.empty();
  }
  bool operator==(const CallDetail &Other) const {
    return Type == Other.Type && SizeExpr == Other.SizeExpr &&
           Count == Other.Count;
  }
};

/// Where a call is, by the names and numbers that debug locations use.
struct CallPosition {
  llvm::StringRef Function; ///< Linkage name, empty if unknown.
  llvm::StringRef File;
  unsigned Line = 0;
  unsigned Column = 0;
  llvm::StringRef Callee; ///< Linkage name, empty through a pointer.
};

/// An allocating call of the source.
struct SourceCall {
  std::string Function, File, Callee;
  unsigned Line = 0, Column = 0;
  CallDetail Detail;
};

/// How one parameter of a benchmark function is passed on.
struct ParamInfo {
  enum class Kind {
    Signed,
    Unsigned,
    Double,
    Bool,
    String,
    Pointer,   ///< One machine argument, not a parameter of the benchmark.
    Aggregate, ///< Any number of machine arguments, no parameter either.
  };
  std::string Name;
  Kind How = Kind::Aggregate;
  unsigned Bits = 0; ///< Of integers.
};

/// The definition of a benchmark function.
struct BenchmarkInfo {
  std::vector<ParamInfo> Params;

  /// Of a function of Google Benchmark: which parameter is its
  /// `benchmark::State &`, and where in a State its arguments (a vector of
  /// 64-bit integers) are. Else -1.
  int StateParam = -1;
  uint64_t RangeOffset = 0;
};

/// A source file that debug information names.
struct FileInfo {
  std::string Name; ///< As given to the compiler, prefix maps applied.
  bool System = false;
};

class SourceInfo {
public:
  /// The one of this process.
  static SourceInfo &get();

  /// Forgets everything: another translation unit begins.
  void clear() { *this = SourceInfo(); }

  /// Calls are added in the order of the source within a function.
  void addCall(SourceCall Call);
  void addFile(llvm::StringRef DebugPath, FileInfo File);
  void addWrapper(llvm::StringRef LinkageName) { Wrappers.insert(LinkageName); }
  void addBenchmark(llvm::StringRef LinkageName, BenchmarkInfo Info) {
    Benchmarks[LinkageName] = std::move(Info);
  }

  /// The call at that position; of several, as one macro makes them, the one
  /// with that index, or the last. Null if there is none.
  const SourceCall *findCall(const CallPosition &At, unsigned Index) const;

  /// What all calls at that position have in common, or null.
  const CallDetail *findDetail(const CallPosition &At) const;

  /// The file that debug information calls by that absolute path, or null.
  const FileInfo *findFile(llvm::StringRef DebugPath) const;

  /// Whether the function returns what it allocates.
  bool isWrapper(llvm::StringRef LinkageName) const {
    return Wrappers.contains(LinkageName);
  }

  /// Null if it is no benchmark as far as the source tells.
  const BenchmarkInfo *findBenchmark(llvm::StringRef LinkageName) const;

private:
  using Matches = llvm::SmallVector<const SourceCall *, 2>;
  Matches findCalls(const CallPosition &At) const;

  std::vector<SourceCall> Calls;
  llvm::StringMap<llvm::SmallVector<unsigned, 1>> CallsByPosition;
  llvm::StringMap<FileInfo> Files;
  llvm::StringMap<BenchmarkInfo> Benchmarks;
  llvm::StringSet<> Wrappers;
};

} // namespace benchmem

#endif
