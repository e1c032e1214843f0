/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The properties that benchmarks can be grouped, folded, filtered or drawn by:
 *
 *   fullname    FILE::NAME[PARAMS]           name    NAME[PARAMS]
 *   function    NAME                         file    FILE
 *   group       of the source                suite   of the source
 *   param:NAME  an argument                  extra:NAME  a label or number
 *
 * A name that is none of these is taken as a parameter or, where no benchmark
 * has such a one, as an extra. `node.` in front is allowed, and func, module
 * are other names of function, file.
 */
#ifndef BENCHMEM_RESULTS_DIMENSION_H
#define BENCHMEM_RESULTS_DIMENSION_H

#include "base/str.h"
#include "results/results.h"

enum bm_dimension_kind {
    BM_DIMENSION_FULLNAME,
    BM_DIMENSION_NAME,
    BM_DIMENSION_FUNCTION,
    BM_DIMENSION_FILE,
    BM_DIMENSION_GROUP,
    BM_DIMENSION_SUITE,
    BM_DIMENSION_PARAM,
    BM_DIMENSION_EXTRA,
    BM_DIMENSION_ANY, /* a parameter, or else an extra */
};

struct bm_dimension {
    enum bm_dimension_kind kind;
    const char *name; /* of the last three; borrowed from the text */
    const char *text; /* as it was given */
};

/* False if text is empty or a prefix without a name. text is borrowed. */
bool bm_dimension_parse(const char *text, struct bm_dimension *dimension);

/* The typed value of a parameter or extra, NULL where there is none. */
const struct bm_param_info *
bm_dimension_value(const struct bm_dimension *dimension,
                   const struct bm_run_benchmark *benchmark);

/* The value as text, in the arena or borrowed; NULL where there is none. */
const char *bm_dimension_text(const struct bm_dimension *dimension,
                              const struct bm_run_benchmark *benchmark);

/* NAME[PARAMS]: the id without FILE; "(process)" of the process. */
const char *bm_benchmark_name(const struct bm_run_benchmark *benchmark);

/* True if a benchmark of the runs has it; of those with a name of their own. */
bool bm_dimension_is_known(const struct bm_dimension *dimension,
                           struct bm_run *const *runs, size_t nr_runs);

/* "n, kind, extra:label": what the runs' benchmarks have, for errors. */
void bm_dimension_list(struct bm_str *out, struct bm_run *const *runs,
                       size_t nr_runs);

#endif
