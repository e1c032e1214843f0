/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ends.h"
#include "next.h"
#include "process.h"
#include "public.h"

#include <stdlib.h>
#include <unistd.h>

#ifdef BM_STATIC
extern __typeof(_exit) __real__exit;
extern __typeof(_exit) __real__Exit;
#endif

void bm_interposed__exit(int status)
{
    bm_process_exits(status, __builtin_frame_address(0));
    BM_REAL(_exit)(status);
}

BM_EXPORT_AS(BM_PUBLIC(_exit), bm_interposed__exit);

#ifdef BM_STATIC
/* Each goes on to its own: musl's _exit calls _Exit. */
static void interposed_Exit(int status)
{
    bm_process_exits(status, __builtin_frame_address(0));
    __real__Exit(status);
}

BM_EXPORT_AS(BM_PUBLIC(_Exit), interposed_Exit);
#else
BM_EXPORT_AS(BM_PUBLIC(_Exit), bm_interposed__exit);
#endif
