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

/* Of one sample, behind those of its window. */
enum {
    LABEL_THREAD,
    LABEL_KIND,
    LABEL_TYPE,
    LABEL_AT,
    NR_OWN_LABELS,
};

struct writer {
    struct bm_pprof pprof;
    const struct bm_export *export;
    Pprof__Label **threads; /* by thread */
    Pprof__Label *at;
};

struct step {
    uint32_t location;
    uint32_t caller; /* node of the function that called this one */
};

/* One window on its way. */
struct window {
    struct writer *writer;
    struct bm_call_tree tree;
    struct bm_leaves leaves;
    struct step *steps;    /* by node */
    Pprof__Label **labels; /* benchmark and parameters */
    size_t nr_labels;
    Pprof__Label **kinds; /* by place, of leaves */
    Pprof__Label **types;
    int64_t (*shares)[NR_VALUES]; /* of the entries of one leaf */
    size_t shares_room;
    Pprof__Label **own_labels; /* of one sample */
    uint32_t *locations;
    size_t locations_room;
};

/* ---- labels ---- */

static void label_threads(struct writer *writer)
{
    const struct bm_profile *profile = writer->export->profile;
    struct bm_str text = BM_STR_INIT;

    writer->threads = bm_xcalloc(profile->nr_threads, sizeof(*writer->threads));
    for (size_t i = 0; i < profile->nr_threads; i++) {
        const struct bm_thread_info *thread = &profile->threads[i];

        bm_str_truncate(&text, 0);
        if (thread->name && *thread->name)
            bm_str_printf(&text, "%s ", thread->name);
        bm_str_printf(&text, "%" PRIu64, thread->tid);
        writer->threads[i] =
            bm_pprof_label(&writer->pprof, "thread", text.data);
    }
    bm_str_clear(&text);
}

static void label_window(struct window *window,
                         const struct bm_benchmark_info *benchmark)
{
    struct writer *writer = window->writer;

    if (!benchmark)
        return;
    window->labels =
        bm_xcalloc(benchmark->nr_params + 1, sizeof(*window->labels));
    window->labels[window->nr_labels++] =
        bm_pprof_label(&writer->pprof, "benchmark", benchmark->id);
    for (size_t i = 0; i < benchmark->nr_params; i++)
        window->labels[window->nr_labels++] =
            bm_pprof_param(&writer->pprof, benchmark, i);
}

static void label_leaves(struct window *window)
{
    const struct bm_call_tree *tree = &window->tree;

    window->kinds = bm_xcalloc(tree->nr_places, sizeof(*window->kinds));
    window->types = bm_xcalloc(tree->nr_places, sizeof(*window->types));
    for (uint32_t i = 0; i < tree->nr_places; i++) {
        const struct bm_site_info *site = tree->places[i].site;

        if (!site)
            continue;
        window->kinds[i] =
            bm_pprof_label(&window->writer->pprof, "kind", site->kind);
        if (site->type)
            window->types[i] =
                bm_pprof_label(&window->writer->pprof, "type", site->type);
    }
}

/* ---- locations ---- */

/* Functions by routine, so that each is looked up once. */
static uint64_t *find_functions(struct window *window)
{
    const struct bm_call_tree *tree = &window->tree;
    uint64_t *functions = bm_xcalloc(tree->nr_routines, sizeof(*functions));

    for (uint32_t i = 0; i < tree->nr_places; i++) {
        const struct bm_call_place *place = &tree->places[i];

        if (!functions[place->routine])
            functions[place->routine] =
                bm_pprof_function(&window->writer->pprof, place);
    }
    return functions;
}

/* What locate works on. */
struct locating {
    uint64_t *functions; /* by routine */
    uint32_t *known;     /* by place: location, where it is inlined nowhere */
};

static void locate_node(struct window *window, const struct locating *locating,
                        uint32_t n)
{
    const struct bm_call_tree *tree = &window->tree;
    const struct bm_call_node *node = &tree->nodes[n];
    const struct bm_call_place *place = &tree->places[node->place];
    uint64_t function = locating->functions[place->routine];
    struct bm_pprof *pprof = &window->writer->pprof;
    struct step *step = &window->steps[n];

    if (place->flags & BM_CALL_INLINED) {
        const struct step *outer = &window->steps[node->parent];

        step->location =
            bm_pprof_location(pprof, place, function, outer->location);
        step->caller = outer->caller;
        return;
    }
    uint32_t *known = &locating->known[node->place];
    if (!*known)
        *known = bm_pprof_location(pprof, place, function, 0);
    step->location = *known;
    step->caller = node->parent;
}

