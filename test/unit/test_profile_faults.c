/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The nth call of the system fails, for every n until all succeed: reader
 * and writer then say so and leak nothing. The calls are wrapped by the
 * linker (--wrap), so this reaches those of the library alone.
 */
#include "build_profile.h"
#include "same_profile.h"
#include "synthetic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Calls left until one fails; 0: none does. */
static size_t countdown;
static bool has_failed;
static long nr_held; /* blocks */

static bool fails_now(void)
{
    if (countdown == 0 || --countdown > 0)
        return false;
    has_failed = true;
    errno = ENOMEM;
    return true;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t nr, size_t size);
void *__real_realloc(void *block, size_t size);
void __real_free(void *block);
void *__real_mmap(void *address, size_t size, int protection, int flags, int fd,
                  off_t offset);
void *__real_mremap(void *address, size_t old, size_t size, int flags, ...);
ssize_t __real_read(int fd, void *buffer, size_t size);
int __real_open(const char *path, int flags, ...);
int __real_fstat(int fd, struct stat *status);
ssize_t __real_write(int fd, const void *buffer, size_t size);

void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t nr, size_t size);
void *__wrap_realloc(void *block, size_t size);
void __wrap_free(void *block);
void *__wrap_mmap(void *address, size_t size, int protection, int flags, int fd,
                  off_t offset);
void *__wrap_mremap(void *address, size_t old, size_t size, int flags);
ssize_t __wrap_read(int fd, void *buffer, size_t size);
int __wrap_open(const char *path, int flags);
int __wrap_fstat(int fd, struct stat *status);
ssize_t __wrap_write(int fd, const void *buffer, size_t size);

void *__wrap_malloc(size_t size)
{
    void *block = fails_now() ? NULL : __real_malloc(size);

    nr_held += block != NULL;
    return block;
}

void *__wrap_calloc(size_t nr, size_t size)
{
    void *block = fails_now() ? NULL : __real_calloc(nr, size);

    nr_held += block != NULL;
    return block;
}

void *__wrap_realloc(void *block, size_t size)
{
    void *grown = fails_now() ? NULL : __real_realloc(block, size);

    nr_held += grown && !block;
    return grown;
}

void __wrap_free(void *block)
{
    nr_held -= block != NULL;
    __real_free(block);
}

void *__wrap_mmap(void *address, size_t size, int protection, int flags, int fd,
                  off_t offset)
{
    void *memory =
        fails_now() ? MAP_FAILED
                    : __real_mmap(address, size, protection, flags, fd, offset);

    return memory;
}

void *__wrap_mremap(void *address, size_t old, size_t size, int flags)
{
    return fails_now() ? MAP_FAILED : __real_mremap(address, old, size, flags);
}

ssize_t __wrap_read(int fd, void *buffer, size_t size)
{
    return fails_now() ? -1 : __real_read(fd, buffer, size);
}

int __wrap_open(const char *path, int flags)
{
    return fails_now() ? -1 : __real_open(path, flags);
}

int __wrap_fstat(int fd, struct stat *status)
{
    return fails_now() ? -1 : __real_fstat(fd, status);
}

ssize_t __wrap_write(int fd, const void *buffer, size_t size)
{
    /* One byte at a time now and then: a short write is no failure. */
    if (size > 1 && countdown % 3 == 2)
        size = 1;
    return fails_now() ? -1 : __real_write(fd, buffer, size);
}

/* A profile file with every kind of record, named path. */
static void write_sample(const char *path)
{
    static const struct synthetic what = {.sites = 20,
                                          .paths = 200,
                                          .depth = 20,
                                          .threads = 2,
                                          .benchmarks = 3,
                                          .passes = 1002,
                                          .seed = 1};
    struct builder b;
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    builder_init(&b);
    assert_int_equal(synthetic_pack(&b.packer, &what), 0);
    /* Dangling references and equal sites take ways of their own. */
    ADD(&b, site, .index = 30, .id = 1, .kind = text_of("malloc"));
    ADD(&b, site, .index = 31, .id = 1, .kind = text_of("malloc"));
    ADD(&b, path, .index = 400, .outer = 1, .frame = 9000);
    add_state(&b, BM_END_STATUS, 0, BM_STATE_LATE);
    assert_int_equal(fwrite(b.bytes.data, 1, b.bytes.size, file), b.bytes.size);
    assert_int_equal(fclose(file), 0);
    builder_clear(&b);
}

static void reading_survives_any_one_failure(void **state)
{
    const char *path = *state;
    bool done = false;

    for (size_t n = 1; !done; n++) {
        struct bm_profile_error error;
        struct bm_profile *profile;
        long before = nr_held;

        has_failed = false;
        countdown = n;
        profile = bm_profile_read(path, &error);
        countdown = 0;
        done = !has_failed;
        /* Giving back unused room may fail: then it is kept. */
        if (profile)
            assert_null(bm_profile_check(profile));
        else
            assert_true(strcmp(error.why, "out of memory") == 0 ||
                        strcmp(error.why, "Cannot allocate memory") == 0);
        assert_true(profile || has_failed);
        bm_profile_free(profile);
        assert_int_equal(nr_held, before);
        assert_in_range(n, 1, 100000);
    }
}

static void writing_and_checking_survive_any_one_failure(void **state)
{
    struct bm_profile_error error;
    struct bm_profile *profile = bm_profile_read(*state, &error);
    bool done = false;

    for (size_t n = 1; !done; n++) {
        int fd = memfd_create("out", MFD_CLOEXEC);
        long before = nr_held;
        int result;

        has_failed = false;
        countdown = n;
        result = bm_profile_write(profile, fd);
        countdown = 0;
        done = !has_failed;
        assert_int_equal(result, has_failed ? -1 : 0);
        assert_int_equal(nr_held, before);
        close(fd);
    }
    done = false;
    for (size_t n = 1; !done; n++) {
        const char *broken;

        has_failed = false;
        countdown = n;
        broken = bm_profile_check(profile);
        countdown = 0;
        done = !has_failed;
        if (has_failed)
            assert_string_equal(broken, "out of memory");
        else
            assert_null(broken);
    }
    bm_profile_free(profile);
}

int main(void)
{
    char path[] = "/tmp/benchmem-faults-XXXXXX";
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(reading_survives_any_one_failure, path),
        cmocka_unit_test_prestate(writing_and_checking_survive_any_one_failure,
                                  path),
    };
    int fd = mkstemp(path);
    int failed;

    close(fd);
    write_sample(path);
    failed = cmocka_run_group_tests_name("profile_faults", tests, NULL, NULL);
    unlink(path);
    return failed;
}
