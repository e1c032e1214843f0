/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * JSON of valgrind's DHAT, file version 2, for its viewer dh_view.html: of
 * each stack, what it allocated, its own maximum, what it held at the peak
 * (t-gmax) and at the end.
 *
 * The viewer wants three things that profiles do not have. Its clock runs in
 * bytes allocated, and the peak stands at the earliest moment where it can
 * have been. A stack's own maximum is its site's where the site has one stack,
 * else the larger of what it held at the two moments. Blocks held at the peak
 * are worked out from the stack's mean block. Lifetimes are 0.
 */
#include "base/json.h"
#include "base/memory.h"
#include "tools/export.h"

#include <stdlib.h>

/* Program points have a line each. */
#define LINES 2

/* What a window's leaves need beyond their totals. */
struct window {
    struct bm_call_tree tree;
    struct bm_leaves leaves;
    uint32_t *nr_leaves;  /* by site */
    uint64_t *site_peaks; /* by site */
};

/* Index of a leaf's site. */
static size_t site_of(const struct bm_call_tree *tree, uint32_t leaf)
{
    return (size_t)(bm_call_place_of(tree, leaf)->site - tree->profile->sites);
}

static void window_init(struct window *window, const struct bm_export *export)
{
    const struct bm_profile *profile = export->profile;
    const struct bm_benchmark_info *benchmark = export->windows[0];
    struct bm_call_tree *tree = &window->tree;
    size_t nr_sites = benchmark ? benchmark->nr_sites : profile->nr_sites;

    bm_export_tree(export, 0, tree);
    bm_leaves_init(&window->leaves, tree);
    window->nr_leaves = bm_xcalloc(profile->nr_sites, sizeof(uint32_t));
    window->site_peaks = bm_xcalloc(profile->nr_sites, sizeof(uint64_t));
    for (uint32_t n = 1; n < tree->nr_nodes; n++) {
        if (bm_is_leaf(tree, n))
            window->nr_leaves[site_of(tree, n)]++;
    }
    for (size_t i = 0; i < nr_sites; i++) {
        const struct bm_site_info *site =
            benchmark ? benchmark->sites[i].site : &profile->sites[i];
        window->site_peaks[site - profile->sites] =
            benchmark ? benchmark->sites[i].figures.peak_bytes
                      : site->figures.peak_bytes;
    }
}

