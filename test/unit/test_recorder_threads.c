/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Threads that allocate, pass blocks on, free those of others, and open and
 * close windows, all at once. What each did must add up in the profile, and
 * ThreadSanitizer must have nothing to say (a build of its own).
 */
#include "recorder_model.h"

#include "runtime/windows.h"

#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>

#include <setjmp.h>

#include <cmocka.h>

#define NR_THREADS 4u
#define NR_EVENTS 50000u
#define NR_SLOTS 256u
#define STACK_SP ((uintptr_t)0x7fff00000000)

struct setting {
    size_t step;          /* bytes between blocks */
    uint64_t max_size;    /* sizes are below it ... */
    uint64_t size_factor; /* ... times this */
    unsigned window_odds; /* an event in so many opens or closes a window */
    unsigned nr_values;   /* that each benchmark is called with */
};

/* What one thread did. */
struct tally {
    pthread_t thread;
    uint64_t random;
    uint64_t allocations, frees, allocated, freed;
    unsigned bench;
    bool in_window;
};

/* Slots are owned by whoever exchanged EMPTY or FULL for BUSY. */
enum slot { EMPTY, FULL, BUSY };

static const struct setting *setting;
static _Atomic uint32_t slots[NR_SLOTS];
static uint64_t sizes[NR_SLOTS];

static void event(struct bm_thread *thread, struct tally *tally)
{
    size_t i = model_random(&tally->random, NR_SLOTS);
    void *memory = core_address(i, setting->step);
    uint32_t had =
        atomic_exchange_explicit(&slots[i], BUSY, memory_order_acquire);
    uint32_t key = 2 + (uint32_t)model_random(&tally->random, CORE_SITES - 1);

    if (had == BUSY)
        return; /* whose it is will overwrite it as well */
    if (had == EMPTY) {
        sizes[i] = model_random(&tally->random, setting->max_size) *
                   setting->size_factor;
        core_alloc(thread, memory, sizes[i], key, STACK_SP - 64);
        tally->allocations++;
        tally->allocated += sizes[i];
    } else {
        core_free(thread, memory, STACK_SP - 64);
        tally->frees++;
        tally->freed += sizes[i];
    }
    atomic_store_explicit(&slots[i], had == EMPTY ? FULL : EMPTY,
                          memory_order_release);
}

static void window(struct bm_thread *thread, struct tally *tally)
{
    struct bm_caller caller = {.sp = STACK_SP};
    uint64_t value = model_random(&tally->random, setting->nr_values);

    if (tally->in_window) {
        bm_window_leave(thread, &caller, core_bench(tally->bench), 0);
    } else {
        tally->bench = (unsigned)model_random(&tally->random, 2);
        bm_window_enter(thread, &caller, core_bench(tally->bench), &value);
    }
    tally->in_window = !tally->in_window;
}

static void run(struct bm_thread *thread, struct tally *tally)
{
    for (unsigned i = 0; i < NR_EVENTS; i++) {
        if (setting->window_odds &&
            model_random(&tally->random, setting->window_odds) == 0)
            window(thread, tally);
        event(thread, tally);
    }
    if (tally->in_window)
        window(thread, tally);
}

static void *run_thread(void *tally)
{
    run(core_attach(), tally);
    return NULL;
}

static void check(const struct tally *tallies)
{
    struct bm_profile *profile = core_read();
    struct tally sum = {.allocations = 0};

    for (unsigned i = 0; i < NR_THREADS; i++) {
        sum.allocations += tallies[i].allocations;
        sum.frees += tallies[i].frees;
        sum.allocated += tallies[i].allocated;
        sum.freed += tallies[i].freed;
    }
    REQUIRE(profile->totals.allocations == sum.allocations);
    REQUIRE(profile->totals.frees == sum.frees);
    REQUIRE(profile->totals.allocated_bytes == sum.allocated);
    REQUIRE(profile->totals.freed_bytes == sum.freed);
    REQUIRE(profile->unknown_frees == 0 && profile->dropped == 0);
    REQUIRE(!setting->window_odds || profile->nr_benchmarks > 0);
    /* The peak that the recorder kept is the sum of at_peak. */
    REQUIRE(!(profile->flags & BM_STATE_IN_FLIGHT));
    bm_profile_free(profile);
}

static void run_case(const void *parameter)
{
    struct tally tallies[NR_THREADS];
    struct bm_thread *thread = core_start(true);

    setting = parameter;
    if (setting->step < 32)
        bm_be_careful(BM_CAREFUL_PACKED);
    for (unsigned i = 0; i < NR_THREADS; i++)
        tallies[i] = (struct tally){.random = i + 1};
    for (unsigned i = 1; i < NR_THREADS; i++)
        REQUIRE(pthread_create(&tallies[i].thread, NULL, run_thread,
                               &tallies[i]) == 0);
    run(thread, &tallies[0]);
    for (unsigned i = 1; i < NR_THREADS; i++)
        pthread_join(tallies[i].thread, NULL);
    check(tallies);
}

/*
 * Threads that meet again and again, each holding exactly what it may at
 * most: then, and only then, the process holds that many times as much.
 */
#define NR_MEETINGS 40u
#define MOST_HELD UINT64_C(100000)
#define OWN_SLOTS 64u

