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
    bool at_end; /* what is in use, of formats that hold it: at the end */
};

struct bm_export_format {
    const char *name;
    const char *suffix; /* of files, with its dot */
    const char *reader; /* who opens it */
    enum bm_export_scope scope;
    bool all_metrics; /* a file holds every metric */
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

/* A stack as places of its tree, the innermost first; reused for many. */
struct bm_stack {
    uint32_t *places; /* to be freed */
    size_t depth;
    size_t room;
};
#define BM_STACK_INIT                                                          \
    {                                                                          \
        NULL, 0, 0                                                             \
    }

void bm_stack_of(struct bm_stack *stack, const struct bm_call_tree *tree,
                 uint32_t leaf);

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

/* The entries of a tree by their leaf, and what they add up to. */
struct bm_leaves {
    const struct bm_call_tree *tree;
    uint32_t *starts; /* by node; those of the next node end them */
    uint32_t *order;  /* entries */
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

/*
 * Labels of a tree's places, each made once and kept: stacks are long and
 * share their frames.
 */
struct bm_labels {
    const char **texts; /* by place */
    size_t *sizes;
    struct bm_arena arena;
};

/* write appends the label of a place to an empty string. */
void bm_labels_init(struct bm_labels *labels, const struct bm_call_tree *tree,
                    void (*write)(struct bm_str *out,
                                  const struct bm_call_place *place));
void bm_labels_clear(struct bm_labels *labels);

/* The same as one JSON value each; place i ends at ends[i] of text. */
struct bm_fragments {
    char *text;
    size_t *ends;
};

void bm_fragments_init(struct bm_fragments *fragments,
                       const struct bm_call_tree *tree,
                       void (*write)(struct bm_json *json,
                                     const struct bm_call_place *place));
const char *bm_fragment(const struct bm_fragments *fragments, uint32_t place,
                        size_t *size);
void bm_fragments_clear(struct bm_fragments *fragments);

/* bm_call_label in one line safe for a terminal, `from` replaced by `to`. */
void bm_label_plain(struct bm_str *out, const struct bm_call_place *place,
                    char from, char to);

#endif
