/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "attribute.h"

#include "calls.h"
#include "file.h"
#include "frames.h"
#include "jumps.h"
#include "memory.h"
#include "mode.h"
#include "paths.h"
#include "stack.h"
#include "threads.h"
#include "uses.h"

#include <stdatomic.h>
#include <string.h>

static bool full_paths;
static bool native_frames;

void bm_attribute_init(struct bm_thread *thread, bool full, uint32_t max_paths,
                       bool native)
{
    full_paths = full;
    native_frames = native;
    bm_stack_set_native(native);
    bm_frames_init(thread);
    bm_paths_init(thread, full ? max_paths : 0);
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

/*
 * A use that stands for a call without a table entry: a jump, or code that
 * the linker made.
 */
struct told {
    struct bm_use *use; /* NULL: there is none */
    bool jumped;        /* the frame that was seen is its caller's */
};

/* What was told of the frame at sp, whose caller's frame starts at `end`. */
static struct told told_of(const struct bm_attribution *a, uintptr_t pc,
                           uintptr_t sp, uintptr_t end)
{
    if (a->noted.use && a->noted.pc == pc && a->noted.sp == sp)
        return (struct told){a->noted.use, true};
    for (uint32_t i = a->nr_brackets; i-- > 0;)
        if (a->brackets[i].sp >= sp && a->brackets[i].sp < end)
            return (struct told){a->brackets[i].use, false};
    return (struct told){0};
}

/* A walk that is longer has met a stack that makes no sense. */
#define MAX_STEPS (1u << 20)

/* The nearest call above a block: in a table, or told by a use. */
struct above {
    const struct bm_frame *where; /* NULL: there is none */
    struct bm_use *use;           /* which told it, or NULL */
    bool direct;                  /* the allocator itself was called */
    bool jumped;
    uint32_t depth; /* of the frame, counted from the caller */
};

/* Whether the call itself may be one of an allocator. */
static bool calls_allocator(const struct bm_frame *where)
{
    return where->kind != BM_KIND_CALL || where->flags & BM_FRAME_INDIRECT;
}

/* Whether a frame, or what was told of it, is such a call; end as above. */
static bool is_above(struct above *above, const struct bm_attribution *a,
                     const struct bm_frame *where, uintptr_t pc, uintptr_t sp,
                     uintptr_t end)
{
    struct told told = told_of(a, pc, sp, end);
    if (told.use)
        where = bm_abi_at(&told.use->where);
    if (!where)
        return false;
    above->where = where;
    above->use = told.use;
    above->jumped = told.jumped;
    /* A library's function may have jumped to malloc. */
    above->direct = above->depth == 0 && calls_allocator(where);
    return true;
}

static struct above call_above(struct bm_stack_cache *stack,
                               struct bm_thread *thread,
                               const struct bm_caller *caller)
{
    struct bm_stack_steps steps = bm_stack_begin(stack, thread, caller);
    struct above above = {0};
    for (bool more = true; more && above.depth < MAX_STEPS; above.depth++) {
        struct bm_caller at = steps.at;
        const struct bm_frame *where = steps.code->where;
        more = bm_stack_next(stack, thread, &steps);
        if (is_above(&above, &thread->attribution, where, at.pc, at.sp,
                     more ? steps.at.sp : UINTPTR_MAX))
            return above;
    }
    above.depth--;
    return above;
}

/* The same on the stack of the last walk. */
static struct above call_above_kept(const struct bm_stack_cache *stack,
                                    const struct bm_thread *thread,
                                    uint32_t depth)
{
    struct above above = {0};
    for (uint32_t i = depth; i-- > 0; above.depth++) {
        const struct bm_stack_frame *at = bm_stack_get(stack, i);
        if (is_above(&above, &thread->attribution, at->code->where, at->pc,
                     at->sp, i ? at[-1].sp : UINTPTR_MAX))
            return above;
    }
    above.depth--;
    return above;
}

/* With no such call: the nearest module that is not the C or C++ library's. */
static uint32_t site_outside(struct bm_stack_cache *stack,
                             struct bm_thread *thread,
                             const struct bm_caller *caller)
{
    struct bm_stack_steps steps = bm_stack_begin(stack, thread, caller);
    for (uint32_t i = 0; i < MAX_STEPS; i++) {
        if (!bm_frame_is_system(steps.at.pc))
            return bm_site_outside(thread, steps.at.pc);
        if (!bm_stack_next(stack, thread, &steps))
            break;
    }
    return bm_site_outside(thread, caller->pc);
}

/*
 * Recent sites of unhooked calls, by the call and what was asked for: to make
 * one's id anew is slow. Direct-mapped, until code changes.
 */
#define SITE_BITS 8

struct bm_site_cache {
    struct {
        const struct bm_frame *where; /* NULL: none */
        uint32_t kind, site;
    } sites[1u << SITE_BITS];
};

/* The site of the call that above tells. */
static uint32_t site_of_above(struct bm_thread *thread,
                              const struct above *above, enum bm_kind kind)
{
    struct bm_attribution *a = &thread->attribution;
    uint32_t asked = above->direct ? (uint32_t)kind : BM_KIND_VIA;
    uint64_t hash =
        ((uintptr_t)above->where + asked) * UINT64_C(0x9e3779b97f4a7c15);
    size_t i = hash >> (64 - SITE_BITS);

    if (!a->sites)
        a->sites = bm_map(sizeof(*a->sites));
    if (!a->sites)
        return site_of_frame(thread, above->where, kind, above->direct);
    if (a->sites->sites[i].where != above->where ||
        a->sites->sites[i].kind != asked) {
        a->sites->sites[i].where = NULL;
        a->sites->sites[i].site =
            site_of_frame(thread, above->where, kind, above->direct);
        a->sites->sites[i].kind = asked;
        a->sites->sites[i].where = above->where;
    }
    return a->sites->sites[i].site;
}

static uint32_t site_above(struct bm_stack_cache *stack,
                           struct bm_thread *thread,
                           const struct bm_caller *caller,
                           const struct above *above, enum bm_kind kind)
{
    if (above->where)
        return site_of_above(thread, above, kind);
    return site_outside(stack, thread, caller);
}

static uint32_t path_above(const struct bm_stack_cache *stack, uint32_t i)
{
    return i ? bm_stack_get(stack, i - 1)->path : BM_PATH_NONE;
}

/* The end of a path at an unhooked call of instrumented code. */
static uint32_t path_to_call(struct bm_stack_cache *stack,
                             struct bm_thread *thread,
                             const struct above *above, uint32_t i,
                             enum bm_kind kind)
{
    const struct bm_code *code = bm_stack_get(stack, i)->code;
    uint32_t frame = code->frame, outer;

    if (above->jumped)
        outer = bm_stack_path_to_use(stack, thread, i, above->use);
    else if (above->use && !code->where)
        /* Code of the linker has a frame beside the one that its use tells. */
        outer = bm_stack_get(stack, i)->path;
    else
        outer = path_above(stack, i);
    if (above->use) {
        bm_use_site(thread, above->use);
        frame = bm_use_frame(above->use);
    }
    return bm_path_end(thread, outer, frame,
                       site_of_above(thread, above, kind));
}

/* The key of a block that no hook was called for. */
static uint32_t unhooked_path(struct bm_stack_cache *stack,
                              struct bm_thread *thread, uint32_t depth,
                              const struct bm_caller *caller, enum bm_kind kind)
{
    struct above above = call_above_kept(stack, thread, depth);
    uint32_t top = depth - 1;
    /* With native, what the call reached is below it and ends the path. */
    if (native_frames && above.depth > 0)
        return bm_path_end(thread, path_above(stack, top),
                           bm_stack_get(stack, top)->code->frame,
                           site_above(stack, thread, caller, &above, kind));
    if (!above.where)
        return bm_path_end(thread, BM_PATH_NONE, 0,
                           site_above(stack, thread, caller, &above, kind));
    return path_to_call(stack, thread, &above, top - above.depth, kind);
}

/* Where only sites are recorded, or the stack cannot be walked. */
static uint32_t attribute_site(struct bm_stack_cache *stack,
                               struct bm_thread *thread,
                               const struct bm_caller *caller,
                               enum bm_kind kind)
{
    if (!stack)
        return BM_SITE_OTHER;
    struct above above = call_above(stack, thread, caller);
    return site_above(stack, thread, caller, &above, kind);
}

uint32_t bm_attribute(struct bm_thread *thread, const struct bm_caller *caller,
                      struct bm_use *use, enum bm_kind kind)
{
    if (use)
        return full_paths ? bm_attribute_hook(thread, caller, use)
                          : bm_use_site(thread, use);
    struct bm_stack_cache *stack = bm_stack_of(thread);
    if (!full_paths)
        return attribute_site(stack, thread, caller, kind);

    uint32_t depth = stack ? bm_stack_walk(stack, thread, caller, false) : 0;
    if (depth > 0)
        return unhooked_path(stack, thread, depth, caller, kind);
    return bm_path_end(thread, BM_PATH_FULL, 0,
                       attribute_site(stack, thread, caller, kind));
}

void bm_attribute_note(struct bm_thread *thread, const struct bm_caller *caller,
                       struct bm_use *use)
{
    struct bm_attribution *a = &thread->attribution;
    struct bm_stack_cache *stack = bm_stack_of(thread);
    a->noted.use = NULL;
    if (!stack)
        return;
    struct bm_stack_steps steps = bm_stack_begin(stack, thread, caller);
    if (!bm_stack_next(stack, thread, &steps))
        return;
    bm_attribute_return_to(thread, &steps.at, use);
}

void bm_attribute_return_to(struct bm_thread *thread,
                            const struct bm_caller *caller, struct bm_use *use)
{
    struct bm_attribution *a = &thread->attribution;

    a->noted.use = use;
    a->noted.pc = caller->pc;
    a->noted.sp = caller->sp;
}

/* Brackets of functions that are gone: the stack is above them. */
static void drop_stale(struct bm_attribution *a, uintptr_t sp)
{
    while (a->nr_brackets && a->brackets[a->nr_brackets - 1].sp < sp)
        a->nr_brackets--;
}

void bm_attribute_push(struct bm_thread *thread, const struct bm_caller *caller,
                       struct bm_use *use)
{
    struct bm_attribution *a = &thread->attribution;
    drop_stale(a, caller->sp);
    if (a->nr_brackets == BM_MAX_BRACKETS)
        return;
    a->brackets[a->nr_brackets].use = use;
    a->brackets[a->nr_brackets++].sp = caller->sp;
}

void bm_attribute_pop(struct bm_thread *thread, const struct bm_caller *caller,
                      struct bm_use *use)
{
    struct bm_attribution *a = &thread->attribution;
    drop_stale(a, caller->sp);
    if (a->nr_brackets && a->brackets[a->nr_brackets - 1].use == use &&
        a->brackets[a->nr_brackets - 1].sp == caller->sp)
        a->nr_brackets--;
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
    bm_attribute_code_changed();
}

void bm_attribute_code_changed(void)
{
    bm_codes_changed();
    bm_mode_change();
}

void bm_attribute_renew(struct bm_thread *thread)
{
    struct bm_site_cache *sites = thread->attribution.sites;

    if (sites)
        memset(sites, 0, sizeof(*sites));
}

uintptr_t bm_stack_top(struct bm_thread *thread, const struct bm_caller *caller)
{
    struct bm_stack_cache *stack = bm_stack_of(thread);
    uint32_t depth = stack ? bm_stack_walk(stack, thread, caller, false) : 0;
    return depth ? bm_stack_get(stack, 0)->sp : caller->sp;
}
