/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "attribute.h"

#include "calls.h"
#include "file.h"
#include "frames.h"
#include "memory.h"
#include "paths.h"
#include "stack.h"
#include "threads.h"

#include <stdatomic.h>

static bool full_paths;
static bool native_frames;

void bm_attribute_init(struct bm_thread *thread, bool full, uint32_t max_paths,
                       bool native)
{
    full_paths = full;
    native_frames = native;
    bm_stack_set_native(native);
    bm_frames_init(thread);
    if (full)
        bm_paths_init(thread, max_paths);
}

static struct bm_stack_cache *stack_of(struct bm_thread *thread)
{
    if (!thread->attribution.stack)
        thread->attribution.stack = bm_stack_new();
    return thread->attribution.stack;
}

/* The words of a use are written by whoever comes first; all write the same. */
static uint32_t load_index(uint32_t *word)
{
    return atomic_load_explicit((_Atomic uint32_t *)word, memory_order_relaxed);
}

static void store_index(uint32_t *word, uint32_t index)
{
    atomic_store_explicit((_Atomic uint32_t *)word, index,
                          memory_order_relaxed);
}

static __attribute__((noinline, cold)) void learn_use(struct bm_thread *thread,
                                                      struct bm_use *use)
{
    const struct bm_frame *where = bm_abi_at(&use->where);
    uint32_t site =
        bm_site_of_call(thread, where, (enum bm_kind)where->kind, NULL);
    store_index(&use->frame, bm_frame_of_call(thread, where));
    store_index(&use->site, site);
}

static uint32_t site_of_use(struct bm_thread *thread, struct bm_use *use)
{
    uint32_t site = load_index(&use->site);
    if (site)
        return site;
    learn_use(thread, use);
    return load_index(&use->site);
}

/* Names of the malloc family, for calls through a pointer. */
static const char *name_of(enum bm_kind kind, const struct bm_frame *where)
{
    static const char *const names[BM_NR_KINDS] = {
        [BM_KIND_MALLOC] = "malloc",    [BM_KIND_CALLOC] = "calloc",
        [BM_KIND_REALLOC] = "realloc",  [BM_KIND_ALIGNED] = "aligned_alloc",
        [BM_KIND_NEW] = "operator new", [BM_KIND_NEW_ARRAY] = "operator new[]",
        [BM_KIND_STRING] = "strdup",
    };
    return where->callee ? NULL : names[kind];
}

/* A call that reached an allocator: itself, or inside foreign code. */
static uint32_t site_of_frame(struct bm_thread *thread,
                              const struct bm_frame *where, enum bm_kind kind,
                              bool direct)
{
    if (direct)
        return bm_site_of_call(thread, where, kind, name_of(kind, where));
    if (where->kind != BM_KIND_CALL)
        kind = (enum bm_kind)where->kind;
    else
        kind = BM_KIND_VIA;
    return bm_site_of_call(thread, where, kind, NULL);
}

/* The site of a block by the nearest instrumented call, without its path. */
static uint32_t nearest_site(struct bm_stack_cache *stack,
                             struct bm_thread *thread,
                             const struct bm_caller *caller, enum bm_kind kind)
{
    struct bm_nearest nearest = bm_stack_nearest(stack, thread, caller);
    if (nearest.where)
        return site_of_frame(thread, nearest.where, kind, nearest.direct);
    return bm_site_outside(thread, nearest.outside);
}

static uint32_t path_above(const struct bm_stack_cache *stack, uint32_t i)
{
    return i ? bm_stack_get(stack, i - 1)->path : BM_PATH_NONE;
}

/* The key of a block that no hook was called for. */
static uint32_t unhooked_path(struct bm_stack_cache *stack,
                              struct bm_thread *thread, uint32_t depth,
                              const struct bm_caller *caller, enum bm_kind kind)
{
    uint32_t top = depth - 1;
    uint32_t near = bm_stack_get(stack, top)->near;
    uint32_t site, last = top;
    if (near == BM_NO_FRAME) {
        site = nearest_site(stack, thread, caller, kind);
        if (!native_frames)
            return bm_path_end(thread, BM_PATH_NONE, 0, site);
    } else {
        site = site_of_frame(thread, bm_stack_get(stack, near)->where, kind,
                             near == top);
        /* The last frame is the site; with native, what it called is below. */
        if (!native_frames)
            last = near;
    }
    return bm_path_end(thread, path_above(stack, last),
                       bm_stack_get(stack, last)->frame, site);
}

