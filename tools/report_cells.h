/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the tables of a report share: columns that are put together as they
 * are needed, and the names of rows. Strings live as long as the table.
 */
#ifndef BENCHMEM_TOOLS_REPORT_CELLS_H
#define BENCHMEM_TOOLS_REPORT_CELLS_H

#include "tools/report.h"

#define BM_MOST_COLUMNS 24

struct bm_columns {
    struct bm_column items[BM_MOST_COLUMNS];
    size_t count;
};

void bm_columns_add(struct bm_columns *columns, const char *title,
                    const char *key, unsigned flags);

/* bm_table_init with a copy of the columns, which the table owns. */
void bm_columns_begin(const struct bm_columns *columns, struct bm_table *table);

/* The frames of a row's path, the innermost first, inlined ones each. */
struct bm_frames {
    const struct bm_frame_info **items; /* to be freed */
    size_t count;
    size_t room;
};

/* Empties frames first, so that one serves for many rows. */
void bm_frames_of(const struct bm_site_info *site,
                  const struct bm_path_info *path, struct bm_frames *frames);

/* "file:line function", or what is known of `outside`. */
const char *bm_name_of_site(struct bm_view *view, struct bm_table *table,
                            const struct bm_row *row);

/*
 * One line for each frame, outermost first; all: none of many is left out.
 * Made when the table is written: view must live until then, row need not.
 */
struct bm_cell bm_cell_of_path(struct bm_view *view, struct bm_table *table,
                               const struct bm_row *row, bool all);

struct bm_ranked_benchmark {
    const struct bm_benchmark_info *benchmark;
    uint64_t value; /* its headline by --worst */
};

/*
 * The benchmarks of a profile, or the one that is shown alone, in the order
 * of the program or ranked; to be freed.
 */
struct bm_ranked_benchmark *bm_benchmarks_of(const struct bm_view *view,
                                             bool ranked, size_t *count);

#endif
