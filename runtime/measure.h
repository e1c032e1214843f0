/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the recorder measures of windows: their memory, or in its place their
 * time, or the largest resident size of the process before and after them.
 * Then no block is recorded and nothing of the block table is touched
 * (BM_MEASURING of guard.h). Any thread; only the window's opener and closer
 * may take the resident size, which are never two at once.
 */
#ifndef BENCHMEM_RUNTIME_MEASURE_H
#define BENCHMEM_RUNTIME_MEASURE_H

#include "options.h"

#include <stdint.h>

/* Values of the option `measure`. */
enum bm_measure {
    BM_MEASURE_MEMORY,
    BM_MEASURE_TIME,
    BM_MEASURE_RSS,
};

/* Nanoseconds of the monotonic clock; 0 unless time is measured. */
uint64_t bm_measure_time(void);

/* Bytes, from VmHWM of /proc; 0 unless that is measured or it is not told. */
uint64_t bm_measure_rss(void);

#endif
