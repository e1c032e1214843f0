/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The main of programs that define benchmarks with <benchmem/benchmem.h> and
 * have none of their own. It comes from an archive, so that a program's own
 * main wins; and it refers to the list of benchmarks, so that a program
 * without the header and without a main does not link, as ever.
 */
#include "cases.h"
#include "own_process.h"
#include "passes.h"
#include "say.h"
#include "table.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/*
 * By this section other programs see, without running it, that a program
 * has this main: it takes --list and BENCHMEM_ARGUMENTS.
 */
__attribute__((section(".benchmem_main"), used,
               retain)) static const char marker[] = "1";

/* The recorder's mode is the program's, unless the user says another. */
static void settle_mode(struct bm_harness_options *options)
{
    bool has_recorder = BENCHMEM_HAS_(benchmem_recorder_mode);
    int recorded = has_recorder ? benchmem_recorder_mode(-1) : -1;

    if (options->mode == BM_MODE_UNSAID)
        options->mode = recorded < 0 ? BM_MODE_TIME : recorded;
    if (options->mode == BM_MODE_MEMORY && recorded != BM_MODE_MEMORY)
        bm_say_die("memory is not measured here: build with benchmem-cc, "
                   "or run with benchmem-run");
    if (options->mode == BM_MODE_TIME && recorded == BM_MODE_MEMORY)
        benchmem_recorder_mode(BM_MODE_TIME);
}

/* ---- ceilings, by the worst pass ---- */

static bool check_ceiling(const struct bm_case *c, const char *what,
                          uint64_t worst, uint64_t limit, bool is_bytes)
{
    char found[BM_BYTES_SIZE], most[BM_BYTES_SIZE];

    if (limit == 0)
        return true;
    if (limit == BENCHMEM_NOTHING)
        limit = 0;
    if (worst <= limit)
        return true;
    if (is_bytes) {
        bm_bytes_text(found, worst);
        bm_bytes_text(most, limit);
    } else {
        snprintf(found, sizeof(found), "%llu", (unsigned long long)worst);
        snprintf(most, sizeof(most), "%llu", (unsigned long long)limit);
    }
    bm_say("%s: %s %s is above its ceiling of %s", c->id, what, found, most);
    return false;
}

static bool check_ceilings(const struct bm_case *c,
                           const struct bm_passes *passes)
{
    struct benchmem_result worst = {0};

    for (size_t i = 0; i < passes->nr; i++) {
        const struct benchmem_result *r = &passes->items[i].result;

        if (r->peak_bytes > worst.peak_bytes)
            worst.peak_bytes = r->peak_bytes;
        if (r->allocated_bytes > worst.allocated_bytes)
            worst.allocated_bytes = r->allocated_bytes;
        if (r->allocations > worst.allocations)
            worst.allocations = r->allocations;
    }
    const struct benchmem_benchmark *b = c->benchmark;
    bool ok = check_ceiling(c, "peak", worst.peak_bytes, b->max_peak, true);
    ok &= check_ceiling(c, "allocated", worst.allocated_bytes, b->max_allocated,
                        true);
    ok &= check_ceiling(c, "allocations", worst.allocations, b->max_allocations,
                        false);
    return ok;
}

/* ---- running ---- */

static void run_apart(struct bm_passes *out, const struct bm_case *c,
                      size_t index, const struct bm_harness_options *options,
                      char **argv)
{
    uint32_t repeats = 1;

    /* One process has one maximum: each repetition is another process. */
    if (options->mode == BM_MODE_RSS && options->repeats)
        repeats = options->repeats;
    if (options->mode == BM_MODE_RSS && c->benchmark->repeats)
        repeats = c->benchmark->repeats;
    memset(out, 0, sizeof(*out));
    while (repeats-- > 0 && !out->failure[0])
        bm_own_process_run(out, c, index, (enum bm_mode)options->mode, argv);
}

/* False if it failed. */
static bool run_case(struct bm_table *table, const struct bm_case *c,
                     size_t index, const struct bm_harness_options *options,
                     char **argv)
{
    bool apart = options->mode == BM_MODE_RSS || c->benchmark->isolate ||
                 (c->benchmark->native && options->mode == BM_MODE_MEMORY);
    struct bm_passes passes;
    bool ok;

    if (apart && !options->in_process)
        run_apart(&passes, c, index, options, argv);
    else
        bm_passes_run(&passes, c, options);
    ok = !passes.failure[0];
    if (!options->quiet)
        bm_table_row(table, c, &passes);
    if (!ok)
        bm_say("%s: %s", c->id, passes.failure);
    else if (!options->quiet && options->mode == BM_MODE_MEMORY)
        ok = check_ceilings(c, &passes);
    bm_passes_clear(&passes);
    return ok;
}

static int run_child(const struct bm_cases *cases,
                     const struct bm_harness_options *options)
{
    struct bm_passes passes;

    if (options->child_case >= cases->nr)
        bm_say_die("--child: it is for this program alone");
    bm_passes_run(&passes, &cases->items[options->child_case], options);
    bool ok = bm_own_process_answer(options->child_fd, &passes);
    bm_passes_clear(&passes);
    return ok ? 0 : 2;
}

static int run_all(const struct bm_cases *cases,
                   const struct bm_harness_options *options, char **argv)
{
    struct bm_table table;
    bool ok = true;

    bm_table_init(&table, cases, (enum bm_mode)options->mode);
    for (size_t i = 0; i < cases->nr; i++)
        if (cases->items[i].is_selected)
            ok &= run_case(&table, &cases->items[i], i, options, argv);
    return ok ? 0 : 1;
}

static void release(struct bm_cases *cases, struct bm_harness_options *options)
{
    for (size_t i = 0; i < cases->nr; i++) {
        free(cases->items[i].params);
        free(cases->items[i].id);
    }
    free(cases->items);
    free(options->filters.items);
    free(options->suites.items);
    free(options->workloads.items);
    free(options->words);
}

int main(int argc, char **argv)
{
    struct bm_harness_options options;
    struct bm_cases cases;
    int status = 0;

    bm_say_set_program(argc > 0 ? argv[0] : NULL);
    bm_harness_options_read(&options, argc, argv);
    bm_cases_make(&cases);
    if (cases.nr == 0)
        bm_say_die("no benchmark is defined: see BENCHMEM in "
                   "benchmem/benchmem.h");
    bm_cases_select(&cases, &options);
    if (options.list) {
        bm_cases_print(&cases, options.json);
        /* Programs read the list: half of one must not look whole. */
        if (fflush(stdout) || ferror(stdout))
            bm_say_die("cannot write standard output: %s", strerror(errno));
    } else {
        settle_mode(&options);
        status = options.child_case == SIZE_MAX
                     ? run_all(&cases, &options, argv)
                     : run_child(&cases, &options);
    }
    release(&cases, &options);
    return status;
}
