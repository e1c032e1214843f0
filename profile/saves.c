/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How far a peak falls without a site or group: the peak less the largest
 * value that all else had together. The recorder keeps that up to the last
 * change of each part; the time since is in the sets of runtime/maxima.h,
 * which are looked up here. So the figures are those of the last event,
 * whatever ended the process. Was that end within an event, they are off by
 * the bytes of it at most, and are brought within their bounds.
 */
#include "figures.h"
#include "load.h"

#include "records.h"

#include <stdlib.h>
#include <string.h>

#define SETS_A_PART 2

/* A record `saving`. */
struct raw {
    size_t benchmark; /* index of its record, 0 for the process */
    uint64_t index;
    size_t ledger; /* its place, once they are known */
    struct bm_saving_info info;
    uint64_t live, others, set;
    uint64_t most[SETS_A_PART], above[SETS_A_PART];
};

void bm_saves_init(struct bm_load *load)
{
    load->savings.row_size = sizeof(struct raw);
    load->groupings.row_size = sizeof(struct bm_grouping_info);
}

static bool fail_type(struct bm_load *load)
{
    return bm_load_fail(load,
                        "damaged: a field of this record has the wrong type");
}

bool bm_load_saving(struct bm_load *load, const msgpack_object *object)
{
    struct bm_record_saving r;
    struct raw *raw;

    if (!bm_unpack_saving(object, &r))
        return fail_type(load);
    if (r.level >= BM_NR_SAVED || r.benchmark > load->max_index)
        return true;
    raw = bm_rows_add(&load->savings);
    if (!raw)
        return bm_load_fail_memory(load);
    *raw = (struct raw){
        .benchmark = r.benchmark,
        .index = r.index,
        .info = {.level = (enum bm_saved_level)r.level, .of = r.of},
        .live = bm_words_get(r.saving, BM_SAVING_live),
        .others = bm_words_get(r.saving, BM_SAVING_others),
        .set = bm_words_get(r.saving, BM_SAVING_set),
        .most = {bm_words_get(r.saving, BM_SAVING_most_1),
                 bm_words_get(r.saving, BM_SAVING_most_2)},
        .above = {bm_words_get(r.saving, BM_SAVING_above_1),
                  bm_words_get(r.saving, BM_SAVING_above_2)},
    };
    return true;
}

