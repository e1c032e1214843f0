/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * valgrind's callgrind format, version 1, with one event: the metric. A
 * function has its own cost by line, where it allocates, and the cost of its
 * calls by line and callee.
 *
 * What a function that is on the stack already is called for is not counted
 * again: so the calls of a function add up to what was allocated below it,
 * also with recursion. `calls` counts allocations below the call, as calls are
 * not counted; it is at least 1, as readers skip calls with 0.
 *
 * Names are numbered, "(7) name" and from then on "(7)", which also keeps a
 * name like "(anonymous namespace)::f" from being read as a number.
 */
#include "base/escape.h"
#include "base/memory.h"
#include "tools/export.h"
#include "tools/intern.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define NO_FUNCTION UINT32_MAX

/* A cost of a function's line: its own, or that of a call. */
struct cost {
    uint32_t callee; /* NO_FUNCTION: the line's own cost */
    uint32_t line;
    uint32_t node; /* that has the cost */
};

struct function {
    uint32_t name;
    uint32_t file;
    uint32_t line; /* the first one known */
    const struct bm_call_place *place;
};

struct writer {
    FILE *file;
    const struct bm_call_tree *tree;
    struct bm_intern names;
    struct bm_intern files;
    bool *named; /* by name: it was written in full */
    bool *filed; /* by file */
    struct function *functions;
    uint32_t *routines; /* by place, and its line: apart, as nodes are many */
    uint32_t *lines;
    struct cost *costs; /* by function */
    size_t *starts;
    bool *again;       /* by node: its function is on the stack already */
    struct bm_str out; /* one function */
};

static const struct {
    const char *event;
    const char *meaning;
} events[BM_NR_METRICS] = {
    [BM_METRIC_PEAK] = {"PeakB", "Bytes held at the peak"},
    [BM_METRIC_ALLOCATED] = {"TotB", "Bytes allocated"},
    [BM_METRIC_ALLOCATIONS] = {"TotBk", "Allocations"},
    [BM_METRIC_LEAKED] = {"CurB", "Bytes live at the end"},
    [BM_METRIC_TEMPORARY] = {"TempBk", "Temporary allocations"},
};

/* Readers drop blanks behind a number, and take nothing for a reference. */
static const char *some(const char *text)
{
    return text && text[strspn(text, " ")] ? text : "???";
}

static uint32_t intern_clean(struct bm_intern *intern, const char *text)
{
    struct bm_str clean = BM_STR_INIT;

    bm_escape_terminal(&clean, some(text));
    uint32_t number = bm_intern(intern, clean.data);
    bm_str_clear(&clean);
    return number;
}

static void find_functions(struct writer *w)
{
    const struct bm_call_tree *tree = w->tree;

    w->functions = bm_xcalloc(tree->nr_routines, sizeof(*w->functions));
    w->named = bm_xcalloc(tree->nr_routines, sizeof(*w->named));
    w->filed = bm_xcalloc(tree->nr_routines, sizeof(*w->filed));
    w->routines = bm_xcalloc(tree->nr_places, sizeof(*w->routines));
    w->lines = bm_xcalloc(tree->nr_places, sizeof(*w->lines));
    for (uint32_t i = 0; i < tree->nr_places; i++) {
        const struct bm_call_place *place = &tree->places[i];
        struct function *f = &w->functions[place->routine];

        w->routines[i] = place->routine;
        w->lines[i] = place->line;
        if (!f->place) {
            f->place = place;
            f->name = intern_clean(&w->names, place->function);
            f->file = intern_clean(&w->files, place->file);
            f->line = place->line;
        }
        if (place->line && place->line < f->line)
            f->line = place->line;
    }
}

/* The function that a node's cost is booked on. */
static uint32_t function_of(const struct writer *w, uint32_t node)
{
    return w->routines[w->tree->nodes[node].place];
}

/*
 * Where the costs of each function begin: one for each call of a stack, and
 * one for each leaf itself. The costs of function f end where those of f + 1
 * begin, once all are there.
 */
