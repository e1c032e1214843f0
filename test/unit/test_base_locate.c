/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* .benchmem is searched upwards; a folder's profiles come by name. */
#include "in_folder.h"

#include "base/locate.h"

#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define IN_FOLDER(test)                                                        \
    cmocka_unit_test_setup_teardown(test, folder_enter, folder_leave)

static void the_nearest_folder_is_found(void **state)
{
    char *found;

    (void)state;
    assert_int_equal(mkdir(".benchmem", 0777), 0);
    found = bm_locate_folder();
    assert_string_equal(found, ".benchmem");
    free(found);

    assert_int_equal(mkdir("a", 0777), 0);
    assert_int_equal(mkdir("a/b", 0777), 0);
    assert_int_equal(chdir("a/b"), 0);
    found = bm_locate_folder();
    assert_string_equal(found, "../../.benchmem");
    free(found);

    assert_int_equal(mkdir("../.benchmem", 0777), 0);
    found = bm_locate_folder();
    assert_string_equal(found, "../.benchmem");
    free(found);
}

static void a_file_of_that_name_is_passed_by(void **state)
{
    (void)state;
    assert_int_equal(mkdir(".benchmem", 0777), 0);
    assert_int_equal(mkdir("a", 0777), 0);
    assert_int_equal(chdir("a"), 0);
    assert_int_equal(file_write(".benchmem", ""), 0);
    char *found = bm_locate_folder();
    assert_string_equal(found, "../.benchmem");
    free(found);
}

static void the_search_ends_at_the_root(void **state)
{
    (void)state;
    assert_int_equal(chdir("/"), 0);
    char *found = bm_locate_folder();
    if (found)
        assert_string_equal(found, ".benchmem");
    free(found);
}

static void profiles_are_listed_by_name(void **state)
{
    struct bm_strvec paths = BM_STRVEC_INIT;

    (void)state;
    assert_int_equal(mkdir("d", 0777), 0);
    assert_int_equal(file_write("d/b.bmem", ""), 0);
    assert_int_equal(file_write("d/a.bmem", ""), 0);
    assert_int_equal(file_write("d/.hidden.bmem", ""), 0);
    assert_int_equal(file_write("d/.bmem", ""), 0);
    assert_int_equal(file_write("d/a.bmem.txt", ""), 0);
    assert_int_equal(bm_locate_profiles("d/", &paths), 0);
    assert_int_equal(paths.count, 2);
    assert_string_equal(paths.items[0], "d/a.bmem");
    assert_string_equal(paths.items[1], "d/b.bmem");
    bm_strvec_clear(&paths);

    assert_int_equal(bm_locate_profiles("nowhere", &paths), -1);
    assert_int_equal(errno, ENOENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(the_nearest_folder_is_found),
        IN_FOLDER(a_file_of_that_name_is_passed_by),
        IN_FOLDER(the_search_ends_at_the_root),
        IN_FOLDER(profiles_are_listed_by_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
