/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a profile says of savings: of the process, and of each benchmark over
 * all ledgers that are one benchmark. There, what all else held at most is
 * the largest of any of them.
 */
#include "saves.h"

#include <stdlib.h>
#include <string.h>

/* ---- finding one ---- */

static int compare_savings(const void *left, const void *right)
{
    const struct bm_saving_info *a = left, *b = right;
    int order = bm_compare_numbers(a->benchmark, b->benchmark);

    if (!order)
        order = bm_compare_numbers(a->level, b->level);
    return order ? order : bm_compare_numbers(a->of, b->of);
}

bool bm_profile_has_savings(const struct bm_profile *profile, size_t benchmark)
{
    for (size_t i = 0; i < profile->nr_savings; i++)
        if (profile->savings[i].benchmark == benchmark)
            return true;
    return false;
}

const struct bm_saving_info *bm_profile_saving(const struct bm_profile *profile,
                                               size_t benchmark,
                                               enum bm_saved_level level,
                                               uint64_t of)
{
    const struct bm_saving_info key = {
        .benchmark = benchmark, .level = level, .of = of};

    if (!profile->nr_savings || !of)
        return NULL;
    return bsearch(&key, profile->savings, profile->nr_savings, sizeof(key),
                   compare_savings);
}

/* ---- benchmarks ---- */

/* A ledger: the process's, or one of those that are one benchmark. */
struct ledger {
    size_t number; /* of the benchmark in the profile, 0 for the process */
    size_t first;  /* place of the first with that number */
    uint64_t peak;
    bool is_kept;    /* what its records say is of use */
    bool is_partial; /* of the first: one with a peak is not */
    bool is_met;     /* by the part at hand */
};

struct making {
    struct bm_load *load;
    struct ledger *ledgers; /* those of a number together, largest peak first */
    size_t nr_ledgers;
    size_t *of_raw;  /* place among the ledgers, by raw benchmark */
    size_t *of_site; /* place among a benchmark's sites plus 1, by site */
};

/* A raw benchmark's place among the ledgers is told by where its peak lies. */
struct sorted {
    struct ledger ledger;
    size_t raw;
};

static int compare_sorted(const void *left, const void *right)
{
    const struct sorted *a = left, *b = right;
    int order = bm_compare_numbers(a->ledger.number, b->ledger.number);

    if (!order)
        order = bm_compare_numbers(b->ledger.peak, a->ledger.peak);
    return order ? order : bm_compare_numbers(a->raw, b->raw);
}

static struct ledger ledger_of(const struct bm_raw_benchmark *raw,
                               size_t number, uint64_t peak)
{
    /* 1 as of the last event, 2 within one; 3 is of no use. */
    return (struct ledger){
        .number = number,
        .peak = peak,
        .is_kept = raw->saves == 1 || raw->saves == 2,
    };
}

static bool find_ledgers(struct making *making)
{
    const struct bm_load *load = making->load;
    const struct bm_raw_benchmark *raws = load->benchmarks.rows.rows;
    size_t nr_raws = load->benchmarks.rows.nr;
    struct sorted *sorted = calloc(nr_raws + 1, sizeof(*sorted));

    making->ledgers = calloc(nr_raws + 1, sizeof(*making->ledgers));
    making->of_raw = calloc(nr_raws + 1, sizeof(*making->of_raw));
    making->of_site = calloc(load->sites.rows.nr + 1, sizeof(*making->of_site));
    if (sorted && making->ledgers && making->of_raw && making->of_site) {
        sorted[0].ledger =
            ledger_of(&load->process, 0, load->profile->totals.peak_bytes);
        for (size_t i = 0; i < nr_raws; i++)
            sorted[i + 1] = (struct sorted){
                ledger_of(&raws[i], raws[i].number ? raws[i].number : SIZE_MAX,
                          raws[i].peak),
                i + 1};
        making->nr_ledgers = nr_raws + 1;
        qsort(sorted, nr_raws + 1, sizeof(*sorted), compare_sorted);
        for (size_t i = 0; i <= nr_raws; i++) {
            making->ledgers[i] = sorted[i].ledger;
            making->ledgers[i].first =
                i && sorted[i - 1].ledger.number == sorted[i].ledger.number
                    ? making->ledgers[i - 1].first
                    : i;
            making->ledgers[making->ledgers[i].first].is_partial |=
                !sorted[i].ledger.is_kept && sorted[i].ledger.peak;
            making->of_raw[sorted[i].raw] = i;
        }
    }
    free(sorted);
    return making->nr_ledgers;
}

/* The ledger of a record, NULL if it has none. */
static struct ledger *ledger_at(const struct making *making,
                                const struct bm_raw_saving *raw)
{
    const struct bm_load *load = making->load;
    const struct bm_raw_benchmark *first = load->benchmarks.rows.rows, *found;

    if (!raw->benchmark)
        return &making->ledgers[0];
    found = bm_table_find(&load->benchmarks, raw->benchmark);
    if (!found || !found->number)
        return NULL;
    return &making->ledgers[making->of_raw[found - first + 1]];
}

