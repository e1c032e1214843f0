/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The small form: what was read reads back, and every failure is told. */
#include "build_profile.h"
#include "full_profile.h"
#include "same_profile.h"
#include "synthetic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static struct bm_profile *make(const struct synthetic *what)
{
    struct bm_profile_error error;
    struct bm_profile *profile;
    struct builder b;

    builder_init(&b);
    assert_int_equal(synthetic_pack(&b.packer, what), 0);
    profile = builder_parse(&b, &error);
    assert_non_null(profile);
    builder_clear(&b);
    return profile;
}

static void all_kinds_of_profiles_read_back(void **state)
{
    static const struct synthetic cases[] = {
        {.sites = 1},
        {.sites = 10, .threads = 1, .seed = 1},
        {.sites = 10, .paths = 100, .depth = 20, .threads = 3, .seed = 2},
        {.sites = 7, .threads = 2, .benchmarks = 3, .passes = 5, .seed = 3},
        {.sites = 2, .benchmarks = 2, .passes = 1005, .seed = 4},
        {.sites = 500, .paths = 5000, .depth = 5000, .threads = 1},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct bm_profile *profile = make(&cases[i]);

        assert_null(bm_profile_check(profile));
        assert_null(small_form_differs(profile));
        bm_profile_free(profile);
    }
}

static void every_member_reads_back(void **state)
{
    struct bm_profile *profile = full_profile(2, BM_SYMBOLS_DYNAMIC);

    (void)state;
    assert_null(small_form_differs(profile));
    assert_true(profile->sites[0].elided);
    assert_true(profile->paths[1].other);
    assert_int_equal(profile->end_value, 9);
    assert_string_equal(profile->frames[0].linkage_name, "_Z1f");
    assert_ptr_equal(profile->frames[1].module, &profile->modules[0]);
    assert_int_equal(profile->modules[0].bias, UINT64_MAX);
    assert_int_equal(profile->benchmarks[0].passes[0].ended_bytes, 70);
    assert_int_equal(profile->benchmarks[0].more_time.sum, 30);
    assert_string_equal(profile->benchmarks[0].failures[0], "why");
    assert_int_equal(profile->pools[0].peak_bytes, 9);
    assert_int_equal(profile->moments[0].live_bytes, 60);
    bm_profile_free(profile);
}

/* A mapped profile is mostly room that no one used. */
static void the_small_form_is_small(void **state)
{
    static const struct synthetic three = {.sites = 3, .threads = 1};
    struct bm_profile *profile = make(&three);
    int fd = memfd_create("small", MFD_CLOEXEC);
    struct stat status;

    (void)state;
    assert_int_equal(bm_profile_write(profile, fd), 0);
    assert_int_equal(fstat(fd, &status), 0);
    assert_in_range(status.st_size, 100, 2000);
    close(fd);
    bm_profile_free(profile);
}

static void failures_are_told(void **state)
{
    static const struct synthetic large = {.sites = 2000, .threads = 1};
    struct bm_profile *profile = make(&large);
    int full = open("/dev/full", O_WRONLY);
    int ends[2];

    (void)state;
    assert_int_equal(bm_profile_write(profile, full), -1);
    assert_int_equal(errno, ENOSPC);
    close(full);
    assert_int_equal(bm_profile_write(profile, -1), -1);
    assert_int_equal(errno, EBADF);
    signal(SIGPIPE, SIG_IGN);
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    assert_int_equal(bm_profile_write(profile, ends[1]), -1);
    assert_int_equal(errno, EPIPE);
    close(ends[1]);
    bm_profile_free(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_kinds_of_profiles_read_back),
        cmocka_unit_test(every_member_reads_back),
        cmocka_unit_test(the_small_form_is_small),
        cmocka_unit_test(failures_are_told),
    };

    return cmocka_run_group_tests_name("profile_writer", tests, NULL, NULL);
}
