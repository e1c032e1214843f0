// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Google Benchmark: the loop `for (auto _ : state)` is the window. Its header
// calls State::StartKeepRunning and FinishKeepRunning around it, and the
// user's code PauseTiming and ResumeTiming; the recorder is told at each.
#ifndef BENCHMEM_PASS_GOOGLEBENCHMARK_H
#define BENCHMEM_PASS_GOOGLEBENCHMARK_H

namespace llvm {
class Module;
}

namespace benchmem {

/// True if anything changed. Comes before inlining, when these calls are in
/// inline functions of the header.
bool insertLoopHooks(llvm::Module &M);

} // namespace benchmem

#endif
