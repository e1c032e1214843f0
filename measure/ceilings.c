/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "measure/ceilings.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/size.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SITES 3

bool bm_ceilings_hold_it(const struct bm_gate *gate)
{
    return gate->subject == BM_GATE_BENCHMARKS && !gate->pattern;
}

/* ---- sites that hold most ---- */

static uint64_t figure_of(const struct bm_figures *figures,
                          enum bm_measure measure)
{
    switch (measure) {
    case BM_MEASURE_PEAK:
        return figures->at_peak_bytes;
    case BM_MEASURE_ALLOCATIONS:
        return figures->allocations;
    case BM_MEASURE_LEAKED:
        return figures->live_bytes;
    default:
        return figures->allocated_bytes;
    }
}

struct heaviest {
    const struct bm_site_info *site;
    uint64_t value;
};

static void offer(struct heaviest *best, const struct bm_site_info *site,
                  uint64_t value)
{
    size_t at = MOST_SITES;

    while (at > 0 && value > best[at - 1].value)
        at--;
    if (at == MOST_SITES || !value)
        return;
    memmove(&best[at + 1], &best[at], (MOST_SITES - 1 - at) * sizeof(*best));
    best[at] = (struct heaviest){site, value};
}

static void tell_site(const struct heaviest *heaviest, uint64_t whole,
                      enum bm_measure measure)
{
    const struct bm_frame_info *frame = heaviest->site->frame;
    struct bm_str text = BM_STR_INIT;

    if (frame && frame->file)
        bm_str_printf(&text, "%s:%u %s", frame->file, frame->line,
                      frame->function ? frame->function : "?");
    else
        bm_str_printf(&text, "(outside) %s",
                      heaviest->site->module ? heaviest->site->module->path
                                             : "");
    bm_str_puts(&text, ": ");
    bm_value_print(&text, heaviest->value, bm_measure_info(measure)->unit);
    bm_str_puts(&text, ", ");
    bm_percent_print(&text, heaviest->value, whole);
    bm_error("  %s %%", text.data);
    bm_str_clear(&text);
}

/* Of a benchmark, or of the process where info is NULL. */
static void tell_sites(const struct bm_profile *profile,
                       const struct bm_benchmark_info *info,
                       enum bm_measure measure)
{
    struct heaviest best[MOST_SITES] = {{NULL, 0}};
    /* What adds up over passes is shown of one of them. */
    uint64_t nr_passes = info && measure != BM_MEASURE_PEAK
                             ? info->nr_passes + info->nr_more_passes
                             : 1;
    uint64_t whole =
        figure_of(info ? &info->figures : &profile->totals, measure);

    nr_passes += nr_passes == 0;
    whole /= nr_passes;

    for (size_t i = 0; i < (info ? info->nr_sites : profile->nr_sites); i++) {
        const struct bm_site_info *site =
            info ? info->sites[i].site : &profile->sites[i];

        offer(best, site,
              figure_of(info ? &info->sites[i].figures : &site->figures,
                        measure) /
                  nr_passes);
    }
    for (size_t i = 0; i < MOST_SITES && best[i].site; i++)
        tell_site(&best[i], whole, measure);
}

/* ---- ceilings ---- */

static const struct {
    enum bm_declared_flags flag;
    enum bm_measure measure;
    size_t limit; /* in struct bm_declared_info */
} declared[] = {
    {BM_DECLARED_MAX_PEAK, BM_MEASURE_PEAK,
     offsetof(struct bm_declared_info, max_peak_bytes)},
    {BM_DECLARED_MAX_ALLOCATED, BM_MEASURE_ALLOCATED,
     offsetof(struct bm_declared_info, max_allocated_bytes)},
    {BM_DECLARED_MAX_ALLOCATIONS, BM_MEASURE_ALLOCATIONS,
     offsetof(struct bm_declared_info, max_allocations)},
};
#define NR_DECLARED (sizeof(declared) / sizeof(*declared))

static bool declares(const struct bm_benchmark_info *info,
                     enum bm_measure measure)
{
    for (size_t i = 0; info && i < NR_DECLARED; i++)
        if (declared[i].measure == measure &&
            info->declared.flags & (unsigned)declared[i].flag)
            return true;
    return false;
}

static void check(const struct bm_session *session,
                  const struct bm_run_benchmark *row,
                  const struct bm_benchmark_info *info, enum bm_measure measure,
                  uint64_t limit, struct bm_verdicts *verdicts)
{
    const struct bm_measure_info *about = bm_measure_info(measure);
    struct bm_str text = BM_STR_INIT;
    long double worst;

    if (!bm_series_stat(&row->series[measure], BM_STAT_MAX, &worst) ||
        worst <= (long double)limit)
        return;
    bm_str_printf(&text, "%s: %s ", row->id ? row->id : "process", about->name);
    bm_value_print(&text, worst, about->unit);
    bm_str_puts(&text, " is above the ceiling of ");
    bm_value_print(&text, limit, about->unit);
    bool has_sites =
        session->memory && bm_digest_has(measure) && (info || !row->id);
    if (has_sites)
        bm_str_puts(&text, "; most is at");
    bm_error("%s", text.data);
    bm_str_clear(&text);
    if (has_sites)
        tell_sites(session->memory, info, measure);
    if (row->id)
        bm_strvec_push(&verdicts->regressed, row->id);
    verdicts->nr_failed++;
}

static void check_row(const struct bm_session *session,
                      const struct bm_run_benchmark *row,
                      struct bm_verdicts *verdicts)
{
    const struct bm_gates *gates = &session->m->ceilings;
    const struct bm_benchmark_info *info = NULL;

    if (session->memory && row->id)
        bm_run_find_profile(session->run, row, &info);
    for (size_t i = 0; info && i < NR_DECLARED; i++)
        if (info->declared.flags & (unsigned)declared[i].flag)
            check(session, row, info, declared[i].measure,
                  *(const uint64_t *)((const char *)&info->declared +
                                      declared[i].limit),
                  verdicts);
    for (size_t i = 0; i < gates->count; i++)
        if (bm_ceilings_hold_it(&gates->items[i]) &&
            !declares(info, gates->items[i].measure))
            check(session, row, info, gates->items[i].measure,
                  gates->items[i].limit, verdicts);
}

/* A limit on what nobody measured is a mistake, and never holds. */
static int check_measured(const struct bm_session *session)
{
    const struct bm_gates *gates = &session->m->ceilings;
    const struct bm_run *run = session->run;

    for (size_t g = 0; g < gates->count; g++) {
        enum bm_measure measure = gates->items[g].measure;
        bool any = bm_series_present(&run->process.series[measure]);

        for (size_t i = 0; i < run->nr_benchmarks; i++)
            any |= bm_series_present(&run->benchmarks[i].series[measure]);
        if (!any)
            return bm_error("cannot hold --max %s: %s was not measured; see "
                            "--mode",
                            gates->items[g].text,
                            bm_measure_info(measure)->name);
    }
    return 0;
}

int bm_ceilings_hold(struct bm_session *session, struct bm_verdicts *verdicts)
{
    const struct bm_run *run = session->run;

    for (size_t i = 0; i < run->nr_benchmarks; i++)
        check_row(session, &run->benchmarks[i], verdicts);
    if (!run->nr_benchmarks && run->has_process)
        check_row(session, &run->process, verdicts);
    return check_measured(session);
}
