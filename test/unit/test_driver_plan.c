/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Given this line, expect that line. The compiler is "clang", the parts of
 * benchmem are P.so, rt.a and static.a; the words that are added for a
 * compilation, a line table, a link and a static link are below.
 */
#include "driver/plan.h"

#include "base/memory.h"
#include "base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define PASS " -fplugin=P.so -fpass-plugin=P.so"
#define LINES                                                                  \
    " -Xclang -debug-info-kind=line-tables-only"                               \
    " -fplugin-arg-benchmem-no-debug-output"
#define COMPILE PASS LINES
#define ARCHIVE(name) " -Xlinker --undefined=benchmem_copy_v1 -Xlinker " name
#define FAMILY(how)                                                            \
    " -Xlinker " how "malloc -Xlinker " how "calloc -Xlinker " how "realloc"   \
    " -Xlinker " how "reallocarray -Xlinker " how "aligned_alloc"              \
    " -Xlinker " how "memalign -Xlinker " how "posix_memalign"                 \
    " -Xlinker " how "valloc -Xlinker " how "pvalloc -Xlinker " how "free"     \
    " -Xlinker " how "_exit -Xlinker " how "_Exit -Xlinker " how "quick_exit"  \
    " -Xlinker " how "vfork -Xlinker " how "execl -Xlinker " how "execle"      \
    " -Xlinker " how "execlp -Xlinker " how "execv -Xlinker " how "execve"     \
    " -Xlinker " how "execvp -Xlinker " how "execvpe -Xlinker " how "execveat" \
    " -Xlinker " how "fexecve"
#define EXPORT "--export-dynamic-symbol="
#define LINK                                                                   \
    ARCHIVE("rt.a") FAMILY(EXPORT) " -Xlinker " EXPORT "benchmem_runtime_v1"
#define OPERATOR(name) " -Xlinker --export-dynamic-symbol=" name
#define ASIDE " -Xlinker --undefined=benchmem_aside_v1 -Xlinker aside.a"
#define OPERATORS                                                              \
    " -Xlinker --undefined=benchmem_operators_v1 -Xlinker new.a" OPERATOR(     \
        "_Znwm") OPERATOR("_Znam") OPERATOR("_ZnwmRKSt9nothrow_t")             \
        OPERATOR("_ZnamRKSt9nothrow_t") OPERATOR(                              \
            "_ZnwmSt11align_val_t") OPERATOR("_ZnamSt11align_val_t")           \
            OPERATOR("_ZnwmSt11align_val_tRKSt9nothrow_t") OPERATOR(           \
                "_ZnamSt11align_val_tRKSt9nothrow_t") OPERATOR("_ZdlPv")       \
                OPERATOR("_ZdaPv") OPERATOR("_ZdlPvm") OPERATOR("_ZdaPvm")     \
                    OPERATOR("_ZdlPvRKSt9nothrow_t")                           \
                        OPERATOR("_ZdaPvRKSt9nothrow_t") OPERATOR(             \
                            "_ZdlPvSt11align_val_t")                           \
                            OPERATOR("_ZdaPvSt11align_val_t") OPERATOR(        \
                                "_ZdlPvmSt11align_val_t")                      \
                                OPERATOR("_ZdaPvmSt11align_val_t") OPERATOR(   \
                                    "_ZdlPvSt11align_val_tRKSt9nothrow_t")     \
                                    OPERATOR(                                  \
                                        "_ZdaPvSt11align_val_tRKSt9nothrow_t")
#define STATIC ARCHIVE("static.a") FAMILY("--wrap=")

struct line_case {
    const char *line;
    const char *plan; /* behind "clang" */
};

/* The words of a response file "@{...}" stand in the name itself. */
static enum bm_file_state read_braces(void *context, const char *path,
                                      char **data, size_t *size)
{
    (void)context;
    const char *text = path[0] == '|' ? path + 1 : path;
    if (text[0] != '{')
        return BM_FILE_ABSENT;
    *data = bm_xstrdup(text + 1);
    *size = strlen(*data) - 1;
    return path[0] == '|' ? BM_FILE_READ_ONCE : BM_FILE_READ;
}

static char *joined(const struct bm_strvec *words)
{
    struct bm_str s = BM_STR_INIT;
    for (size_t i = 0; i < words->count; i++)
        bm_str_printf(&s, "%s%s", i > 0 ? " " : "", words->items[i]);
    return bm_str_detach(&s);
}

