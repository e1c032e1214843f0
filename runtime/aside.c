/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * In the place of the recorder, in programs with a sanitizer that owns malloc
 * (-fsanitize=address and its kin): says once, at the start, that there will
 * be no profile. Only where one was asked for by BENCHMEM_OUTPUT, and not where
 * a recorder is there that tells it in the profile (preloaded by
 * benchmem-run).
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* For the driver, which links this by its name. */
extern const char benchmem_aside_v1[];
const char benchmem_aside_v1[] = "benchmem";

/* Of runtime.h: there where a recorder is. */
extern const char benchmem_runtime_v1[] __attribute__((weak));

static bool is_disabled(void)
{
    const char *value = secure_getenv("BENCHMEM_DISABLE");

    return value && *value && strcmp(value, "0") != 0;
}

__attribute__((constructor)) static void say(void)
{
    static const char text[] =
        "benchmem: nothing is recorded: this program has a sanitizer that "
        "owns malloc; build it without -fsanitize to measure it\n";
    const char *output = secure_getenv("BENCHMEM_OUTPUT");

    if (benchmem_runtime_v1 || !output || !*output || is_disabled())
        return;
    /* Nothing can be done about an error. */
    if (write(STDERR_FILENO, text, sizeof(text) - 1) < 0)
        return;
}
