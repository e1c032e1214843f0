/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Passes of which time or resident size was measured in place of memory.
 * What was not measured is shown nowhere.
 */
#ifndef BENCHMEM_TOOLS_MEASURED_H
#define BENCHMEM_TOOLS_MEASURED_H

#include "base/json.h"
#include "base/table.h"
#include "tools/report.h"
#include "tools/report_cells.h"

/* Whether memory was measured of any pass. */
bool bm_measured_memory(const struct bm_benchmark_info *benchmark);

/* Whether no block was recorded at all, so that totals mean nothing. */
bool bm_measured_no_memory(const struct bm_profile *profile);

/* The minimum over the passes; 0 where none was measured so. */
uint64_t bm_measured_time(const struct bm_benchmark_info *benchmark);
uint64_t bm_measured_setup_rss(const struct bm_benchmark_info *benchmark);
uint64_t bm_measured_rss(const struct bm_benchmark_info *benchmark);

/* The columns of these, in this order. */
void bm_measured_columns(struct bm_columns *columns, bool time, bool rss);

/*
 * The table of benchmarks of a profile without any memory: time, or both
 * peaks of the resident size. False where there is memory to show.
 */
bool bm_measured_table(const struct bm_view *view, struct bm_table *table);

/* The keys of a pass, those of what was measured; memory is null if not. */
void bm_measured_pass(struct bm_json *json, const struct bm_pass_info *pass);

/* What a benchmark declares of itself, its labels and failures. */
void bm_measured_declared(struct bm_json *json,
                          const struct bm_benchmark_info *benchmark);

#endif
