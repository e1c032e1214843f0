/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * valgrind's massif.out: snapshots of the heap over a clock that runs in bytes
 * allocated, with a tree of who holds it: allocating lines first, then their
 * callers. Three snapshots are known: the start, the peak (at the earliest
 * moment where it can have been) and the end. Of another metric than the peak,
 * one snapshot has its tree.
 *
 * ms_print cuts every line at the first `#`, so that becomes `_`.
 */
#include "base/escape.h"
#include "base/memory.h"
#include "tools/export.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Places below this part of a snapshot share one line: 0.1 %. */
#define PARTS 1000
#define THRESHOLD_TEXT "0.10%%"

/*
 * Frames of a stack that are written. Perl, which ms_print is written in,
 * warns of recursion from 100 levels on; massif itself keeps 30.
 */
#define MOST_FRAMES 98

/* A stack on its way from its leaf up; node is the next frame, 0: no more. */
struct item {
    uint32_t node;
    uint64_t value;
};

struct group {
    uint32_t place;
    uint64_t value;
    size_t first; /* in items */
    size_t count;
};

/* A line that is yet to be written. */
struct line {
    struct group group;
    size_t depth;
    size_t nr_small; /* not 0: stands for so many places */
};

struct inverted {
    const struct bm_call_tree *tree;
    const struct bm_labels *labels;
    FILE *file;
    uint64_t total;
    struct item *items;
    struct item *moved; /* as many */
    uint64_t *sums;     /* by place, 0 between splits */
    uint32_t *seen;     /* places with a sum */
    size_t *slots;      /* by place: number of its group plus 1 */
    struct group *groups;
    size_t groups_room;
    struct line *lines; /* the next one last */
    size_t nr_lines;
    size_t lines_room;
};

static void write_label(struct bm_str *out, const struct bm_call_place *place)
{
    bm_label_plain(out, place, '#', '_');
}

static uint32_t place_of(const struct inverted *in, const struct item *item)
{
    return in->tree->nodes[item->node].place;
}