static void window_clear(struct window *window)
{
    bm_leaves_clear(&window->leaves);
    free(window->nr_leaves);
    free(window->site_peaks);
    bm_call_tree_clear(&window->tree);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static void put(struct bm_str *line, const char *key, uint64_t value)
{
    bm_str_puts(line, key);
    bm_put_number(line, value);
}

static void put_figures(struct bm_str *line, const struct window *window,
                        uint32_t leaf)
{
    size_t site = site_of(&window->tree, leaf);
    uint64_t most = window->nr_leaves[site] == 1 ? window->site_peaks[site] : 0;
    struct bm_figures sum;

    bm_leaves_sum(&window->leaves, leaf, &sum);
    uint64_t blocks_at_peak = bm_export_peak_blocks(&sum);

    most = larger(most, larger(sum.at_peak_bytes, sum.live_bytes));
    put(line, "{\"tb\":", sum.allocated_bytes);
    put(line, ",\"tbk\":", sum.allocations);
    put(line, ",\"tl\":", 0);
    put(line, ",\"mb\":", most);
    put(line, ",\"mbk\":",
        larger(bm_export_blocks(&sum, most),
               larger(blocks_at_peak, sum.live_blocks)));
    put(line, ",\"gb\":", sum.at_peak_bytes);
    put(line, ",\"gbk\":", blocks_at_peak);
    put(line, ",\"eb\":", sum.live_bytes);
    put(line, ",\"ebk\":", sum.live_blocks);
}

/* Of frames in ftbl, whose first is the root's. */
static void number_frames(struct bm_labels *labels,
                          const struct bm_call_tree *tree)
{
    uint32_t *numbers = bm_xcalloc(tree->nr_places, sizeof(*numbers));

    for (uint32_t i = 0; i < tree->nr_places; i++)
        numbers[i] = i + 1;
    bm_labels_init_numbers(labels, tree, numbers);
    free(numbers);
}

/*
 * Every stack that did anything, also one that only inherited blocks; without
 * the detours of bm_json, as there can be millions.
 */
static void write_points(struct bm_json *json, const struct window *window)
{
    const struct bm_call_tree *tree = &window->tree;
    struct bm_labels labels;
    struct bm_stacks stacks;
    struct bm_str line = BM_STR_INIT;
    bool first = true;

    bm_json_key(json, "pps");
    bm_json_begin_array(json);
    number_frames(&labels, tree);
    bm_stacks_init(&stacks, tree, &labels, ",", true, NULL);
    while (bm_stacks_next(&stacks)) {
        bm_str_truncate(&line, 0);
        bm_str_puts(&line, first ? "\n" : ",\n");
        put_figures(&line, window, stacks.leaf);
        bm_str_puts(&line, ",\"fs\":[");
        bm_str_add(&line, stacks.text, stacks.size);
        bm_str_puts(&line, "]}");
        bm_json_raw(json, line.data, line.size);
        first = false;
    }
    bm_json_end_array(json);
    bm_stacks_clear(&stacks);
    bm_labels_clear(&labels);
    bm_str_clear(&line);
}

static void write_frames(struct bm_json *json, const struct bm_call_tree *tree)
{
    struct bm_str label = BM_STR_INIT;

    bm_json_key(json, "ftbl");
    bm_json_begin_array(json);
    bm_json_string(json, "[root]");
    for (uint32_t i = 0; i < tree->nr_places; i++) {
        bm_str_truncate(&label, 0);
        bm_label_plain(&label, &tree->places[i], '\n', ' ');
        bm_json_string(json, label.data);
    }
    bm_json_end_array(json);
    bm_str_clear(&label);
}

static void write_head(struct bm_json *json, const struct bm_export *export)
{
    const struct bm_figures *figures = bm_export_figures(export, 0);
    struct bm_str command = BM_STR_INIT;

    bm_export_command(export, &command);
    bm_json_put_uint(json, "dhatFileVersion", 2);
    bm_json_put_string(json, "mode", "heap");
    bm_json_put_string(json, "verb", "Allocated");
    bm_json_put_bool(json, "bklt", true);
    bm_json_put_bool(json, "bkacc", false);
    bm_json_put_string(json, "tu", "bytes allocated");
    bm_json_put_string(json, "Mtu", "MB allocated");
    /* Below every lifetime, so that no stack is shown as short-lived. */
    bm_json_key(json, "tuth"), bm_json_int(json, -1);
    bm_json_put_string(json, "cmd", command.data);
    bm_json_put_uint(json, "pid", export->profile->pid);
    bm_json_put_uint(json, "te", figures->allocated_bytes);
    bm_json_put_uint(json, "tg", bm_export_peak_clock(figures));
    bm_json_key(json, "benchmem");
    bm_json_begin_object(json);
    bm_json_put_string(json, "version", BENCHMEM_VERSION);
    bm_json_put_string(json, "benchmark",
                       export->windows[0] ? export->windows[0]->id : NULL);
    bm_json_end_object(json);
    bm_str_clear(&command);
}

static void write_dhat(const struct bm_export *export, FILE *file)
{
    struct window window;
    struct bm_json json;

    window_init(&window, export);
    bm_json_init(&json, file, LINES);
    bm_json_begin_object(&json);
    write_head(&json, export);
    write_points(&json, &window);
    write_frames(&json, &window.tree);
    bm_json_end_object(&json);
    bm_json_finish(&json);
    window_clear(&window);
}

const struct bm_export_format bm_export_dhat = {
    .name = "dhat",
    .suffix = ".dhat.json",
    .reader = "valgrind's dh_view.html",
    .scope = BM_EXPORT_PROCESS,
    .all_metrics = true,
    .metrics = 1u << BM_METRIC_PEAK | 1u << BM_METRIC_LEAKED,
    .write = write_dhat,
};
