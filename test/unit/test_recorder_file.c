/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The profile while it is written: readable after every record, growing,
 * and what happens once it can grow no more.
 */
#include "recorder_core.h"

#include "profile/records.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>

#include <cmocka.h>

static void limit_file(rlim_t size)
{
    struct rlimit limit = {size, RLIM_INFINITY};

    REQUIRE(setrlimit(RLIMIT_FSIZE, &limit) == 0);
}

/* False if there is no more room. */
static bool try_note(struct bm_thread *thread, size_t size)
{
    char text[512];
    struct bm_record_note record = {.text = {text, size}};

    memset(text, 'x', sizeof(text));
    REQUIRE(bm_pack_note(bm_record_begin(thread), &record) == 0);
    return bm_file_append(thread, 0) != NULL;
}

static void write_note(struct bm_thread *thread, size_t size)
{
    REQUIRE(try_note(thread, size));
}

static void every_length_of_record_reads(const void *unused)
{
    struct bm_thread *thread = core_start(false);

    (void)unused;
    for (size_t size = 0; size < 300; size++) {
        struct bm_profile *profile;

        write_note(thread, size);
        profile = core_read();
        REQUIRE(profile->nr_notes == size + 1);
        REQUIRE(strlen(profile->notes[size]) == size);
        bm_profile_free(profile);
    }
}

static void words_are_aligned_wherever_they_fall(const void *unused)
{
    struct bm_thread *thread = core_start(false);
    static const uint64_t zeros[BM_NR_WORDS_ledger];

    (void)unused;
    for (size_t size = 0; size < 40; size++) {
        struct bm_record_ledger record = {
            .benchmark = size * size * size,
            .ledger = {zeros, BM_NR_WORDS_ledger},
        };

        write_note(thread, size);
        REQUIRE(bm_pack_ledger(bm_record_begin(thread), &record) == 0);
        uint64_t *words = bm_file_append(thread, BM_NR_WORDS_ledger);
        REQUIRE(words && (uintptr_t)words % 16 == 0);
    }
}

static void too_long_a_record_is_refused(const void *unused)
{
    static char text[BM_RECORD_MAX];
    struct bm_thread *thread = core_start(false);
    struct bm_record_note record = {.text = {text, sizeof(text)}};

    (void)unused;
    memset(text, 'y', sizeof(text));
    REQUIRE(bm_pack_note(bm_record_begin(thread), &record) != 0);
    REQUIRE(bm_file_append(thread, 0) == NULL);
    write_note(thread, 5);
    bm_profile_free(core_read());
}

/* Keys that find no room share `outside`, and nothing is lost. */
static void a_full_file_keeps_the_totals(const void *unused)
{
    struct bm_thread *thread = core_start(false);
    struct bm_profile *profile;
    uint64_t size = 0;

    (void)unused;
    limit_file(32 * 1024);
    while (try_note(thread, 100))
        ;
    for (uint32_t i = 0; i < 2000; i++) {
        core_alloc(thread, core_address(i, 32), i, 2 + i % 15, 0);
        size += i;
    }
    for (uint32_t i = 0; i < 2000; i += 2)
        core_free(thread, core_address(i, 32), 0);

    profile = core_read();
    REQUIRE(profile->flags & BM_STATE_FILE_FULL);
    REQUIRE(profile->totals.allocations == 2000);
    REQUIRE(profile->totals.allocated_bytes == size);
    REQUIRE(profile->totals.frees == 1000);
    REQUIRE(profile->totals.peak_bytes == size);
    REQUIRE(profile->unknown_frees == 0 && profile->dropped == 0);
    REQUIRE(profile->sites[BM_KEY_OTHER - 1].figures.allocations == 2000);
    bm_profile_free(profile);
}

static void cases_hold(void **state)
{
    static void (*const cases[])(const void *) = {
        every_length_of_record_reads,
        words_are_aligned_wherever_they_fall,
        too_long_a_record_is_refused,
        a_full_file_keeps_the_totals,
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        assert_true(core_run(cases[i], NULL));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cases_hold)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
