/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "results/charge.h"

#include "base/memory.h"

#include <fnmatch.h>
#include <stdlib.h>

static bool fits(const struct bm_frame_info *frame, const char *wrapper)
{
    return frame->function && !fnmatch(wrapper, frame->function, 0);
}

bool bm_charge_fits(const struct bm_profile *profile, const char *wrapper)
{
    for (size_t i = 0; i < profile->nr_frames; i++) {
        if (fits(&profile->frames[i], wrapper))
            return true;
    }
    return false;
}

static bool is_named(const struct bm_frame_info *frame,
                     const struct bm_strvec *wrappers)
{
    for (size_t i = 0; i < wrappers->count; i++) {
        if (fits(frame, wrappers->items[i]))
            return true;
    }
    return false;
}

enum stop {
    AT_SOURCE,
    AT_CALLERS,
    AT_TYPES,
};

static bool is_skipped(const struct bm_frame_info *frame, enum stop stop,
                       const struct bm_strvec *wrappers)
{
    bool foreign = frame->module && !(frame->flags & BM_FRAME_IS_LINKED);

    if (stop == AT_TYPES && (frame->type || foreign))
        return false;
    if (stop != AT_TYPES &&
        (!frame->file || foreign || (frame->flags & BM_FRAME_IS_SYSTEM)))
        return true;
    return stop != AT_SOURCE &&
           ((frame->flags & BM_FRAME_IS_WRAPPER) || is_named(frame, wrappers));
}

/* Callers come before what they call, in frames and paths alike. */
static void init(struct bm_charge *charge, const struct bm_profile *profile,
                 enum stop stop, const struct bm_strvec *wrappers)
{
    charge->profile = profile;
    charge->of_frame =
        bm_xcalloc(profile->nr_frames, sizeof(*charge->of_frame));
    charge->of_path = bm_xcalloc(profile->nr_paths, sizeof(*charge->of_path));

    for (size_t i = 0; i < profile->nr_frames; i++) {
        const struct bm_frame_info *frame = &profile->frames[i];
        const struct bm_frame_info *outer = frame->inlined_into;

        if (!is_skipped(frame, stop, wrappers))
            charge->of_frame[i] = frame;
        else if (outer)
            charge->of_frame[i] = charge->of_frame[outer - profile->frames];
    }
    for (size_t i = 0; i < profile->nr_paths; i++) {
        const struct bm_path_info *path = &profile->paths[i];

        charge->of_path[i] = charge->of_frame[path->frame - profile->frames];
        if (!charge->of_path[i] && path->outer)
            charge->of_path[i] = charge->of_path[path->outer - profile->paths];
    }
}

void bm_charge_init(struct bm_charge *charge, const struct bm_profile *profile,
                    bool callers, const struct bm_strvec *wrappers)
{
    init(charge, profile, callers ? AT_CALLERS : AT_SOURCE, wrappers);
}

void bm_charge_init_types(struct bm_charge *charge,
                          const struct bm_profile *profile,
                          const struct bm_strvec *wrappers)
{
    init(charge, profile, AT_TYPES, wrappers);
}

bool bm_charge_moves(const struct bm_charge *charge,
                     const struct bm_site_info *site)
{
    return site->frame &&
           charge->of_frame[site->frame - charge->profile->frames] !=
               site->frame;
}

const struct bm_frame_info *bm_charge_frame(const struct bm_charge *charge,
                                            const struct bm_site_info *site,
                                            const struct bm_path_info *path)
{
    const struct bm_frame_info *frame;

    if (!bm_charge_moves(charge, site))
        return site->frame;
    if (path && !path->other)
        frame = charge->of_path[path - charge->profile->paths];
    else
        frame = charge->of_frame[site->frame - charge->profile->frames];
    return frame ? frame : site->frame;
}

void bm_charge_clear(struct bm_charge *charge)
{
    free(charge->of_frame);
    free(charge->of_path);
    *charge = (struct bm_charge){NULL, NULL, NULL};
}
