/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Pieces of a report's JSON that come in several places of it.
 */
#ifndef BENCHMEM_TOOLS_REPORT_JSON_H
#define BENCHMEM_TOOLS_REPORT_JSON_H

#include "base/json.h"
#include "tools/report.h"

/* A line or column: null for 0. */
void bm_put_line(struct bm_json *json, const char *key, uint32_t value);

/* Ids are hashes of 64 bits, which no number of JavaScript holds: a string. */
void bm_put_id(struct bm_json *json, const char *key, uint64_t id);

/* "file", "dir", "line", "column", "function"; all null for `outside`. */
void bm_put_place(struct bm_json *json, const struct bm_frame_info *frame);

/* "peak_ordinal": null where it is not known. */
void bm_put_ordinal(struct bm_json *json, const struct bm_figures *f);

/* Figures of which all but the own high-water mark may be known (peak). */
void bm_put_figures(struct bm_json *json, const struct bm_figures *f,
                    bool peak);

/* The figures of a row of the ranking. */
void bm_put_row(struct bm_json *json, const struct bm_ranking *ranking,
                const struct bm_row *row);

/* "saves_bytes", where it was recorded; null if not of this one. */
void bm_put_saves(struct bm_json *json, uint64_t saves, bool known);

/* What became of the bytes. */
void bm_put_access(struct bm_json *json, const struct bm_access *access);

/* "sites" of the process (benchmark NULL) or of a benchmark. */
void bm_put_sites(struct bm_json *json, struct bm_view *view,
                  const struct bm_benchmark_info *benchmark);

/* "processes" of a merged profile, "runs" of one of several runs. */
void bm_put_processes(struct bm_json *json, const struct bm_profile *profile);

/* "elided". */
void bm_put_elided(struct bm_json *json, const struct bm_view *view);

#endif