/* Drops what says nothing; the others get their profile's numbers. */
static void number_savings(struct making *making)
{
    struct bm_load *load = making->load;
    const struct bm_site_info *sites = load->sites.rows.rows, *site;
    struct bm_raw_saving *rows = load->savings.rows;
    size_t nr = 0;

    for (size_t i = 0; i < load->savings.nr; i++) {
        struct bm_raw_saving row = rows[i];
        const struct ledger *ledger = ledger_at(making, &row);

        if (!ledger || row.info.level >= BM_NR_SAVED)
            continue;
        if (row.info.level == BM_SAVED_SITE) {
            site = bm_table_find(&load->sites, row.info.of);
            row.info.of = site ? (uint64_t)(site - sites) + 1 : 0;
        }
        row.info.benchmark = ledger->number;
        row.ledger = (size_t)(ledger - making->ledgers);
        if (row.info.of)
            rows[nr++] = row;
    }
    load->savings.nr = nr;
}

static int compare_numbered(const void *left, const void *right)
{
    const struct bm_raw_saving *a = left, *b = right;
    int order = compare_savings(&a->info, &b->info);

    return order ? order : bm_compare_numbers(a->ledger, b->ledger);
}

/*
 * What all else held at most over the ledgers of one benchmark, of which rows
 * are the part's; where it has no record it held nothing. False if one of the
 * ledgers says nothing.
 */
static bool others_of(const struct making *making,
                      const struct bm_raw_saving *rows, size_t nr,
                      uint64_t *others)
{
    struct ledger *ledgers = making->ledgers;
    const struct ledger *rest = &ledgers[ledgers[rows->ledger].first];
    const struct ledger *end = ledgers + making->nr_ledgers;

    *others = 0;
    if (rest->is_partial)
        return false;
    for (size_t i = 0; i < nr; i++) {
        ledgers[rows[i].ledger].is_met = true;
        if (rows[i].others > *others)
            *others = rows[i].others;
    }
    /* The largest that is not met comes after at most nr that are. */
    while (rest < end && rest->number == rows->info.benchmark && rest->is_met)
        rest++;
    if (rest < end && rest->number == rows->info.benchmark &&
        rest->peak > *others)
        *others = rest->peak;
    for (size_t i = 0; i < nr; i++)
        ledgers[rows[i].ledger].is_met = false;
    return true;
}

/* ---- what the profile gets ---- */

static uint64_t peak_of(const struct bm_profile *profile, size_t benchmark)
{
    return benchmark ? profile->benchmarks[benchmark - 1].figures.peak_bytes
                     : profile->totals.peak_bytes;
}

static void number_sites(struct making *making, size_t benchmark)
{
    const struct bm_site_info *sites = making->load->sites.rows.rows;
    const struct bm_benchmark_info *info;

    memset(making->of_site, 0,
           making->load->sites.rows.nr * sizeof(*making->of_site));
    if (!benchmark)
        return;
    info = &making->load->profile->benchmarks[benchmark - 1];
    for (size_t i = 0; i < info->nr_sites; i++)
        making->of_site[info->sites[i].site - sites] = i + 1;
}

/* The figures that a site's saving goes with; NULL if it has none. */
static struct bm_figures *figures_of(const struct making *making,
                                     const struct bm_saving_info *info)
{
    struct bm_site_info *sites = making->load->sites.rows.rows;
    const struct bm_profile *profile = making->load->profile;
    size_t place = making->of_site[info->of - 1];

    if (!info->benchmark)
        return &sites[info->of - 1].figures;
    return place ? &profile->benchmarks[info->benchmark - 1]
                        .sites[place - 1]
                        .figures
                 : NULL;
}

static void settle(const struct making *making, struct bm_saving_info *info)
{
    bool in_flight = making->load->profile->flags & BM_STATE_IN_FLIGHT;
    struct bm_figures *figures;

    if (info->level != BM_SAVED_SITE)
        return;
    figures = figures_of(making, info);
    if (!figures)
        return;
    if (in_flight && info->saves_bytes > figures->at_peak_bytes)
        info->saves_bytes = figures->at_peak_bytes;
    figures->saves_bytes = info->saves_bytes;
}

static void make(struct making *making)
{
    struct bm_profile *profile = making->load->profile;
    const struct bm_raw_saving *rows = making->load->savings.rows;
    size_t nr = making->load->savings.nr, end;

    for (size_t first = 0; first < nr; first = end) {
        struct bm_saving_info info = rows[first].info;
        uint64_t others, peak = peak_of(profile, info.benchmark);

        for (end = first + 1;
             end < nr && !compare_savings(&info, &rows[end].info); end++)
            ;
        if (first == 0 || info.benchmark != rows[first - 1].info.benchmark)
            number_sites(making, info.benchmark);
        if (!others_of(making, &rows[first], end - first, &others))
            continue;
        info.saves_bytes = peak > others ? peak - others : 0;
        settle(making, &info);
        profile->savings[profile->nr_savings++] = info;
    }
}

bool bm_make_savings(struct bm_load *load)
{
    struct making making = {.load = load};
    bool ok;

    load->profile->savings =
        calloc(load->savings.nr, sizeof(*load->profile->savings));
    ok = find_ledgers(&making) && load->profile->savings;
    if (ok) {
        number_savings(&making);
        qsort(load->savings.rows, load->savings.nr,
              sizeof(struct bm_raw_saving), compare_numbered);
        make(&making);
    }
    free(making.ledgers);
    free(making.of_raw);
    free(making.of_site);
    return ok || bm_load_fail_memory(load);
}
