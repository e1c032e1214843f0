/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Figures of a profile at a glance, in sections: the sizes of allocations,
 * the sites with most bytes and with most calls, the kinds of allocator, and
 * what was freed at once. The sizes of all blocks are counted for the whole
 * process only. For a benchmark there are sums, not single blocks, so its
 * sizes are the means of each site and path; the section says so.
 */
#include "tools/flamegraph.h"

#include "base/size.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Sites of each list, unless --top says otherwise. */
#define DEFAULT_TOP 5

/* 0, 1, 2-3, 4-7 ... 2^63 and more. */
#define NR_SIZES (BM_NR_SIZES + 1)

struct amounts {
    uint64_t calls;
    uint64_t bytes;
    uint64_t temporary;
};

struct named {
    const char *name;
    struct amounts amounts;
};

struct stats {
    const struct bm_flame *flame;
    struct bm_table table;
    const char *section;
    struct amounts all;
};

static struct amounts amounts_of(const struct bm_call_tree *tree, uint32_t node)
{
    return (struct amounts){
        .calls = tree->totals[BM_METRIC_ALLOCATIONS][node],
        .bytes = tree->totals[BM_METRIC_ALLOCATED][node],
        .temporary = tree->totals[BM_METRIC_TEMPORARY][node],
    };
}

static void add_amounts(struct amounts *sum, struct amounts more)
{
    sum->calls += more.calls;
    sum->bytes += more.bytes;
    sum->temporary += more.temporary;
}

enum {
    COLUMN_SECTION,
    COLUMN_NAME,
    COLUMN_CALLS,
    COLUMN_SHARE,
    COLUMN_BYTES,
    COLUMN_OF_BYTES,
    COLUMN_TEMPORARY,
};

static const struct bm_column columns[] = {
    [COLUMN_SECTION] = {"Section", "section", 0},
    [COLUMN_NAME] = {"Name", "name", BM_COLUMN_MIDDLE},
    [COLUMN_CALLS] = {"Allocations", "allocations", BM_COLUMN_RIGHT},
    [COLUMN_SHARE] = {"Share", "percent_of_allocations", BM_COLUMN_RIGHT},
    [COLUMN_BYTES] = {"Allocated", "allocated_bytes", BM_COLUMN_RIGHT},
    [COLUMN_OF_BYTES] = {"Share", "percent_of_bytes", BM_COLUMN_RIGHT},
    [COLUMN_TEMPORARY] = {"Temporary", "temporary", BM_COLUMN_RIGHT},
};

/* A row; its section's name only in the first one, where people read. */
static struct bm_cell *put_row(struct stats *stats, const char *name,
                               struct amounts amounts)
{
    bool for_people = stats->flame->options->common.format == BM_FORMAT_TABLE;
    struct bm_cell *row = bm_table_add_row(&stats->table);

    row[COLUMN_SECTION] = bm_cell_text(stats->section);
    row[COLUMN_SECTION].tone = BM_TONE_STRONG;
    if (for_people)
        stats->section = NULL;
    row[COLUMN_NAME] = bm_cell_text(bm_arena_strdup(&stats->table.arena, name));
    row[COLUMN_CALLS] = bm_cell_count(amounts.calls);
    row[COLUMN_SHARE] = bm_cell_percent(amounts.calls, stats->all.calls);
    row[COLUMN_BYTES] = bm_cell_bytes(amounts.bytes);
    row[COLUMN_OF_BYTES] = bm_cell_percent(amounts.bytes, stats->all.bytes);
    row[COLUMN_TEMPORARY] = bm_cell_count(amounts.temporary);
    return row;
}

/* Number of the power of two that a size lies in. */
static unsigned size_class(uint64_t size)
{
    return size ? 64 - (unsigned)__builtin_clzll(size) : 0;
}

/* "16 B to below 32 B" */
static void name_size(unsigned number, struct bm_str *out)
{
    uint64_t from = number ? (uint64_t)1 << (number - 1) : 0;

    bm_size_print(out, from);
    if (number == NR_SIZES - 1)
        bm_str_puts(out, " and more");
    else if (number > 1) {
        bm_str_puts(out, " to below ");
        bm_size_print(out, from * 2);
    }
}

/* Numbers of blocks by their own sizes; false if they were not counted. */
static bool put_counted_sizes(struct stats *stats)
{
    const struct bm_flame *flame = stats->flame;
    struct bm_str name = BM_STR_INIT;
    bool any = false;

    if (flame->benchmark)
        return false;
    stats->section = "size";
    for (unsigned i = 0; i < BM_NR_SIZES; i++) {
        uint64_t calls = flame->profile->sizes[i];
        if (!calls)
            continue;
        any = true;
        bm_str_truncate(&name, 0);
        name_size(i, &name);
        /* What a class has in bytes is not known. */
        struct bm_cell *row =
            put_row(stats, name.data, (struct amounts){.calls = calls});
        row[COLUMN_BYTES] = row[COLUMN_OF_BYTES] = row[COLUMN_TEMPORARY] =
            bm_cell_text(NULL);
    }
    bm_str_clear(&name);
    return any;
}

