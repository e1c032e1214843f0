/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The driver's three tables: sorted, found by word, and true to clang's. */
#include "driver/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void options_are_sorted(void **state)
{
    (void)state;
    for (size_t i = 1; i < bm_nr_options; i++)
        if (strcmp(bm_options[i - 1].name, bm_options[i].name) >= 0)
            fail_msg("%s must stand before %s", bm_options[i].name,
                     bm_options[i - 1].name);
}

static void check_kinds(const struct bm_input_kind *kinds, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (strcmp(kinds[i - 1].name, kinds[i].name) >= 0)
            fail_msg("%s must stand before %s", kinds[i].name,
                     kinds[i - 1].name);
}

static void input_kinds_are_sorted(void **state)
{
    (void)state;
    check_kinds(bm_extensions, bm_nr_extensions);
    check_kinds(bm_languages, bm_nr_languages);
}

static void every_name_is_found(void **state)
{
    (void)state;
    for (size_t i = 0; i < bm_nr_options; i++)
        assert_ptr_equal(bm_option_find(bm_options[i].name), &bm_options[i]);
}

static void the_longest_name_is_found(void **state)
{
    static const struct {
        const char *word;
        const char *name; /* NULL: not in the table */
    } cases[] = {
        {"-o", "-o"},
        {"-oout", "-o"},
        {"-include", "-include"},
        {"-includefoo.h", "-include"},
        {"-include-pch", "-include-pch"},
        {"-cxx-isystem", "-cxx-isystem"},
        {"-emit-llvm", NULL},
        {"-e", "-e"},
        {"-Wl,-r", "-Wl,"},
        {"-Wl", NULL},
        {"-Wall", NULL},
        {"-c", "-c"},
        {"-cc", NULL},
        {"-flto=thin", NULL},
        {"-g0", "-g0"},
        {"-gz", NULL},
        {"-gsplit-dwarf", NULL},
        {"-gcoff4", "-gcoff"},
        {"-print-prog-name=ld", "-print-"},
        {"--print-file-name", "--print-file-name"},
        {"-static-libgcc", NULL},
        {"-rdynamic", NULL},
        {"-lm", "-l"},
        {"--benchmem-show", "--benchmem-"},
        {"--bench", NULL},
        {"-Xarch_x86_64", "-Xarch_"},
        {"-DA_NAME_THAT_IS_MUCH_LONGER_THAN_ANY_OPTION_OF_THE_TABLE", "-D"},
        {"--", "--"},
        {"--x", NULL},
    };
    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct bm_option *found = bm_option_find(cases[i].word);
        const char *name = found ? found->name : NULL;
        if (!name != !cases[i].name || (name && strcmp(name, cases[i].name)))
            fail_msg("%s is found as %s", cases[i].word, name ? name : "none");
    }
}

static void inputs_are_told_apart(void **state)
{
    (void)state;
    assert_int_equal(bm_input_of_path("a.c"), BM_INPUT_CODE);
    assert_int_equal(bm_input_of_path("dir.c/a"), BM_INPUT_LINKER);
    assert_int_equal(bm_input_of_path("dir/a.b.cpp"), BM_INPUT_CODE);
    assert_int_equal(bm_input_of_path("a.C"), BM_INPUT_CODE);
    assert_int_equal(bm_input_of_path("a.o"), BM_INPUT_LINKER);
    assert_int_equal(bm_input_of_path("a.so.1.c.2"), BM_INPUT_LINKER);
    assert_int_equal(bm_input_of_path("a.S"), BM_INPUT_OTHER);
    assert_int_equal(bm_input_of_path("a.ll"), BM_INPUT_OTHER);
    assert_int_equal(bm_input_of_path("a.h"), BM_INPUT_HEADER);
    assert_int_equal(bm_input_of_path("-"), BM_INPUT_CODE);
    assert_int_equal(bm_input_of_path(""), BM_INPUT_LINKER);
    assert_int_equal(bm_input_of_language("c"), BM_INPUT_CODE);
    assert_int_equal(bm_input_of_language("c++-header"), BM_INPUT_HEADER);
    assert_int_equal(bm_input_of_language("assembler"), BM_INPUT_OTHER);
    assert_int_equal(bm_input_of_language("cuda"), BM_INPUT_OTHER);
}

/*
 * clang's own table, as its headers have it. Names there lack the second
 * spelling of options that take one dash or two.
 */
struct clang_option {
    const char *prefix;
    const char *name;
    const char *kind;
    const char *group;
    const char *visibility;
    unsigned nr_values; /* of the kind MultiArg */
};

static const struct clang_option clang_options[] = {
#define OPTION(prefix, name, id, kind, group, alias, alias_args, flags,        \
               visibility, param, ...)                                         \
    {#prefix, name, #kind, #group, #visibility, param},
#include <clang/Driver/Options.inc>
#undef OPTION
};

static const struct {
    const char *kind;
    enum bm_form form;
} forms[] = {
    {"Separate", BM_FORM_VALUE},
    {"MultiArg", BM_FORM_VALUE},
    {"JoinedOrSeparate", BM_FORM_EITHER},
    {"JoinedAndSeparate", BM_FORM_BOTH},
};

static bool is_of_clang_driver(const struct clang_option *o)
{
    return strstr(o->visibility, "DefaultVis") && o->name[0] == '-';
}

static void check_form(const struct clang_option *o, enum bm_form form)
{
    const struct bm_option *found = bm_option_find(o->name);
    if (!found || strcmp(found->name, o->name) != 0 || found->form != form)
        fail_msg("%s is %s in clang", o->name, o->kind);
    if (strcmp(o->kind, "MultiArg") == 0)
        assert_int_equal(found->nr_values, o->nr_values);
}

static void options_with_values_are_those_of_clang(void **state)
{
    size_t checked = 0;
    (void)state;
    for (size_t i = 0; i < sizeof(clang_options) / sizeof(*clang_options); i++)
        for (size_t j = 0; j < sizeof(forms) / sizeof(*forms); j++) {
            if (!is_of_clang_driver(&clang_options[i]) ||
                strcmp(clang_options[i].kind, forms[j].kind) != 0)
                continue;
            check_form(&clang_options[i], forms[j].form);
            checked++;
        }
    assert_true(checked > 100);
}

static void debug_options_are_those_of_clang(void **state)
{
    static const char *const groups[] = {"g_Group", "gN_Group", "gTune_Group",
                                         "ggdbN_Group"};
    size_t checked = 0;
    (void)state;
    for (size_t i = 0; i < sizeof(clang_options) / sizeof(*clang_options); i++)
        for (size_t j = 0; j < sizeof(groups) / sizeof(*groups); j++) {
            const struct clang_option *o = &clang_options[i];
            if (!is_of_clang_driver(o) || strcmp(o->group, groups[j]) != 0 ||
                strcmp(o->kind, "Group") == 0)
                continue;
            const struct bm_option *found = bm_option_find(o->name);
            if (!found || !((found->sets | found->clears) & BM_SCAN_DEBUG))
                fail_msg("%s turns debug information on or off", o->name);
            checked++;
        }
    assert_true(checked > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(options_are_sorted),
        cmocka_unit_test(input_kinds_are_sorted),
        cmocka_unit_test(every_name_is_found),
        cmocka_unit_test(the_longest_name_is_found),
        cmocka_unit_test(inputs_are_told_apart),
        cmocka_unit_test(options_with_values_are_those_of_clang),
        cmocka_unit_test(debug_options_are_those_of_clang),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
