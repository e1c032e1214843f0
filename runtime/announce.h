/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * __benchmem_note, _push and _pop: what instrumented code says of calls that
 * no return address tells (abi.h). Called from it on any thread; each leaves
 * a word in its thread's attribution, in the copy that is the recorder.
 */
#ifndef BENCHMEM_RUNTIME_ANNOUNCE_H
#define BENCHMEM_RUNTIME_ANNOUNCE_H

#include "attribute.h"

enum bm_announcement {
    BM_ANNOUNCE_NOTE,      /* caller is the function that jumps */
    BM_ANNOUNCE_RETURN_TO, /* caller is where the jump will return to */
    BM_ANNOUNCE_PUSH,
    BM_ANNOUNCE_POP,
};

/* In the recorder; other copies come here through struct bm_runtime. */
void bm_announce(enum bm_announcement what, const struct bm_caller *caller,
                 struct bm_use *use);

#endif
