/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "results/join.h"

#include "results/join_rows.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* The rows of one NAME[PARAMS], in the order in which they came. */
struct name {
    UT_hash_handle hh;
    const char *text;
    size_t *rows;
    size_t nr_rows;
    size_t room;
    size_t nr_pending; /* benchmarks of the run at hand without a row yet */
};

struct joining {
    struct bm_joined *joined;
    struct name *names;
    size_t series; /* of the run at hand */
    const struct bm_run_benchmark **pending;
    size_t nr_pending;
};

/* -- rows ------------------------------------------------------------------ */

struct bm_joined_row *bm_joined_add_row(struct bm_joined *joined)
{
    joined->rows = bm_xgrow(joined->rows, joined->nr_rows, &joined->room,
                            sizeof(*joined->rows));
    struct bm_joined_row *row = &joined->rows[joined->nr_rows++];

    *row = (struct bm_joined_row){
        .cells = bm_arena_alloc(&joined->arena,
                                joined->nr_series * sizeof(*row->cells)),
    };
    return row;
}

void bm_joined_put(struct bm_joined_row *row, size_t series,
                   const struct bm_run_benchmark *benchmark)
{
    row->cells[series] = benchmark;
    row->sample = benchmark;
    row->id = benchmark->id;
    row->name = bm_benchmark_name(benchmark);
}

void bm_joined_judge(struct bm_joined *joined)
{
    size_t last = joined->nr_series - 1;

    for (size_t i = 0; i < joined->nr_rows; i++) {
        struct bm_joined_row *row = &joined->rows[i];

        row->status = !row->cells[0]     ? BM_ROW_NEW
                      : row->cells[last] ? BM_ROW_COMMON
                                         : BM_ROW_GONE;
        joined->nr_new += row->status == BM_ROW_NEW;
        joined->nr_gone += row->status == BM_ROW_GONE;
        joined->nr_common += row->status == BM_ROW_COMMON;
    }
}

/* -- which row a benchmark belongs to -------------------------------------- */

static struct name *find_name(struct joining *joining,
                              const struct bm_run_benchmark *benchmark)
{
    const char *text = bm_benchmark_name(benchmark);
    struct name *name;

    HASH_FIND_STR(joining->names, text, name);
    if (!name) {
        name = bm_arena_alloc(&joining->joined->arena, sizeof(*name));
        name->text = text;
        HASH_ADD_KEYPTR(hh, joining->names, name->text, strlen(name->text),
                        name);
    }
    return name;
}

static bool ends_with(const char *path, const char *end)
{
    size_t size = strlen(path), length = strlen(end);

    return size >= length && !strcmp(path + size - length, end) &&
           (size == length || path[size - length - 1] == '/');
}

bool bm_same_file(const char *a, const char *b)
{
    return a && b && (ends_with(a, b) || ends_with(b, a));
}

static bool same_text(const char *a, const char *b)
{
    return a && b && !strcmp(a, b);
}

enum likeness { SAME_FILE, SAME_END, ANY_FILE };

static bool fits(const struct bm_run_benchmark *a,
                 const struct bm_run_benchmark *b, enum likeness likeness)
{
    switch (likeness) {
    case SAME_FILE:
        return same_text(a->file, b->file) || same_text(a->id, b->id);
    case SAME_END:
        return bm_same_file(a->file, b->file);
    default:
        return true;
    }
}

/* The only row that it can be, or NULL. */
static struct bm_joined_row *find_row(struct joining *joining,
                                      const struct name *name,
                                      const struct bm_run_benchmark *benchmark,
                                      enum likeness likeness)
{
    struct bm_joined_row *found = NULL;

    if (likeness == ANY_FILE && name->nr_pending > 1)
        return NULL;
    for (size_t i = 0; i < name->nr_rows; i++) {
        struct bm_joined_row *row = &joining->joined->rows[name->rows[i]];

        if (row->cells[joining->series] ||
            !fits(row->sample, benchmark, likeness))
            continue;
        if (found)
            return NULL;
        found = row;
    }
    return found;
}

void bm_joined_name(struct bm_joined *joined, const char *from, const char *to,
                    bool certain)
{
    joined->renamings =
        bm_xgrow(joined->renamings, joined->nr_renamings,
                 &joined->renamings_room, sizeof(*joined->renamings));
    joined->renamings[joined->nr_renamings++] =
        (struct bm_renaming){from, to, certain};
}

/* Of those that have no row yet; they stay pending where none fits. */
static void match_round(struct joining *joining, enum likeness likeness)
{
    size_t kept = 0;

    for (size_t i = 0; i < joining->nr_pending; i++) {
        const struct bm_run_benchmark *benchmark = joining->pending[i];
        struct name *name = find_name(joining, benchmark);
        struct bm_joined_row *row =
            find_row(joining, name, benchmark, likeness);

        if (!row) {
            joining->pending[kept++] = benchmark;
            continue;
        }
        if (likeness == ANY_FILE)
            bm_joined_name(joining->joined, row->id, benchmark->id, true);
        bm_joined_put(row, joining->series, benchmark);
        name->nr_pending--;
    }
    joining->nr_pending = kept;
}

