/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * pprof's profile.proto. Sample types are those of Go's heap profiles, under
 * which pprof finds them: what was allocated, and what was in use at the peak
 * (or at the end). A sample is a stack and a thread; its labels tell the
 * benchmark and its parameters, the thread, the kind of allocator, the type
 * and the moment that inuse_* stand for.
 *
 * pprof adds samples up: so a file holds benchmarks or the process, not both.
 * A thread that freed what others allocated would have less than nothing in
 * use; what it has freed is then taken from theirs.
 */
#include "base/memory.h"
#include "tools/export.h"
#include "tools/export_pprof_stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    VALUE_ALLOC_OBJECTS,
    VALUE_ALLOC_SPACE,
    VALUE_INUSE_OBJECTS,
    VALUE_INUSE_SPACE,
    NR_VALUES,
};

static const struct {
    const char *type;
    const char *unit;
} values[NR_VALUES] = {
    [VALUE_ALLOC_OBJECTS] = {"alloc_objects", "count"},
    [VALUE_ALLOC_SPACE] = {"alloc_space", "bytes"},
    [VALUE_INUSE_OBJECTS] = {"inuse_objects", "count"},
    [VALUE_INUSE_SPACE] = {"inuse_space", "bytes"},
};

struct writer {
    struct bm_pprof pprof;
    const struct bm_export *export;
    struct bm_str
        threads; /* labels, packed; those of thread i end at ends[i] */
    size_t *thread_ends;
    Pprof__Label *at;
};

/* A node on the way to the one that is looked at, and itself. */
struct level {
    uint32_t location;
    uint32_t caller; /* level of the function that called this one */
    size_t size;     /* of the packed locations from this one outwards */
    uint8_t packed[BM_PPROF_VARINT];
    uint8_t packed_size;
};

/* One window on its way. */
struct window {
    struct writer *writer;
    struct bm_call_tree tree;
    struct bm_leaves leaves;
    uint64_t *functions;  /* by routine */
    uint32_t *known;      /* by place: location, where it is inlined nowhere */
    struct bm_str labels; /* benchmark and parameters, packed */
    struct bm_intern leaf_labels; /* packed: few, so that they stay near */
    uint32_t *labels_of;          /* by place, of leaves: number among them */
    int64_t (*shares)[NR_VALUES]; /* of the entries of one leaf */
    size_t shares_room;
    struct level *levels; /* by depth; 0 is outside of all */
    size_t levels_room;
    uint8_t *stack; /* the packed locations of a level end where it does */
    size_t stack_room;
};

/* ---- labels ---- */

static void label_threads(struct writer *writer)
{
    const struct bm_profile *profile = writer->export->profile;
    struct bm_str text = BM_STR_INIT;

    writer->thread_ends =
        bm_xcalloc(profile->nr_threads, sizeof(*writer->thread_ends));
    for (size_t i = 0; i < profile->nr_threads; i++) {
        const struct bm_thread_info *thread = &profile->threads[i];

        bm_str_truncate(&text, 0);
        if (thread->name && *thread->name)
            bm_str_printf(&text, "%s ", thread->name);
        bm_str_printf(&text, "%" PRIu64, thread->tid);
        bm_pprof_pack_label(
            &writer->threads,
            bm_pprof_label(&writer->pprof, "thread", text.data));
        writer->thread_ends[i] = writer->threads.size;
    }
    bm_str_clear(&text);
}

static struct bm_pprof_bytes
label_of_thread(const struct writer *writer,
                const struct bm_thread_info *thread)
{
    size_t i, start;

    if (!thread)
        return (struct bm_pprof_bytes){NULL, 0};
    i = (size_t)(thread - writer->export->profile->threads);
    start = i ? writer->thread_ends[i - 1] : 0;
    return (struct bm_pprof_bytes){writer->threads.data + start,
                                   writer->thread_ends[i] - start};
}

static void label_window(struct window *window,
                         const struct bm_benchmark_info *benchmark)
{
    struct bm_pprof *pprof = &window->writer->pprof;

    if (!benchmark)
        return;
    bm_pprof_pack_label(&window->labels,
                        bm_pprof_label(pprof, "benchmark", benchmark->id));
    for (size_t i = 0; i < benchmark->nr_params; i++)
        bm_pprof_pack_label(&window->labels,
                            bm_pprof_param(pprof, benchmark, i));
}

