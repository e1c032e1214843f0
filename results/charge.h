/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Which line a block is charged to. A site is where the allocator was called;
 * in C++ that is mostly a line of the standard library's, which tells nobody
 * anything. Tables charge the innermost frame that is not skipped:
 *
 *   - frames in system headers are skipped, always;
 *   - with callers, also frames of functions that return what they allocate
 *     (found by the compiler, or named by a pattern), so that xmalloc's
 *     blocks show at its callers;
 *   - frames of foreign code have no line of the source and are skipped.
 *
 * Where every frame is skipped, the block stays with its site. So every view
 * has the same totals. All of it is worked out once, in time linear in the
 * numbers of frames and paths.
 */
#ifndef BENCHMEM_RESULTS_CHARGE_H
#define BENCHMEM_RESULTS_CHARGE_H

#include "base/strvec.h"
#include "profile/profile.h"

#include <stdbool.h>

struct bm_charge {
    const struct bm_profile *profile;
    /* The frame that is charged where a path ends in it, by index; NULL: none
     */
    const struct bm_frame_info **of_frame;
    const struct bm_frame_info **of_path;
};

/* wrappers: patterns of fnmatch(3) for functions' names; used with callers. */
void bm_charge_init(struct bm_charge *charge, const struct bm_profile *profile,
                    bool callers, const struct bm_strvec *wrappers);

/*
 * For the type of what a wrapper allocates: skips frames of wrappers alone, up
 * to the first that has a type, which may be a wrapper's own.
 */
void bm_charge_init_types(struct bm_charge *charge,
                          const struct bm_profile *profile,
                          const struct bm_strvec *wrappers);

/* True if a function of the profile fits the pattern of fnmatch(3). */
bool bm_charge_fits(const struct bm_profile *profile, const char *wrapper);

/* True if the site's own frame is skipped, so that its paths decide. */
bool bm_charge_moves(const struct bm_charge *charge,
                     const struct bm_site_info *site);

/* The frame that is charged; NULL for `outside`. path may be NULL. */
const struct bm_frame_info *bm_charge_frame(const struct bm_charge *charge,
                                            const struct bm_site_info *site,
                                            const struct bm_path_info *path);

void bm_charge_clear(struct bm_charge *charge);

#endif
