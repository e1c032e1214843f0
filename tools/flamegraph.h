/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The parts of benchmem-flamegraph. flamegraph_options.c reads the command
 * line and flamegraph.c carries it out; flamegraph_select.c says which profile
 * and benchmark is drawn, flamegraph_about.c what is told of it. The others
 * each write one kind of report from the same call tree: flamegraph_page.c
 * the HTML page (flamegraph_data.c its data, flamegraph_pruned.c which nodes,
 * flamegraph_entries.c their figures), flamegraph_svg.c the picture without
 * scripts, flamegraph_tree.c, flamegraph_tables.c and flamegraph_stats.c what
 * a terminal shows. flamegraph_diff.c puts the tree of a second profile onto
 * the first one's.
 */
#ifndef BENCHMEM_TOOLS_FLAMEGRAPH_H
#define BENCHMEM_TOOLS_FLAMEGRAPH_H

#include "base/command.h"
#include "base/strvec.h"
#include "tools/call_tree.h"
#include "tools/inputs.h"
#include "tools/metric.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* --report, in the order of its names. */
enum bm_flame_report {
    BM_FLAME_PAGE, /* or a picture, as the suffix of --output says */
    BM_FLAME_TABLE,
    BM_FLAME_TREE,
    BM_FLAME_SUMMARY,
    BM_FLAME_STATS,
};

/* What was asked for. */
struct bm_flame_options {
    struct bm_common common;
    struct bm_strvec args; /* profile or folder, id */
    enum bm_metric worst;
    bool worst_given;
    enum bm_metric at; /* the metric that --at stands for */
    bool at_given;
    enum bm_flame_report report;
    const char *base; /* --diff, may be NULL */
    bool native;
    bool process; /* the whole process, whatever benchmarks there are */
    bool open;
    bool no_source;
    bool own_frames;
    bool fold;
    double threshold; /* out of the total, 0 to 1; below 0: not given */
    uint64_t depth;   /* of the tree, 0: all; UINT64_MAX: not given */
    uint64_t top;     /* rows of tables, 0: all; UINT64_MAX: not given */
};

/* The command; its input is a struct bm_flame_options. */
extern const struct bm_command bm_flame_command;

/* What is drawn. */
struct bm_flame_choice {
    size_t input;                              /* index of the profile */
    const struct bm_benchmark_info *benchmark; /* NULL: the whole process */
    char *why; /* "heaviest of 3 by ...", NULL: nothing was to choose */
};

struct bm_flame {
    const struct bm_flame_options *options;
    const struct bm_profile *profile;
    const struct bm_benchmark_info *benchmark;
    const char *why;       /* may be NULL */
    enum bm_metric metric; /* drawn first, or alone */
    struct bm_call_tree tree;
    struct bm_flame_base *base; /* of --diff, else NULL */
};

/* The second profile, on the nodes and places of the first one's tree. */
struct bm_flame_base {
    struct bm_call_tree tree;        /* as it is by itself */
    uint32_t *node_of;               /* by its nodes: those of the first tree */
    uint64_t *totals[BM_NR_METRICS]; /* by nodes of the first tree */
    uint32_t *line_of; /* by places of the first tree, 0: not there */
};

/*
 * Chooses by id, by --worst, or the only one there is; dies with the list of
 * what there is if none or several fit. like: take the benchmark of this id if
 * there is one (of --diff's profile), else NULL.
 */
struct bm_flame_choice bm_flame_choose(const struct bm_inputs *inputs,
                                       const struct bm_flame_options *options,
                                       const char *like);

/* Program, start, end, passes and file, as short texts. */
void bm_flame_about(const struct bm_profile *profile,
                    const struct bm_benchmark_info *benchmark,
                    struct bm_strvec *lines);

/* What the profile lacks, as sentences. */
void bm_flame_notes(const struct bm_flame *flame, struct bm_strvec *lines);

/* "held at the peak": what follows an amount of the metric. */
const char *bm_flame_unit(const struct bm_flame *flame);

/* Id of the benchmark, or what the process is called. */
void bm_flame_title(const struct bm_flame *flame, struct bm_str *out);

/* "main (bench.c:3) malloc struct node" */
void bm_flame_label(const struct bm_call_place *place, struct bm_str *out);

/* Adds the tree of a base profile; flame->tree is complete already. */
void bm_flame_compare(struct bm_flame *flame, const struct bm_profile *profile,
                      const struct bm_benchmark_info *benchmark);
void bm_flame_base_clear(struct bm_flame_base *base);

/* The data of a page, as JSON. */
void bm_flame_write_data(const struct bm_flame *flame, FILE *file);

/* The reports. Errors stay in the stream. */
void bm_flame_write_page(const struct bm_flame *flame, FILE *file);
void bm_flame_write_svg(struct bm_flame *flame, FILE *file);
void bm_flame_write_tree(struct bm_flame *flame, FILE *file,
                         const struct bm_terminal *terminal);
void bm_flame_write_table(const struct bm_flame *flame, FILE *file,
                          const struct bm_terminal *terminal);
void bm_flame_write_summary(const struct bm_flame *flame, FILE *file,
                            const struct bm_terminal *terminal);
void bm_flame_write_stats(const struct bm_flame *flame, FILE *file,
                          const struct bm_terminal *terminal);

/* Two lines above what people read: what is shown, and by which metric. */
void bm_flame_write_heading(const struct bm_flame *flame, FILE *file,
                            const struct bm_terminal *terminal);

/* Rows of a table out of nr, as --top and the format say. */
size_t bm_flame_top(const struct bm_flame_options *options, size_t nr);

#endif
