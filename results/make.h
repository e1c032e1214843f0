/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How a run comes into being; for the readers of results/ and for measure/.
 *
 * Benchmarks are added one by one. Where one of the same id is there already
 * (a folder may hold a profile for each repetition), its passes go behind
 * those that are there.
 */
#ifndef BENCHMEM_RESULTS_MAKE_H
#define BENCHMEM_RESULTS_MAKE_H

#include "base/json.h"
#include "results/results.h"

#include <stdio.h>

/* Both are copied; label NULL: made from source. */
struct bm_run *bm_run_new(const char *source, const char *label);

/* File name without folder and without .json, .bmem. In the run's arena. */
const char *bm_run_stem(struct bm_run *run, const char *path);

/*
 * The benchmark of this id, new and empty but for its id if it was not there.
 * The pointer is valid until the next call; the id is copied.
 */
struct bm_run_benchmark *bm_run_take(struct bm_run *run, const char *id);

/* Room for count values more, behind those that are there. */
uint64_t *bm_series_extend(struct bm_run *run, struct bm_series *series,
                           size_t count);

void bm_series_add_more(struct bm_series *series, const struct bm_range *more,
                        uint64_t count);

/* NULL after an error. */
struct bm_profile *bm_run_read(const char *path);

/* Adds the benchmarks of a profile; the whole process. */
void bm_run_add_profile(struct bm_run *run, const struct bm_profile *profile);

/* Its parts: one benchmark with the passes that it has; the process. */
void bm_run_add_benchmark(struct bm_run *run,
                          const struct bm_benchmark_info *info);
void bm_run_add_process(struct bm_run *run, const struct bm_profile *profile);

/* The profile is the run's first one, which owns it from here on. */
void bm_run_own_profile(struct bm_run *run, struct bm_profile *profile);

/* The JSON of bm_run_write_json, with the caller's keys behind its own. */
void bm_run_write_json_with(const struct bm_run *run, FILE *file,
                            void (*more)(struct bm_json *, void *),
                            void *context);

/* What the profile tells of where the run comes from. */
void bm_run_describe(struct bm_run *run, const struct bm_profile *profile);

/* The value as text, for those that are in no id; in the run's arena. */
const char *bm_run_value_text(struct bm_run *run,
                              const struct bm_param_info *value);

/* Index in run->benchmarks, SIZE_MAX if there is none of this id. */
size_t bm_run_number(const struct bm_run *run, const char *id);

/* Remembers which benchmark is in which profile. */
void bm_run_index_profile(struct bm_run *run, const struct bm_profile *profile);

/* Reads a saved run or a report, of which path is the file. NULL: error. */
struct bm_run *bm_run_read_json(const char *path);

#endif
