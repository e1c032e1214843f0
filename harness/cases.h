/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The cases of the program: each benchmark with each combination of its
 * parameters, the first dimension slowest. Made once, kept until the program
 * ends. Mistakes in definitions end the program with status 2.
 */
#ifndef BENCHMEM_HARNESS_CASES_H
#define BENCHMEM_HARNESS_CASES_H

#include "options.h"

#include "recorder.h"

struct bm_case {
    const struct benchmem_benchmark *benchmark;
    struct benchmem_value *params;
    uint32_t nr_params;
    char *id; /* FILE::NAME[PARAMS], as reports of profiles show it */
    bool is_selected;
};

struct bm_cases {
    struct bm_case *items;
    size_t nr;
};

void bm_cases_make(struct bm_cases *out);

/* Marks what options ask for; unknown names end the program with a list. */
void bm_cases_select(struct bm_cases *cases,
                     const struct bm_harness_options *options);

/* --list */
void bm_cases_print(const struct bm_cases *cases, bool json);

/* Whether list, of names with commas, holds name. */
bool bm_case_is_in_suite(const struct bm_case *c, const char *name,
                         size_t size);

#endif
