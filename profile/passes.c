/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The passes of a benchmark. One that the process ended in is completed from
 * what no other pass accounts for; beyond the first thousand it has no record
 * of its own, and comes last.
 */
#include "benchmarks.h"

#include <stdlib.h>

/* ---- records ---- */

static enum bm_measured measured(uint64_t word)
{
    return word <= BM_MEASURED_RSS ? (enum bm_measured)word
                                   : BM_MEASURED_MEMORY;
}

bool bm_load_pass(struct bm_load *load, const msgpack_object *object)
{
    struct bm_raw_pass *raw;

    BM_LOAD_UNPACK(pass, r);
    raw = bm_load_add(load, &load->passes);
    if (!raw)
        return false;
    raw->benchmark = bm_load_benchmark_index(load, r.benchmark);
    raw->serial = BM_LOAD_WORD(r.pass, PASS, serial);
    raw->pass = (struct bm_pass_info){
        .peak_bytes = BM_LOAD_WORD(r.pass, PASS, peak),
        .allocated_bytes = BM_LOAD_WORD(r.pass, PASS, allocated),
        .allocations = BM_LOAD_WORD(r.pass, PASS, allocations),
        .retained_bytes = BM_LOAD_WORD(r.pass, PASS, retained),
        .time_ns = BM_LOAD_WORD(r.pass, PASS, time_ns),
        .setup_peak_rss_bytes = BM_LOAD_WORD(r.pass, PASS, setup_peak_rss),
        .peak_rss_bytes = BM_LOAD_WORD(r.pass, PASS, peak_rss),
        .measured = measured(BM_LOAD_WORD(r.pass, PASS, measure)),
        .began_bytes = BM_LOAD_WORD(r.pass, PASS, began),
        .ended_bytes = BM_LOAD_WORD(r.pass, PASS, ended),
        .open = BM_LOAD_WORD(r.pass, PASS, open) != 0,
    };
    return true;
}

