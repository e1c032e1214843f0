/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Two tables of the call tree. `table` has a row for each site: where it is,
 * what it allocates and every metric. `summary` has a row for each function:
 * its own share and the share of all that it called. A function that calls
 * itself counts once on a path, so no share is above the total.
 */
#include "tools/flamegraph.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Figures of a place or of a function. */
struct sum {
    uint32_t place;                   /* the first one */
    const struct bm_call_place *leaf; /* the first one charged here */
    uint64_t own[BM_NR_METRICS];
    uint64_t total; /* of the metric that is shown */
};

static int by_own(const void *a, const void *b, void *context)
{
    const enum bm_metric *metric = context;
    const struct sum *x = a, *y = b;

    if (x->own[*metric] != y->own[*metric])
        return x->own[*metric] > y->own[*metric] ? -1 : 1;
    if (x->total != y->total)
        return x->total > y->total ? -1 : 1;
    return (x->place > y->place) - (x->place < y->place);
}

/* Places that hold anything, the largest first. */
static struct sum *sum_places(const struct bm_flame *flame, size_t *count)
{
    const struct bm_call_tree *tree = &flame->tree;
    struct sum *sums = bm_xcalloc((size_t)tree->nr_places + 1, sizeof(*sums));
    enum bm_metric metric = flame->metric;
    size_t kept = 0;

    for (uint32_t i = 0; i < tree->nr_places; i++)
        sums[i].place = i;
    for (uint32_t n = 1; n < tree->nr_nodes; n++) {
        const struct bm_call_place *place = bm_call_place_of(tree, n);
        if (!place->site)
            continue;
        struct sum *sum = &sums[tree->nodes[bm_call_charged(tree, n)].place];
        for (int m = 0; m < BM_NR_METRICS; m++)
            sum->own[m] += tree->totals[m][n];
        if (!sum->leaf)
            sum->leaf = place;
    }
    for (uint32_t i = 0; i < tree->nr_places; i++) {
        if (sums[i].leaf)
            sums[kept++] = sums[i];
    }
    qsort_r(sums, kept, sizeof(*sums), by_own, &metric);
    *count = kept;
    return sums;
}

static bool is_for_people(const struct bm_flame *flame)
{
    return flame->options->common.format == BM_FORMAT_TABLE ||
           flame->options->common.format == BM_FORMAT_MD;
}

/* Short for people, whole for programs. */
static const char *file_of(const struct bm_call_place *place,
                           const struct bm_flame *flame)
{
    const char *slash = place->module ? strrchr(place->module, '/') : NULL;

    if (!is_for_people(flame))
        return place->file ? place->file : place->module;
    if (place->file)
        return place->short_file;
    return slash ? slash + 1 : place->module;
}

/* For people "via regcomp", "malloc, further paths". */
static const char *kind_of(struct bm_table *table,
                           const struct bm_call_place *leaf,
                           const struct bm_flame *flame)
{
    const struct bm_site_info *site = leaf->site;
    bool names = !strcmp(site->kind, "via") && site->callee;
    bool rest = leaf->flags & BM_CALL_REST;

    if (!is_for_people(flame) || (!names && !rest))
        return site->kind;
    return bm_arena_printf(&table->arena, "%s%s%s%s", site->kind,
                           names ? " " : "", names ? site->callee : "",
                           rest ? ", further paths" : "");
}

static void put_place(struct bm_table *table, struct bm_cell *row,
                      const struct bm_call_place *place,
                      const struct bm_call_place *leaf,
                      const struct bm_flame *flame)
{
    const char *where = file_of(place, flame);

    row[0] =
        bm_cell_text(place->line ? bm_arena_printf(&table->arena, "%s:%" PRIu32,
                                                   where, place->line)
                                 : where);
    row[1] = bm_cell_text(place->function);
    row[2] = bm_cell_text(kind_of(table, leaf, flame));
    row[3] = bm_cell_text(leaf->site->type);
}

static void put_figures(struct bm_cell *row, const uint64_t *own,
                        const struct bm_flame *flame)
{
    static const enum bm_metric shown[] = {BM_METRIC_PEAK, BM_METRIC_ALLOCATED,
                                           BM_METRIC_ALLOCATIONS,
                                           BM_METRIC_LEAKED};

    row[0] = bm_cell_percent(own[flame->metric],
                             flame->tree.totals[flame->metric][0]);
    for (size_t i = 0; i < sizeof(shown) / sizeof(shown[0]); i++)
        row[1 + i] = bm_metric_cell(own[shown[i]], shown[i]);
}

