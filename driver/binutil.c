/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * benchmem-ar, benchmem-ranlib, benchmem-nm and their llvm- forms: CMake and
 * others take what stands before "cc" for a toolchain's prefix and look for
 * those names. Runs LLVM's tool of that name, which reads the objects of a
 * link-time-optimized build, else the system's.
 */
#include "base/error.h"
#include "base/str.h"
#include "driver/find.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static const char prefix[] = "benchmem-";
static const char llvm_prefix[] = "llvm-";

static const char *skip(const char *text, const char *beginning)
{
    size_t size = strlen(beginning);
    return strncmp(text, beginning, size) == 0 ? text + size : text;
}

/* Returns only where there is no such program. */
static void try_to_run(const char *program, char **argv)
{
    char *path = bm_find_program(program, NULL);
    if (!path)
        return;
    argv[0] = path;
    execv(path, argv);
    bm_die("cannot run %s: %s", path, strerror(errno));
}

int main(int argc, char **argv)
{
    (void)argc;
    const char *tool = skip(program_invocation_short_name, prefix);
    tool = skip(tool, llvm_prefix);

    struct bm_str llvm_tool = BM_STR_INIT;
    bm_str_printf(&llvm_tool, "llvm-%s-" BENCHMEM_LLVM_VERSION, tool);
    try_to_run(llvm_tool.data, argv);
    try_to_run(tool, argv);
    bm_die("cannot find %s or %s: install llvm-" BENCHMEM_LLVM_VERSION,
           llvm_tool.data, tool);
}
