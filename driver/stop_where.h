/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Where --stop-at stops, as a profile tells: at the peak of the program, of
 * one benchmark or of one site. Each is the figure that live bytes reach
 * there, and which allocation of the recorded run made them.
 *
 * Functions return -1 with an error printed where the profile has no such
 * place, or several; `path` is the profile's, for that line.
 */
#ifndef BENCHMEM_DRIVER_STOP_WHERE_H
#define BENCHMEM_DRIVER_STOP_WHERE_H

#include "profile/profile.h"

struct bm_stop_place {
    uint64_t live;
    uint64_t ordinal;   /* 0: not known */
    uint64_t benchmark; /* by profile/identity.h; 0: it is none's */
    uint64_t site;      /* its id; 0: it is none's */
};

/*
 * Whether the profile is of one process, and that not one which was stopped
 * before its peak.
 */
bool bm_stop_can_use(const struct bm_profile *profile);

/* wanted is a benchmark's id, or a part that only one id has. */
int bm_stop_at_benchmark(const struct bm_profile *profile, const char *path,
                         const char *wanted, struct bm_stop_place *place);

/*
 * wanted is FILE:LINE or FILE:LINE:COLUMN, FILE an end of the path. Of several
 * sites there it is the one with the largest peak, and a warning names the
 * others.
 */
int bm_stop_at_site(const struct bm_profile *profile, const char *path,
                    const char *wanted, struct bm_stop_place *place);

#endif