static void make_room(struct writer *w, enum bm_metric metric)
{
    const struct bm_call_tree *tree = w->tree;
    size_t *starts = bm_xcalloc((size_t)tree->nr_routines + 2, sizeof(*starts));

    for (uint32_t n = 1; n < tree->nr_nodes; n++) {
        if (!tree->totals[metric][n])
            continue;
        if (tree->nodes[n].parent)
            starts[function_of(w, tree->nodes[n].parent) + 2]++;
        if (bm_is_leaf(tree, n))
            starts[function_of(w, n) + 2]++;
    }
    for (uint32_t f = 1; f <= tree->nr_routines; f++)
        starts[f + 1] += starts[f];
    w->starts = starts;
    w->costs = bm_xcalloc(starts[tree->nr_routines + 1], sizeof(*w->costs));
}

static void add_costs(struct writer *w, uint32_t node)
{
    const struct bm_call_node *nodes = w->tree->nodes;
    uint32_t parent = nodes[node].parent;
    uint32_t function = function_of(w, node);

    if (parent)
        w->costs[w->starts[function_of(w, parent) + 1]++] =
            (struct cost){function, w->lines[nodes[parent].place], node};
    if (bm_is_leaf(w->tree, node))
        w->costs[w->starts[function + 1]++] =
            (struct cost){NO_FUNCTION, w->lines[nodes[node].place], node};
}

static void find_recursion(struct writer *w)
{
    const struct bm_call_tree *tree = w->tree;
    uint32_t *active = bm_xcalloc(tree->nr_routines, sizeof(*active));
    uint32_t *stack = NULL;
    size_t depth = 0, room = 0;
    struct bm_call_walk walk = {.tree = tree};

    w->again = bm_xcalloc(tree->nr_nodes, sizeof(*w->again));
    while (bm_call_walk_next(&walk)) {
        while (depth >= walk.depth)
            active[stack[--depth]]--;

        uint32_t function = function_of(w, walk.node);
        w->again[walk.node] = active[function];
        /* Nothing is called from a leaf. */
        if (bm_is_leaf(tree, walk.node))
            continue;
        stack = bm_xgrow(stack, depth, &room, sizeof(*stack));
        stack[depth++] = function;
        active[function]++;
    }
    free(active);
    free(stack);
}

static void collect(struct writer *w, enum bm_metric metric)
{
    make_room(w, metric);
    for (uint32_t n = 1; n < w->tree->nr_nodes; n++) {
        if (w->tree->totals[metric][n])
            add_costs(w, n);
    }
}