bool bm_load_grouping(struct bm_load *load, const msgpack_object *object)
{
    struct bm_record_grouping r;
    struct bm_grouping_info *grouping;

    if (!bm_unpack_grouping(object, &r))
        return fail_type(load);
    if (r.site > load->max_index || r.path > load->max_index)
        return true;
    grouping = bm_rows_add(&load->groupings);
    if (!grouping)
        return bm_load_fail_memory(load);
    *grouping = (struct bm_grouping_info){
        .site = bm_index_as_pointer(r.site),
        .path = bm_index_as_pointer(r.path),
        .of = {[BM_SAVED_LINE] = r.line,
               [BM_SAVED_FUNCTION] = r.function,
               [BM_SAVED_TYPE] = r.type},
    };
    return true;
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

/* ---- sets ---- */

/*
 * Those of one benchmark: parts by their index, of which two sets each are
 * numbered from 1. The file may say anything: no tree is followed further than
 * a true one can be deep in all.
 */
struct sets {
    struct raw **parts; /* NULL in gaps */
    size_t nr;
    uint64_t steps; /* left */
};

static uint64_t *above_of(const struct sets *sets, uint64_t set)
{
    struct raw *part;

    if (set == 0 || set > sets->nr * SETS_A_PART)
        return NULL;
    part = sets->parts[(set - 1) / SETS_A_PART];
    return part ? &part->above[(set - 1) % SETS_A_PART] : NULL;
}

/* The value of a part's set; false if there is no such set. */
static bool most_of(struct sets *sets, uint64_t set, uint64_t *most)
{
    uint64_t *above = above_of(sets, set);

    while (above && *above != set && sets->steps) {
        uint64_t *next = above_of(sets, *above);

        if (next)
            *above = *next; /* halves the way for those that follow */
        set = *above;
        above = above_of(sets, set);
        sets->steps--;
    }
    if (!above || *above != set)
        return false;
    *most = sets->parts[(set - 1) / SETS_A_PART]->most[(set - 1) % SETS_A_PART];
    return true;
}

/* Takes the open interval of each part of one benchmark into `others`. */
static bool close_intervals(struct raw *rows, size_t nr)
{
    struct sets sets = {.nr = nr};
    bool ok = true;

    sets.parts = calloc(nr, sizeof(*sets.parts));
    if (!sets.parts)
        return false;
    /* Halved paths: near one step each; 64 bounds any order of them. */
    sets.steps = (uint64_t)nr * 64;
    for (size_t i = 0; i < nr; i++)
        if (rows[i].index && rows[i].index <= nr)
            sets.parts[rows[i].index - 1] = &rows[i];
    for (size_t i = 0; i < nr && ok; i++) {
        uint64_t most;

        if (!rows[i].set)
            continue;
        ok = most_of(&sets, rows[i].set, &most);
        if (ok && most > rows[i].live && most - rows[i].live > rows[i].others)
            rows[i].others = most - rows[i].live;
    }
    free(sets.parts);
    for (size_t i = 0; i < nr && !ok; i++)
        rows[i].info.level = BM_NR_SAVED; /* says nothing */
    return true;
}

static int compare_raws(const void *left, const void *right)
{
    const struct raw *a = left, *b = right;
    int order = compare_numbers(a->benchmark, b->benchmark);

    return order ? order : compare_numbers(a->index, b->index);
}

static bool close_all(struct bm_load *load)
{
    struct raw *rows = load->savings.rows;
    size_t nr = load->savings.nr, end;

    qsort(rows, nr, sizeof(*rows), compare_raws);
    for (size_t first = 0; first < nr; first = end) {
        for (end = first;
             end < nr && rows[end].benchmark == rows[first].benchmark; end++)
            ;
        if (!close_intervals(rows + first, end - first))
            return bm_load_fail_memory(load);
    }
    return true;
}

/* ---- finding one ---- */

static int compare_savings(const void *left, const void *right)
{
    const struct bm_saving_info *a = left, *b = right;
    int order = compare_numbers(a->benchmark, b->benchmark);

    if (!order)
        order = compare_numbers(a->level, b->level);
    return order ? order : compare_numbers(a->of, b->of);
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
    int order = compare_numbers(a->ledger.number, b->ledger.number);

    if (!order)
        order = compare_numbers(b->ledger.peak, a->ledger.peak);
    return order ? order : compare_numbers(a->raw, b->raw);
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
                                const struct raw *raw)
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
    struct raw *rows = load->savings.rows;
    size_t nr = 0;

    for (size_t i = 0; i < load->savings.nr; i++) {
        struct raw row = rows[i];
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
    const struct raw *a = left, *b = right;
    int order = compare_savings(&a->info, &b->info);

    return order ? order : compare_numbers(a->ledger, b->ledger);
}

/*
 * What all else held at most over the ledgers of one benchmark, of which rows
 * are the part's; where it has no record it held nothing. False if one of the
 * ledgers says nothing.
 */
static bool others_of(const struct making *making, const struct raw *rows,
                      size_t nr, uint64_t *others)
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
    const struct raw *rows = making->load->savings.rows;
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

static bool make_savings(struct bm_load *load)
{
    struct making making = {.load = load};
    bool ok;

    load->profile->savings =
        calloc(load->savings.nr, sizeof(*load->profile->savings));
    ok = find_ledgers(&making) && load->profile->savings;
    if (ok) {
        number_savings(&making);
        qsort(load->savings.rows, load->savings.nr, sizeof(struct raw),
              compare_numbered);
        make(&making);
    }
    free(making.ledgers);
    free(making.of_raw);
    free(making.of_site);
    return ok || bm_load_fail_memory(load);
}

/* Numbers become pointers; what points nowhere goes, and what is there twice.
 */
static int compare_groupings(const void *left, const void *right)
{
    const struct bm_grouping_info *a = left, *b = right;
    int order = compare_numbers((uintptr_t)a->site, (uintptr_t)b->site);

    return order ? order
                 : compare_numbers((uintptr_t)a->path, (uintptr_t)b->path);
}

static void link_groupings(struct bm_load *load)
{
    const struct bm_site_info *sites = load->sites.rows.rows;
    struct bm_grouping_info *rows = load->groupings.rows;
    size_t nr = 0;

    for (size_t i = 0; i < load->groupings.nr; i++) {
        struct bm_grouping_info row = rows[i];
        bool has_path = row.path;

        row.site = bm_table_find(&load->sites, bm_index_of_pointer(row.site));
        row.path = bm_table_find(&load->paths, bm_index_of_pointer(row.path));
        if (!row.site || (has_path && !row.path))
            continue;
        row.of[BM_SAVED_SITE] = (uint64_t)(row.site - sites) + 1;
        rows[nr++] = row;
    }
    if (nr)
        qsort(rows, nr, sizeof(*rows), compare_groupings);
    load->groupings.nr = 0;
    for (size_t i = 0; i < nr; i++)
        if (i == 0 || compare_groupings(&rows[i - 1], &rows[i]))
            rows[load->groupings.nr++] = rows[i];
}

bool bm_load_saves(struct bm_load *load)
{
    /* What processes of a merged profile save is no sum. */
    if (load->profile->flags & BM_STATE_UNSAVED)
        load->savings.nr = 0;
    if (load->savings.nr == 0)
        load->groupings.nr = 0;
    else if (!close_all(load) || !make_savings(load))
        return false;
    link_groupings(load);
    return true;
}