static void label_leaves(struct window *window)
{
    const struct bm_call_tree *tree = &window->tree;
    struct bm_pprof *pprof = &window->writer->pprof;
    struct bm_str text = BM_STR_INIT;

    window->labels_of = bm_xcalloc(tree->nr_places, sizeof(uint32_t));
    for (uint32_t i = 0; i < tree->nr_places; i++) {
        const struct bm_site_info *site = tree->places[i].site;

        if (!site)
            continue;
        bm_str_truncate(&text, 0);
        bm_pprof_pack_label(&text, bm_pprof_label(pprof, "kind", site->kind));
        if (site->type)
            bm_pprof_pack_label(&text,
                                bm_pprof_label(pprof, "type", site->type));
        bm_pprof_pack_label(&text, window->writer->at);
        window->labels_of[i] =
            bm_intern_bytes(&window->leaf_labels, text.data, text.size);
    }
    bm_str_clear(&text);
}

/* ---- locations ---- */

/* Functions by routine, so that each is looked up once. */
static void find_functions(struct window *window)
{
    const struct bm_call_tree *tree = &window->tree;

    window->functions =
        bm_xcalloc(tree->nr_routines, sizeof(*window->functions));
    for (uint32_t i = 0; i < tree->nr_places; i++) {
        const struct bm_call_place *place = &tree->places[i];

        if (!window->functions[place->routine])
            window->functions[place->routine] =
                bm_pprof_function(&window->writer->pprof, place);
    }
}

static uint32_t location_of(struct window *window, uint32_t number,
                            uint32_t outer)
{
    const struct bm_call_place *place = &window->tree.places[number];
    uint64_t function = window->functions[place->routine];
    struct bm_pprof *pprof = &window->writer->pprof;

    if (place->flags & BM_CALL_INLINED)
        return bm_pprof_location(pprof, place, function, outer);
    window->known[number] = bm_pprof_location(pprof, place, function, 0);
    return window->known[number];
}

/* Leaves come later: what is on many stacks gets the short numbers. */
static void locate_callers(struct window *window)
{
    const struct bm_call_tree *tree = &window->tree;

    window->known = bm_xcalloc(tree->nr_places, sizeof(*window->known));
    for (uint32_t i = 0; i < tree->nr_places; i++) {
        const struct bm_call_place *place = &tree->places[i];

        if (!place->site && !(place->flags & BM_CALL_INLINED))
            location_of(window, i, 0);
    }
}

/* The end of the stack, behind room for size bytes; `used` ones are kept. */
static uint8_t *end_of_stack(struct window *window, size_t used, size_t size)
{
    size_t room = window->stack_room ? window->stack_room : 1024;
    uint8_t *stack;

    while (room < size)
        room *= 2;
    if (room != window->stack_room) {
        stack = bm_xmalloc(room);
        if (used)
            memcpy(stack + room - used,
                   window->stack + window->stack_room - used, used);
        free(window->stack);
        window->stack = stack;
        window->stack_room = room;
    }
    return window->stack + room;
}

static void put_level(uint8_t *end, const struct level *level)
{
    memcpy(end - level->size, level->packed, level->packed_size);
}

/*
 * Makes the level of the walk's node: its location as the innermost frame of
 * its function, in front of those of the functions that called this one. What
 * is inlined stands in the place of the level it is inlined into, which is put
 * back when it calls again.
 */
static void enter(struct window *window, const struct bm_call_walk *walk)
{
    uint32_t place = window->tree.nodes[walk->node].place;
    struct level *level, *outer;
    uint32_t location = window->known[place];
    bool inlined =
        !location && window->tree.places[place].flags & BM_CALL_INLINED;
    uint8_t *end;

    window->levels = bm_xgrow(window->levels, walk->depth, &window->levels_room,
                              sizeof(*window->levels));
    level = &window->levels[walk->depth];
    outer = level - 1;
    level->location =
        location ? location : location_of(window, place, outer->location);
    level->packed_size =
        (uint8_t)(bm_pprof_put_varint(level->packed, level->location) -
                  level->packed);
    level->caller = inlined ? outer->caller : walk->depth - 1;
    size_t before = window->levels[level->caller].size;
    level->size = before + level->packed_size;
    end = end_of_stack(window, outer->size, level->size);
    if (!inlined)
        put_level(end, outer);
    put_level(end, level);
}

/* ---- samples ---- */

