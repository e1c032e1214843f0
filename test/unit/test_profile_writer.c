/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The small form: what was read reads back, and every failure is told. */
#include "build_profile.h"
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
    struct bm_profile_error error;
    struct bm_profile *profile;
    struct builder b;

    (void)state;
    builder_init(&b);
    ADD(&b, head, .magic = text_of(BM_PROFILE_MAGIC), .schema_version = 1,
        .writer = text_of("w"), .program = text_of("p"), .cwd = text_of("c"),
        .host = text_of("h"), .pid = 1, .parent_pid = 2, .start_ns = 3,
        .options = text_of("o"), .rank = text_of("r"));
    ADD(&b, argument, .text = text_of(""));
    ADD(&b, argument, .text = text_of("-x"));
    add_state(&b, BM_END_SIGNAL, 9, BM_STATE_PATHS_FULL);
    ADD(&b, note, .text = text_of("a note"));
    ADD(&b, module, .index = 1, .path = text_of("m"),
        .build_id = text_of("00ff"), .bias = UINT64_MAX, .instrumented = 1,
        .symbols = BM_SYMBOLS_DYNAMIC);
    ADD(&b, frame, .index = 1, .function = text_of("f"),
        .linkage_name = text_of("_Z1f"), .file = text_of("f.c"),
        .dir = text_of("/d"), .line = 1, .column = 2, .callee = text_of("g"),
        .flags = 15);
    ADD(&b, frame, .index = 2, .inlined_into = 1, .module = 1, .offset = 99);
    ADD(&b, site, .index = 1, .id = UINT64_MAX, .frame = 2,
        .kind = text_of("new[]"), .callee = text_of("operator new[]"),
        .type = text_of("struct s"), .size_expr = text_of("n * 2"),
        .count = text_of("n"), .elided = 1, .module = 1);
    ADD(&b, path, .index = 1, .frame = 1);
    ADD(&b, path, .index = 2, .outer = 1, .frame = 2, .site = 1, .flags = 1);
    profile = builder_parse(&b, &error);
    assert_non_null(profile);
    assert_null(small_form_differs(profile));
    assert_true(profile->sites[0].elided);
    assert_true(profile->paths[1].other);
    assert_int_equal(profile->end_value, 9);
    assert_string_equal(profile->frames[0].linkage_name, "_Z1f");
    assert_ptr_equal(profile->frames[1].module, &profile->modules[0]);
    assert_int_equal(profile->modules[0].bias, UINT64_MAX);
    bm_profile_free(profile);
    builder_clear(&b);
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
