/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What a program of others may look like: the sites of a profile. */
#include <benchmem/profile.h>

#include <stdio.h>

int main(int argc, char **argv)
{
    struct bm_profile_error error;
    struct bm_profile *profile;

    if (argc != 2)
        return 2;
    profile = bm_profile_read(argv[1], &error);
    if (!profile) {
        printf("%s: offset %llu: %s\n", argv[1],
               (unsigned long long)error.offset, error.why);
        return 2;
    }
    for (size_t i = 0; i < profile->nr_sites; i++) {
        const struct bm_site_info *site = &profile->sites[i];

        printf("%s:%u: %llu bytes at the peak\n", site->frame->file,
               site->frame->line,
               (unsigned long long)site->figures.at_peak_bytes);
    }
    for (size_t i = 0; i < profile->nr_benchmarks; i++)
        printf("%s\n", profile->benchmarks[i].id);
    bm_profile_free(profile);
    return 0;
}
