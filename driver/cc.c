/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * benchmem-cc and benchmem-c++: clang with the pass and the runtime added.
 * One source, compiled once for each language (BENCHMEM_DRIVER_LANGUAGE), so
 * that a link of whatever name keeps the language of what it points to.
 */
#include "base/error.h"
#include "base/str.h"
#include "driver/find.h"
#include "driver/line.h"
#include "driver/options.h"
#include "driver/plan.h"
#include "driver/scan.h"
#include "driver/toolchain.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "driver/stamp.h"

/* Of the compiler that could not be run or of which a part is missing. */
#define EXIT_NO_COMPILER 1

static const char help[] =
    "Usage: %1$s [--benchmem-OPTION...] [CLANG ARGUMENT...]\n"
    "clang with memory recording: every other argument is clang's.\n"
    "\n"
    "  --benchmem-access          also follow which bytes of the heap this "
    "code\n"
    "                             reads and writes (slow)\n"
    "  --benchmem-benchmark=GLOB  benchmarks are the functions of this name;\n"
    "                             !GLOB leaves some out\n"
    "  --benchmem-wrapper=NAME    NAME hands out what it allocates: charge "
    "its\n"
    "                             callers\n"
    "  --benchmem-off             compile or link this without benchmem\n"
    "  --benchmem-show            print the command instead of running it\n"
    "  --benchmem-help            print this help\n"
    "  --benchmem-version         print the version\n"
    "\n"
    "Environment:\n"
    "  BENCHMEM_CC, BENCHMEM_CXX  the clang " BENCHMEM_LLVM_VERSION
    " to run (clang-" BENCHMEM_LLVM_VERSION ", clang++-" BENCHMEM_LLVM_VERSION
    ")\n"
    "  BENCHMEM_DISABLE=1         plain clang\n"
    "\n"
    "The program writes its profile when it runs; benchmem-report reads it.\n";

/* A link may be called c++; else the language is what was built in. */
static enum bm_language language_of(const char *argv0)
{
    const char *slash = argv0 ? strrchr(argv0, '/') : NULL;
    const char *name = slash ? slash + 1 : argv0;
    return name && strstr(name, "++") ? BM_LANGUAGE_CXX
                                      : BENCHMEM_DRIVER_LANGUAGE;
}

/* An input that is not there is clang's to report. */
static bool inputs_exist(const struct bm_scan *scan)
{
    if (scan->flags & BM_SCAN_ELSEWHERE)
        return true;
    for (size_t i = 0; i < scan->inputs.count; i++)
        if (access(scan->inputs.items[i], F_OK) != 0)
            return false;
    return true;
}

/* Exit status of what benchmem itself was asked, -1 where clang is wanted. */
static int answer(const struct bm_scan *scan)
{
    const char *name = program_invocation_short_name;

    if (scan->unknown) {
        bm_error("unknown option --benchmem-%s: see --benchmem-help",
                 scan->unknown);
        return BM_EXIT_USAGE;
    }
    if (scan->flags & BM_SCAN_HELP) {
        printf(help, name);
        return BM_EXIT_OK;
    }
    if (scan->flags & BM_SCAN_VERSION) {
        printf("%s " BENCHMEM_VERSION " for clang " BENCHMEM_LLVM_VERSION
               " (" BENCHMEM_STAMP ")\n",
               name);
        return BM_EXIT_OK;
    }
    return -1;
}

static int find_toolchain(struct bm_toolchain *toolchain,
                          const struct bm_decision *decision,
                          enum bm_language language)
{
    if (bm_toolchain_find_compiler(toolchain, language))
        return -1;
    if (!decision->instrument && !decision->link && !decision->add_aside)
        return 0;
    return bm_toolchain_find_parts(toolchain);
}

/* Far more than stands above the includes of a file. */
#define LOOKED_AT (1 << 20)

static bool names_headers(const char *path)
{
    FILE *file = fopen(path, "re");
    struct bm_str text = BM_STR_INIT;
    char piece[1 << 14];
    size_t size;

    while (file && text.size < LOOKED_AT &&
           (size = fread(piece, 1, sizeof(piece), file)) > 0)
        bm_str_add(&text, piece, size);
    bool found = memmem(text.data, text.size, "benchmem/", 9);
    if (file)
        fclose(file);
    bm_str_clear(&text);
    return found;
}

/*
 * CMake and libtool learn from -v where the compiler looks, which has to be
 * what clang's answer is. So then only what includes our headers sees them.
 */
static bool wants_headers(const struct bm_scan *scan)
{
    if (!(scan->flags & BM_SCAN_VERBOSE))
        return true;
    for (size_t i = 0; i < scan->inputs.count; i++) {
        if (names_headers(scan->inputs.items[i]))
            return true;
    }
    return false;
}

static int run(const struct bm_strvec *command, bool only_show)
{
    if (only_show) {
        bm_plan_print(command);
        return BM_EXIT_OK;
    }
    execv(command->items[0], command->items);
    bm_error("cannot run %s: %s", command->items[0], strerror(errno));
    return EXIT_NO_COMPILER;
}

int main(int argc, char **argv)
{
    struct bm_line line = BM_LINE_INIT;
    struct bm_scan scan;
    struct bm_decision decision = {0};
    struct bm_toolchain toolchain = {.self = bm_find_self(argv[0])};
    struct bm_strvec command = BM_STRVEC_INIT;

    bm_line_read(&line, argc, argv, &bm_files_real);
    bm_scan(&scan, &line);
    if (language_of(argv[0]) == BM_LANGUAGE_CXX)
        scan.flags |= BM_SCAN_CXX;
    int status = answer(&scan);
    if (status >= 0)
        goto out;
    status = EXIT_NO_COMPILER;
    if (!line.broken && !bm_toolchain_is_disabled() && inputs_exist(&scan))
        decision = bm_decide(&scan);
    if (decision.is_unsupported) {
        bm_error("musl can only be recorded in a static program: add -static, "
                 "or --benchmem-off to link without benchmem");
        goto out;
    }
    if (find_toolchain(&toolchain, &decision, language_of(argv[0])))
        goto out;
    if (wants_headers(&scan))
        bm_toolchain_show_headers(&toolchain);
    bm_plan(&command, argv, &line, &scan, &decision, &toolchain);
    status = run(&command, scan.flags & BM_SCAN_SHOW);
out:
    bm_strvec_clear(&command);
    bm_toolchain_clear(&toolchain);
    bm_scan_clear(&scan);
    bm_line_clear(&line);
    return status;
}
