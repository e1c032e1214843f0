/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Other tools' formats. Each is one file export_NAME.c with one
 * struct bm_export_format in it; export_formats.c lists them; export.c is the
 * command, export_windows.c says what a file holds.
 *
 * A format writes what its reader asks for and nothing that is not in the
 * profile; what it cannot hold, and what it needs and profiles do not have,
 * is in docs/export.md. What it writes adds up to the profile's totals, to the
 * byte. Writers check no errors: these stay in the stream.
 */
#ifndef BENCHMEM_TOOLS_EXPORT_H
#define BENCHMEM_TOOLS_EXPORT_H

#include "base/json.h"
#include "base/str.h"
#include "profile/profile.h"
#include "tools/call_tree.h"
#include "tools/metric.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What becomes of a profile's benchmarks when none is asked for. */
enum bm_export_scope {
    BM_EXPORT_PROCESS,    /* one process or benchmark: the whole process */
    BM_EXPORT_BENCHMARKS, /* all are added up: the benchmarks, if there are */
    BM_EXPORT_ALL,        /* all are kept apart: the process and benchmarks */
};

/* One file to be written. */
struct bm_export {
    const struct bm_profile *profile;
    const struct bm_benchmark_info **windows; /* NULL: the whole process */
    size_t nr_windows;
    struct bm_call_sources sources; /* where there are many windows */
    enum bm_metric metric;
    unsigned metrics; /* bits of those that the format needs */
    bool at_end;      /* what is in use, of formats that hold it: at the end */
};

struct bm_export_format {
    const char *name;
    const char *suffix; /* of files, with its dot */
    const char *reader; /* who opens it */
    enum bm_export_scope scope;
    bool all_metrics; /* a file holds every metric */
    unsigned metrics; /* whose totals it needs, beside the one asked for */
    void (*write)(const struct bm_export *export, FILE *file);
};

/* Ended by NULL. */
extern const struct bm_export_format *const bm_export_formats[];

extern const struct bm_export_format bm_export_callgrind;
extern const struct bm_export_format bm_export_csv;
extern const struct bm_export_format bm_export_dhat;
extern const struct bm_export_format bm_export_folded;
extern const struct bm_export_format bm_export_massif;
extern const struct bm_export_format bm_export_ndjson;
extern const struct bm_export_format bm_export_pprof;
extern const struct bm_export_format bm_export_speedscope;

/*
 * The windows of a file: benchmark alone, or what scope says. Released by
 * bm_export_release.
 */
void bm_export_choose(struct bm_export *export, enum bm_export_scope scope,
                      const struct bm_benchmark_info *benchmark);
void bm_export_release(struct bm_export *export);

/* The call tree of a window; the caller clears it. */
void bm_export_tree(const struct bm_export *export, size_t window,
                    struct bm_call_tree *tree);

/* The figures of a window, and its name: a benchmark's id, or the program. */
const struct bm_figures *bm_export_figures(const struct bm_export *export,
                                           size_t window);
const char *bm_export_title(const struct bm_export *export, size_t window);

/* True if the node is a site: nothing else has no children. */
static inline bool bm_is_leaf(const struct bm_call_tree *tree, uint32_t node)
{
    return node && !tree->nodes[node].first;
}

/* Appends in decimal. */
void bm_put_number(struct bm_str *out, uint64_t number);

/* "at_peak_bytes": the key of a metric in every JSON and CSV of the tools. */
const char *bm_export_key(enum bm_metric metric);

/* "bytes" or "count". */
const char *bm_export_unit(enum bm_metric metric);

/*
 * Bytes allocated before the peak, at least: when exactly it was is not in a
 * profile. A clock that runs in bytes allocated shows the peak there.
 */
uint64_t bm_export_peak_clock(const struct bm_figures *figures);

/* The command line in one line, safe for a terminal. */
void bm_export_command(const struct bm_export *export, struct bm_str *out);

/* What the entries of a tree's leaves stand for, and what it adds up to. */
struct bm_leaves {
    const struct bm_call_tree *tree;
    uint32_t *starts;  /* by node; those of the next node end them */
    uint32_t *sources; /* indices in profile->nodes */
};

void bm_leaves_init(struct bm_leaves *leaves, const struct bm_call_tree *tree);
void bm_leaves_sum(const struct bm_leaves *leaves, uint32_t node,
                   struct bm_figures *sum);
void bm_leaves_clear(struct bm_leaves *leaves);

/*
 * Blocks in `bytes` of what one stack was given, by the mean of its blocks:
 * at least one in any byte. For formats that cannot do without the number of
 * blocks of a moment that profiles do not have it for.
 */
uint64_t bm_export_blocks(const struct bm_figures *stack, uint64_t bytes);

/*
 * Blocks of a stack at the peak. Not known in profiles of recorders that did
 * not count them, where the mean block tells.
 */
bool bm_export_knows_peak_blocks(const struct bm_figures *stack);
uint64_t bm_export_peak_blocks(const struct bm_figures *stack);

/* Labels of a tree's places, each made once: stacks share their frames. */
struct bm_labels {
    char *text; /* of all; that of place i ends at ends[i] */
    size_t *ends;
};

/* write appends the label of a place; with JSON, one value. */
void bm_labels_init(struct bm_labels *labels, const struct bm_call_tree *tree,
                    void (*write)(struct bm_str *out,
                                  const struct bm_call_place *place));
void bm_labels_init_json(struct bm_labels *labels,
                         const struct bm_call_tree *tree,
                         void (*write)(struct bm_json *json,
                                       const struct bm_call_place *place));
/* That of each place is its number. */
void bm_labels_init_numbers(struct bm_labels *labels,
                            const struct bm_call_tree *tree,
                            const uint32_t *numbers);
void bm_labels_clear(struct bm_labels *labels);

static inline const char *bm_label_of(const struct bm_labels *labels,
                                      uint32_t place, size_t *size)
{
    size_t start = place ? labels->ends[place - 1] : 0;

    *size = labels->ends[place] - start;
    return labels->text + start;
}

/*
 * The stacks of a tree as text, one after the other. They come depth first,
 * so that what is outward of a frame is put together once for all the stacks
 * that go through it, and a stack costs the copy of its text.
 *
 *   bm_stacks_init(&stacks, &tree, &labels, ";", false, totals);
 *   while (bm_stacks_next(&stacks))
 *       ... stacks.leaf, stacks.text, stacks.size
 *   bm_stacks_clear(&stacks);
 */
struct bm_stacks {
    uint32_t leaf;
    const char *text; /* labels of its frames, valid until the next one */
    size_t size;

    /* private */
    struct bm_call_walk walk;
    const struct bm_labels *labels;
    const uint64_t *totals;
    const char *between;
    size_t between_size;
    bool inwards; /* the innermost frame first: text grows to the front */
    char *buffer;
    size_t room;
    size_t *sizes; /* of the text, by depth */
    size_t sizes_room;
};

/*
 * All are borrowed. between parts the labels. Leaves for which totals, by node,
 * are 0 are left out; NULL: none is.
 */
void bm_stacks_init(struct bm_stacks *stacks, const struct bm_call_tree *tree,
                    const struct bm_labels *labels, const char *between,
                    bool innermost_first, const uint64_t *totals);
bool bm_stacks_next(struct bm_stacks *stacks);
void bm_stacks_clear(struct bm_stacks *stacks);

/* bm_call_label in one line safe for a terminal, `from` replaced by `to`. */
void bm_label_plain(struct bm_str *out, const struct bm_call_place *place,
                    char from, char to);

#endif
