/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * check_profile FILE...: reads each profile and prints `ok FILE`, or which
 * identity of docs/metrics.md does not hold, or why it cannot be read. Each
 * is also written in its small form, read again and must be the same.
 * Exit 1 if any is not ok. The whole test suite runs it on its profiles.
 */
#include "same_profile.h"

#include <stdio.h>

int main(int argc, char **argv)
{
    int status = 0;

    for (int i = 1; i < argc; i++) {
        struct bm_profile_error error;
        struct bm_profile *profile = bm_profile_read(argv[i], &error);
        const char *broken;

        if (!profile) {
            printf("%s: offset %llu: %s\n", argv[i],
                   (unsigned long long)error.offset, error.why);
            status = 1;
            continue;
        }
        broken = bm_profile_check(profile);
        if (!broken)
            broken = small_form_differs(profile);
        if (broken)
            printf("%s: does not hold: %s\n", argv[i], broken);
        else
            printf("ok %s\n", argv[i]);
        status |= broken != NULL;
        bm_profile_free(profile);
    }
    return status;
}
