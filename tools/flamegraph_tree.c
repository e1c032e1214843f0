/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The call tree for a terminal: a line for each frame, its share and size in
 * front. Children below the threshold are one line together, so that the
 * lines below a frame add up to it; a frame whose callees are not shown, by
 * --depth, ends in an ellipsis.
 */
#include "tools/flamegraph.h"

#include "base/escape.h"
#include "base/size.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <stdlib.h>

/* Levels, unless --depth says otherwise; 0 shows all. */
#define DEFAULT_DEPTH 24

/* Out of the total, unless --threshold says otherwise. */
#define DEFAULT_THRESHOLD 0.01

/* Columns of share and size in front of the tree. */
#define FIGURES 22

/* Box drawings. */
#define BRANCH "\342\224\234 "
#define LAST "\342\224\224 "

struct tree {
    const struct bm_flame *flame;
    FILE *file;
    const struct bm_terminal *terminal;
    const uint64_t *totals;
    double least;
    uint64_t depth;
    struct bm_str guides; /* of the line that is written */
    struct bm_str line;
};

/* What the lines of a frame's children need of it. */
struct level {
    size_t guides; /* length of what stands in front of them */
    bool done;     /* the line for the narrow ones is written */
};

struct levels {
    struct level *items; /* by depth */
    size_t room;
};

static bool is_shown(const struct tree *tree, uint32_t node)
{
    return tree->totals[node] && (double)tree->totals[node] >= tree->least;
}

static enum bm_tone tone_of(const struct tree *tree, uint64_t amount,
                            bool is_site)
{
    double share = (double)amount / (double)tree->totals[0];

    if (is_site)
        return share >= 0.2 ? BM_TONE_BAD : BM_TONE_NOTICE;
    return share >= 0.05 ? BM_TONE_NORMAL : BM_TONE_FAINT;
}

/* "  95.2 %   12.3 MiB  " */
static void put_figures(struct tree *tree, uint64_t amount)
{
    const struct bm_cell cell = bm_metric_cell(amount, tree->flame->metric);
    struct bm_str share = BM_STR_INIT, size = BM_STR_INIT;

    bm_percent_print(&share, amount, tree->totals[0]);
    bm_cell_show(&size, &cell);
    fprintf(tree->file, "%5s %% %12s  ", share.data, size.data);
    bm_str_clear(&share);
    bm_str_clear(&size);
}

static void put_line(struct tree *tree, uint64_t amount, const char *branch,
                     const char *text, enum bm_tone tone)
{
    struct bm_str plain = BM_STR_INIT, shown = BM_STR_INIT;
    size_t used =
        FIGURES + bm_utf8_width(tree->guides.data) + bm_utf8_width(branch);
    size_t width = tree->terminal->width;

    put_figures(tree, amount);
    bm_escape_terminal(&plain, text);
    /* A label keeps some width even where the guides have taken it. */
    if (width)
        bm_utf8_shorten_middle(&shown, plain.data,
                               width > used + 24 ? width - used : 24);
    else
        bm_str_puts(&shown, plain.data);
    fprintf(tree->file, "%s%s%s%s%s%s%s\n",
            bm_tone_begin(tree->terminal, BM_TONE_FAINT), tree->guides.data,
            branch, bm_tone_end(tree->terminal, BM_TONE_FAINT),
            bm_tone_begin(tree->terminal, tone), shown.data,
            bm_tone_end(tree->terminal, tone));
    bm_str_clear(&plain);
    bm_str_clear(&shown);
}

/* One line for node and the siblings after it, which get none. */
static void put_others(struct tree *tree, uint32_t node)
{
    const struct bm_call_node *nodes = tree->flame->tree.nodes;
    uint64_t amount = 0, count = 0;

    for (; node; node = nodes[node].next) {
        amount += tree->totals[node];
        count += tree->totals[node] != 0;
    }
    bm_str_truncate(&tree->line, 0);
    bm_str_printf(&tree->line, "+%" PRIu64 " more", count);
    put_line(tree, amount, LAST, tree->line.data, BM_TONE_FAINT);
}

