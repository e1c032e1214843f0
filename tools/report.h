/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The parts of benchmem-report. report.c reads options and profiles;
 * select.c says which profile and benchmark is shown; report_text.c writes
 * the page for people, report_tables.c the tables in it and the CSV,
 * report_hints.c what is wrong, report_json.c the document for programs.
 */
#ifndef BENCHMEM_TOOLS_REPORT_H
#define BENCHMEM_TOOLS_REPORT_H

#include "base/command.h"
#include "base/strvec.h"
#include "base/table.h"
#include "results/charge.h"
#include "results/gate.h"
#include "tools/inputs.h"
#include "tools/listing.h"
#include "tools/metric.h"
#include "tools/names.h"
#include "tools/ranking.h"

#include <stdbool.h>

/* What --coverage and its companions ask for. */
struct bm_coverage_options {
    bool wanted;
    const char *lcov;      /* file for a tracefile, may be NULL */
    const char *base;      /* of --fail-new-uncovered, may be NULL */
    const char *inventory; /* of sources, may be NULL */
    bool share_given;      /* --fail-under */
    double share;          /* percent */
    struct bm_strvec binaries;
};

/* What was asked for. */
struct bm_report {
    struct bm_common common;
    struct bm_strvec args;
    enum bm_metric metric;
    bool metric_given;
    enum bm_by by;
    uint64_t top; /* rows, 0: all */
    bool top_given;
    const char *benchmark; /* id or part of it, may be NULL */
    bool source;
    bool elided;
    bool callers; /* charge the callers of wrappers */
    struct bm_strvec wrappers;
    struct bm_gates limits; /* largest values */
    struct bm_coverage_options coverage;
};

/* One profile that is shown. */
struct bm_view {
    const struct bm_report *report;
    const struct bm_input *input;
    const struct bm_profile *profile;
    const struct bm_benchmark_info *benchmark; /* shown alone, or NULL */
    char *chosen;           /* why this profile, NULL: nothing was to choose */
    char *chosen_benchmark; /* why this benchmark, NULL likewise */
    struct bm_charge charge;
    struct bm_charge types; /* as bm_charge_init_types has it */
    struct bm_names names;
    struct bm_node_order nodes;
    struct bm_ranking_source source; /* of those above */
    struct bm_listing listing;
    const char **frame_texts; /* by frame, as they are needed; or NULL */
    struct bm_arena texts;
    bool owes; /* a row was met that owes what it freed of others' */
};

struct bm_views {
    struct bm_view *items;
    size_t count;
};

/*
 * The views of the profiles that were read, as --benchmark and --worst choose.
 * Dies with the list of what there is where the choice is none or several.
 */
void bm_views_init(struct bm_views *views, const struct bm_report *report,
                   const struct bm_inputs *inputs);
void bm_views_clear(struct bm_views *views);

/* Number of rows of nr that are shown: --top, or by default what the format
 * has. */
size_t bm_view_top(const struct bm_report *report, size_t nr);

size_t bm_nr_elided(const struct bm_profile *profile);

/* The page for people, as text or Markdown. */
void bm_report_text(struct bm_views *views, FILE *file,
                    const struct bm_terminal *terminal);

void bm_report_csv(struct bm_views *views, FILE *file);
void bm_report_json(struct bm_views *views, FILE *file);

/* Tables for people; the caller clears them, that of rows before ranking. */
void bm_table_of_rows(struct bm_view *view, struct bm_ranking *ranking,
                      struct bm_table *table);
void bm_table_of_benchmarks(const struct bm_view *view, struct bm_table *table);
/* The processes of a merged profile, with their minimum, mean and maximum. */
void bm_table_of_processes(const struct bm_view *view, struct bm_table *table);
void bm_table_of_elided(struct bm_view *view, struct bm_table *table);

/* Appends one sentence for each thing that is wrong. */
void bm_report_hints(const struct bm_view *view, struct bm_strvec *hints);

#endif
