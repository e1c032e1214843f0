/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ends.h"
#include "next.h"
#include "process.h"
#include "public.h"

#include <stdlib.h>

#ifdef BM_STATIC
extern __typeof(quick_exit) __real_quick_exit;
#endif

/* A handler of at_quick_exit may still end it otherwise, by _exit. */
void bm_interposed_quick_exit(int status)
{
    bm_process_exits(status, __builtin_frame_address(0));
    BM_REAL(quick_exit)(status);
}

BM_EXPORT_AS(BM_PUBLIC(quick_exit), bm_interposed_quick_exit);
