/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A measured run from its beginning to its exit status: outputs are settled,
 * the modes taken in their order, the results shown, judged and kept.
 */
#ifndef BENCHMEM_MEASURE_MEASURE_H
#define BENCHMEM_MEASURE_MEASURE_H

#include "measure/options.h"

/*
 * path is the program's file, self this program's. The exit status: that of
 * the program if it failed, 2 after an error, 1 where a limit does not hold.
 */
int bm_measure(struct bm_measuring *m, const char *path, const char *self);

#endif