static void add_rest(struct joining *joining)
{
    for (size_t i = 0; i < joining->nr_pending; i++) {
        const struct bm_run_benchmark *benchmark = joining->pending[i];
        struct name *name = find_name(joining, benchmark);

        name->rows = bm_xgrow(name->rows, name->nr_rows, &name->room,
                              sizeof(*name->rows));
        name->rows[name->nr_rows++] = joining->joined->nr_rows;
        name->nr_pending = 0;
        bm_joined_put(bm_joined_add_row(joining->joined), joining->series,
                      benchmark);
    }
}

static void join_run(struct joining *joining, const struct bm_run *run)
{
    joining->pending =
        bm_xcalloc(run->nr_benchmarks, sizeof(*joining->pending));
    joining->nr_pending = run->nr_benchmarks;
    for (size_t i = 0; i < run->nr_benchmarks; i++) {
        joining->pending[i] = &run->benchmarks[i];
        find_name(joining, &run->benchmarks[i])->nr_pending++;
    }
    match_round(joining, SAME_FILE);
    match_round(joining, SAME_END);
    match_round(joining, ANY_FILE);
    add_rest(joining);
    free(joining->pending);
}

/* -- the process ----------------------------------------------------------- */

static void join_processes(struct bm_joined *joined)
{
    struct bm_joined_row *row = NULL;
    bool wanted = false;

    for (size_t i = 0; i < joined->nr_series; i++)
        wanted |= !joined->runs[i]->nr_benchmarks;
    for (size_t i = 0; wanted && i < joined->nr_series; i++) {
        if (!joined->runs[i]->has_process)
            continue;
        if (!row)
            row = bm_joined_add_row(joined);
        bm_joined_put(row, i, &joined->runs[i]->process);
    }
}

/* -- labels ---------------------------------------------------------------- */

static bool is_taken(const struct bm_joined *joined, size_t series,
                     const char *label)
{
    for (size_t i = 0; i < joined->nr_series; i++) {
        if (i != series && !strcmp(joined->runs[i]->label, label))
            return true;
    }
    return false;
}

/* Runs of one label are told apart by their paths, or else by their number. */
static void label_runs(struct bm_joined *joined)
{
    for (size_t i = 0; i < joined->nr_series; i++) {
        const struct bm_run *run = joined->runs[i];

        joined->labels[i] = run->label;
        if (is_taken(joined, i, run->label))
            joined->labels[i] = run->source;
    }
    for (size_t i = 0; i < joined->nr_series; i++) {
        for (size_t k = i + 1; k < joined->nr_series; k++) {
            if (!strcmp(joined->labels[i], joined->labels[k]))
                joined->labels[k] = bm_arena_printf(&joined->arena, "%s (%zu)",
                                                    joined->labels[k], k + 1);
        }
    }
}

/* -- the whole ------------------------------------------------------------- */

void bm_joined_init(struct bm_joined *joined, size_t nr_series)
{
    *joined = (struct bm_joined){.nr_series = nr_series};
    joined->labels =
        bm_arena_alloc(&joined->arena, nr_series * sizeof(*joined->labels));
    joined->runs =
        bm_arena_alloc(&joined->arena, nr_series * sizeof(*joined->runs));
}

void bm_join_runs(struct bm_joined *joined, struct bm_run **runs,
                  size_t nr_runs)
{
    struct joining joining = {.joined = joined};
    struct name *name;

    bm_joined_init(joined, nr_runs);
    for (size_t i = 0; i < nr_runs; i++)
        joined->runs[i] = runs[i];
    label_runs(joined);
    for (size_t i = 0; i < nr_runs; i++) {
        joining.series = i;
        join_run(&joining, runs[i]);
    }
    for (name = joining.names; name; name = name->hh.next)
        free(name->rows);
    HASH_CLEAR(hh, joining.names);
    join_processes(joined);
    bm_joined_judge(joined);
    bm_joined_guess_renamed(joined);
}

bool bm_joined_value(const struct bm_joined_row *row, size_t series,
                     enum bm_measure measure, enum bm_stat stat,
                     long double *value)
{
    const struct bm_run_benchmark *cell = row->cells[series];

    return cell && bm_series_stat(&cell->series[measure], stat, value);
}

bool bm_joined_has(const struct bm_joined *joined, enum bm_measure measure)
{
    for (size_t i = 0; i < joined->nr_rows; i++) {
        for (size_t s = 0; s < joined->nr_series; s++) {
            const struct bm_run_benchmark *cell = joined->rows[i].cells[s];

            if (cell && bm_series_present(&cell->series[measure]))
                return true;
        }
    }
    return false;
}

void bm_joined_clear(struct bm_joined *joined)
{
    bm_joined_sites_free(joined);
    free(joined->rows);
    free(joined->renamings);
    bm_arena_release(&joined->arena);
    *joined = (struct bm_joined){0};
}