/* "+134 more", so that the columns add up. */
static void put_more(struct bm_table *table, const struct sum *sums,
                     size_t from, size_t count, const struct bm_flame *flame)
{
    struct bm_cell *row = bm_table_add_row(table);
    uint64_t own[BM_NR_METRICS] = {0};

    for (size_t i = from; i < count; i++) {
        for (int m = 0; m < BM_NR_METRICS; m++)
            own[m] += sums[i].own[m];
    }
    row[0] =
        bm_cell_text(bm_arena_printf(&table->arena, "+%zu more", count - from));
    put_figures(row + 4, own, flame);
    bm_table_tone_row(table, BM_TONE_FAINT);
}

static void write_table(const struct bm_table *table,
                        const struct bm_flame *flame, FILE *file,
                        const struct bm_terminal *terminal)
{
    if (flame->options->common.format == BM_FORMAT_TABLE)
        bm_flame_write_heading(flame, file, terminal);
    bm_table_write(table, file, flame->options->common.format, terminal);
}

void bm_flame_write_table(const struct bm_flame *flame, FILE *file,
                          const struct bm_terminal *terminal)
{
    static const struct bm_column columns[] = {
        {"Site", "site", BM_COLUMN_MIDDLE},
        {"Function", "function", BM_COLUMN_MIDDLE},
        {"Kind", "kind", BM_COLUMN_END},
        {"Type", "type", BM_COLUMN_END},
        {"Share", "percent", BM_COLUMN_RIGHT},
        {"At peak", "at_peak_bytes", BM_COLUMN_RIGHT},
        {"Allocated", "allocated_bytes", BM_COLUMN_RIGHT},
        {"Allocations", "allocations", BM_COLUMN_RIGHT},
        {"Live at end", "live_bytes", BM_COLUMN_RIGHT},
    };
    size_t count;
    struct sum *sums = sum_places(flame, &count);
    size_t top = bm_flame_top(flame->options, count);
    struct bm_table table;

    bm_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
    for (size_t i = 0; i < top; i++) {
        struct bm_cell *row = bm_table_add_row(&table);
        put_place(&table, row, &flame->tree.places[sums[i].place], sums[i].leaf,
                  flame);
        put_figures(row + 4, sums[i].own, flame);
    }
    if (top < count)
        put_more(&table, sums, top, count, flame);
    write_table(&table, flame, file, terminal);
    bm_table_clear(&table);
    free(sums);
}

static void enter(struct sum *sum, uint32_t *on_path, uint64_t amount)
{
    if ((*on_path)++ == 0)
        sum->total += amount;
}

/* Own and total by function; own belongs to the function of the site. */
static void sum_routines(const struct bm_flame *flame, struct sum *sums)
{
    const struct bm_call_tree *tree = &flame->tree;
    const uint64_t *totals = tree->totals[flame->metric];
    struct bm_call_walk walk = {.tree = tree};
    uint32_t *on_path =
        bm_xcalloc((size_t)tree->nr_routines + 1, sizeof(*on_path));
    uint32_t *path = NULL; /* routines, by depth */
    size_t room = 0, depth = 0;

    while (bm_call_walk_next(&walk)) {
        const struct bm_call_place *place = bm_call_place_of(tree, walk.node);
        struct sum *sum = &sums[place->routine];

        while (depth >= walk.depth)
            on_path[path[--depth]]--;
        path = bm_xgrow(path, depth, &room, sizeof(*path));
        path[depth++] = place->routine;
        enter(sum, &on_path[place->routine], totals[walk.node]);
        if (!place->site)
            continue;
        sum = &sums[bm_call_place_of(tree, bm_call_charged(tree, walk.node))
                        ->routine];
        for (int m = 0; m < BM_NR_METRICS; m++)
            sum->own[m] += tree->totals[m][walk.node];
    }
    free(path);
    free(on_path);
}

static struct sum *summarize(const struct bm_flame *flame, size_t *count)
{
    const struct bm_call_tree *tree = &flame->tree;
    struct sum *sums = bm_xcalloc((size_t)tree->nr_routines + 1, sizeof(*sums));
    enum bm_metric metric = flame->metric;
    size_t kept = 0;