static char *plan_of(const char *text)
{
    const struct bm_files files = {read_braces, NULL};
    struct bm_toolchain toolchain = {.compiler = BM_STRVEC_INIT,
                                     .plugin = (char *)"P.so",
                                     .runtime = (char *)"rt.a",
                                     .static_runtime = (char *)"static.a",
                                     .operators = (char *)"new.a",
                                     .aside = (char *)"aside.a"};
    struct bm_strvec argv = BM_STRVEC_INIT, command = BM_STRVEC_INIT;
    struct bm_line line = BM_LINE_INIT;
    struct bm_scan scan;

    bm_strvec_push(&toolchain.compiler, "clang");
    bm_strvec_push(&argv, "benchmem-cc");
    bm_split_words(text, strlen(text), &argv);
    bm_line_read(&line, (int)argv.count, argv.items, &files);
    bm_scan(&scan, &line);
    struct bm_decision decision = bm_decide(&scan);
    bm_plan(&command, argv.items, &line, &scan, &decision, &toolchain);
    char *plan = joined(&command);

    bm_scan_clear(&scan);
    bm_line_clear(&line);
    bm_strvec_clear(&argv);
    bm_strvec_clear(&command);
    bm_strvec_clear(&toolchain.compiler);
    return plan;
}

static void operators_come_with_a_shared_cxx_library(void **state)
{
    static const struct {
        const char *line;
        bool has_them;
    } cases[] = {
        {"t.o -lstdc++", true},
        {"t.o -l c++", true},
        {"-shared t.o -lstdc++", true},
        {"t.o", false},
        {"t.o -lstdc++ -static", false},
        {"-c t.c -lstdc++", false},
        {"t.o -static-libstdc++ -lstdc++", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *plan = plan_of(cases[i].line);
        const char *words = strstr(plan, OPERATORS);

        assert_int_equal(words != NULL, cases[i].has_them);
        if (words)
            assert_string_equal(words, OPERATORS LINK);
        free(plan);
    }
}

static void check(const struct line_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        char *plan = plan_of(cases[i].line);
        struct bm_str expected = BM_STR_INIT;
        bm_str_printf(&expected, "clang%s", cases[i].plan);
        assert_string_equal(plan, expected.data);
        bm_str_clear(&expected);
        free(plan);
    }
}

#define CHECK(cases) check(cases, sizeof(cases) / sizeof(*(cases)))

static void compilations_get_the_pass(void **state)
{
    static const struct line_case cases[] = {
        {"-c t.c", " -c t.c" COMPILE},
        {"-S t.cpp -o -", " -S t.cpp -o -" COMPILE},
        {"-flto=thin -c t.c", " -flto=thin -c t.c" COMPILE},
        {"-S -emit-llvm t.m", " -S -emit-llvm t.m" COMPILE},
        {"--compile t.c", " --compile t.c" COMPILE},
        {"-c t.i", " -c t.i" COMPILE},
        {"-c -x c -", " -c -x c -" COMPILE},
        {"-c -xc t.txt", " -c -xc t.txt" COMPILE},
        {"-c --language=c++ t.txt", " -c --language=c++ t.txt" COMPILE},
        {"-c a.c b.s", " -c a.c b.s" COMPILE},
        {"-MD -MF t.d -c t.c", " -MD -MF t.d -c t.c" COMPILE},
        {"-r a.c -o r.o", " -r a.c -o r.o" COMPILE},
        {"-c --benchmem-benchmark=!x --benchmem-wrapper=my_new t.cc",
         " -c t.cc" PASS " -fplugin-arg-benchmem-benchmark=!x"
         " -fplugin-arg-benchmem-wrapper=my_new" LINES},
        {"-c t.c --benchmem-access",
         " -c t.c" PASS " -fplugin-arg-benchmem-access" LINES},
    };
    (void)state;
    CHECK(cases);
}

static void what_compiles_nothing_is_untouched(void **state)
{
    static const struct line_case cases[] = {
        {"", ""},
        {"--version", " --version"},
        {"-v", " -v"},
        {"-v -O2", " -v -O2"},
        {"-Wl,--version", " -Wl,--version"},
        {"-dumpmachine t.c", " -dumpmachine t.c"},
        {"-print-prog-name=ld", " -print-prog-name=ld"},
        {"-### t.c", " -### t.c"},
        {"-E t.c", " -E t.c"},
        {"-M t.c", " -M t.c"},
        {"-MM -c t.c", " -MM -c t.c"},
        {"-fsyntax-only t.c", " -fsyntax-only t.c"},
        {"--analyze t.c", " --analyze t.c"},
        {"-c t.s", " -c t.s"},
        {"-c t.S", " -c t.S"},
        {"-c t.ll", " -c t.ll"},
        {"-c -x assembler-with-cpp t.c", " -c -x assembler-with-cpp t.c"},
        {"t.h", " t.h"},
        {"-x c-header t.c -o t.pch", " -x c-header t.c -o t.pch"},
        {"-cc1 -emit-obj t.c", " -cc1 -emit-obj t.c"},
        {"--driver-mode=cl /c t.c", " --driver-mode=cl /c t.c"},
        {"--driver-mode=cpp t.c", " --driver-mode=cpp t.c"},
        {"--benchmem-off -O2 t.c", " -O2 t.c"},
    };
    (void)state;
    CHECK(cases);
}

