/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * make_profile [NAME=NUMBER]... >FILE: a made-up profile; the names are the
 * members of struct synthetic.
 */
#include "synthetic.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int write_out(void *data, const char *bytes, size_t size)
{
    return fwrite(bytes, 1, size, data) == size ? 0 : -1;
}

static int set(struct synthetic *what, const char *argument)
{
    const struct {
        const char *name;
        size_t *value;
    } options[] = {
        {"sites", &what->sites},
        {"paths", &what->paths},
        {"depth", &what->depth},
        {"threads", &what->threads},
        {"benchmarks", &what->benchmarks},
        {"passes", &what->passes},
        {"seed", &what->seed},
    };
    const char *equals = strchr(argument, '=');
    size_t length = equals ? (size_t)(equals - argument) : 0;

    for (size_t i = 0; equals && i < sizeof(options) / sizeof(options[0]); i++)
        if (strlen(options[i].name) == length &&
            memcmp(options[i].name, argument, length) == 0) {
            *options[i].value = strtoull(equals + 1, NULL, 10);
            return 0;
        }
    fprintf(stderr, "make_profile: unknown option %s\n", argument);
    return -1;
}

int main(int argc, char **argv)
{
    struct synthetic what = {
        .sites = 10, .depth = 5, .threads = 1, .passes = 3, .seed = 1};
    msgpack_packer packer;

    for (int i = 1; i < argc; i++)
        if (set(&what, argv[i]) < 0)
            return 2;
    msgpack_packer_init(&packer, stdout, write_out);
    if (what.sites == 0 || synthetic_pack(&packer, &what) || fflush(stdout)) {
        fputs("make_profile: cannot write\n", stderr);
        return 2;
    }
    return 0;
}