/* Siblings are sorted, so that what has nothing comes last. */
static void put_node(struct tree *tree, uint32_t node, bool cut)
{
    const struct bm_call_node *nodes = tree->flame->tree.nodes;
    const struct bm_call_place *place =
        bm_call_place_of(&tree->flame->tree, node);
    uint32_t next = nodes[node].next;
    bool last = !next || !tree->totals[next];

    bm_str_truncate(&tree->line, 0);
    bm_flame_label(place, &tree->line);
    if (cut && nodes[node].first)
        bm_str_puts(&tree->line, " \342\200\246");
    put_line(tree, tree->totals[node], last ? LAST : BRANCH, tree->line.data,
             tone_of(tree, tree->totals[node], place->site != NULL));
    bm_str_puts(&tree->guides, last ? "  " : "\342\224\202 ");
}

static void put_tree(struct tree *tree)
{
    struct bm_call_walk walk = {.tree = &tree->flame->tree};
    struct levels levels = {NULL, 0};

    levels.items = bm_xgrow(NULL, 0, &levels.room, sizeof(*levels.items));
    levels.items[0] = (struct level){0, false};
    while (bm_call_walk_next(&walk)) {
        struct level *above = &levels.items[walk.depth - 1];

        bm_str_truncate(&tree->guides, above->guides);
        walk.skip = true;
        if (above->done || !tree->totals[walk.node])
            continue;
        if (!is_shown(tree, walk.node)) {
            put_others(tree, walk.node);
            above->done = true;
            continue;
        }
        walk.skip = tree->depth && walk.depth >= tree->depth;
        put_node(tree, walk.node, walk.skip);
        levels.items = bm_xgrow(levels.items, walk.depth, &levels.room,
                                sizeof(*levels.items));
        levels.items[walk.depth] = (struct level){tree->guides.size, false};
    }
    free(levels.items);
}

/* For programs: a row for each node, its depth in a column. */
static void put_rows(const struct tree *tree)
{
    static const struct bm_column columns[] = {
        {"Depth", "depth", BM_COLUMN_RIGHT},
        {"Function", "function", 0},
        {"File", "file", 0},
        {"Line", "line", BM_COLUMN_RIGHT},
        {"Kind", "kind", 0},
        {"Type", "type", 0},
        {"Amount", "amount", BM_COLUMN_RIGHT},
        {"Share", "percent", BM_COLUMN_RIGHT},
    };
    const struct bm_flame *flame = tree->flame;
    struct bm_call_walk walk = {.tree = &flame->tree};
    struct bm_table table;

    bm_table_init(&table, columns, sizeof(columns) / sizeof(columns[0]));
    while (bm_call_walk_next(&walk)) {
        walk.skip = !is_shown(tree, walk.node);
        if (walk.skip)
            continue;
        const struct bm_call_place *place =
            bm_call_place_of(&flame->tree, walk.node);
        struct bm_cell *row = bm_table_add_row(&table);

        row[0] = bm_cell_count(walk.depth);
        row[1] = bm_cell_text(place->function);
        row[2] = bm_cell_text(place->file);
        if (place->line)
            row[3] = bm_cell_count(place->line);
        row[4] = bm_cell_text(place->site ? place->site->kind : NULL);
        row[5] = bm_cell_text(place->site ? place->site->type : NULL);
        row[6] = bm_metric_cell(tree->totals[walk.node], flame->metric);
        row[7] = bm_cell_percent(tree->totals[walk.node], tree->totals[0]);
        walk.skip = tree->depth && walk.depth >= tree->depth;
    }
    bm_table_write(&table, tree->file, flame->options->common.format,
                   tree->terminal);
    bm_table_clear(&table);
}

void bm_flame_write_tree(struct bm_flame *flame, FILE *file,
                         const struct bm_terminal *terminal)
{
    const struct bm_flame_options *options = flame->options;
    bool for_people = options->common.format == BM_FORMAT_TABLE;
    double threshold = options->threshold >= 0 ? options->threshold
                       : for_people            ? DEFAULT_THRESHOLD
                                               : 0;
    uint64_t depth = options->depth != UINT64_MAX ? options->depth
                     : for_people                 ? DEFAULT_DEPTH
                                                  : 0;
    struct tree tree = {
        .flame = flame,
        .file = file,
        .terminal = terminal,
        .totals = flame->tree.totals[flame->metric],
        .least = threshold * (double)flame->tree.totals[flame->metric][0],
        .depth = depth,
        .guides = BM_STR_INIT,
        .line = BM_STR_INIT,
    };

    bm_call_tree_order(&flame->tree, flame->metric);
    if (for_people) {
        bm_flame_write_heading(flame, file, terminal);
        put_tree(&tree);
    } else {
        put_rows(&tree);
    }
    bm_str_clear(&tree.guides);
    bm_str_clear(&tree.line);
}