#define RANGE(words, metric)                                                   \
    (struct bm_range)                                                          \
    {                                                                          \
        BM_LOAD_WORD(words, PASSES, metric##_min),                             \
            BM_LOAD_WORD(words, PASSES, metric##_max),                         \
            BM_LOAD_WORD(words, PASSES, metric##_sum)                          \
    }

bool bm_load_passes(struct bm_load *load, const msgpack_object *object)
{
    struct bm_raw_passes *raw;

    BM_LOAD_UNPACK(passes, r);
    raw = bm_load_add(load, &load->more_passes);
    if (!raw)
        return false;
    raw->benchmark = bm_load_benchmark_index(load, r.benchmark);
    raw->count = BM_LOAD_WORD(r.passes, PASSES, count);
    raw->peak = RANGE(r.passes, peak);
    raw->allocated = RANGE(r.passes, allocated);
    raw->allocations = RANGE(r.passes, allocations);
    raw->retained = RANGE(r.passes, retained);
    raw->time = RANGE(r.passes, time);
    raw->measured = measured(BM_LOAD_WORD(r.passes, PASSES, measure));
    return true;
}

/* ---- into the profile ---- */

static int compare_passes(const void *left, const void *right)
{
    const struct bm_raw_pass *a = *(struct bm_raw_pass *const *)left;
    const struct bm_raw_pass *b = *(struct bm_raw_pass *const *)right;

    if (a->serial != b->serial)
        return a->serial < b->serial ? -1 : 1;
    return (a > b) - (a < b);
}

static void add_range(struct bm_range *sum, const struct bm_range *more,
                      bool first)
{
    if (first || more->min < sum->min)
        sum->min = more->min;
    if (first || more->max > sum->max)
        sum->max = more->max;
    sum->sum += more->sum;
}

static void add_more(struct bm_benchmark_info *info,
                     const struct bm_raw_passes *raw)
{
    bool first = info->nr_more_passes == 0;

    if (raw->count == 0)
        return;
    info->nr_more_passes += raw->count;
    add_range(&info->more_peak, &raw->peak, first);
    add_range(&info->more_allocated, &raw->allocated, first);
    add_range(&info->more_allocations, &raw->allocations, first);
    add_range(&info->more_retained, &raw->retained, first);
    add_range(&info->more_time, &raw->time, first);
    info->more_measured = raw->measured;
}

static bool is_beyond(const struct bm_range *range, uint64_t count)
{
    uint64_t largest;

    return !__builtin_mul_overflow(range->max, count, &largest) &&
           range->sum > largest;
}

/*
 * A kill came while a pass was added: its value is among the extremes and
 * not in the sum, or, of the peak, in the sum that the count lags behind.
 */
static void limit_range(struct bm_range *range, uint64_t count)
{
    if (range->max > range->sum)
        range->max = range->sum;
    if (range->min > range->max || count == 1)
        range->min = range->max;
    if (count && range->min > range->sum / count) /* a pass with nothing */
        range->min = 0;
}

static void limit_ranges(struct bm_benchmark_info *info)
{
    uint64_t count = info->nr_more_passes;

    if (is_beyond(&info->more_peak, count))
        info->more_peak.sum = info->more_peak.max * count;
    limit_range(&info->more_peak, count);
    limit_range(&info->more_allocated, count);
    limit_range(&info->more_allocations, count);
    limit_range(&info->more_retained, count);
    limit_range(&info->more_time, count);
}

/* What the passes do not account for; nothing if they say more. */
static struct bm_pass_info rest_of(const struct bm_benchmark_info *info,
                                   const struct bm_pass_info *but)
{
    struct bm_pass_info sum = {
        .allocated_bytes = info->more_allocated.sum,
        .allocations = info->more_allocations.sum,
        .retained_bytes = info->more_retained.sum,
    };

    for (size_t i = 0; i < info->nr_passes; i++) {
        const struct bm_pass_info *pass = &info->passes[i];

        if (pass == but)
            continue;
        sum.allocated_bytes += pass->allocated_bytes;
        sum.allocations += pass->allocations;
        sum.retained_bytes += pass->retained_bytes;
    }
#define REST(whole, field) sum.field = whole > sum.field ? whole - sum.field : 0
    REST(info->figures.allocated_bytes, allocated_bytes);
    REST(info->figures.allocations, allocations);
    REST(info->figures.live_bytes, retained_bytes);
#undef REST
    return sum;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* A pass that the process ended in, from what no other pass accounts for. */
static void complete_open(const struct bm_benchmark_info *info,
                          struct bm_pass_info *pass, bool set_peak)
{
    struct bm_pass_info rest = rest_of(info, pass);

    pass->allocated_bytes = rest.allocated_bytes;
    pass->allocations = rest.allocations;
    pass->retained_bytes = rest.retained_bytes;
    pass->peak_bytes = most(pass->peak_bytes, rest.retained_bytes);
    pass->peak_bytes = set_peak
                           ? info->figures.peak_bytes
                           : least(pass->peak_bytes, info->figures.peak_bytes);
}

/* The same for one that has no record, for which there is room behind. */
static void add_unrecorded(struct bm_benchmark_info *info,
                           struct bm_pass_info rest)
{
    uint64_t peak = info->more_peak.max;

    for (size_t i = 0; i < info->nr_passes; i++)
        peak = most(peak, info->passes[i].peak_bytes);
    /* It set the benchmark's peak if none of the others has. */
    if (peak >= info->figures.peak_bytes)
        peak = least(rest.retained_bytes, info->figures.peak_bytes);
    else
        peak = info->figures.peak_bytes;
    rest.peak_bytes = peak;
    rest.open = true;
    info->passes[info->nr_passes++] = rest;
}

/*
 * Whether a kill came while a pass that had ended was added to the others:
 * peak, allocated, allocations, retained and then the count.
 */
static bool is_half_added(const struct bm_benchmark_info *info,
                          const struct bm_pass_info *rest)
{
    uint64_t count = info->nr_more_passes;

    if (count == 0)
        return false;
    return rest->retained_bytes > rest->allocated_bytes ||
           is_beyond(&info->more_allocated, count) ||
           is_beyond(&info->more_allocations, count) ||
           is_beyond(&info->more_retained, count);
}

static void complete_range(struct bm_range *range, uint64_t rest)
{
    if (rest)
        add_range(range, &(struct bm_range){rest, rest, rest}, false);
}

static void add_rest(struct bm_benchmark_info *info,
                     const struct bm_pass_info *rest)
{
    info->nr_more_passes++;
    complete_range(&info->more_allocated, rest->allocated_bytes);
    complete_range(&info->more_allocations, rest->allocations);
    complete_range(&info->more_retained, rest->retained_bytes);
}

/* What a begun pass without a record of its own has left. */
static void account_for_rest(struct bm_benchmark_info *info)
{
    struct bm_pass_info rest = rest_of(info, NULL);
    bool is_half = is_half_added(info, &rest);

    if (is_half)
        add_rest(info, &rest);
    limit_ranges(info);
    if (!is_half && (rest.allocations || rest.retained_bytes))
        add_unrecorded(info, rest);
}

static const struct bm_raw_pass **sorted_passes(const struct bm_making *making,
                                                size_t number, size_t *nr)
{
    const struct bm_raw_pass *rows = making->load->passes.rows;
    const uint32_t *order =
        &making->passes.order[making->passes.starts[number]];
    const struct bm_raw_pass **sorted;

    *nr = making->passes.starts[number + 1] - making->passes.starts[number];
    sorted = calloc(*nr + 1, sizeof(const struct bm_raw_pass *));
    for (size_t i = 0; sorted && i < *nr; i++)
        sorted[i] = &rows[order[i]];
    if (sorted)
        qsort(sorted, *nr, sizeof(*sorted), compare_passes);
    return sorted;
}

static uint64_t count_more(const struct bm_making *making, size_t number)
{
    const struct bm_raw_passes *rows = making->load->more_passes.rows;
    const struct bm_groups *groups = &making->more_passes;
    uint64_t nr = 0;

    for (size_t i = groups->starts[number]; i < groups->starts[number + 1]; i++)
        nr += rows[groups->order[i]].count;
    return nr;
}

static bool has_unrecorded(const struct bm_making *making, size_t number)
{
    const uint32_t *starts = &making->passes.starts[number];

    return making->begun[number] >
           starts[1] - starts[0] + count_more(making, number);
}

bool bm_has_open_pass(const struct bm_making *making, size_t number)
{
    const struct bm_raw_pass *rows = making->load->passes.rows;
    const struct bm_groups *groups = &making->passes;

    for (size_t i = groups->starts[number]; i < groups->starts[number + 1]; i++)
        if (rows[groups->order[i]].pass.open)
            return true;
    return has_unrecorded(making, number);
}

/* Of an open pass, whose counts are what no other pass accounts for. */
static void forget_counts(struct bm_pass_info *pass)
{
    pass->allocated_bytes = 0;
    pass->allocations = 0;
    pass->retained_bytes = 0;
}

static void fill_in(const struct bm_making *making, size_t number,
                    const struct bm_raw_pass *const *sorted,
                    struct bm_benchmark_info *info)
{
    const struct bm_raw_passes *more = making->load->more_passes.rows;
    const struct bm_groups *groups = &making->more_passes;
    uint64_t peak_pass = making->best[number]->peak_pass;
    unsigned lost =
        making->load->profile->flags & (BM_STATE_FILE_FULL | BM_STATE_CUT);
    size_t nr = info->nr_passes;

    for (size_t i = 0; i < nr; i++)
        info->passes[i] = sorted[i]->pass;
    for (size_t i = groups->starts[number]; i < groups->starts[number + 1]; i++)
        add_more(info, &more[groups->order[i]]);
    /* Where other passes are lost, the rest is not that of the open one. */
    if (lost)
        return;
    for (size_t i = 0; i < nr; i++)
        if (info->passes[i].open)
            forget_counts(&info->passes[i]);
    if (has_unrecorded(making, number))
        account_for_rest(info);
    /* From the last on: of several, which is damage, it has all the rest. */
    for (size_t i = info->nr_passes; i-- > 0;)
        if (info->passes[i].open)
            complete_open(info, &info->passes[i],
                          i < nr && sorted[i]->serial == peak_pass);
}

bool bm_make_passes(struct bm_making *making, size_t number,
                    struct bm_benchmark_info *info)
{
    const struct bm_raw_pass **sorted;

    sorted = sorted_passes(making, number, &info->nr_passes);
    info->passes = bm_arena_take(making->load->arena,
                                 (info->nr_passes + 1) * sizeof(*info->passes));
    if (sorted && info->passes)
        fill_in(making, number, sorted, info);
    free(sorted);
    return sorted && info->passes;
}
