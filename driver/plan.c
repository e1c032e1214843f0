/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "driver/plan.h"

#include "runtime/operators.h"

#include <stdio.h>
#include <string.h>

/* By which copies of the runtime find each other: runtime/runtime.h. */
#define RUNTIME_SYMBOL "benchmem_runtime_v1"
/* No library exports it: each link gets a copy that tells its own tables. */
#define COPY_SYMBOL "benchmem_copy_v1"

/* Of runtime/operators.h. */
#define OPERATORS_SYMBOL "benchmem_operators_v1"

/* Of runtime/aside.c. */
#define ASIDE_SYMBOL "benchmem_aside_v1"

/* Unlike -Wl, it takes commas; unlike an input, it has no language. */
static void add_linker_word(struct bm_strvec *command, const char *option,
                            const char *value)
{
    bm_strvec_push(command, "-Xlinker");
    bm_strvec_pushf(command, "%s%s", option, value);
}

static void add_compile_words(struct bm_strvec *command,
                              const struct bm_scan *scan,
                              const struct bm_decision *decision,
                              const struct bm_toolchain *toolchain)
{
    bm_strvec_pushf(command, "-fplugin=%s", toolchain->plugin);
    bm_strvec_pushf(command, "-fpass-plugin=%s", toolchain->plugin);
    for (size_t i = 0; i < scan->plugin_args.count; i++)
        bm_strvec_pushf(command, "-fplugin-arg-benchmem-%s",
                        scan->plugin_args.items[i]);
    if (!decision->add_line_table)
        return;
    /*
     * To the compiler proper: -gline-tables-only would reach the assembler
     * too, for the .S files of the same command, and lose against a -g0.
     */
    bm_strvec_push(command, "-Xclang");
    bm_strvec_push(command, "-debug-info-kind=line-tables-only");
    bm_strvec_push(command, "-fplugin-arg-benchmem-no-debug-output");
}

/* What the runtime takes over: the malloc family and the ends of its tables. */
#define FAMILY_MALLOC(symbol) #symbol,
#define FAMILY_CALLOC FAMILY_MALLOC
#define FAMILY_REALLOC FAMILY_MALLOC
#define FAMILY_ALIGNED FAMILY_MALLOC
#define FAMILY_NEW(symbol)
#define FAMILY_NEW_ARRAY(symbol)
#define FAMILY_STRING(symbol)
#define BM_HOOKED(symbol, kind, signature) FAMILY_##kind(symbol)
static const char *const family[] = {
#include "runtime/allocators.inc"
    "free",
#define BM_END(symbol) #symbol,
#include "runtime/ends.inc"
};

/* They come before the runtime, whose own calls of `new` they serve too. */
static void add_operators(struct bm_strvec *command,
                          const struct bm_toolchain *toolchain)
{
#define OPERATOR_NEW(symbol, kind, signature) #symbol,
#define OPERATOR_DELETE(symbol, signature) #symbol,
    static const char *const operators[] = {
        BM_OPERATORS(OPERATOR_NEW, OPERATOR_DELETE)};

    add_linker_word(command, "--undefined=", OPERATORS_SYMBOL);
    add_linker_word(command, "", toolchain->operators);
    for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++)
        add_linker_word(command, "--export-dynamic-symbol=", operators[i]);
}

static void add_link_words(struct bm_strvec *command,
                           const struct bm_decision *decision,
                           const struct bm_toolchain *toolchain)
{
    /*
     * Libraries find the program's malloc by its dynamic symbol, which mold
     * does not export by itself. A static program has no malloc that could
     * come before another: calls are renamed.
     */
    const char *how =
        decision->is_static ? "--wrap=" : "--export-dynamic-symbol=";

    /* Its main is taken where no input has one and the header is used. */
    if (decision->is_program && toolchain->harness)
        add_linker_word(command, "", toolchain->harness);
    if (decision->add_operators)
        add_operators(command, toolchain);
    /* The runtime comes whether or not anything here refers to it. */
    add_linker_word(command, "--undefined=", COPY_SYMBOL);
    add_linker_word(command, "",
                    decision->is_static ? toolchain->static_runtime
                                        : toolchain->runtime);
    for (size_t i = 0; i < sizeof(family) / sizeof(*family); i++)
        add_linker_word(command, how, family[i]);
    if (!decision->is_static)
        add_linker_word(command, how, RUNTIME_SYMBOL);
    if (decision->add_libc)
        add_linker_word(command, "", "-lc");
}

static void add_aside(struct bm_strvec *command,
                      const struct bm_toolchain *toolchain)
{
    add_linker_word(command, "--undefined=", ASIDE_SYMBOL);
    add_linker_word(command, "", toolchain->aside);
}

static void add_our_words(struct bm_strvec *command, const struct bm_scan *scan,
                          const struct bm_decision *decision,
                          const struct bm_toolchain *toolchain)
{
    if (decision->instrument)
        add_compile_words(command, scan, decision, toolchain);
    if (decision->link)
        add_link_words(command, decision, toolchain);
    if (decision->add_aside)
        add_aside(command, toolchain);
}

/* The words [first, last) came from one word of argv; it must go. */
static bool must_expand(const struct bm_line *line, const struct bm_scan *scan,
                        size_t first, size_t last)
{
    if (line->broken)
        return false;
    for (size_t i = first; i < last; i++)
        if (scan->ours[i])
            return true;
    return first < last && line->read_once[line->origins[first]];
}

static void add_user_words(struct bm_strvec *command, const char *word,
                           const struct bm_line *line,
                           const struct bm_scan *scan, size_t first,
                           size_t last)
{
    if (!must_expand(line, scan, first, last)) {
        bm_strvec_push(command, word);
        return;
    }
    for (size_t i = first; i < last; i++)
        if (!scan->ours[i])
            bm_strvec_push(command, line->words.items[i]);
}

void bm_plan(struct bm_strvec *command, char **argv, const struct bm_line *line,
             const struct bm_scan *scan, const struct bm_decision *decision,
             const struct bm_toolchain *toolchain)
{
    for (size_t i = 0; i < toolchain->compiler.count; i++)
        bm_strvec_push(command, toolchain->compiler.items[i]);

    /* Behind `--` are inputs: a main of theirs would be the second one. */
    struct bm_toolchain before_inputs = *toolchain;
    before_inputs.harness = NULL;

    bool is_added = false;
    size_t first = 0;
    for (size_t i = 1; argv[i]; i++) {
        size_t last = first;
        while (last < line->words.count && line->origins[last] == i)
            last++;
        if (!is_added && scan->end < last) {
            add_our_words(command, scan, decision, &before_inputs);
            is_added = true;
        }
        add_user_words(command, argv[i], line, scan, first, last);
        first = last;
    }
    if (!is_added)
        add_our_words(command, scan, decision, toolchain);
}

static void print_quoted(const char *word)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyz"
                               "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                               "0123456789%+,-./:=@_";
    if (word[0] != '\0' && word[strspn(word, safe)] == '\0') {
        fputs(word, stdout);
        return;
    }
    putchar('\'');
    for (; *word; word++)
        if (*word == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*word);
    putchar('\'');
}

void bm_plan_print(const struct bm_strvec *command)
{
    for (size_t i = 0; i < command->count; i++) {
        if (i > 0)
            putchar(' ');
        print_quoted(command->items[i]);
    }
    putchar('\n');
}