static void add_sample(struct window *window, const struct bm_call_walk *walk,
                       const struct bm_thread_info *thread,
                       const int64_t sample_values[NR_VALUES])
{
    size_t size = window->levels[walk->depth].size, label_size;
    uint32_t place = window->tree.nodes[walk->node].place;
    const char *label = bm_intern_get(&window->leaf_labels,
                                      window->labels_of[place], &label_size);

    bm_pprof_put_sample(
        &window->writer->pprof,
        &(struct bm_pprof_sample){
            .locations = {window->stack + window->stack_room - size, size},
            .values = sample_values,
            .nr_values = NR_VALUES,
            .labels = {{window->labels.data, window->labels.size},
                       label_of_thread(window->writer, thread),
                       {label, label_size}},
        });
}

/* Takes what is below nothing from those that have something. */
static void settle(int64_t (*shares)[NR_VALUES], size_t count, int value)
{
    uint64_t debt = 0;

    for (size_t i = 0; i < count; i++) {
        if (shares[i][value] < 0) {
            debt += 0 - (uint64_t)shares[i][value];
            shares[i][value] = 0;
        }
    }
    for (size_t i = 0; debt && i < count; i++) {
        uint64_t has = (uint64_t)shares[i][value];
        uint64_t taken = has < debt ? has : debt;

        shares[i][value] -= (int64_t)taken;
        debt -= taken;
    }
}

/* The values of a leaf's entries; see bm_export_blocks for the third. */
static void share_out(struct window *window, uint32_t node, size_t count)
{
    const struct bm_call_tree *tree = &window->tree;
    const uint32_t *sources =
        window->leaves.sources + window->leaves.starts[node];
    bool at_end = window->writer->export->at_end;
    int64_t(*shares)[NR_VALUES] = window->shares;
    struct bm_figures sum;

    bm_leaves_sum(&window->leaves, node, &sum);
    bool counted = !at_end && bm_export_knows_peak_blocks(&sum);
    bool known = counted || at_end || sum.at_peak_bytes == sum.live_bytes;
    for (size_t i = 0; i < count; i++) {
        const struct bm_node_info *source = &tree->profile->nodes[sources[i]];

        shares[i][VALUE_ALLOC_OBJECTS] = (int64_t)source->figures.allocations;
        shares[i][VALUE_ALLOC_SPACE] = (int64_t)source->figures.allocated_bytes;
        shares[i][VALUE_INUSE_OBJECTS] =
            (int64_t)(counted ? source->figures.at_peak_blocks
                              : bm_node_live_blocks(source));
        shares[i][VALUE_INUSE_SPACE] =
            (int64_t)(at_end ? bm_node_live_bytes(source)
                             : source->figures.at_peak_bytes);
    }
    settle(shares, count, VALUE_INUSE_SPACE);
    settle(shares, count, VALUE_INUSE_OBJECTS);
    for (size_t i = 0; !known && i < count; i++)
        shares[i][VALUE_INUSE_OBJECTS] = (int64_t)bm_export_blocks(
            &sum, (uint64_t)shares[i][VALUE_INUSE_SPACE]);
}

static bool is_empty(const int64_t sample_values[NR_VALUES])
{
    for (int i = 0; i < NR_VALUES; i++) {
        if (sample_values[i])
            return false;
    }
    return true;
}

static void put_leaf(struct window *window, const struct bm_call_walk *walk)
{
    const struct bm_call_tree *tree = &window->tree;
    uint32_t start = window->leaves.starts[walk->node];
    size_t count = window->leaves.starts[walk->node + 1] - start;

    if (count > window->shares_room) {
        free(window->shares);
        window->shares_room = count;
        window->shares = bm_xcalloc(count, sizeof(*window->shares));
    }
    share_out(window, walk->node, count);
    for (size_t i = 0; i < count; i++) {
        uint32_t source = window->leaves.sources[start + i];

        if (!is_empty(window->shares[i]))
            add_sample(window, walk, tree->profile->nodes[source].thread,
                       window->shares[i]);
    }
}

static void window_clear(struct window *window)
{
    free(window->functions);
    free(window->known);
    free(window->shares);
    free(window->levels);
    free(window->stack);
    bm_str_clear(&window->labels);
    bm_intern_clear(&window->leaf_labels);
    free(window->labels_of);
    bm_leaves_clear(&window->leaves);
    bm_call_tree_clear(&window->tree);
}

