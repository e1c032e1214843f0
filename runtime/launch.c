/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "launch.h"

#include "sys.h"
#include "text.h"

#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

/* Where the kernel put argc; exported by glibc's dynamic linker and libc.a. */
extern void *__libc_stack_end __attribute__((weak));

/*
 * Launchers' variables, the most specific first: a batch job sets its own
 * also for what a launcher starts within it.
 */
static const char *const rank_names[] = {
    "OMPI_COMM_WORLD_RANK", "PMIX_RANK",    "PMI_RANK",
    "MV2_COMM_WORLD_RANK",  "PALS_RANKID",  "FLUX_TASK_RANK",
    "ALPS_APP_PE",          "SLURM_PROCID", "MPI_LOCALRANKID",
};

static bool read_stack(struct bm_launch *out)
{
    if (&__libc_stack_end && __libc_stack_end) {
        char **stack = __libc_stack_end;

        out->nr_arguments = (int)(intptr_t)stack[0];
        out->arguments = stack + 1;
        out->environment = out->arguments + out->nr_arguments + 1;
        if (out->nr_arguments > 0 && !out->arguments[out->nr_arguments])
            return true;
    }
    out->nr_arguments = 0;
    out->arguments = NULL;
    out->environment = environ;
    return environ != NULL;
}

static void read_program(struct bm_launch *out)
{
    struct bm_line line = bm_line_in(out->program, sizeof(out->program));
    long size = bm_sys_readlink("/proc/self/exe", out->program,
                                sizeof(out->program) - 1);

    if (size > 0) {
        out->program[size] = '\0';
        return;
    }
    const char *name = (const char *)getauxval(AT_EXECFN);
    if (name && name[0] != '/' && out->cwd[0]) {
        bm_line_text(&line, out->cwd);
        bm_line_text(&line, "/");
    }
    bm_line_text(&line, name ? name : "unknown");
}

static void read_host(struct bm_launch *out)
{
    struct utsname names;

    if (bm_sys_uname(&names) == 0)
        memcpy(out->host, names.nodename,
               strnlen(names.nodename, sizeof(out->host) - 1));
}

bool bm_launch_read(struct bm_launch *out)
{
    if (!read_stack(out))
        return false;
    /* The kernel says "(unreachable)/..." of a folder outside the root. */
    if (bm_sys_getcwd(out->cwd, sizeof(out->cwd)) <= 0 || out->cwd[0] != '/')
        out->cwd[0] = '\0';
    read_program(out);
    read_host(out);
    for (size_t i = 0; i < sizeof(rank_names) / sizeof(rank_names[0]); i++) {
        const char *rank = bm_text_env(out->environment, rank_names[i]);

        if (rank && !out->rank)
            out->rank = rank;
    }
    out->is_secure = getauxval(AT_SECURE) != 0;
    return true;
}

const char *bm_launch_name(const struct bm_launch *launch)
{
    const char *slash = strrchr(launch->program, '/');

    return slash && slash[1] ? slash + 1 : launch->program;
}

/* Parts of paths under which build systems try out compilers. */
static const char *const probe_folders[] = {
    "/CMakeFiles/CMakeScratch/", "/CMakeFiles/CMakeTmp/", "/CompilerIdC/",
    "/CompilerIdCXX/",           "/meson-private/",
};

bool bm_launch_is_probe(const struct bm_launch *launch)
{
    const char *name = bm_launch_name(launch);

    if (strcmp(name, "conftest") == 0 || strcmp(name, "conftest.exe") == 0 ||
        strncmp(name, "cmTC_", strlen("cmTC_")) == 0)
        return true;
    /* configure's first test leaves the name of the output to the compiler. */
    if (strcmp(name, "a.out") == 0 && bm_sys_exists("conftest.c"))
        return true;
    for (size_t i = 0; i < sizeof(probe_folders) / sizeof(probe_folders[0]);
         i++)
        if (strstr(launch->program, probe_folders[i]))
            return true;
    return false;
}
