/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Benchmarks whose function was perhaps renamed: one is gone, one is new,
 * both in one file, with the same parameters and exactly the same memory.
 * Only where it is the one such pair; and no more than a hint.
 */
#include "results/join_rows.h"

#include <inttypes.h>
#include <string.h>
#include <uthash.h>

struct likeness {
    UT_hash_handle hh;
    const char *text;
    const struct bm_joined_row *gone;
    const struct bm_joined_row *come;
    bool several;
};

/* File, parameters and figures as one text; NULL if there are none. */
static const char *describe(struct bm_arena *arena,
                            const struct bm_run_benchmark *benchmark)
{
    static const enum bm_measure measures[] = {
        BM_MEASURE_ALLOCATIONS, BM_MEASURE_ALLOCATED, BM_MEASURE_PEAK};
    long double values[3];

    for (size_t i = 0; i < 3; i++) {
        if (!bm_series_stat(&benchmark->series[measures[i]], BM_STAT_MIN,
                            &values[i]))
            return NULL;
    }
    if (values[0] == 0 || !benchmark->id || !benchmark->file)
        return NULL;
    const char *slash = strrchr(benchmark->file, '/');
    const char *name = bm_benchmark_name(benchmark);
    size_t size = strlen(benchmark->name);
    const char *params =
        !strncmp(name, benchmark->name, size) ? name + size : name;
    return bm_arena_printf(arena, "%s\n%s\n%.0Lf %.0Lf %.0Lf",
                           slash ? slash + 1 : benchmark->file, params,
                           values[0], values[1], values[2]);
}

void bm_joined_guess_renamed(struct bm_joined *joined)
{
    struct bm_arena arena = BM_ARENA_INIT;
    struct likeness *index = NULL, *entry;

    if (!joined->nr_gone || !joined->nr_new)
        return;
    for (size_t i = 0; i < joined->nr_rows; i++) {
        const struct bm_joined_row *row = &joined->rows[i];
        const char *text =
            row->status == BM_ROW_COMMON ? NULL : describe(&arena, row->sample);

        if (!text)
            continue;
        HASH_FIND_STR(index, text, entry);
        if (!entry) {
            entry = bm_arena_alloc(&arena, sizeof(*entry));
            entry->text = text;
            HASH_ADD_KEYPTR(hh, index, entry->text, strlen(entry->text), entry);
        }
        const struct bm_joined_row **side =
            row->status == BM_ROW_GONE ? &entry->gone : &entry->come;
        entry->several |= *side != NULL;
        *side = row;
    }
    for (entry = index; entry; entry = entry->hh.next) {
        if (!entry->several && entry->gone && entry->come)
            bm_joined_name(joined, entry->gone->id, entry->come->id, false);
    }
    HASH_CLEAR(hh, index);
    bm_arena_release(&arena);
}
