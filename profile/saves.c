/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How far a peak falls without a site or group: the peak less the largest
 * value that all else had together. The recorder keeps that up to the last
 * change of each part; the time since is in the sets of runtime/maxima.h,
 * which are looked up here. So the figures are those of the last event,
 * whatever ended the process. Was that end within an event, they are off by
 * the bytes of it at most, and are brought within their bounds.
 */
#include "saves.h"

#include "records.h"

#include <stdlib.h>
#include <string.h>

void bm_saves_init(struct bm_load *load)
{
    load->savings.row_size = sizeof(struct bm_raw_saving);
    load->groupings.row_size = sizeof(struct bm_grouping_info);
}

bool bm_load_saving(struct bm_load *load, const msgpack_object *object)
{
    struct bm_raw_saving *raw;

    BM_LOAD_UNPACK(saving, r);
    if (r.level >= BM_NR_SAVED || r.benchmark > load->max_index)
        return true;
    raw = bm_load_add(load, &load->savings);
    if (!raw)
        return false;
    *raw = (struct bm_raw_saving){
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
    struct bm_grouping_info *grouping;

    BM_LOAD_UNPACK(grouping, r);
    if (r.site > load->max_index || r.path > load->max_index)
        return true;
    grouping = bm_load_add(load, &load->groupings);
    if (!grouping)
        return false;
    *grouping = (struct bm_grouping_info){
        .site = bm_index_as_pointer(r.site),
        .path = bm_index_as_pointer(r.path),
        .of = {[BM_SAVED_LINE] = r.line,
               [BM_SAVED_FUNCTION] = r.function,
               [BM_SAVED_TYPE] = r.type},
    };
    return true;
}

/* ---- sets ---- */

/*
 * Those of one benchmark: parts by their index, of which two sets each are
 * numbered from 1. The file may say anything: no tree is followed further than
 * a true one can be deep in all.
 */
struct sets {
    struct bm_raw_saving **parts; /* NULL in gaps */
    size_t nr;
    uint64_t steps; /* left */
};

static uint64_t *above_of(const struct sets *sets, uint64_t set)
{
    struct bm_raw_saving *part;

    if (set == 0 || set > sets->nr * BM_SETS_A_PART)
        return NULL;
    part = sets->parts[(set - 1) / BM_SETS_A_PART];
    return part ? &part->above[(set - 1) % BM_SETS_A_PART] : NULL;
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
    *most = sets->parts[(set - 1) / BM_SETS_A_PART]
                ->most[(set - 1) % BM_SETS_A_PART];
    return true;
}

/* Takes the open interval of each part of one benchmark into `others`. */
static bool close_intervals(struct bm_raw_saving *rows, size_t nr)
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
    const struct bm_raw_saving *a = left, *b = right;
    int order = bm_compare_numbers(a->benchmark, b->benchmark);

    return order ? order : bm_compare_numbers(a->index, b->index);
}

static bool close_all(struct bm_load *load)
{
    struct bm_raw_saving *rows = load->savings.rows;
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

/* ---- groupings ---- */

/* Numbers become pointers; what points nowhere goes, and what is there twice.
 */
static int compare_groupings(const void *left, const void *right)
{
    const struct bm_grouping_info *a = left, *b = right;
    int order = bm_compare_numbers((uintptr_t)a->site, (uintptr_t)b->site);

    return order ? order
                 : bm_compare_numbers((uintptr_t)a->path, (uintptr_t)b->path);
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
    if (load->profile->flags & BM_STATE_UNSAVED)
        load->savings.nr = 0;
    if (load->savings.nr && (!close_all(load) || !bm_make_savings(load)))
        return false;
    if (load->profile->nr_savings == 0)
        load->groupings.nr = 0;
    link_groupings(load);
    return true;
}
