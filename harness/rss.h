/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The largest resident size that this process ever had (VmHWM), in bytes; 0
 * where /proc does not tell. Allocates nothing. ru_maxrss would be the
 * parent's where that is larger: it survives exec.
 */
#ifndef BENCHMEM_HARNESS_RSS_H
#define BENCHMEM_HARNESS_RSS_H

#include <stdint.h>

uint64_t bm_rss_peak(void);

#endif
