/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Exact memory figures in Google Benchmark's own reports (1.7 and later).
 *
 *     #include <benchmark/benchmark.h>
 *     #include <benchmem/google_benchmark.h>
 *     ...
 *     BENCHMEM_GOOGLE_MAIN();              in place of BENCHMARK_MAIN();
 *
 * or, with a main of your own, before the benchmarks run:
 *
 *     benchmem::MemoryManager manager;
 *     benchmark::RegisterMemoryManager(&manager);
 *
 * Its JSON then has allocs_per_iter, max_bytes_used, total_allocated_bytes
 * and net_heap_growth of the loop over the State, whatever the function does
 * around it. Code that benchmem-c++ did not compile shows no loops: then the
 * figures are those of the whole run of the function. Without benchmem nothing
 * is measured and Google Benchmark reports no memory.
 *
 * The window of a BM_ function is its loop, and each set of Args a benchmark
 * of its own, whether or not this header is used.
 */
#ifndef BENCHMEM_GOOGLE_BENCHMARK_H
#define BENCHMEM_GOOGLE_BENCHMARK_H

#include "benchmem.h"

#include <benchmark/benchmark.h>

namespace benchmem
{

class MemoryManager : public benchmark::MemoryManager
{
  public:
    MemoryManager() : last_(0), opened_(false)
    {
    }

    /* Whether there is anything to register it for. */
    static bool is_measured()
    {
        return BENCHMEM_HAS_(benchmem_recorder_last) &&
               last_pass() != UINT64_MAX;
    }

    void Start() override
    {
        last_ = last_pass();
        /* A benchmark runs before its memory is asked for: no loop yet? */
        opened_ = last_ == 0 && begin();
    }

    void Stop(Result &result) override
    {
        benchmem_result figures;

        memset(&figures, 0, sizeof(figures));
        if (!take(figures))
            return; /* what is not known keeps the library's marks for it */
        result.num_allocs = int64_t(figures.allocations);
        result.max_bytes_used = int64_t(figures.peak_bytes);
        result.total_allocated_bytes = int64_t(figures.allocated_bytes);
        result.net_heap_growth = int64_t(figures.retained_bytes);
    }

    /* Pure in older libraries, gone in newer: `override` would fit one alone.
     */
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Winconsistent-missing-override"
#endif
    void Stop(Result *result)
    {
        Stop(*result);
    }
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

  private:
    static uint64_t last_pass()
    {
        benchmem_result unused;

        return BENCHMEM_HAS_(benchmem_recorder_last)
                   ? benchmem_recorder_last(&unused)
                   : 0;
    }

    static bool begin()
    {
        benchmem_window window;

        memset(&window, 0, sizeof(window));
        window.size = sizeof(window);
        window.file = __FILE__;
        window.line = __LINE__;
        window.name = "benchmem::MemoryManager";
        window.flags = BENCHMEM_WINDOW_RETURNS;
        return is_measured() && benchmem_recorder_begin(&window);
    }

    bool take(benchmem_result &figures)
    {
        if (opened_)
            return benchmem_recorder_end(&figures, 0);
        if (!BENCHMEM_HAS_(benchmem_recorder_last))
            return false;
        return benchmem_recorder_last(&figures) > last_;
    }

    uint64_t last_;
    bool opened_;
};

} // namespace benchmem

#define BENCHMEM_GOOGLE_MAIN()                                                 \
    int main(int argc, char **argv)                                            \
    {                                                                          \
        ::benchmem::MemoryManager manager;                                     \
        ::benchmark::Initialize(&argc, argv);                                  \
        if (::benchmark::ReportUnrecognizedArguments(argc, argv))              \
            return 1;                                                          \
        if (::benchmem::MemoryManager::is_measured())                          \
            ::benchmark::RegisterMemoryManager(&manager);                      \
        ::benchmark::RunSpecifiedBenchmarks();                                 \
        ::benchmark::Shutdown();                                               \
        return 0;                                                              \
    }                                                                          \
    int main(int, char **)

#endif
