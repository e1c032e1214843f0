/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ends.h"
#include "next.h"
#include "process.h"
#include "public.h"

#include <stdlib.h>
#include <unistd.h>

#ifdef BM_STATIC
extern __typeof(_exit) __real__exit;
#endif

void bm_interposed__exit(int status)
{
    bm_process_exits(status, __builtin_frame_address(0));
    BM_REAL(_exit)(status);
    __builtin_unreachable();
}

BM_EXPORT_AS(BM_PUBLIC(_exit), bm_interposed__exit);
BM_EXPORT_AS(BM_PUBLIC(_Exit), bm_interposed__exit);