/* Recent ends of paths: from the path above and the use's frame to the key. */
#define NR_ENDS 1024u

struct bm_end_cache {
    struct {
        uint64_t above;
        uint32_t key;
    } ends[NR_ENDS];
};

static struct bm_end_cache *ends_of(struct bm_thread *thread)
{
    if (!thread->attribution.ends)
        thread->attribution.ends = bm_map(sizeof(struct bm_end_cache));
    return thread->attribution.ends;
}

static uint32_t hooked_path(struct bm_thread *thread, uint32_t outer,
                            struct bm_use *use)
{
    uint32_t site = site_of_use(thread, use);
    uint32_t frame = load_index(&use->frame);
    uint64_t above = (uint64_t)outer << 32 | frame;
    struct bm_end_cache *cache = frame ? ends_of(thread) : NULL;
    if (!cache)
        return bm_path_end(thread, outer, frame, site);

    size_t i = (above * UINT64_C(0x9e3779b97f4a7c15)) >> 54;
    if (cache->ends[i].above == above && cache->ends[i].key)
        return cache->ends[i].key;
    uint32_t key = bm_path_end(thread, outer, frame, site);
    cache->ends[i].above = above;
    cache->ends[i].key = key;
    return key;
}

/* Where only sites are recorded, or the stack cannot be walked. */
static uint32_t attribute_site(struct bm_stack_cache *stack,
                               struct bm_thread *thread,
                               const struct bm_caller *caller,
                               struct bm_use *use, enum bm_kind kind)
{
    if (use)
        return site_of_use(thread, use);
    return stack ? nearest_site(stack, thread, caller, kind) : BM_SITE_OTHER;
}

uint32_t bm_attribute(struct bm_thread *thread, const struct bm_caller *caller,
                      struct bm_use *use, enum bm_kind kind)
{
    if (use && !full_paths)
        return site_of_use(thread, use);
    struct bm_stack_cache *stack = stack_of(thread);
    if (!full_paths)
        return attribute_site(stack, thread, caller, use, kind);

    uint32_t depth =
        stack ? bm_stack_walk(stack, thread, caller, use != NULL) : 0;
    if (depth > 0)
        return use ? hooked_path(thread, bm_stack_get(stack, depth - 1)->path,
                                 use)
                   : unhooked_path(stack, thread, depth, caller, kind);
    uint32_t site = attribute_site(stack, thread, caller, use, kind);
    return bm_path_end(thread, BM_PATH_FULL, use ? load_index(&use->frame) : 0,
                       site);
}

uint32_t bm_key_site(uint32_t key)
{
    return full_paths ? bm_path_site(key) : key;
}

uint32_t bm_key_path(uint32_t key)
{
    return full_paths ? key : 0;
}

uint32_t bm_frame_index(struct bm_thread *thread, const struct bm_frame *frame)
{
    return bm_frame_of_call(thread, frame);
}

void bm_image_add(struct bm_thread *thread, struct bm_image *image)
{
    bm_calls_add(image);
    for (const struct bm_elided *elided = image->elided;
         elided < image->elided_end; elided++)
        bm_site_elided(thread, bm_abi_at(&elided->where));
}

void bm_image_remove(struct bm_image *image)
{
    bm_calls_remove(image);
    bm_stack_code_changed();
}

void bm_attribute_code_changed(void)
{
    bm_stack_code_changed();
}

uintptr_t bm_stack_top(struct bm_thread *thread, const struct bm_caller *caller)
{
    struct bm_stack_cache *stack = stack_of(thread);
    uint32_t depth = stack ? bm_stack_walk(stack, thread, caller, false) : 0;
    return depth ? bm_stack_place(stack, 0).sp : caller->sp;
}
