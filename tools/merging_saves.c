/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What peaks fall by, of several profiles. A benchmark's is told by the largest
 * that all else held over all passes, wherever they ran, so it goes on being
 * known; that of a process alone, since a sum of peaks is none.
 *
 * Groups have other numbers in each profile. Two are one where a call path
 * that both profiles have is in either.
 */
#include "tools/merging_state.h"

#include <stdlib.h>

/* The entry of a group by the site and path of one of its blocks. */
static struct bm_merged_entry *
entry_of_path(struct bm_merger *merger, const struct bm_profile *p,
              const struct bm_grouping_info *grouping, uint64_t level)
{
    const uint64_t key[] = {
        level,
        merger->sites[grouping->site - p->sites],
        grouping->path ? merger->paths[grouping->path - p->paths] : 0,
    };

    return bm_merger_entry(merger, 'g', key, sizeof(key) / sizeof(*key));
}

/* The same by its number in the profile at hand. */
static struct bm_merged_entry *entry_of_number(struct bm_merger *merger,
                                               uint64_t level, uint64_t of)
{
    const uint64_t key[] = {merger->nr_profiles, level, of};

    return bm_merger_entry(merger, 'n', key, sizeof(key) / sizeof(*key));
}

/* Groups that were met before keep their number. */
static void find_groups(struct bm_merger *merger, const struct bm_profile *p)
{
    for (size_t i = 0; i < p->nr_groupings; i++)
        for (uint64_t level = BM_SAVED_LINE; level < BM_NR_SAVED; level++) {
            uint64_t known =
                entry_of_path(merger, p, &p->groupings[i], level)->number;

            if (known)
                entry_of_number(merger, level, p->groupings[i].of[level])
                    ->number = known;
        }
}

static uint64_t number_of(struct bm_merger *merger, uint64_t level, uint64_t of)
{
    struct bm_merged_entry *entry;

    if (!of)
        return 0;
    entry = entry_of_number(merger, level, of);
    if (!entry->number)
        entry->number = ++merger->nr_groups;
    return entry->number;
}

static void put_groupings(struct bm_merger *merger, const struct bm_profile *p)
{
    for (size_t i = 0; i < p->nr_groupings; i++) {
        const struct bm_grouping_info *info = &p->groupings[i];
        uint64_t of[BM_NR_SAVED] = {0};

        for (uint64_t level = BM_SAVED_LINE; level < BM_NR_SAVED; level++) {
            of[level] = number_of(merger, level, info->of[level]);
            entry_of_path(merger, p, info, level)->number = of[level];
        }
        BM_PUT(&merger->sink, grouping,
               .site = merger->sites[info->site - p->sites],
               .path = info->path ? merger->paths[info->path - p->paths] : 0,
               .line = of[BM_SAVED_LINE], .function = of[BM_SAVED_FUNCTION],
               .type = of[BM_SAVED_TYPE]);
    }
}

bool bm_merger_keeps_saves(const struct bm_merger *merger,
                           const struct bm_saving_info *info, bool counted)
{
    return info->benchmark || (counted && merger->kind == BM_MERGING_RUNS);
}

static void put_saving(struct bm_merger *merger, const struct bm_profile *p,
                       const struct bm_saving_info *info, uint64_t index)
{
    uint64_t peak = info->benchmark
                        ? p->benchmarks[info->benchmark - 1].figures.peak_bytes
                        : p->totals.peak_bytes;
    uint64_t of = info->level == BM_SAVED_SITE
                      ? merger->sites[info->of - 1]
                      : number_of(merger, info->level, info->of);
    const struct bm_numbers numbers = {
        .benchmark =
            info->benchmark ? merger->first_benchmark + info->benchmark - 1 : 0,
        .index = index,
    };

    bm_put_saving(&merger->sink, info, of, peak, &numbers);
}

void bm_merger_put_savings(struct bm_merger *merger, const struct bm_profile *p,
                           bool counted)
{
    uint64_t index = 0;

    merger->nr_profiles++;
    find_groups(merger, p);
    put_groupings(merger, p);
    for (size_t i = 0; i < p->nr_savings; i++) {
        const struct bm_saving_info *info = &p->savings[i];

        if (i == 0 || info->benchmark != info[-1].benchmark)
            index = 0;
        if (bm_merger_keeps_saves(merger, info, counted))
            put_saving(merger, p, info, ++index);
    }
}
