/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Lines of source beside the sites that name them. Sources are looked for
 * where they were compiled (folder and file) and below the current folder;
 * one that is not there is no error. Files are only ever read, and only
 * regular ones; each is read once.
 */
#ifndef BENCHMEM_TOOLS_LISTING_H
#define BENCHMEM_TOOLS_LISTING_H

#include "base/memory.h"
#include "profile/profile.h"

struct bm_listing {
    struct bm_listing_file *files;
    struct bm_arena arena;
};
#define BM_LISTING_INIT                                                        \
    {                                                                          \
        NULL, BM_ARENA_INIT                                                    \
    }

/*
 * The text of the frame's line without the blanks around it, NULL if it
 * cannot be had. Valid until bm_listing_clear.
 */
const char *bm_listing_line(struct bm_listing *listing,
                            const struct bm_frame_info *frame);

void bm_listing_clear(struct bm_listing *listing);

#endif
