/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Which of a folder's profiles is the newest run's first process. */
#include "build_profile.h"
#include "in_folder.h"

#include "base/locate.h"
#include "results/runs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

struct process {
    const char *path;
    uint64_t pid, parent_pid, start_ns;
};

static void write_process(const struct process *process)
{
    FILE *file = fopen(process->path, "w");
    struct builder b;

    assert_non_null(file);
    builder_init(&b);
    ADD(&b, head, .magic = text_of(BM_PROFILE_MAGIC),
        .schema_version = BM_SCHEMA_VERSION, .program = text_of("p"),
        .cwd = text_of("/"), .pid = process->pid,
        .parent_pid = process->parent_pid, .start_ns = process->start_ns);
    assert_int_equal(fwrite(b.bytes.data, 1, b.bytes.size, file), b.bytes.size);
    assert_int_equal(fclose(file), 0);
    builder_clear(&b);
}

/* "newest of N: FIRST OTHERS...", of the profiles of the current folder. */
static void assert_newest(const char *expected)
{
    struct bm_strvec paths = BM_STRVEC_INIT;
    struct bm_str found = BM_STR_INIT;
    struct bm_runs runs;

    assert_int_equal(bm_locate_profiles(".", &paths), 0);
    bm_runs_init(&runs, &paths);
    bm_str_printf(&found, "newest of %zu:", runs.nr_runs);
    if (runs.nr_processes)
        bm_str_printf(&found, " %s", runs.processes[runs.newest].path);
    for (size_t i = 0; i < runs.nr_processes; i++) {
        if (i != runs.newest && runs.processes[i].first == runs.newest)
            bm_str_printf(&found, " %s", runs.processes[i].path);
    }
    assert_string_equal(found.data, expected);
    bm_runs_clear(&runs);
    bm_str_clear(&found);
    bm_strvec_clear(&paths);
}

static void children_belong_to_the_run_of_their_parent(void **state)
{
    static const struct process processes[] = {
        {"a.bmem", 10, 0, 100},  {"b.bmem", 20, 0, 200},
        {"c.bmem", 21, 20, 210}, {"d.bmem", 22, 21, 220},
        {"e.bmem", 11, 10, 230}, /* the older run's, though started last */
    };

    (void)state;
    for (size_t i = 0; i < sizeof(processes) / sizeof(processes[0]); i++)
        write_process(&processes[i]);
    assert_newest("newest of 2: ./b.bmem ./c.bmem ./d.bmem");
}

static void a_pid_used_again_is_another_process(void **state)
{
    static const struct process processes[] = {
        {"a.bmem", 10, 0, 100},
        {"b.bmem", 11, 10, 110},
        {"c.bmem", 10, 0, 200},
        {"d.bmem", 12, 10, 210},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(processes) / sizeof(processes[0]); i++)
        write_process(&processes[i]);
    assert_newest("newest of 2: ./c.bmem ./d.bmem");
}

static void a_child_without_its_parent_is_a_run(void **state)
{
    static const struct process processes[] = {
        {"a.bmem", 10, 0, 100},
        {"b.bmem", 20, 19, 200},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(processes) / sizeof(processes[0]); i++)
        write_process(&processes[i]);
    assert_newest("newest of 2: ./b.bmem");
}

static void what_is_no_profile_is_left_out(void **state)
{
    (void)state;
    write_process(&(const struct process){"a.bmem", 10, 0, 100});
    assert_int_equal(file_write("b.bmem", ""), 0);
    assert_int_equal(file_write("c.bmem", "\xdd\xff\xff\xff\xff"), 0);
    assert_int_equal(file_write("d.bmem", "text"), 0);
    assert_int_equal(mkfifo("e.bmem", 0666), 0);
    assert_int_equal(mkdir("f.bmem", 0777), 0);
    assert_newest("newest of 1: ./a.bmem");
}

static void an_empty_folder_has_no_run(void **state)
{
    (void)state;
    assert_newest("newest of 0:");
}

#define IN_FOLDER(test)                                                        \
    cmocka_unit_test_setup_teardown(test, folder_enter, folder_leave)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(children_belong_to_the_run_of_their_parent),
        IN_FOLDER(a_pid_used_again_is_another_process),
        IN_FOLDER(a_child_without_its_parent_is_a_run),
        IN_FOLDER(what_is_no_profile_is_left_out),
        IN_FOLDER(an_empty_folder_has_no_run),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
