/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* make_text_profile <TEXT >PROFILE: see text_profile.h. */
#include "text_profile.h"

#include <stdio.h>
#include <stdlib.h>

#define LONGEST_TEXT (4 << 20)

static int write_out(void *data, const char *bytes, size_t size)
{
    return fwrite(bytes, 1, size, data) == size ? 0 : -1;
}

int main(void)
{
    char *text = calloc(1, LONGEST_TEXT);
    msgpack_packer packer;

    if (!text || !fread(text, 1, LONGEST_TEXT - 1, stdin)) {
        fputs("make_text_profile: no input\n", stderr);
        return 2;
    }
    msgpack_packer_init(&packer, stdout, write_out);
    int error = text_profile_pack(&packer, text);
    free(text);
    return error || fflush(stdout) ? 2 : 0;
}
