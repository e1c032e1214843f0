/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The parts of benchmem-plot. plot_options.c reads the command line and plot.c
 * carries it out:
 *
 *   1. plot_points.c   which benchmarks of which runs, and one value for each
 *   2. plot_views.c    which view; plot_scaling.c, plot_bars.c, plot_pairs.c,
 *                      plot_sweep.c and plot_timeline.c make its drawing, on
 *                      plot_axis.c's axes and plot_matrix.c's rows
 *   3. plot_write.c    the specification as a page or as JSON;
 *                      plot_picture.c as a picture
 *
 * A specification is Vega-Lite: data and declarations, no code. The page and
 * the pictures draw the same one.
 */
#ifndef BENCHMEM_TOOLS_PLOT_H
#define BENCHMEM_TOOLS_PLOT_H

#include "base/command.h"
#include "base/strvec.h"
#include "results/dimension.h"
#include "results/join.h"
#include "results/results.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

/* --view, in the order of its names. */
enum bm_plot_view {
    BM_PLOT_SCALING,
    BM_PLOT_SCATTER,
    BM_PLOT_COMPARE,
    BM_PLOT_SWEEP,
    BM_PLOT_TIMELINE,
    BM_NR_PLOT_VIEWS
};

enum bm_plot_free {
    BM_PLOT_FREE_NONE = 0,
    BM_PLOT_FREE_X = 1,
    BM_PLOT_FREE_Y = 2,
};

/* --log-x, --linear: what the data suggest unless one was given. */
enum bm_plot_scale {
    BM_PLOT_SCALE_AUTO,
    BM_PLOT_SCALE_LOG,
    BM_PLOT_SCALE_LINEAR,
};

/* What was asked for; dimensions are names here, NULL if not given. */
struct bm_plot_options {
    struct bm_common common;
    struct bm_strvec args;
    struct bm_strvec labels; /* of the runs, in order */
    struct bm_strvec where;  /* DIM=VALUE */
    enum bm_measure measure;
    bool measure_given;
    enum bm_stat stat;
    enum bm_plot_view view;
    bool view_given;
    const char *pivot;
    const char *facet;
    const char *x;
    const char *color;
    unsigned free_axes; /* enum bm_plot_free */
    bool band;
    double clip; /* fold change, 0: not given */
    enum bm_plot_scale x_scale;
    enum bm_plot_scale y_scale;
    bool y_zero;
    bool open;
    uint64_t top; /* rows of ranked views, UINT64_MAX: not given */
};

/* The command; its input is a struct bm_plot_options. */
extern const struct bm_command bm_plot_command;

/* Names of --view; NULL at the end. */
extern const char *const bm_plot_view_names[];

/* One benchmark of one run. */
struct bm_plot_point {
    const struct bm_run_benchmark *benchmark;
    size_t row;    /* of the joined runs */
    size_t series; /* the run, or the value of --pivot */
    size_t run;
    const char *key; /* of the row */
    const char *facet;
    long double value;
    long double low; /* over the passes */
    long double high;
};

struct bm_plot {
    const struct bm_plot_options *options;
    struct bm_run **runs;
    size_t nr_runs;
    struct bm_joined joined;
    enum bm_measure measure;
    enum bm_unit unit;
    enum bm_plot_view view;
    struct bm_strvec series; /* labels, in order */
    struct bm_plot_point *points;
    size_t nr_points;
    struct bm_strvec notes; /* what the reader must know; shown and printed */
    const char *only;       /* the one benchmark that all of it is of, or NULL:
                               then no legend names it */
    struct bm_arena arena;
};

/* -- plot_points.c --------------------------------------------------------- */

/*
 * Fills points, series and measure from the runs; dies where nothing is left
 * or a dimension is unknown.
 */
void bm_plot_gather(struct bm_plot *plot);

/* A dimension of results/dimension.h, or the run. */
struct bm_plot_dimension {
    struct bm_dimension of;
    bool is_run;
    const char *text; /* as it was given */
};

/* Dies, listing what there is, if no benchmark has this dimension. */
struct bm_plot_dimension bm_plot_find_dimension(const struct bm_plot *plot,
                                                const char *option,
                                                const char *text);

/* NULL where the benchmark has no such thing. */
const char *bm_plot_dimension_text(const struct bm_plot *plot,
                                   const struct bm_plot_dimension *dimension,
                                   size_t run,
                                   const struct bm_run_benchmark *benchmark);

/* False where it is no number. */
bool bm_plot_dimension_number(const struct bm_plot_dimension *dimension,
                              const struct bm_run_benchmark *benchmark,
                              long double *number);

/* -- plot_axis.c ----------------------------------------------------------- */

