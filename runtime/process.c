/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "process.h"

#include "file.h"
#include "gauge.h"
#include "guard.h"

#include "../profile/profile.h"
#include "../profile/records.h"

#include <stdlib.h>

/* Only the low byte of a status reaches the parent: exit(3). */
#define STATUS_MASK 0xff

static void note_exit(int status, void *argument)
{
    uint64_t *state = bm_file_state();

    (void)argument;
    /* In a forked child without an event the map is the parent's. */
    if (bm_state_get() != BM_RUNNING || !state)
        return;
    bm_word_set(&state[BM_STATE_end_value], (uint64_t)status & STATUS_MASK);
    bm_word_set(&state[BM_STATE_end_kind], BM_END_STATUS);
}

void bm_process_watch_exit(void)
{
    if (bm_state_get() == BM_RUNNING)
        on_exit(note_exit, NULL);
}
