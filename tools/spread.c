/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/spread.h"

#include "base/size.h"

#include <stdlib.h>

void bm_spread_add(struct bm_spread *spread, uint64_t value)
{
    if (!spread->count || value < spread->min)
        spread->min = value;
    if (!spread->count || value > spread->max)
        spread->max = value;
    spread->sum += value;
    spread->count++;
}

uint64_t bm_spread_mean(const struct bm_spread *spread)
{
    if (!spread->count)
        return 0;
    uint64_t mean = spread->sum / spread->count;
    uint64_t rest = spread->sum % spread->count;
    return mean + (rest >= spread->count - rest);
}

struct bm_spread bm_spread_of_peaks(const struct bm_profile *profile)
{
    struct bm_spread spread = {0};

    for (size_t i = 0; i < profile->nr_processes; i++)
        bm_spread_add(&spread, profile->processes[i].totals.peak_bytes);
    return spread;
}

/* Sites of a process lie in the order of the profile's. */
static int compare(const void *key, const void *element)
{
    const struct bm_site_info *site = key;
    const struct bm_bench_site *row = element;

    return (site > row->site) - (site < row->site);
}

struct bm_spread bm_spread_of_site(const struct bm_profile *profile,
                                   const struct bm_site_info *site,
                                   bool own_peak)
{
    struct bm_spread spread = {0};

    for (size_t i = 0; i < profile->nr_processes; i++) {
        const struct bm_process_info *process = &profile->processes[i];
        const struct bm_bench_site *row =
            process->nr_sites ? bsearch(site, process->sites, process->nr_sites,
                                        sizeof(*process->sites), compare)
                              : NULL;

        bm_spread_add(&spread, !row       ? 0
                               : own_peak ? row->figures.peak_bytes
                                          : row->figures.at_peak_bytes);
    }
    return spread;
}

void bm_spread_print(struct bm_str *out, const struct bm_spread *spread)
{
    bm_size_print(out, spread->min);
    bm_str_puts(out, " / ");
    bm_size_print(out, bm_spread_mean(spread));
    bm_str_puts(out, " / ");
    bm_size_print(out, spread->max);
}

void bm_spread_put(struct bm_json *json, const char *key,
                   const struct bm_spread *spread)
{
    bm_json_key(json, key);
    bm_json_begin_object(json);
    bm_json_put_uint(json, "min", spread->min);
    bm_json_key(json, "mean");
    bm_json_double(
        json, spread->count ? (double)spread->sum / (double)spread->count : 0);
    bm_json_put_uint(json, "max", spread->max);
    bm_json_end_object(json);
}