/*
 * The location of each node as the innermost frame of its function, and the
 * node that called this function. Leaves come last: what is on many stacks
 * gets the short numbers.
 */
static void locate(struct window *window)
{
    const struct bm_call_tree *tree = &window->tree;
    const struct locating locating = {
        .functions = find_functions(window),
        .known = bm_xcalloc(tree->nr_places, sizeof(uint32_t)),
    };

    window->steps = bm_xcalloc(tree->nr_nodes, sizeof(*window->steps));
    for (uint32_t n = 1; n < tree->nr_nodes; n++) {
        if (!bm_is_leaf(tree, n))
            locate_node(window, &locating, n);
    }
    for (uint32_t n = 1; n < tree->nr_nodes; n++) {
        if (bm_is_leaf(tree, n))
            locate_node(window, &locating, n);
    }
    free(locating.functions);
    free(locating.known);
}

/* The locations of a stack; how many they are. */
static size_t find_locations(struct window *window, uint32_t leaf)
{
    size_t count = 0;

    for (uint32_t n = leaf; n; n = window->steps[n].caller) {
        window->locations =
            bm_xgrow(window->locations, count, &window->locations_room,
                     sizeof(*window->locations));
        window->locations[count++] = window->steps[n].location;
    }
    return count;
}

/* ---- samples ---- */

static size_t put_labels(const struct window *window, Pprof__Label **labels,
                         uint32_t place, const struct bm_thread_info *thread)
{
    const struct writer *writer = window->writer;
    const struct bm_profile *profile = writer->export->profile;
    size_t count = window->nr_labels;

    for (size_t i = 0; i < count; i++)
        labels[i] = window->labels[i];
    if (thread)
        labels[count++] = writer->threads[thread - profile->threads];
    labels[count++] = window->kinds[place];
    if (window->types[place])
        labels[count++] = window->types[place];
    labels[count++] = writer->at;
    return count;
}

static void add_sample(struct window *window, uint32_t node,
                       const struct bm_thread_info *thread,
                       const int64_t sample_values[NR_VALUES])
{
    struct bm_pprof_sample sample = {
        .nr_locations = find_locations(window, node),
        .values = sample_values,
        .nr_values = NR_VALUES,
        .nr_labels = put_labels(window, window->own_labels,
                                window->tree.nodes[node].place, thread),
    };

    sample.locations = window->locations;
    sample.labels = window->own_labels;
    bm_pprof_put_sample(&window->writer->pprof, &sample);
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
                              : source->figures.live_blocks);
        shares[i][VALUE_INUSE_SPACE] =
            (int64_t)(at_end ? source->figures.live_bytes
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

static void put_leaf(struct window *window, uint32_t node)
{
    const struct bm_call_tree *tree = &window->tree;
    uint32_t start = window->leaves.starts[node];
    size_t count = window->leaves.starts[node + 1] - start;

    if (count > window->shares_room) {
        free(window->shares);
        window->shares_room = count;
        window->shares = bm_xcalloc(count, sizeof(*window->shares));
    }
    share_out(window, node, count);
    for (size_t i = 0; i < count; i++) {
        uint32_t source = window->leaves.sources[start + i];

        if (!is_empty(window->shares[i]))
            add_sample(window, node, tree->profile->nodes[source].thread,
                       window->shares[i]);
    }
}

static void put_window(struct writer *writer, size_t number)
{
    struct window window = {.writer = writer};

    bm_export_tree(writer->export, number, &window.tree);
    bm_leaves_init(&window.leaves, &window.tree);
    label_window(&window, writer->export->windows[number]);
    label_leaves(&window);
    locate(&window);
    window.own_labels = bm_xcalloc(window.nr_labels + NR_OWN_LABELS,
                                   sizeof(*window.own_labels));
    for (uint32_t n = 1; n < window.tree.nr_nodes; n++) {
        if (bm_is_leaf(&window.tree, n))
            put_leaf(&window, n);
    }

    free(window.own_labels);
    free(window.locations);
    free(window.labels);
    free(window.kinds);
    free(window.types);
    free(window.steps);
    free(window.shares);
    bm_leaves_clear(&window.leaves);
    bm_call_tree_clear(&window.tree);
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
    struct writer writer = {.export = export};

    bm_pprof_open(&writer.pprof, export->profile, file);
    put_types(&writer);
    put_comments(&writer);
    label_threads(&writer);
    writer.at =
        bm_pprof_label(&writer.pprof, "at", export->at_end ? "end" : "peak");
    for (size_t i = 0; i < export->nr_windows; i++)
        put_window(&writer, i);
    bm_pprof_close(&writer.pprof);
    free(writer.threads);
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
