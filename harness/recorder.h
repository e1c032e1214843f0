/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the harness asks of the recorder beyond <benchmem/benchmem.h>. Weak: a
 * program without benchmem has none, and memory is not measured.
 */
#ifndef BENCHMEM_HARNESS_RECORDER_H
#define BENCHMEM_HARNESS_RECORDER_H

#define BENCHMEM_RECORDER_SIDE_
#include <benchmem/benchmem.h>

/* As the values of the recorder's option `measure`. */
enum bm_mode {
    BM_MODE_MEMORY,
    BM_MODE_TIME,
    BM_MODE_RSS,
    BM_NR_MODES,
};

/*
 * What the recorder measures, as enum bm_mode; -1 if it records nothing. From
 * memory it can be turned to `wanted` = BM_MODE_TIME, for good; -1 only asks.
 */
BENCHMEM_RECORDER_ int benchmem_recorder_mode(int wanted);

#endif
