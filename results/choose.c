/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "results/choose.h"

#include <string.h>

/* Lists longer than this are cut in messages. */
#define MOST_LISTED 20

enum bm_fit bm_choose_fit(const char *id, const char *wanted)
{
    if (!strcmp(id, wanted))
        return BM_FIT_EXACTLY;
    return strstr(id, wanted) ? BM_FIT_IN_PART : BM_FIT_NONE;
}

void bm_choose_list(struct bm_str *list, size_t number, const char *name)
{
    if (number < MOST_LISTED)
        bm_str_printf(list, "%s%s", number ? ", " : "", name);
    else if (number == MOST_LISTED)
        bm_str_puts(list, ", ...");
}

static void list_ids(struct bm_str *list, const struct bm_profile *profile,
                     const char *part)
{
    size_t nr = 0;

    for (size_t i = 0; i < profile->nr_benchmarks; i++)
        if (strstr(profile->benchmarks[i].id, part))
            bm_choose_list(list, nr++, profile->benchmarks[i].id);
}

const struct bm_benchmark_info *
bm_choose_benchmark(const struct bm_profile *profile, const char *path,
                    const char *wanted, struct bm_str *why)
{
    const struct bm_benchmark_info *found = NULL;
    size_t nr_found = 0;

    for (size_t i = 0; i < profile->nr_benchmarks; i++) {
        const struct bm_benchmark_info *benchmark = &profile->benchmarks[i];
        enum bm_fit fit = bm_choose_fit(benchmark->id, wanted);

        if (fit == BM_FIT_EXACTLY)
            return benchmark;
        if (fit == BM_FIT_NONE)
            continue;
        found = benchmark;
        nr_found++;
    }
    if (nr_found == 1)
        return found;
    if (!profile->nr_benchmarks) {
        bm_str_printf(why, "there are no benchmarks in %s", path);
    } else if (!nr_found) {
        bm_str_printf(why, "no such benchmark in %s; there are ", path);
        list_ids(why, profile, "");
    } else {
        bm_str_puts(why, "several fit: ");
        list_ids(why, profile, wanted);
        bm_str_puts(why, "; name one");
    }
    return NULL;
}
