/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Numbers for call paths: a path is a frame below another path, and ends at a
 * site if it is a block's. A path's number is the key of its blocks.
 *
 * The table is bounded. Beyond the bound a site's further paths share one
 * entry of their own, so that the site stays exact.
 *
 * Any thread, guard held.
 */
#ifndef BENCHMEM_RUNTIME_PATHS_H
#define BENCHMEM_RUNTIME_PATHS_H

#include <stdbool.h>
#include <stdint.h>

struct bm_thread;

#define BM_PATH_NONE 0u /* above the outermost frame */

/* Path 1 is that of BM_SITE_OTHER. max_paths counts every entry. */
void bm_paths_init(struct bm_thread *thread, uint32_t max_paths);

/* frame below outer. BM_PATH_FULL if the table is. */
#define BM_PATH_FULL UINT32_MAX
uint32_t bm_path_below(struct bm_thread *thread, uint32_t outer,
                       uint32_t frame);

/* The end of a path at a site. Never BM_PATH_FULL. */
uint32_t bm_path_end(struct bm_thread *thread, uint32_t outer, uint32_t frame,
                     uint32_t site);

uint32_t bm_path_site(uint32_t path);

/* What a path is made of; frame is 0 where it is its site's. */
struct bm_path {
    uint32_t outer, frame, site;
    bool other; /* stands for further paths of its site */
};
struct bm_path bm_path_get(uint32_t path);

#endif