static int by_value(const void *a, const void *b)
{
    const struct group *x = a, *y = b;

    if (x->value != y->value)
        return x->value > y->value ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* Adds up the items of a line by place; number of places in seen. */
static size_t add_up(struct inverted *in, const struct group *group)
{
    size_t nr_seen = 0;

    for (size_t i = group->first; i < group->first + group->count; i++) {
        const struct item *item = &in->items[i];

        if (!item->node)
            continue;
        uint64_t *sum = &in->sums[place_of(in, item)];
        if (!*sum)
            in->seen[nr_seen++] = place_of(in, item);
        *sum += item->value;
    }
    return nr_seen;
}

/* Puts the items of each group together, at the front of their range. */
static void gather(struct inverted *in, const struct group *group,
                   size_t nr_groups)
{
    struct item *from = in->items + group->first;
    size_t nr_moved = 0;

    for (size_t g = 0; g < nr_groups; g++)
        in->groups[g].count = 0;
    for (size_t i = 0; i < group->count; i++) {
        size_t slot = from[i].node ? in->slots[place_of(in, &from[i])] : 0;
        if (slot)
            in->groups[slot - 1].count++;
    }
    for (size_t g = 0; g < nr_groups; g++) {
        in->groups[g].first = nr_moved;
        nr_moved += in->groups[g].count;
    }
    for (size_t i = 0; i < group->count; i++) {
        size_t slot = from[i].node ? in->slots[place_of(in, &from[i])] : 0;
        if (slot)
            in->moved[in->groups[slot - 1].first++] = (struct item){
                in->tree->nodes[from[i].node].parent, from[i].value};
    }
    memcpy(from, in->moved, nr_moved * sizeof(*from));
    for (size_t g = 0; g < nr_groups; g++)
        in->groups[g].first += group->first - in->groups[g].count;
}

/*
 * Splits the stacks of a line by their next frame: in->groups, the largest
 * first. The small ones are left out and told in *small.
 */
static size_t split(struct inverted *in, const struct group *group,
                    struct line *small)
{
    size_t nr_seen = add_up(in, group), nr_groups = 0;

    *small = (struct line){0};
    for (size_t i = 0; i < nr_seen; i++) {
        uint32_t place = in->seen[i];
        uint64_t sum = in->sums[place];

        in->sums[place] = 0;
        if (sum < in->total / PARTS) {
            small->nr_small++;
            small->group.value += sum;
            continue;
        }
        in->groups = bm_xgrow(in->groups, nr_groups, &in->groups_room,
                              sizeof(*in->groups));
        in->groups[nr_groups++] = (struct group){.place = place, .value = sum};
    }
    if (nr_groups > 1)
        qsort(in->groups, nr_groups, sizeof(*in->groups), by_value);
    for (size_t g = 0; g < nr_groups; g++)
        in->slots[in->groups[g].place] = g + 1;
    gather(in, group, nr_groups);
    for (size_t g = 0; g < nr_groups; g++)
        in->slots[in->groups[g].place] = 0;
    return nr_groups;
}

static void push(struct inverted *in, const struct line *line)
{
    in->lines =
        bm_xgrow(in->lines, in->nr_lines, &in->lines_room, sizeof(*in->lines));
    in->lines[in->nr_lines++] = *line;
}

static void write_small(const struct inverted *in, const struct line *line)
{
    fprintf(in->file,
            "%*sn0: %" PRIu64 " in %zu place%s, %sbelow massif's "
            "threshold (" THRESHOLD_TEXT ")\n",
            (int)line->depth, "", line->group.value, line->nr_small,
            line->nr_small > 1 ? "s" : "", line->nr_small > 1 ? "all " : "");
}

static void write_line(struct inverted *in, const struct line *line)
{
    struct line small = {0};
    size_t nr_groups =
        line->depth < MOST_FRAMES ? split(in, &line->group, &small) : 0;
    const char *label =
        "(heap allocation functions) malloc/new/new[], --alloc-fns, etc.";
    size_t size = strlen(label);

    if (line->depth)
        label = bm_label_of(in->labels, line->group.place, &size);
    fprintf(in->file, "%*sn%zu: %" PRIu64 " %.*s\n", (int)line->depth, "",
            nr_groups + (small.nr_small != 0), line->group.value, (int)size,
            label);
    small.depth = line->depth + 1;
    if (small.nr_small)
        push(in, &small);
    for (size_t g = nr_groups; g-- > 0;)
        push(in, &(struct line){in->groups[g], small.depth, 0});
}

/* All stacks that have some of the metric, each at its leaf. */
static size_t collect(const struct bm_call_tree *tree, enum bm_metric metric,
                      struct item *items)
{
    size_t count = 0;

    for (uint32_t n = 1; n < tree->nr_nodes; n++) {
        if (bm_is_leaf(tree, n) && tree->totals[metric][n])
            items[count++] = (struct item){n, tree->totals[metric][n]};
    }
    return count;
}

static void write_tree(FILE *file, const struct bm_call_tree *tree,
                       const struct bm_labels *labels, enum bm_metric metric)
{
    struct inverted in = {
        .tree = tree,
        .labels = labels,
        .file = file,
        .total = tree->totals[metric][0],
        .items = bm_xcalloc(tree->nr_nodes, sizeof(*in.items)),
        .moved = bm_xcalloc(tree->nr_nodes, sizeof(*in.moved)),
        .sums = bm_xcalloc(tree->nr_places, sizeof(*in.sums)),
        .seen = bm_xcalloc(tree->nr_places, sizeof(*in.seen)),
        .slots = bm_xcalloc(tree->nr_places, sizeof(*in.slots)),
    };
    struct line line = {.group.value = in.total};

    line.group.count = collect(tree, metric, in.items);
    push(&in, &line);
    while (in.nr_lines) {
        line = in.lines[--in.nr_lines];
        if (line.nr_small)
            write_small(&in, &line);
        else
            write_line(&in, &line);
    }
    free(in.items);
    free(in.moved);
    free(in.sums);
    free(in.seen);
    free(in.slots);
    free(in.groups);
    free(in.lines);
}

static void write_snapshot(FILE *file, unsigned number, uint64_t clock,
                           uint64_t bytes, const char *kind)
{
    fprintf(file,
            "#-----------\nsnapshot=%u\n#-----------\ntime=%" PRIu64
            "\nmem_heap_B=%" PRIu64
            "\nmem_heap_extra_B=0\nmem_stacks_B=0\nheap_tree=%s\n",
            number, clock, bytes, kind);
}

static void write_line_safe(FILE *file, const char *key, const char *text)
{
    fprintf(file, "%s: ", key);
    for (; *text; text++)
        putc(*text == '#' ? '_' : *text, file);
    putc('\n', file);
}

static void write_head(const struct bm_export *export, FILE *file)
{
    struct bm_str text = BM_STR_INIT;

    write_line_safe(file, "desc", "benchmem-export " BENCHMEM_VERSION);
    bm_escape_terminal(&text, bm_export_title(export, 0));
    bm_str_printf(&text, ": %s", bm_metric_meaning(export->metric));
    write_line_safe(file, "desc", text.data);
    bm_str_truncate(&text, 0);
    bm_export_command(export, &text);
    write_line_safe(file, "cmd", text.data);
    fputs("time_unit: B\n", file);
    bm_str_clear(&text);
}

static void write_massif(const struct bm_export *export, FILE *file)
{
    const struct bm_figures *figures = bm_export_figures(export, 0);
    enum bm_metric metric = export->metric;
    bool peak = metric == BM_METRIC_PEAK;
    struct bm_call_tree tree;
    struct bm_labels labels;

    bm_export_tree(export, 0, &tree);
    bm_labels_init(&labels, &tree, write_label);
    write_head(export, file);
    write_snapshot(file, 0, 0,
                   metric == BM_METRIC_PEAK || metric == BM_METRIC_LEAKED
                       ? figures->inherited_bytes
                       : 0,
                   "empty");
    write_snapshot(file, 1,
                   peak ? bm_export_peak_clock(figures)
                        : figures->allocated_bytes,
                   tree.totals[metric][0], "peak");
    write_tree(file, &tree, &labels, metric);
    if (peak && tree.totals[BM_METRIC_LEAKED][0]) {
        write_snapshot(file, 2, figures->allocated_bytes,
                       tree.totals[BM_METRIC_LEAKED][0], "detailed");
        write_tree(file, &tree, &labels, BM_METRIC_LEAKED);
    } else if (peak) {
        write_snapshot(file, 2, figures->allocated_bytes, 0, "empty");
    }
    bm_labels_clear(&labels);
    bm_call_tree_clear(&tree);
}

const struct bm_export_format bm_export_massif = {
    .name = "massif",
    .suffix = ".massif.out",
    .reader = "ms_print, massif-visualizer",
    .scope = BM_EXPORT_PROCESS,
    .metrics = 1u << BM_METRIC_PEAK | 1u << BM_METRIC_LEAKED,
    .write = write_massif,
};
