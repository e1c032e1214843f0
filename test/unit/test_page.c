/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Pages of the build: their slots, and data that must not become code. */
#include "tools/page.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static void write_text(FILE *file, const void *context)
{
    fputs(context, file);
}

static void write_json(FILE *file, const void *context)
{
    FILE *json = bm_page_open_json(file);

    fputs(context, json);
    fclose(json);
}

static void assert_page(const char *text, const struct bm_slot *slots,
                        const char *expected)
{
    struct bm_page page = {text, text + strlen(text)};
    char *written = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&written, &size);

    bm_page_write(&page, slots, file);
    fclose(file);
    assert_string_equal(written, expected);
    free(written);
}

static void slots_are_filled_in_place(void **state)
{
    const struct bm_slot slots[] = {
        {"a", write_text, "A"}, {"b", write_text, "B"}, {NULL, NULL, NULL}};
    (void)state;

    assert_page("x<!--benchmem:b-->y<!--benchmem:a--><!--benchmem:b-->", slots,
                "xByAB");
    assert_page("none <!-- benchmem:a -->", slots, "none <!-- benchmem:a -->");
    assert_page("", slots, "");
}

static void data_cannot_end_its_element(void **state)
{
    const struct bm_slot slots[] = {
        {"data", write_json, "[\"</script><!--\", \"a<\", \"<\"]"},
        {NULL, NULL, NULL}};
    (void)state;

    assert_page("<script><!--benchmem:data--></script>", slots,
                "<script>[\"\\u003c/script>\\u003c!--\", \"a\\u003c\", "
                "\"\\u003c\"]</script>");
}

/* Status and message of bm_page_check on a page that was left out. */
static int check_missing(char *message, size_t size)
{
    const struct bm_page missing = {"", NULL};
    int pipes[2], status;

    assert_int_equal(pipe(pipes), 0);
    pid_t pid = fork();
    if (pid == 0) {
        dup2(pipes[1], STDERR_FILENO);
        bm_page_check(&missing, "name an .svg file");
        _exit(0);
    }
    close(pipes[1]);
    ssize_t n = read(pipes[0], message, size - 1);
    close(pipes[0]);
    message[n < 0 ? 0 : n] = 0;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    return WEXITSTATUS(status);
}

static void a_build_without_npm_says_so(void **state)
{
    char message[500];
    (void)state;

    assert_int_equal(check_missing(message, sizeof(message)), 2);
    assert_non_null(strstr(message, "built without npm; name an .svg file, or "
                                    "build it again where npm is installed\n"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slots_are_filled_in_place),
        cmocka_unit_test(data_cannot_end_its_element),
        cmocka_unit_test(a_build_without_npm_says_so),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