/* Own costs come before calls: readers take what follows `calls` for theirs. */
static int by_callee(const void *a, const void *b)
{
    const struct cost *x = a, *y = b;

    if (x->callee != y->callee)
        return x->callee + 1 < y->callee + 1 ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

/* text: NULL where the number has been given one. */
static void put_name(struct bm_str *out, const char *key, uint32_t number,
                     const char *text)
{
    bm_str_puts(out, key);
    bm_str_puts(out, "=(");
    bm_put_number(out, (uint64_t)number + 1);
    bm_str_putc(out, ')');
    if (text) {
        bm_str_putc(out, ' ');
        bm_escape_terminal(out, some(text));
    }
    bm_str_putc(out, '\n');
}

static void put_function(struct writer *w, const char *file_key,
                         const char *name_key, const struct function *f)
{
    put_name(&w->out, file_key, f->file,
             w->filed[f->file] ? NULL : some(f->place->file));
    put_name(&w->out, name_key, f->name,
             w->named[f->name] ? NULL : f->place->function);
    w->filed[f->file] = true;
    w->named[f->name] = true;
}

/* Equal costs, in one. */
static void put_cost(struct writer *w, enum bm_metric metric,
                     const struct cost *equal, size_t count)
{
    const struct bm_call_tree *tree = w->tree;
    bool is_call = equal->callee != NO_FUNCTION;
    struct bm_str *out = &w->out;
    uint64_t value = 0, calls = 0;

    for (size_t i = 0; i < count; i++) {
        uint32_t node = equal[i].node;

        if (!is_call || !w->again[node])
            value += tree->totals[metric][node];
        calls += tree->totals[BM_METRIC_ALLOCATIONS][node];
    }
    if (is_call) {
        const struct function *callee = &w->functions[equal->callee];

        put_function(w, "cfi", "cfn", callee);
        bm_str_puts(out, "calls=");
        bm_put_number(out, calls ? calls : 1);
        bm_str_putc(out, ' ');
        bm_put_number(out, callee->line);
        bm_str_putc(out, '\n');
    }
    bm_put_number(out, equal->line);
    bm_str_putc(out, ' ');
    bm_put_number(out, value);
    bm_str_putc(out, '\n');
}

static void put_costs(struct writer *w, enum bm_metric metric)
{
    for (uint32_t f = 0; f < w->tree->nr_routines; f++) {
        struct cost *costs = &w->costs[w->starts[f]];
        size_t count = w->starts[f + 1] - w->starts[f], equal;

        if (!count)
            continue;
        qsort(costs, count, sizeof(*costs), by_callee);
        bm_str_truncate(&w->out, 0);
        bm_str_putc(&w->out, '\n');
        put_function(w, "fl", "fn", &w->functions[f]);
        for (size_t i = 0; i < count; i += equal) {
            equal = 1;
            while (i + equal < count &&
                   !by_callee(&costs[i], &costs[i + equal]))
                equal++;
            put_cost(w, metric, &costs[i], equal);
        }
        fwrite_unlocked(w->out.data, 1, w->out.size, w->file);
    }
}

static void put_head(const struct bm_export *export, FILE *file, uint64_t total)
{
    struct bm_str text = BM_STR_INIT;

    fputs("# callgrind format\nversion: 1\n"
          "creator: benchmem-export " BENCHMEM_VERSION "\n",
          file);
    fprintf(file, "pid: %" PRIu64 "\n", export->profile->pid);
    bm_export_command(export, &text);
    fprintf(file, "cmd: %s\n", text.data);
    bm_str_truncate(&text, 0);
    bm_escape_terminal(&text, bm_export_title(export, 0));
    fprintf(file, "desc: %s\n", text.data);
    fprintf(file, "positions: line\nevent: %s : %s\nevents: %s\n",
            events[export->metric].event, events[export->metric].meaning,
            events[export->metric].event);
    fprintf(file, "summary: %" PRIu64 "\n", total);
    bm_str_clear(&text);
}

static void write_callgrind(const struct bm_export *export, FILE *file)
{
    struct bm_call_tree tree;
    struct writer w = {
        .file = file,
        .tree = &tree,
        .names = BM_INTERN_INIT,
        .files = BM_INTERN_INIT,
        .out = BM_STR_INIT,
    };

    bm_export_tree(export, 0, &tree);
    uint64_t total = tree.totals[export->metric][0];
    find_functions(&w);
    find_recursion(&w);
    collect(&w, export->metric);
    put_head(export, file, total);
    put_costs(&w, export->metric);
    fprintf(file, "\ntotals: %" PRIu64 "\n", total);

    free(w.functions);
    free(w.routines);
    free(w.lines);
    free(w.named);
    free(w.filed);
    free(w.costs);
    free(w.starts);
    free(w.again);
    bm_str_clear(&w.out);
    bm_intern_clear(&w.names);
    bm_intern_clear(&w.files);
    bm_call_tree_clear(&tree);
}

const struct bm_export_format bm_export_callgrind = {
    .name = "callgrind",
    .suffix = ".callgrind.out",
    .reader = "KCachegrind, callgrind_annotate",
    .scope = BM_EXPORT_PROCESS,
    .metrics = 1u << BM_METRIC_ALLOCATIONS,
    .write = write_callgrind,
};
