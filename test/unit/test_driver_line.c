/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Response files: split by LLVM's GNU rules, read in place, never trusted. */
#include "driver/line.h"

#include "base/memory.h"
#include "base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Words in [], so that a failure shows where each begins and ends. */
static char *bracketed(const struct bm_strvec *words)
{
    struct bm_str s = BM_STR_INIT;
    for (size_t i = 0; i < words->count; i++)
        bm_str_printf(&s, "[%s]", words->items[i]);
    return bm_str_detach(&s);
}

static void text_is_split_by_gnu_rules(void **state)
{
    static const struct {
        const char *text;
        const char *words;
    } cases[] = {
        {"", ""},
        {" \t\r\n", ""},
        {"-O1 -c", "[-O1][-c]"},
        {"\n-O1\n\n-c\n", "[-O1][-c]"},
        {"'my src.c'", "[my src.c]"},
        {"\"my src.c\"", "[my src.c]"},
        {"my\\ src.c", "[my src.c]"},
        {"-D'A B'=\"c d\"e", "[-DA B=c de]"},
        {"'it\\'s'", "[it's]"},
        {"\"a\\\"b\"", "[a\"b]"},
        {"a\\\\b", "[a\\b]"},
        {"'' x", "[x]"},
        {"'open end", "[open end]"},
        {"back\\", "[back\\]"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct bm_strvec words = BM_STRVEC_INIT;
        bm_split_words(cases[i].text, strlen(cases[i].text), &words);
        char *shown = bracketed(&words);
        assert_string_equal(shown, cases[i].words);
        free(shown);
        bm_strvec_clear(&words);
    }
}

/* A file system of a few files; content NULL cannot be read. */
struct file {
    const char *path;
    const char *content;
};

static const struct file files[] = {
    {"flags", "-O1 'my src.c'"},
    {"outer", "-DN=1 @flags -c"},
    {"empty", ""},
    {"mark", "\xef\xbb\xbf-c"},
    {"wide", "\xff\xfe-\0c\0"},
    {"itself", "-c @itself"},
    {"ping", "@pong"},
    {"pong", "@ping"},
    {"secret", NULL},
    {"holds-missing", "-c @missing"},
    {"pipe", "-c t.c"},
    {"fan0", "@fan1 @fan1 @fan1 @fan1 @fan1 @fan1 @fan1 @fan1"},
    {"fan1", "@fan2 @fan2 @fan2 @fan2 @fan2 @fan2 @fan2 @fan2"},
    {"fan2", "@fan3 @fan3 @fan3 @fan3 @fan3 @fan3 @fan3 @fan3"},
    {"fan3", "@fan4 @fan4 @fan4 @fan4 @fan4 @fan4 @fan4 @fan4"},
    {"fan4", "@fan5 @fan5 @fan5 @fan5 @fan5 @fan5 @fan5 @fan5"},
    {"fan5", ""},
};

static enum bm_file_state read_file(void *context, const char *path,
                                    char **data, size_t *size)
{
    (void)context;
    for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++) {
        if (strcmp(files[i].path, path) != 0)
            continue;
        if (!files[i].content)
            return BM_FILE_BROKEN;
        *data = bm_xstrdup(files[i].content);
        *size = strlen(*data);
        return strcmp(path, "pipe") == 0 ? BM_FILE_READ_ONCE : BM_FILE_READ;
    }
    return BM_FILE_ABSENT;
}

static void read_words(struct bm_line *line, struct bm_strvec *argv,
                       const char *text)
{
    const struct bm_files in_memory = {read_file, NULL};
    bm_strvec_push(argv, "cc");
    bm_split_words(text, strlen(text), argv);
    bm_line_read(line, (int)argv->count, argv->items, &in_memory);
}

static void response_files_are_read_in_place(void **state)
{
    static const struct {
        const char *line;
        const char *words; /* NULL: broken */
    } cases[] = {
        {"", ""},
        {"-c t.c", "[-c][t.c]"},
        {"@flags", "[-O1][my src.c]"},
        {"-g @outer -o x", "[-g][-DN=1][-O1][my src.c][-c][-o][x]"},
        {"@flags @flags", "[-O1][my src.c][-O1][my src.c]"},
        {"@empty -c", "[-c]"},
        {"@mark t.c", "[-c][t.c]"},
        {"@missing", "[@missing]"},
        {"@holds-missing", "[-c][@missing]"},
        {"-rpath @loader_path", "[-rpath][@loader_path]"},
        {"@pipe", "[-c][t.c]"},
        {"@wide", NULL},
        {"@itself", NULL},
        {"-c @ping", NULL},
        {"@secret", NULL},
        {"@fan0", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct bm_line line = BM_LINE_INIT;
        struct bm_strvec argv = BM_STRVEC_INIT;
        read_words(&line, &argv, cases[i].line);
        char *shown = bracketed(&line.words);
        assert_int_equal(line.broken, cases[i].words == NULL);
        if (cases[i].words)
            assert_string_equal(shown, cases[i].words);
        free(shown);
        bm_line_clear(&line);
        bm_strvec_clear(&argv);
    }
}

static void words_know_where_they_came_from(void **state)
{
    static const size_t origins[] = {1, 2, 2, 2, 2, 3, 3};
    struct bm_line line = BM_LINE_INIT;
    struct bm_strvec argv = BM_STRVEC_INIT;
    (void)state;
    read_words(&line, &argv, "-g @outer @pipe");
    assert_int_equal(line.words.count, 7);
    assert_memory_equal(line.origins, origins, sizeof(origins));
    assert_false(line.read_once[2]);
    assert_true(line.read_once[3]);
    bm_line_clear(&line);
    bm_strvec_clear(&argv);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_is_split_by_gnu_rules),
        cmocka_unit_test(response_files_are_read_in_place),
        cmocka_unit_test(words_know_where_they_came_from),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