static void debug_information_is_the_users(void **state)
{
    static const struct line_case cases[] = {
        {"-g -c t.c", " -g -c t.c" PASS},
        {"-g0 -c t.c", " -g0 -c t.c" COMPILE},
        {"-g0 -ggdb3 -c t.c", " -g0 -ggdb3 -c t.c" PASS},
        {"-g -g0 -c t.c", " -g -g0 -c t.c" COMPILE},
        {"-gdwarf-4 -c t.c", " -gdwarf-4 -c t.c" PASS},
        {"-gline-tables-only -c t.c", " -gline-tables-only -c t.c" PASS},
        {"-gz -gsplit-dwarf -c t.c", " -gz -gsplit-dwarf -c t.c" COMPILE},
        {"--debug -c t.c", " --debug -c t.c" PASS},
    };
    (void)state;
    CHECK(cases);
}

static void links_get_the_runtime(void **state)
{
    static const struct line_case cases[] = {
        {"t.c", " t.c" COMPILE LINK},
        {"t.o -o t", " t.o -o t" LINK},
        {"a.o t.c -lm", " a.o t.c -lm" COMPILE LINK},
        {"t.s", " t.s" LINK},
        {"-x c t.txt", " -x c t.txt" COMPILE LINK},
        {"-lmain", " -lmain" LINK},
        {"-shared t.o", " -shared t.o" LINK},
        {"-Wl,-shared t.o", " -Wl,-shared t.o" LINK},
        {"-pie t.o", " -pie t.o" LINK},
        {"-static t.c", " -static t.c" COMPILE STATIC},
        {"--static t.o", " --static t.o" STATIC},
        {"-static-pie t.o", " -static-pie t.o" STATIC},
        {"-static -shared t.o", " -static -shared t.o" LINK},
        {"-static-libgcc t.o", " -static-libgcc t.o" LINK},
        {"-r t.o", " -r t.o"},
        {"-Wl,-r t.o", " -Wl,-r t.o"},
        {"-Xlinker --relocatable t.o", " -Xlinker --relocatable t.o"},
        {"--emit-static-lib t.o", " --emit-static-lib t.o"},
    };
    (void)state;
    CHECK(cases);
}

static void values_are_no_inputs(void **state)
{
    static const struct line_case cases[] = {
        {"-mllvm -stack-alignment=16 -Xlinker -Map -Xlinker out.map -I . "
         "-D x=main.c t.c -o t",
         " -mllvm -stack-alignment=16 -Xlinker -Map -Xlinker out.map -I . "
         "-D x=main.c t.c -o t" COMPILE LINK},
        {"-o t.c a.o", " -o t.c a.o" LINK},
        {"-include t.c -v", " -include t.c -v"},
        {"-MF t.c --version", " -MF t.c --version"},
        {"-c -Xclang -E t.c", " -c -Xclang -E t.c" COMPILE},
        {"-T t.c -u main.c a.o", " -T t.c -u main.c a.o" LINK},
        {"-target x86_64-linux-gnu -c -o x.c a.s",
         " -target x86_64-linux-gnu -c -o x.c a.s"},
        {"-sectcreate a.c b.c c.c", " -sectcreate a.c b.c c.c"},
        {"--unknown-thing -nostdlibinc -c t.c",
         " --unknown-thing -nostdlibinc -c t.c" COMPILE},
    };
    (void)state;
    CHECK(cases);
}

static void languages_hold_until_the_next_x(void **state)
{
    static const struct line_case cases[] = {
        {"-c -x assembler a.c -x c b.txt",
         " -c -x assembler a.c -x c b.txt" COMPILE},
        {"-c -x c -x none a.s", " -c -x c -x none a.s"},
        {"-x c++ a -x none b.o", " -x c++ a -x none b.o" COMPILE LINK},
        {"-x c-header a.h -x c b.c", " -x c-header a.h -x c b.c" COMPILE LINK},
    };
    (void)state;
    CHECK(cases);
}

