/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "paths.h"

#include "attribute.h"
#include "file.h"
#include "frames.h"
#include "intern.h"

#include "../profile/profile.h"
#include "../profile/records.h"

static struct bm_intern paths = {.max = BM_KEY_MAX, .nr_heads = 1u << 18};
static uint32_t bound;

/* One for each path that may come, so that chains stay short. */
#define MAX_HEADS (1u << 23)

/* In the second word of a key: the site's further paths. */
#define KEY_OTHER (UINT64_C(1) << 32)

/* `flags` of a path record. */
enum {
    PATH_OTHER = 1,
};

static bool publish(void *context, uint32_t index,
                    struct bm_intern_entry *entry)
{
    struct bm_thread *thread = context;
    struct bm_record_path record = {
        .index = index,
        .outer = entry->key.a >> 32,
        .frame = (uint32_t)entry->key.a,
        .site = (uint32_t)entry->key.b,
        .flags = entry->key.b & KEY_OTHER ? PATH_OTHER : 0,
    };
    msgpack_packer *packer = bm_record_begin(thread);
    return packer && bm_pack_path(packer, &record) == 0 &&
           bm_file_append(thread, 0) != NULL;
}

static struct bm_intern_key key_of(uint32_t outer, uint32_t frame,
                                   uint64_t site)
{
    return (struct bm_intern_key){(uint64_t)outer << 32 | frame, site};
}

/* 0 if the path is new and there is no more room for it. */
static uint32_t bounded_add(struct bm_thread *thread, struct bm_intern_key key)
{
    if (atomic_load_explicit(&paths.nr, memory_order_relaxed) >= bound)
        return bm_intern_find(&paths, key);
    return bm_intern_add(&paths, key, publish, thread);
}

uint32_t bm_path_below(struct bm_thread *thread, uint32_t outer, uint32_t frame)
{
    if (outer == BM_PATH_FULL)
        return BM_PATH_FULL;
    uint32_t path = bounded_add(thread, key_of(outer, frame, 0));
    return path ? path : BM_PATH_FULL;
}

uint32_t bm_path_end(struct bm_thread *thread, uint32_t outer, uint32_t frame,
                     uint32_t site)
{
    uint32_t path = 0;
    if (outer != BM_PATH_FULL)
        path = bounded_add(thread, key_of(outer, frame, site));
    if (!path) {
        bm_file_flag(BM_STATE_PATHS_FULL);
        path = bm_intern_add(&paths, key_of(0, frame, site | KEY_OTHER),
                             publish, thread);
    }
    return path ? path : BM_KEY_OTHER;
}

uint32_t bm_path_site(uint32_t path)
{
    return (uint32_t)bm_intern_get(&paths, path)->key.b;
}

struct bm_path bm_path_get(uint32_t path)
{
    const struct bm_intern_key key = bm_intern_get(&paths, path)->key;

    return (struct bm_path){
        .outer = (uint32_t)(key.a >> 32),
        .frame = (uint32_t)key.a,
        .site = (uint32_t)key.b,
        .other = key.b & KEY_OTHER,
    };
}

void bm_paths_init(struct bm_thread *thread, uint32_t max_paths)
{
    bound = max_paths < 2 ? 2 : max_paths;
    while (paths.nr_heads < bound && paths.nr_heads < MAX_HEADS)
        paths.nr_heads *= 2;
    bm_intern_add(&paths, key_of(0, 0, BM_SITE_OTHER), publish, thread);
}
