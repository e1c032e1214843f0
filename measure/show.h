/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The results of a run on standard output: a row for each benchmark, what was
 * timed left of a bar and memory right of it; how figures grow with a
 * parameter; which sites vary. As text or Markdown; CSV has the first table
 * alone, with exact figures, and JSON is the manifest of docs/saved-runs.md.
 */
#ifndef BENCHMEM_MEASURE_SHOW_H
#define BENCHMEM_MEASURE_SHOW_H

#include "measure/session.h"

void bm_show_results(struct bm_session *session, FILE *file);

/* As JSON, with keys of its own for growth and for sites that vary. */
void bm_show_json(struct bm_session *session, FILE *file);

#endif