static void other_worlds_stay_plain(void **state)
{
    static const struct line_case cases[] = {
        {"-ffreestanding -c t.c", " -ffreestanding -c t.c"},
        {"-ffreestanding -fhosted -c t.c",
         " -ffreestanding -fhosted -c t.c" COMPILE},
        {"-nostdlib -c t.c", " -nostdlib -c t.c"},
        {"-nostdlib t.o", " -nostdlib t.o"},
        {"-nodefaultlibs t.o", " -nodefaultlibs t.o"},
        /* libtool links C++ libraries so. */
        {"-shared -nostdlib t.o -lstdc++ -lm -lc",
         " -shared -nostdlib t.o -lstdc++ -lm -lc" OPERATORS LINK},
        {"-static -nostdlib t.o -lc",
         " -static -nostdlib t.o -lc" STATIC " -Xlinker -lc"},
        {"-nostdlib++ t.o", " -nostdlib++ t.o" LINK},
        {"-fsanitize=address t.c", " -fsanitize=address t.c" ASIDE},
        {"-fsanitize=address -shared t.c", " -fsanitize=address -shared t.c"},
        {"-fsanitize=undefined,thread t.o",
         " -fsanitize=undefined,thread t.o" ASIDE},
        {"-fsanitize=undefined -c t.c", " -fsanitize=undefined -c t.c" COMPILE},
        {"-fsanitize=address -fno-sanitize=all -c t.c",
         " -fsanitize=address -fno-sanitize=all -c t.c" COMPILE},
        {"-fsanitize=memory,leak -fno-sanitize=memory -c t.c",
         " -fsanitize=memory,leak -fno-sanitize=memory -c t.c"},
        {"-m32 -c t.c", " -m32 -c t.c"},
        {"-m32 -m64 -c t.c", " -m32 -m64 -c t.c" COMPILE},
        {"--target=riscv64-linux-gnu -c t.c",
         " --target=riscv64-linux-gnu -c t.c"},
        {"--target=x86_64-w64-mingw32 t.c", " --target=x86_64-w64-mingw32 t.c"},
        {"-fopenmp-targets=nvptx64 -c t.c", " -fopenmp-targets=nvptx64 -c t.c"},
        {"-c t.cu", " -c t.cu"},
    };
    (void)state;
    CHECK(cases);
}

static void response_files_are_handed_on(void **state)
{
    static const struct line_case cases[] = {
        {"'@{-c t.c}' -o t.o", " @{-c t.c} -o t.o" COMPILE},
        {"'@{-c}' t.c", " @{-c} t.c" COMPILE},
        {"'@{-o}' t.c a.o", " @{-o} t.c a.o" LINK},
        {"'@{-c t.c --benchmem-benchmark=x*}' -g",
         " -c t.c -g" PASS " -fplugin-arg-benchmem-benchmark=x*"},
        {"'@|{-c t.c}' -g", " -c t.c -g" PASS},
    };
    (void)state;
    CHECK(cases);
}

static void ours_stand_before_a_double_dash(void **state)
{
    static const struct line_case cases[] = {
        {"-c -- -odd.c", " -c" COMPILE " -- -odd.c"},
        {"-g '@{-c -- t.c}'", " -g" PASS " @{-c -- t.c}"},
        {"-c -- --benchmem-off.c", " -c" COMPILE " -- --benchmem-off.c"},
    };
    (void)state;
    CHECK(cases);
}

static void nothing_takes_the_place_of_a_missing_value(void **state)
{
    static const struct line_case cases[] = {
        {"t.c -o", " t.c -o"},
        {"-c t.c -x", " -c t.c -x"},
        {"t.c -Xlinker", " t.c -Xlinker"},
        {"t.c -Xclang", " t.c -Xclang"},
    };
    (void)state;
    CHECK(cases);
}

static void an_unknown_option_of_ours_is_named(void **state)
{
    struct bm_line line = BM_LINE_INIT;
    struct bm_scan scan;
    char *argv[] = {(char *)"cc", (char *)"--benchmem-of", (char *)"-c", NULL};
    (void)state;
    bm_line_read(&line, 3, argv, &bm_files_real);
    bm_scan(&scan, &line);
    assert_string_equal(scan.unknown, "of");
    bm_scan_clear(&scan);
    bm_line_clear(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compilations_get_the_pass),
        cmocka_unit_test(operators_come_with_a_shared_cxx_library),
        cmocka_unit_test(what_compiles_nothing_is_untouched),
        cmocka_unit_test(debug_information_is_the_users),
        cmocka_unit_test(links_get_the_runtime),
        cmocka_unit_test(values_are_no_inputs),
        cmocka_unit_test(languages_hold_until_the_next_x),
        cmocka_unit_test(other_worlds_stay_plain),
        cmocka_unit_test(response_files_are_handed_on),
        cmocka_unit_test(ours_stand_before_a_double_dash),
        cmocka_unit_test(nothing_takes_the_place_of_a_missing_value),
        cmocka_unit_test(an_unknown_option_of_ours_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
