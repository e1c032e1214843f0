/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What several profiles say goes into the merged one, none of it lost. */
#include "full_profile.h"
#include "same_profile.h"

#include "tools/merging.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

static struct bm_profile *merge(const struct bm_profile *const *profiles,
                                size_t nr, enum bm_merging kind)
{
    int fd = memfd_create("merged", MFD_CLOEXEC);
    struct bm_profile_error error;
    struct bm_profile *merged;
    char path[32];

    assert_true(fd >= 0);
    assert_int_equal(bm_merging_write(profiles, nr, kind, "w", fd), 0);
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    merged = bm_profile_read(path, &error);
    assert_non_null(merged);
    close(fd);
    return merged;
}

static void one_run_stays_as_it_is(void **state)
{
    struct bm_profile *profile = full_profile(0, BM_SYMBOLS_DYNAMIC);
    const struct bm_profile *one = profile;
    struct bm_profile *merged = merge(&one, 1, BM_MERGING_RUNS);

    (void)state;
    assert_int_equal(merged->flags, profile->flags | BM_STATE_RUNS);
    /* But for that flag and its note. */
    merged->flags = profile->flags;
    merged->nr_notes = profile->nr_notes;
    assert_null(profiles_differ(profile, merged));
    bm_profile_free(merged);
    bm_profile_free(profile);
}

static void passes_of_all_keep_all_figures(void **state)
{
    struct bm_profile *profile = full_profile(0, BM_SYMBOLS_DYNAMIC);
    const struct bm_profile *two[] = {profile, profile};
    static const enum bm_merging kinds[] = {BM_MERGING_PROCESSES,
                                            BM_MERGING_RUNS};

    (void)state;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        struct bm_profile *merged = merge(two, 2, kinds[i]);
        const struct bm_benchmark_info *info = &merged->benchmarks[0];

        assert_int_equal(merged->nr_benchmarks, 2);
        assert_int_equal(info->nr_passes, 4);
        for (size_t pass = 0; pass < 4; pass++)
            assert_memory_equal(&info->passes[pass],
                                &profile->benchmarks[0].passes[pass % 2],
                                sizeof(info->passes[pass]));
        assert_int_equal(info->nr_more_passes, 4);
        assert_int_equal(info->more_time.sum, 60);
        bm_profile_free(merged);
    }
    bm_profile_free(profile);
}

/* Its frames lack names wherever one profile found none. */
static void a_module_has_the_worst_symbols_of_all(void **state)
{
    static const enum bm_symbol_source sources[][3] = {
        {BM_SYMBOLS_UNTRIED, BM_SYMBOLS_DEBUG, BM_SYMBOLS_DEBUG},
        {BM_SYMBOLS_DEBUG, BM_SYMBOLS_ABSENT, BM_SYMBOLS_ABSENT},
        {BM_SYMBOLS_NONE, BM_SYMBOLS_TABLE, BM_SYMBOLS_NONE},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(sources) / sizeof(sources[0]); i++) {
        struct bm_profile *first = full_profile(0, sources[i][0]);
        struct bm_profile *second = full_profile(0, sources[i][1]);
        const struct bm_profile *two[] = {first, second};
        struct bm_profile *merged = merge(two, 2, BM_MERGING_PROCESSES);

        assert_int_equal(merged->nr_modules, 1);
        assert_int_equal(merged->modules[0].symbols, sources[i][2]);
        bm_profile_free(merged);
        bm_profile_free(second);
        bm_profile_free(first);
    }
}

static void failures_are_told(void **state)
{
    struct bm_profile *profile = full_profile(0, BM_SYMBOLS_DYNAMIC);
    const struct bm_profile *one = profile;
    int full = open("/dev/full", O_WRONLY);

    (void)state;
    assert_int_equal(bm_merging_write(&one, 1, BM_MERGING_RUNS, "w", full), -1);
    assert_int_equal(errno, ENOSPC);
    assert_int_equal(bm_merging_write(&one, 1, BM_MERGING_RUNS, "w", -1), -1);
    assert_int_equal(errno, EBADF);
    close(full);
    bm_profile_free(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_run_stays_as_it_is),
        cmocka_unit_test(passes_of_all_keep_all_figures),
        cmocka_unit_test(a_module_has_the_worst_symbols_of_all),
        cmocka_unit_test(failures_are_told),
    };

    return cmocka_run_group_tests_name("merging", tests, NULL, NULL);
}
