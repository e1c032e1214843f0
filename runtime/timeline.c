/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "timeline.h"

#include "blocks.h"
#include "file.h"
#include "ledger.h"

#include <stdatomic.h>
#include <string.h>

/* Of the first stretches, as a power of two: small programs have a course. */
#define FIRST_SHIFT 6

static struct {
    _Atomic uint64_t allocated;
    atomic_flag busy;
    unsigned shift;                    /* a stretch is 2^shift bytes long */
    uint64_t *moments[BM_MAX_MOMENTS]; /* words of each; NULL: none so far */
} line = {.busy = ATOMIC_FLAG_INIT, .shift = FIRST_SHIFT};

void bm_timeline_start(void)
{
    if (bm_options.timeline)
        bm_be_careful(BM_CAREFUL_TIMELINE);
}

static uint64_t *append_moment(struct bm_thread *thread)
{
    static const uint64_t zeros[BM_NR_WORDS_moment];
    msgpack_packer *packer = bm_record_begin(thread);
    struct bm_record_moment record = {.moment = {zeros, BM_NR_WORDS_moment}};

    if (!packer || bm_pack_moment(packer, &record) != 0)
        return NULL;
    return bm_file_append(thread, BM_NR_WORDS_moment);
}

static void join(uint64_t *into, const uint64_t *from)
{
    uint64_t live = bm_word_get(&from[BM_MOMENT_live]);
    uint64_t allocated = bm_word_get(&from[BM_MOMENT_allocated]);

    if (live > bm_word_get(&into[BM_MOMENT_live]))
        bm_word_set(&into[BM_MOMENT_live], live);
    if (allocated > bm_word_get(&into[BM_MOMENT_allocated]))
        bm_word_set(&into[BM_MOMENT_allocated], allocated);
}

static void clear(uint64_t *moment)
{
    bm_word_set(&moment[BM_MOMENT_allocated], 0);
    bm_word_set(&moment[BM_MOMENT_live], 0);
}

/*
 * Two by two from the front. A moment's words stay where they are in the
 * file; one that is free again is all 0, which readers leave out.
 */
static void halve(void)
{
    line.shift++;
    for (unsigned i = 0; i < BM_MAX_MOMENTS; i++) {
        uint64_t *from = line.moments[i], *into = line.moments[i / 2];

        if (!from || i / 2 == i)
            continue;
        if (!into || i % 2 == 0) {
            /* The place is free: its moment was moved on before. */
            line.moments[i / 2] = from;
            line.moments[i] = into;
        } else {
            join(into, from);
            clear(from);
        }
    }
}

static uint64_t *moment_at(struct bm_thread *thread, uint64_t index)
{
    if (!line.moments[index])
        line.moments[index] = append_moment(thread);
    return line.moments[index];
}

void bm_timeline_look(struct bm_thread *thread, uint64_t size)
{
    uint64_t allocated = size + atomic_fetch_add_explicit(&line.allocated, size,
                                                          memory_order_relaxed);

    /* Acquire and release hand the moments from one thread to the next. */
    if (atomic_flag_test_and_set_explicit(&line.busy, memory_order_acquire))
        return;
    while (allocated >> line.shift >= BM_MAX_MOMENTS)
        halve();
    uint64_t *moment = moment_at(thread, allocated >> line.shift);
    if (moment) {
        uint64_t live = bm_gauge_live(&bm_total.gauge);

        if (allocated > bm_word_get(&moment[BM_MOMENT_allocated]))
            bm_word_set(&moment[BM_MOMENT_allocated], allocated);
        if (live > bm_word_get(&moment[BM_MOMENT_live]))
            bm_word_set(&moment[BM_MOMENT_live], live);
    }
    atomic_flag_clear_explicit(&line.busy, memory_order_release);
}

uint64_t bm_timeline_now(void)
{
    return atomic_load_explicit(&line.allocated, memory_order_relaxed);
}

void bm_timeline_after_fork(void)
{
    memset(line.moments, 0, sizeof(line.moments));
    line.shift = FIRST_SHIFT;
    atomic_store_explicit(&line.allocated, 0, memory_order_relaxed);
    /* Its holder, if there was one, is not in this process. */
    atomic_flag_clear_explicit(&line.busy, memory_order_relaxed);
}
