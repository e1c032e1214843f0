/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Outputs: nothing is replaced unasked, and nothing is left half-written. */
#include "in_folder.h"

#include "base/locate.h"
#include "base/output.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <sys/wait.h>

#include <cmocka.h>

#define IN_FOLDER(test)                                                        \
    cmocka_unit_test_setup_teardown(test, folder_enter, folder_leave)

/* Files of the current folder, hidden ones too. */
static size_t nr_files(void)
{
    DIR *dir = opendir(".");
    size_t count = 0;

    assert_non_null(dir);
    for (const struct dirent *entry; (entry = readdir(dir));)
        count += strcmp(entry->d_name, ".") && strcmp(entry->d_name, "..");
    closedir(dir);
    return count;
}

static void assert_holds(const char *path, const char *expected)
{
    char *text = file_read(path);

    assert_non_null(text);
    assert_string_equal(text, expected);
    free(text);
}

static void a_file_gets_its_name_when_it_is_whole(void **state)
{
    struct bm_output out;
    struct stat st;
    mode_t mask = umask(0027);

    (void)state;
    assert_int_equal(bm_output_open(&out, "new.txt", false), 0);
    fputs("text", out.file);
    assert_int_equal(access("new.txt", F_OK), -1);
    assert_int_equal(bm_output_close(&out), 0);
    assert_holds("new.txt", "text");
    assert_int_equal(nr_files(), 1);
    assert_int_equal(stat("new.txt", &st), 0);
    assert_int_equal(st.st_mode & 0777, 0640);
    umask(mask);
}

static void a_file_that_exists_is_refused(void **state)
{
    struct bm_output out;

    (void)state;
    assert_int_equal(file_write("old.txt", "old"), 0);
    assert_int_equal(bm_output_open(&out, "old.txt", false), -1);
    assert_holds("old.txt", "old");
    assert_int_equal(nr_files(), 1);
}

static void a_file_made_meanwhile_is_kept(void **state)
{
    struct bm_output out;

    (void)state;
    assert_int_equal(bm_output_open(&out, "x.txt", false), 0);
    fputs("ours", out.file);
    assert_int_equal(file_write("x.txt", "theirs"), 0);
    assert_int_equal(bm_output_close(&out), -1);
    assert_holds("x.txt", "theirs");
    assert_int_equal(nr_files(), 1);
}

static void force_replaces_in_one_step(void **state)
{
    struct bm_output out;

    (void)state;
    assert_int_equal(file_write("old.txt", "old"), 0);
    assert_int_equal(bm_output_open(&out, "old.txt", true), 0);
    fputs("new", out.file);
    fflush(out.file);
    assert_holds("old.txt", "old");
    assert_int_equal(bm_output_close(&out), 0);
    assert_holds("old.txt", "new");
    assert_int_equal(nr_files(), 1);
}

static void force_keeps_a_symbolic_link(void **state)
{
    struct bm_output out;
    struct stat st;

    (void)state;
    assert_int_equal(file_write("target", "old"), 0);
    assert_int_equal(symlink("target", "link"), 0);
    assert_int_equal(bm_output_open(&out, "link", true), 0);
    fputs("new", out.file);
    assert_int_equal(bm_output_close(&out), 0);
    assert_int_equal(lstat("link", &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    assert_holds("target", "new");
}

static void abandoning_leaves_nothing(void **state)
{
    struct bm_output out;

    (void)state;
    assert_int_equal(bm_output_open(&out, "x.txt", false), 0);
    fputs("text", out.file);
    bm_output_abandon(&out);
    assert_int_equal(nr_files(), 0);
}

static void a_command_that_ends_early_leaves_nothing(void **state)
{
    int status;
    pid_t child = fork();

    (void)state;
    if (!child) {
        struct bm_output out;
        exit(bm_output_open(&out, "x.txt", false) ? 1 : 0);
    }
    assert_true(child > 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    assert_int_equal(nr_files(), 0);
}

static void devices_are_written_to(void **state)
{
    struct bm_output out;

    (void)state;
    assert_int_equal(bm_output_open(&out, "/dev/null", false), 0);
    fputs("text", out.file);
    assert_int_equal(bm_output_close(&out), 0);
}

static void a_full_device_is_an_error(void **state)
{
    struct bm_output out;

    (void)state;
    assert_int_equal(bm_output_open(&out, "/dev/full", false), 0);
    fputs("text", out.file);
    assert_int_equal(bm_output_close(&out), -1);
}

static void folders_are_refused(void **state)
{
    struct bm_output out;

    (void)state;
    assert_int_equal(bm_output_open(&out, ".", true), -1);
    assert_int_equal(bm_output_open(&out, "no/such/folder", false), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(a_file_gets_its_name_when_it_is_whole),
        IN_FOLDER(a_file_that_exists_is_refused),
        IN_FOLDER(a_file_made_meanwhile_is_kept),
        IN_FOLDER(force_replaces_in_one_step),
        IN_FOLDER(force_keeps_a_symbolic_link),
        IN_FOLDER(abandoning_leaves_nothing),
        IN_FOLDER(a_command_that_ends_early_leaves_nothing),
        IN_FOLDER(devices_are_written_to),
        IN_FOLDER(a_full_device_is_an_error),
        IN_FOLDER(folders_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