/* The values that an axis has to hold, and what it is drawn with. */
struct bm_plot_axis {
    const char *title;
    enum bm_unit unit;
    bool log;
    bool own_ticks;    /* false where each panel has its own range */
    bool from_zero;    /* of a linear axis */
    bool any;          /* a value was added */
    long double min;   /* of positive values */
    long double max;   /* of all */
    bool zeros;        /* values of 0 there are */
    long double floor; /* where a log axis shows 0; set by _finish */
};

void bm_plot_axis_add(struct bm_plot_axis *axis, long double value);

/* Decides on log by `wanted`, and on the place of 0. */
void bm_plot_axis_finish(struct bm_plot_axis *axis, enum bm_plot_scale wanted);

/* Where a value stands: itself, or the floor for 0 on a log axis. */
double bm_plot_axis_place(const struct bm_plot_axis *axis, long double value);

/* A channel {field, type, title, scale, axis} of a specification. */
json_t *bm_plot_axis_channel(const struct bm_plot_axis *axis,
                             const char *field);

/* Of an axis of changes: the same to both sides of 0. */
json_t *bm_plot_change_ticks(enum bm_unit unit, long double most);

/* An expression that prints datum.value in the unit. */
const char *bm_plot_label_expression(enum bm_unit unit);

/* A ratio's channel: log, ticks at multiples, between least and most. */
json_t *bm_plot_ratio_channel(const char *field, json_t *title, double least,
                              double most);

/* -- plot_matrix.c --------------------------------------------------------- */

/* Points by key (rows) and series (columns); NULL where there is none. */
struct bm_plot_row {
    const char *key;
    const char *facet;
    const struct bm_plot_point **cells;
    long double weight; /* of _rank */
};

struct bm_plot_matrix {
    struct bm_plot_row *rows;
    size_t nr_rows;
    size_t nr_columns;
};

/* In the arena of the plot; rows in the order of their first point. */
struct bm_plot_matrix bm_plot_matrix_make(struct bm_plot *plot);

/*
 * Puts the heaviest rows first and cuts to as many as --top allows, with a
 * note of what is left out: "12 more of 72: " and `rest`.
 */
void bm_plot_matrix_rank(struct bm_plot *plot, struct bm_plot_matrix *matrix,
                         const char *rest);

/* -- plot_views.c ---------------------------------------------------------- */

/* The view that was asked for, or that fits the number of series. */
enum bm_plot_view bm_plot_choose_view(const struct bm_plot *plot);

/* The whole specification, a new reference. */
json_t *bm_plot_make_spec(struct bm_plot *plot);

/* "Largest number of live bytes (peak, minimum over the passes)" */
const char *bm_plot_title(struct bm_plot *plot);

/* json_pack, where failing is a bug. */
json_t *bm_plot_pack(const char *format, ...);

/* The keys of rows in order: how an axis of names is sorted. */
json_t *bm_plot_order(const struct bm_plot_matrix *matrix);

/* A string value of any text. */
json_t *bm_plot_string(const char *text);

/* The value as people read it, as a JSON string. */
json_t *bm_plot_value_text(const struct bm_plot *plot, long double value);

/*
 * What each view makes: rows of data into `rows`, the drawing into *unit, a
 * layer or a single mark. bm_plot_make_spec adds facets, title and settings.
 */
void bm_plot_scaling(struct bm_plot *plot, json_t *rows, json_t **unit);
void bm_plot_scatter(struct bm_plot *plot, json_t *rows, json_t **unit);
void bm_plot_compare(struct bm_plot *plot, json_t *rows, json_t **unit);
void bm_plot_sweep(struct bm_plot *plot, json_t *rows, json_t **unit);
/* plot_laws.c: rows of kind `law` behind those of scaling; false if none. */
bool bm_plot_add_laws(struct bm_plot *plot, json_t *rows, const char *param);

/* Scaling without a number to draw over. */
void bm_plot_bars(struct bm_plot *plot, json_t *rows, json_t **unit);
void bm_plot_timeline(struct bm_plot *plot, json_t *rows, json_t **unit);

/* -- plot_write.c, plot_picture.c ------------------------------------------ */

enum bm_plot_form {
    BM_PLOT_HTML,
    BM_PLOT_JSON,
    BM_PLOT_SVG,
    BM_PLOT_PNG,
    BM_PLOT_PDF,
};

/* By the suffix of --output; dies for one that is none of these. */
enum bm_plot_form bm_plot_form_of(const char *output);

void bm_plot_write_page(struct bm_plot *plot, const json_t *spec, FILE *file);

/* Dies where the build has no renderer or Node or librsvg is not there. */
void bm_plot_check_picture(enum bm_plot_form form);

/* -1 after an error. */
int bm_plot_write_picture(const json_t *spec, enum bm_plot_form form,
                          FILE *file);

#endif