struct holder {
    pthread_t thread;
    uint64_t random;
    uint64_t live;
    uint64_t sizes[OWN_SLOTS]; /* plus 1, 0: free */
    size_t first;              /* of its own addresses */
};

static pthread_barrier_t meeting;

static void let_go(struct bm_thread *thread, struct holder *holder, size_t i)
{
    if (!holder->sizes[i])
        return;
    core_free(thread, core_address(holder->first + i, 32), STACK_SP - 64);
    holder->live -= holder->sizes[i] - 1;
    holder->sizes[i] = 0;
}

static void hold(struct bm_thread *thread, struct holder *holder, size_t i,
                 uint64_t size)
{
    let_go(thread, holder, i);
    core_alloc(thread, core_address(holder->first + i, 32), size, 2,
               STACK_SP - 64);
    holder->live += size;
    holder->sizes[i] = size + 1;
}

static void hold_and_meet(struct bm_thread *thread, struct holder *holder,
                          uint64_t most)
{
    for (unsigned i = 0; i < 1000; i++) {
        size_t slot = 1 + model_random(&holder->random, OWN_SLOTS - 1);
        uint64_t size = model_random(&holder->random, most / 16 + 1);

        let_go(thread, holder, slot);
        if (holder->live + size <= most)
            hold(thread, holder, slot, size);
    }
    hold(thread, holder, 0, most - holder->live);
    pthread_barrier_wait(&meeting); /* all hold all they may */
    pthread_barrier_wait(&meeting);
    for (size_t i = 0; i < OWN_SLOTS; i++)
        if (i == 0 || model_random(&holder->random, 4))
            let_go(thread, holder, i);
}

/* The highest meeting is neither the first nor the last. */
static uint64_t held_at(unsigned number)
{
    return MOST_HELD - (number < NR_MEETINGS / 2 ? NR_MEETINGS / 2 - number
                                                 : number - NR_MEETINGS / 2) *
                           1000;
}

static void meet(struct bm_thread *thread, struct holder *holder)
{
    for (unsigned i = 0; i < NR_MEETINGS; i++) {
        for (size_t slot = 0; slot < OWN_SLOTS; slot++)
            if (holder->live > held_at(i))
                let_go(thread, holder, slot);
        hold_and_meet(thread, holder, held_at(i));
    }
}

static void *meet_in_thread(void *holder)
{
    meet(core_attach(), holder);
    return NULL;
}

static void meet_case(const void *unused)
{
    static struct holder holders[NR_THREADS];
    struct bm_thread *thread = core_start(true);
    struct bm_profile *profile;

    (void)unused;
    pthread_barrier_init(&meeting, NULL, NR_THREADS);
    for (unsigned i = 0; i < NR_THREADS; i++)
        holders[i] = (struct holder){.random = i, .first = i * OWN_SLOTS};
    for (unsigned i = 1; i < NR_THREADS; i++)
        REQUIRE(pthread_create(&holders[i].thread, NULL, meet_in_thread,
                               &holders[i]) == 0);
    meet(thread, &holders[0]);
    for (unsigned i = 1; i < NR_THREADS; i++)
        pthread_join(holders[i].thread, NULL);
    profile = core_read();
    REQUIRE(!(profile->flags & BM_STATE_IN_FLIGHT));
    REQUIRE(profile->totals.peak_bytes == NR_THREADS * MOST_HELD);
    REQUIRE(profile->totals.at_peak_bytes == NR_THREADS * MOST_HELD);
    for (size_t i = 0; i < profile->nr_sites; i++)
        if (profile->sites[i].frame && profile->sites[i].frame->line == 2)
            REQUIRE(profile->sites[i].figures.peak_bytes ==
                    NR_THREADS * MOST_HELD);
    bm_profile_free(profile);
}

static void the_peak_is_that_of_all_together(void **state)
{
    (void)state;
    assert_true(core_run(meet_case, NULL));
}

static void everything_adds_up(void **state)
{
    (void)state;
    assert_true(core_run(run_case, &(struct setting){32, 1000, 1, 0, 0}));
}

static void everything_adds_up_in_windows(void **state)
{
    (void)state;
    assert_true(core_run(run_case, &(struct setting){32, 1000, 1, 30, 3}));
    assert_true(core_run(run_case, &(struct setting){32, 3, 1, 4, 3}));
}

/* A benchmark is filled before an event of an earlier pass can find it. */
static void benchmarks_come_all_the_time(void **state)
{
    (void)state;
    assert_true(core_run(run_case, &(struct setting){32, 3, 1, 4, 60}));
}

static void blocks_may_lie_close(void **state)
{
    (void)state;
    assert_true(core_run(run_case, &(struct setting){8, 8, 1, 0, 0}));
    assert_true(core_run(run_case, &(struct setting){8, 8, 1, 30, 3}));
}

static void blocks_may_be_huge(void **state)
{
    const uint64_t step = (uint64_t)1 << 37;

    (void)state;
    assert_true(core_run(run_case, &(struct setting){64, 5, step, 0, 0}));
    assert_true(core_run(run_case, &(struct setting){64, 5, step, 50, 3}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(everything_adds_up),
        cmocka_unit_test(the_peak_is_that_of_all_together),
        cmocka_unit_test(everything_adds_up_in_windows),
        cmocka_unit_test(benchmarks_come_all_the_time),
        cmocka_unit_test(blocks_may_lie_close),
        cmocka_unit_test(blocks_may_be_huge),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
