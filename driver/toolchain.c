/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "driver/toolchain.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/process.h"
#include "base/str.h"
#include "driver/find.h"
#include "driver/line.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LLVM_MAJOR BENCHMEM_LLVM_VERSION

static const struct {
    const char *variable;
    const char *built_in; /* what the pass was built for */
} compilers[] = {
    [BM_LANGUAGE_C] = {"BENCHMEM_CC", "clang-" LLVM_MAJOR},
    [BM_LANGUAGE_CXX] = {"BENCHMEM_CXX", "clang++-" LLVM_MAJOR},
};

/* Relative to the folder of benchmem-cc. */
#define PLUGIN "../lib/benchmem/benchmem-pass.so"
#define RUNTIME "../lib/benchmem/libbenchmem_rt.a"
#define STATIC_RUNTIME "../lib/benchmem/libbenchmem_rt_static.a"
#define OPERATORS "../lib/benchmem/libbenchmem_rt_new.a"
#define HARNESS "../lib/benchmem/libbenchmem_main.a"
#define ASIDE "../lib/benchmem/libbenchmem_rt_aside.a"
#define HEADERS "../lib/benchmem/include"

void bm_toolchain_clear(struct bm_toolchain *toolchain)
{
    bm_strvec_clear(&toolchain->compiler);
    free(toolchain->plugin);
    free(toolchain->runtime);
    free(toolchain->static_runtime);
    free(toolchain->operators);
    free(toolchain->harness);
    free(toolchain->aside);
    free(toolchain->self);
}

bool bm_toolchain_is_disabled(void)
{
    const char *value = getenv("BENCHMEM_DISABLE");
    return value && value[0] != '\0' && strcmp(value, "0") != 0;
}

/* Takes path. The words of a command, the first one as a path. */
static void set_compiler(struct bm_toolchain *t, char *path,
                         const struct bm_strvec *words)
{
    bm_strvec_push_owned(&t->compiler, path);
    for (size_t i = 1; i < words->count; i++)
        bm_strvec_push(&t->compiler, words->items[i]);
}

int bm_toolchain_find_compiler(struct bm_toolchain *t,
                               enum bm_language language)
{
    const char *variable = compilers[language].variable;
    const char *command = getenv(variable);
    struct bm_strvec words = BM_STRVEC_INIT;
    int result = 0;

    t->is_named = command && command[strspn(command, " \t")] != '\0';
    if (!t->is_named)
        command = compilers[language].built_in;
    /* A path may hold blanks; a command with words is not a file. */
    char *path = bm_find_program(command, t->self);
    if (path) {
        set_compiler(t, path, &words);
        return 0;
    }
    bm_split_words(command, strlen(command), &words);
    if (words.count > 0)
        path = bm_find_program(words.items[0], t->self);
    if (path)
        set_compiler(t, path, &words);
    else if (t->is_named)
        result = bm_error("%s names no program: %s", variable, command);
    else
        result = bm_error("cannot find %s: install clang-%s, or name it in %s",
                          command, LLVM_MAJOR, variable);
    bm_strvec_clear(&words);
    return result;
}

static int find_part(char **part, const char *program, const char *relative)
{
    free(*part);
    *part = bm_find_beside(program, relative);
    return *part ? 0 : -1;
}

static int find_parts_beside(struct bm_toolchain *t, const char *program)
{
    if (find_part(&t->plugin, program, PLUGIN) ||
        find_part(&t->runtime, program, RUNTIME) ||
        find_part(&t->static_runtime, program, STATIC_RUNTIME) ||
        find_part(&t->operators, program, OPERATORS) ||
        find_part(&t->harness, program, HARNESS) ||
        find_part(&t->aside, program, ASIDE))
        return -1;
    return 0;
}

static int find_parts_on_path(struct bm_toolchain *t)
{
    char *other = bm_find_program("benchmem-cc", t->self);
    char *real = other ? realpath(other, NULL) : NULL;
    int result = real ? find_parts_beside(t, real) : -1;
    free(other);
    free(real);
    return result;
}

static int say_what_is_missing(struct bm_toolchain *t)
{
    find_parts_beside(t, t->self);
    const char *part = !t->plugin           ? PLUGIN
                       : !t->runtime        ? RUNTIME
                       : !t->static_runtime ? STATIC_RUNTIME
                       : !t->operators      ? OPERATORS
                       : !t->harness        ? HARNESS
                                            : ASIDE;
    /* The prefix that this program lies in the bin folder of. */
    char *folder = t->self ? bm_find_beside(t->self, "..") : NULL;
    int result = bm_error("cannot find %s%s: install benchmem again, or set "
                          "BENCHMEM_DISABLE=1 to compile without it",
                          folder ? folder : "", part + strlen(".."));
    free(folder);
    return result;
}

/* A pass runs only in the LLVM that it was built for. */
static int check_version(const struct bm_toolchain *t)
{
    struct bm_strvec command = BM_STRVEC_INIT;
    struct bm_str out = BM_STR_INIT;
    struct bm_process_end end;
    int result = 0, major = 0;

    for (size_t i = 0; i < t->compiler.count; i++)
        bm_strvec_push(&command, t->compiler.items[i]);
    bm_strvec_push(&command, "--version");
    if (bm_process_capture(command.items, &out, &end)) {
        result =
            bm_error("cannot run %s: %s", command.items[0], strerror(errno));
        goto out;
    }
    const char *version = strstr(out.data, "clang version ");
    if (version)
        sscanf(version, "clang version %d", &major);
    if (major == atoi(LLVM_MAJOR))
        goto out;
    out.data[strcspn(out.data, "\n")] = '\0';
    result = bm_error("%s is \"%s\", and the pass is for clang %s: name "
                      "another in BENCHMEM_CC or BENCHMEM_CXX",
                      command.items[0], out.data, LLVM_MAJOR);
out:
    bm_strvec_clear(&command);
    bm_str_clear(&out);
    return result;
}

void bm_toolchain_show_headers(const struct bm_toolchain *t)
{
    static const char *const variables[] = {
        "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "OBJC_INCLUDE_PATH",
        "OBJCPLUS_INCLUDE_PATH"};
    char *headers = t->self ? bm_find_beside(t->self, HEADERS) : NULL;

    for (size_t i = 0; headers && i < sizeof(variables) / sizeof(*variables);
         i++) {
        const char *old = getenv(variables[i]);
        struct bm_str list = BM_STR_INIT;

        /* An empty entry would be the current folder. */
        if (old && *old)
            bm_str_printf(&list, "%s:", old);
        bm_str_puts(&list, headers);
        setenv(variables[i], list.data, 1);
        bm_str_clear(&list);
    }
    free(headers);
}

int bm_toolchain_find_parts(struct bm_toolchain *t)
{
    if (find_parts_beside(t, t->self) && find_parts_on_path(t))
        return say_what_is_missing(t);
    return t->is_named ? check_version(t) : 0;
}