    for (uint32_t i = tree->nr_places; i-- > 0;)
        sums[tree->places[i].routine].place = i;
    sum_routines(flame, sums);
    for (uint32_t r = 0; r < tree->nr_routines; r++) {
        if (sums[r].total || sums[r].own[metric])
            sums[kept++] = sums[r];
    }
    qsort_r(sums, kept, sizeof(*sums), by_own, &metric);
    *count = kept;
    return sums;
}

/* Keys of JSON and CSV say whether they are bytes or calls. */
static const struct bm_column *summary_columns(enum bm_metric metric,
                                               size_t *nr)
{
    static const struct bm_column bytes[] = {
        {"Function", "function", BM_COLUMN_MIDDLE},
        {"File", "file", BM_COLUMN_MIDDLE},
        {"Own", "own_bytes", BM_COLUMN_RIGHT},
        {"Own %", "own_percent", BM_COLUMN_RIGHT},
        {"Total", "total_bytes", BM_COLUMN_RIGHT},
        {"Total %", "total_percent", BM_COLUMN_RIGHT},
        {"Own allocations", "own_allocations", BM_COLUMN_RIGHT},
    };
    static const struct bm_column calls[] = {
        {"Function", "function", BM_COLUMN_MIDDLE},
        {"File", "file", BM_COLUMN_MIDDLE},
        {"Own", "own_allocations", BM_COLUMN_RIGHT},
        {"Own %", "own_percent", BM_COLUMN_RIGHT},
        {"Total", "total_allocations", BM_COLUMN_RIGHT},
        {"Total %", "total_percent", BM_COLUMN_RIGHT},
    };

    if (metric == BM_METRIC_ALLOCATIONS) {
        *nr = sizeof(calls) / sizeof(calls[0]);
        return calls;
    }
    *nr = sizeof(bytes) / sizeof(bytes[0]);
    return bytes;
}

static void put_function(struct bm_table *table, const struct sum *sum,
                         const struct bm_flame *flame)
{
    const struct bm_call_place *place = &flame->tree.places[sum->place];
    uint64_t whole = flame->tree.totals[flame->metric][0];
    struct bm_cell *row = bm_table_add_row(table);
    uint64_t own = sum->own[flame->metric];

    row[0] = bm_cell_text(place->function);
    row[1] = bm_cell_text(file_of(place, flame));
    row[2] = bm_metric_cell(own, flame->metric);
    row[3] = bm_cell_percent(own, whole);
    if (whole && own * 5 >= whole && own <= UINT64_MAX / 5)
        row[3].tone = BM_TONE_BAD;
    row[4] = bm_metric_cell(sum->total, flame->metric);
    row[5] = bm_cell_percent(sum->total, whole);
    if (table->nr_columns > 6)
        row[6] = bm_cell_count(sum->own[BM_METRIC_ALLOCATIONS]);
}

void bm_flame_write_summary(const struct bm_flame *flame, FILE *file,
                            const struct bm_terminal *terminal)
{
    size_t count, nr_columns;
    const struct bm_column *columns =
        summary_columns(flame->metric, &nr_columns);
    struct sum *sums = summarize(flame, &count);
    size_t top = bm_flame_top(flame->options, count);
    struct bm_table table;

    bm_table_init(&table, columns, nr_columns);
    for (size_t i = 0; i < top; i++)
        put_function(&table, &sums[i], flame);
    if (top < count) {
        struct sum more = {.place = 0};
        for (size_t i = top; i < count; i++) {
            more.own[flame->metric] += sums[i].own[flame->metric];
            more.own[BM_METRIC_ALLOCATIONS] +=
                flame->metric == BM_METRIC_ALLOCATIONS
                    ? 0
                    : sums[i].own[BM_METRIC_ALLOCATIONS];
        }
        put_function(&table, &more, flame);
        struct bm_cell *row =
            &table.cells[(table.nr_rows - 1) * table.nr_columns];
        row[0] = bm_cell_text(
            bm_arena_printf(&table.arena, "+%zu more", count - top));
        /* Totals of functions overlap: a sum of them means nothing. */
        row[1] = row[4] = row[5] = bm_cell_text(NULL);
        bm_table_tone_row(&table, BM_TONE_FAINT);
    }
    write_table(&table, flame, file, terminal);
    bm_table_clear(&table);
    free(sums);
}
