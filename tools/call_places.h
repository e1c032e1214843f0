/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The places of a call tree: frames and sites of a profile, made one where
 * they are the same function, line and column. Private to call_tree.c, which
 * builds trees; it fills tree->places.
 */
#ifndef BENCHMEM_TOOLS_CALL_PLACES_H
#define BENCHMEM_TOOLS_CALL_PLACES_H

#include "tools/call_tree.h"
#include "tools/intern.h"
#include "tools/names.h"

struct bm_call_places {
    struct bm_call_tree *tree;
    struct bm_names names;
    struct bm_intern functions;
    struct bm_intern files;
    const char *last_file; /* what files gave last */
    uint32_t last_number;
    struct bm_intern routines;
    struct bm_intern keys;
    uint32_t *of_frame; /* BM_CALL_NO_PLACE: not yet known */
    uint32_t *of_site;  /* where the path ends in the site's own frame */
    size_t room;
};

void bm_call_places_init(struct bm_call_places *places,
                         struct bm_call_tree *tree);

/* The place of an outer frame, which is not NULL. */
uint32_t bm_call_places_frame(struct bm_call_places *places,
                              const struct bm_frame_info *frame);

/* The place of a leaf. frame: the path's last, or NULL. rest: see REST. */
uint32_t bm_call_places_leaf(struct bm_call_places *places,
                             const struct bm_site_info *site,
                             const struct bm_frame_info *frame, bool rest);

/* Marks places whose line does not tell them apart, and shortens files. */
void bm_call_places_finish(struct bm_call_places *places);

void bm_call_places_clear(struct bm_call_places *places);

#endif
