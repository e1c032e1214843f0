/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Saves with the recorder's core and the real reader: what a group of sites
 * saves, and what comes of a turn that is never given back.
 */
#include "recorder_core.h"

#include "runtime/saves.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define SP ((uintptr_t)0x7fff00000000)

static struct bm_thread *start(void)
{
    bm_options.saves = 1;
    bm_saves_start();
    struct bm_thread *thread = core_start(false);
    bm_saves_begin_process();
    return thread;
}

static uint64_t saves(const struct bm_profile *profile,
                      enum bm_saved_level level, uint64_t of)
{
    const struct bm_saving_info *info =
        bm_profile_saving(profile, 0, level, of);

    REQUIRE(info);
    return info->saves_bytes;
}

/* Sites 2 and 5 are function 3, sites 3 and 8 type 4: see bm_groups_of. */
static void groups(const void *parameter)
{
    struct bm_thread *thread = start();

    (void)parameter;
    core_alloc(thread, core_address(0, 64), 60, 2, SP);
    core_alloc(thread, core_address(1, 64), 40, 3, SP); /* 100: the peak */
    core_free(thread, core_address(0, 64), SP);
    core_alloc(thread, core_address(2, 64), 50, 5, SP); /* 90 */
    struct bm_profile *profile = core_read();
    REQUIRE(profile->totals.peak_bytes == 100);
    REQUIRE(saves(profile, BM_SAVED_SITE, 2) == 10);
    REQUIRE(saves(profile, BM_SAVED_SITE, 3) == 40);
    REQUIRE(saves(profile, BM_SAVED_SITE, 5) == 0);
    REQUIRE(saves(profile, BM_SAVED_FUNCTION, 3) == 60);
    REQUIRE(saves(profile, BM_SAVED_TYPE, 4) == 40);
    bm_profile_free(profile);
}

/* One that jumped out of an event has its turn no longer, nor has any other. */
static void left_by_a_jump(const void *parameter)
{
    struct bm_thread *thread = start();

    (void)parameter;
    core_alloc(thread, core_address(0, 64), 60, 2, SP);
    REQUIRE(bm_saves_take_turn(thread));
    bm_saves_left(thread);
    REQUIRE(!bm_saves_take_turn(thread));
    core_alloc(thread, core_address(1, 64), 40, 3, SP);
    struct bm_profile *profile = core_read();
    REQUIRE(profile->totals.peak_bytes == 100);
    REQUIRE(profile->flags & BM_STATE_UNSAVED);
    REQUIRE(profile->nr_savings == 0);
    bm_profile_free(profile);
}

static void *one_event(void *unused)
{
    core_alloc(core_attach(), core_address(1, 64), 40, 3, SP);
    return unused;
}

/* A thread that waits has its event counted whether it gets a turn or not. */
static void never_given_back(const void *parameter)
{
    struct bm_thread *thread = start();
    pthread_t other;

    (void)parameter;
    core_alloc(thread, core_address(0, 64), 60, 2, SP);
    REQUIRE(bm_saves_take_turn(thread));
    REQUIRE(pthread_create(&other, NULL, one_event, NULL) == 0);
    REQUIRE(pthread_join(other, NULL) == 0);
    bm_saves_give_turn();
    struct bm_profile *profile = core_read();
    REQUIRE(profile->totals.peak_bytes == 100);
    REQUIRE(profile->flags & BM_STATE_UNSAVED);
    bm_profile_free(profile);
}

static void check(void **state)
{
    assert_true(core_run((void (*)(const void *)) * state, NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        {"groups", check, NULL, NULL, (void *)groups},
        {"left_by_a_jump", check, NULL, NULL, (void *)left_by_a_jump},
        {"never_given_back", check, NULL, NULL, (void *)never_given_back},
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
