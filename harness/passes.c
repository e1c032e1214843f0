/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "passes.h"

#include "rss.h"
#include "say.h"

#include <time.h>

#define MIN_PASSES 2
#define MAX_PASSES 10  /* where no number is asked for */
#define QUIET_PASSES 2 /* in a row without a new minimum */

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void bm_passes_add(struct bm_passes *passes, const struct bm_pass *pass)
{
    struct bm_pass *grown =
        realloc(passes->items, (passes->nr + 1) * sizeof(*passes->items));

    if (!grown)
        bm_say_die("out of memory");
    passes->items = grown;
    passes->items[passes->nr++] = *pass;
}

void bm_passes_fail(struct bm_passes *passes, const char *why)
{
    if (!passes->failure[0])
        snprintf(passes->failure, sizeof(passes->failure), "%s", why);
}

void bm_passes_clear(struct bm_passes *passes)
{
    free(passes->items);
    memset(passes, 0, sizeof(*passes));
}

/* ---- one pass ---- */

static void call(const struct benchmem_benchmark *b, struct benchmem_case *c)
{
    uint32_t calls = b->calls ? b->calls : 1;

    for (uint32_t i = 0; i < calls; i++)
        b->run(c);
}

static bool begin(const struct bm_case *c)
{
    struct benchmem_window window = {
        .size = sizeof(window),
        .file = c->benchmark->file,
        .name = c->benchmark->name,
        .params = c->params,
        .nr_params = c->nr_params,
        .line = c->benchmark->line,
        .flags = BENCHMEM_WINDOW_RETURNS,
    };

    return BENCHMEM_HAS_(benchmem_recorder_begin) &&
           benchmem_recorder_begin(&window);
}

/* What is between begin and end is all that is measured. */
static __attribute__((noinline)) void measure(const struct bm_case *from,
                                              struct benchmem_case *c,
                                              struct bm_pass *pass,
                                              bool with_rss)
{
    if (with_rss)
        pass->setup_peak_rss_bytes = bm_rss_peak();
    bool opened = begin(from);
    uint64_t start = now_ns();

    call(from->benchmark, c);
    pass->ns = now_ns() - start;
    if (opened)
        pass->is_memory = benchmem_recorder_end(&pass->result, pass->ns);
    if (with_rss)
        pass->peak_rss_bytes = bm_rss_peak();
}

/* pass is NULL for one that is not measured. */
static void run_pass(const struct bm_case *from, struct benchmem_case *c,
                     struct bm_pass *pass, bool with_rss)
{
    const struct benchmem_benchmark *b = from->benchmark;

    memset(c, 0, sizeof(*c));
    c->benchmark = b;
    c->params = from->params;
    c->nr_params = from->nr_params;
    if (b->setup)
        b->setup(c);
    if (!c->failure && pass) {
        measure(from, c, pass, with_rss);
    } else if (!c->failure) {
        benchmem_pause(); /* nor does a benchmark inside open a window */
        call(b, c);
        benchmem_resume();
    }
    if (!c->failure && b->check && !b->check(c))
        benchmem_fail(c, "the check failed");
    if (b->teardown)
        b->teardown(c);
}

/* ---- all passes ---- */

/* Whether the last pass is better than all before it in any figure. */
static bool is_new_minimum(const struct bm_passes *passes)
{
    const struct bm_pass *last = &passes->items[passes->nr - 1];
    bool peak = true, allocated = true, allocations = true, ns = true;

    for (size_t i = 0; i + 1 < passes->nr; i++) {
        const struct bm_pass *other = &passes->items[i];

        peak &= last->result.peak_bytes < other->result.peak_bytes;
        allocated &=
            last->result.allocated_bytes < other->result.allocated_bytes;
        allocations &= last->result.allocations < other->result.allocations;
        ns &= last->ns < other->ns;
    }
    return last->is_memory ? peak || allocated || allocations : ns;
}

struct progress {
    uint64_t start_ns;
    unsigned nr_quiet; /* passes in a row without a new minimum */
};

static bool wants_more(const struct bm_passes *passes,
                       const struct progress *progress,
                       const struct benchmem_benchmark *b,
                       const struct bm_harness_options *options)
{
    uint32_t repeats = b->repeats ? b->repeats : options->repeats;

    if (passes->failure[0])
        return false;
    if (options->mode == BM_MODE_RSS)
        return passes->nr < 1;
    if (repeats)
        return passes->nr < repeats;
    if (passes->nr < MIN_PASSES)
        return true;
    if (options->max_time_ns &&
        now_ns() - progress->start_ns >= options->max_time_ns)
        return false;
    return passes->nr < MAX_PASSES && progress->nr_quiet < QUIET_PASSES;
}

static uint32_t nr_warmups(const struct benchmem_benchmark *b,
                           const struct bm_harness_options *options)
{
    if (options->mode == BM_MODE_RSS)
        return 0;
    if (b->warmup)
        return b->warmup < 0 ? 0 : (uint32_t)b->warmup;
    if (options->warmup != BM_WARMUP_UNSAID)
        return (uint32_t)options->warmup;
    return options->mode == BM_MODE_TIME ? 1 : 0; /* memory is taken cold */
}

/* Hands on what the benchmark says of itself, once its window was closed. */
static void describe(const struct benchmem_case *c, bool first)
{
    if (first && BENCHMEM_HAS_(benchmem_recorder_describe))
        benchmem_recorder_describe(c->benchmark, c->labels, c->nr_labels);
    if (c->failure && BENCHMEM_HAS_(benchmem_recorder_failed))
        benchmem_recorder_failed(c->failure);
}

void bm_passes_run(struct bm_passes *out, const struct bm_case *from,
                   const struct bm_harness_options *options)
{
    const struct benchmem_benchmark *b = from->benchmark;
    struct progress progress = {.start_ns = now_ns()};
    struct benchmem_case c;

    memset(out, 0, sizeof(*out));
    for (uint32_t i = nr_warmups(b, options); i-- > 0 && !out->failure[0];) {
        run_pass(from, &c, NULL, false);
        if (c.failure)
            bm_passes_fail(out, c.failure);
    }
    while (wants_more(out, &progress, b, options)) {
        struct bm_pass pass = {0};

        run_pass(from, &c, &pass, options->mode == BM_MODE_RSS);
        describe(&c, out->nr == 0);
        bm_passes_add(out, &pass);
        progress.nr_quiet = is_new_minimum(out) ? 0 : progress.nr_quiet + 1;
        if (c.failure)
            bm_passes_fail(out, c.failure);
    }
}