static void put_mean_sizes(struct stats *stats)
{
    const struct bm_call_tree *tree = &stats->flame->tree;
    struct amounts classes[NR_SIZES] = {{0, 0, 0}};
    struct bm_str name = BM_STR_INIT;

    for (size_t i = 0; i < tree->nr_entries; i++) {
        const struct bm_node_figures *figures =
            &tree->profile->nodes[tree->entries[i].source].figures;
        if (!figures->allocations)
            continue;
        add_amounts(&classes[size_class(figures->allocated_bytes /
                                        figures->allocations)],
                    (struct amounts){figures->allocations,
                                     figures->allocated_bytes,
                                     figures->temporary});
    }
    stats->section = "mean size";
    for (unsigned i = 0; i < NR_SIZES; i++) {
        if (!classes[i].calls)
            continue;
        bm_str_truncate(&name, 0);
        name_size(i, &name);
        put_row(stats, name.data, classes[i]);
    }
    bm_str_clear(&name);
}

static int by_bytes(const void *a, const void *b)
{
    const struct named *x = a, *y = b;

    if (x->amounts.bytes != y->amounts.bytes)
        return x->amounts.bytes > y->amounts.bytes ? -1 : 1;
    return strcmp(x->name, y->name);
}

static int by_calls(const void *a, const void *b)
{
    const struct named *x = a, *y = b;

    if (x->amounts.calls != y->amounts.calls)
        return x->amounts.calls > y->amounts.calls ? -1 : 1;
    return strcmp(x->name, y->name);
}

/* Sites that allocated, each under its label. */
static struct named *list_sites(struct stats *stats, size_t *count)
{
    const struct bm_call_tree *tree = &stats->flame->tree;
    struct named *sites =
        bm_xcalloc((size_t)tree->nr_places + 1, sizeof(*sites));
    struct bm_str label = BM_STR_INIT;

    *count = 0;
    for (uint32_t n = 1; n < tree->nr_nodes; n++) {
        if (bm_call_place_of(tree, n)->site)
            add_amounts(
                &sites[tree->nodes[bm_call_charged(tree, n)].place].amounts,
                amounts_of(tree, n));
    }
    for (uint32_t i = 0; i < tree->nr_places; i++) {
        if (!sites[i].amounts.calls)
            continue;
        bm_str_truncate(&label, 0);
        bm_flame_label(&tree->places[i], &label);
        sites[*count].amounts = sites[i].amounts;
        sites[(*count)++].name =
            bm_arena_strdup(&stats->table.arena, label.data);
    }
    bm_str_clear(&label);
    return sites;
}

static void put_sites(struct stats *stats)
{
    const struct bm_flame_options *options = stats->flame->options;
    size_t count;
    struct named *sites = list_sites(stats, &count);
    size_t top = options->top == UINT64_MAX ? DEFAULT_TOP
                 : options->top             ? (size_t)options->top
                                            : count;

    qsort(sites, count, sizeof(*sites), by_bytes);
    stats->section = "most bytes";
    for (size_t i = 0; i < count && i < top; i++)
        put_row(stats, sites[i].name, sites[i].amounts);
    qsort(sites, count, sizeof(*sites), by_calls);
    stats->section = "most allocations";
    for (size_t i = 0; i < count && i < top; i++)
        put_row(stats, sites[i].name, sites[i].amounts);
    free(sites);
}

static void put_kinds(struct stats *stats)
{
    const struct bm_call_tree *tree = &stats->flame->tree;
    struct named *kinds = NULL;
    size_t count = 0, room = 0;

    for (uint32_t n = 1; n < tree->nr_nodes; n++) {
        const struct bm_site_info *site = bm_call_place_of(tree, n)->site;
        size_t i = 0;

        if (!site || !tree->totals[BM_METRIC_ALLOCATIONS][n])
            continue;
        /* There are but a dozen kinds. */
        while (i < count && strcmp(kinds[i].name, site->kind) != 0)
            i++;
        if (i == count) {
            kinds = bm_xgrow(kinds, count, &room, sizeof(*kinds));
            kinds[count++] = (struct named){.name = site->kind};
        }
        add_amounts(&kinds[i].amounts, amounts_of(tree, n));
    }
    if (count)
        qsort(kinds, count, sizeof(*kinds), by_bytes);
    stats->section = "kind";
    for (size_t i = 0; i < count; i++)
        put_row(stats, kinds[i].name, kinds[i].amounts);
    free(kinds);
}

void bm_flame_write_stats(const struct bm_flame *flame, FILE *file,
                          const struct bm_terminal *terminal)
{
    struct stats stats = {
        .flame = flame,
        .all = amounts_of(&flame->tree, 0),
    };

    bm_table_init(&stats.table, columns, sizeof(columns) / sizeof(columns[0]));
    stats.section = "all";
    put_row(&stats, "every allocation", stats.all);
    if (!put_counted_sizes(&stats))
        put_mean_sizes(&stats);
    put_sites(&stats);
    put_kinds(&stats);
    if (flame->options->common.format == BM_FORMAT_TABLE)
        bm_flame_write_heading(flame, file, terminal);
    bm_table_write(&stats.table, file, flame->options->common.format, terminal);
    bm_table_clear(&stats.table);
}
