/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What places are called in tables.
 *
 * A file is called as the compiler was given it. Two files of one name that
 * were compiled in different folders ("util.c" in lib/ and in src/) are told
 * apart by their folders. A site has its column where another one is on its
 * line.
 */
#ifndef BENCHMEM_TOOLS_NAMES_H
#define BENCHMEM_TOOLS_NAMES_H

#include "base/memory.h"
#include "base/str.h"
#include "profile/profile.h"

struct bm_names {
    const struct bm_profile *profile;
    struct bm_names_file *files;
    struct bm_names_lines *lines; /* of sites; NULL until one is named */
    struct bm_arena arena;
};

void bm_names_init(struct bm_names *names, const struct bm_profile *profile);

/* Valid until bm_names_clear; NULL where the frame has no file. */
const char *bm_names_file(struct bm_names *names,
                          const struct bm_frame_info *frame);

/* "file:line function"; what is known of a frame that has no file. */
void bm_names_frame(struct bm_names *names, const struct bm_frame_info *frame,
                    struct bm_str *out);

/* The same for a site, charged to frame (NULL for `outside`). */
void bm_names_site(struct bm_names *names, const struct bm_site_info *site,
                   const struct bm_frame_info *frame, struct bm_str *out);

/*
 * Path of the executable or library that the code of a site or frame belongs
 * to; NULL where the profile does not tell. Both may be NULL.
 */
const char *bm_names_module(const struct bm_profile *profile,
                            const struct bm_site_info *site,
                            const struct bm_frame_info *frame);

void bm_names_clear(struct bm_names *names);

#endif
