/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * make_hostile_profile >PROFILE: see hostile.h. With --list, the texts as
 * lines of hexadecimal digits and the size of the block of each.
 */
#include "hostile.h"

#include <stdio.h>
#include <string.h>

static int write_out(void *data, const char *bytes, size_t size)
{
    return fwrite(bytes, 1, size, data) == size ? 0 : -1;
}

static void list(void)
{
    for (size_t i = 0; hostile_texts[i]; i++) {
        for (const char *p = hostile_texts[i]; *p; p++)
            printf("%02x", (unsigned char)*p);
        printf(" %llu\n", (unsigned long long)hostile_size(i));
    }
}

int main(int argc, char **argv)
{
    msgpack_packer packer;
    int error = 0;

    msgpack_packer_init(&packer, stdout, write_out);
    if (argc == 2 && !strcmp(argv[1], "--list"))
        list();
    else
        error = hostile_pack(&packer);
    return error || fflush(stdout) ? 2 : 0;
}