static void put_window(struct writer *writer, size_t number)
{
    struct window window = {
        .writer = writer, .labels = BM_STR_INIT, .leaf_labels = BM_INTERN_INIT};
    struct bm_call_walk walk = {.tree = &window.tree};

    bm_export_tree(writer->export, number, &window.tree);
    bm_leaves_init(&window.leaves, &window.tree);
    label_window(&window, writer->export->windows[number]);
    label_leaves(&window);
    find_functions(&window);
    locate_callers(&window);
    window.levels =
        bm_xgrow(NULL, 0, &window.levels_room, sizeof(*window.levels));
    window.levels[0] = (struct level){.size = 0};
    while (bm_call_walk_next(&walk)) {
        enter(&window, &walk);
        if (bm_is_leaf(&window.tree, walk.node))
            put_leaf(&window, &walk);
    }
    window_clear(&window);
}

/* ---- the profile ---- */

static const int default_values[BM_NR_METRICS] = {
    [BM_METRIC_PEAK] = VALUE_INUSE_SPACE,
    [BM_METRIC_ALLOCATED] = VALUE_ALLOC_SPACE,
    [BM_METRIC_ALLOCATIONS] = VALUE_ALLOC_OBJECTS,
    [BM_METRIC_LEAKED] = VALUE_INUSE_SPACE,
    [BM_METRIC_TEMPORARY] = VALUE_ALLOC_OBJECTS,
};

static void put_types(struct writer *writer)
{
    Pprof__ValueType types[NR_VALUES], *pointers[NR_VALUES];
    Pprof__ValueType period_type = PPROF__VALUE_TYPE__INIT;
    Pprof__Profile part = PPROF__PROFILE__INIT;
    struct bm_pprof *pprof = &writer->pprof;

    for (int i = 0; i < NR_VALUES; i++) {
        pprof__value_type__init(&types[i]);
        types[i].type = bm_pprof_string(pprof, values[i].type);
        types[i].unit = bm_pprof_string(pprof, values[i].unit);
        pointers[i] = &types[i];
    }
    period_type.type = bm_pprof_string(pprof, "space");
    period_type.unit = bm_pprof_string(pprof, "bytes");
    part.n_sample_type = NR_VALUES;
    part.sample_type = pointers;
    part.period_type = &period_type;
    part.period = 1; /* every byte, nothing is sampled */
    part.time_nanos = (int64_t)writer->export->profile->start_ns;
    part.default_sample_type =
        types[default_values[writer->export->metric]].type;
    bm_pprof_put(pprof, &part);
}

static void put_comment(struct writer *writer, const char *text)
{
    int64_t comment = bm_pprof_string(&writer->pprof, text);
    Pprof__Profile part = PPROF__PROFILE__INIT;

    part.n_comment = 1;
    part.comment = &comment;
    bm_pprof_put(&writer->pprof, &part);
}

static void put_comments(struct writer *writer)
{
    const struct bm_export *export = writer->export;
    struct bm_str text = BM_STR_INIT;

    bm_export_command(export, &text);
    put_comment(writer, "benchmem-export " BENCHMEM_VERSION);
    put_comment(writer, text.data);
    put_comment(writer, export->at_end ? "inuse_*: at the end"
                                       : "inuse_*: at the peak");
    if (!export->at_end && !export->profile->totals.at_peak_blocks &&
        export->profile->totals.peak_bytes)
        put_comment(writer, "inuse_objects: worked out from the mean block of "
                            "each stack, where that is not at the end");
    if (export->nr_windows > 1)
        put_comment(writer, "samples are of several benchmarks, each with a "
                            "peak of its own: see the label benchmark");
    bm_str_clear(&text);
}

static void write_pprof(const struct bm_export *export, FILE *file)
{
    struct writer writer = {.export = export, .threads = BM_STR_INIT};

    bm_pprof_open(&writer.pprof, export->profile, file);
    put_types(&writer);
    put_comments(&writer);
    label_threads(&writer);
    writer.at =
        bm_pprof_label(&writer.pprof, "at", export->at_end ? "end" : "peak");
    for (size_t i = 0; i < export->nr_windows; i++)
        put_window(&writer, i);
    bm_pprof_close(&writer.pprof);
    bm_str_clear(&writer.threads);
    free(writer.thread_ends);
}

const struct bm_export_format bm_export_pprof = {
    .name = "pprof",
    .suffix = ".pb.gz",
    .reader = "go tool pprof, Pyroscope, Parca, Perfetto, speedscope",
    .scope = BM_EXPORT_BENCHMARKS,
    .all_metrics = true,
    .metrics = 1u << BM_METRIC_PEAK | 1u << BM_METRIC_LEAKED,
    .write = write_pprof,
};
