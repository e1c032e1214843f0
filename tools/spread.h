/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What cannot be added up over the processes of a merged profile, as
 * minimum, mean and maximum over all of them; a process that never came to a
 * site held nothing there.
 */
#ifndef BENCHMEM_TOOLS_SPREAD_H
#define BENCHMEM_TOOLS_SPREAD_H

#include "base/json.h"
#include "base/str.h"
#include "profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bm_spread {
    uint64_t min, max, sum;
    size_t count;
};

void bm_spread_add(struct bm_spread *spread, uint64_t value);

/* 0 of none; rounded to the nearest. */
uint64_t bm_spread_mean(const struct bm_spread *spread);

/* Whether the figures are sums over several processes. */
static inline bool bm_is_merged(const struct bm_profile *profile)
{
    return profile->flags & BM_STATE_MERGED && profile->nr_processes;
}

/* The processes' own peaks. */
struct bm_spread bm_spread_of_peaks(const struct bm_profile *profile);

/*
 * Of one site: its own peak in each process, or what it held at each one's
 * peak.
 */
struct bm_spread bm_spread_of_site(const struct bm_profile *profile,
                                   const struct bm_site_info *site,
                                   bool own_peak);

/* "1.0 KiB / 1.5 KiB / 2.0 KiB". */
void bm_spread_print(struct bm_str *out, const struct bm_spread *spread);

/* "key": {"min", "mean", "max"}. */
void bm_spread_put(struct bm_json *json, const char *key,
                   const struct bm_spread *spread);

#endif
