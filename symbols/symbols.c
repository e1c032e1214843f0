/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "symbols/symbols.h"

#include "base/memory.h"
#include "symbols/module.h"

#include <stdlib.h>
#include <string.h>

struct bm_symbols {
    struct bm_arena arena;
};

/* What one foreign frame turned out to be: its part of all places. */
struct found {
    size_t first;
    unsigned nr; /* 0: nothing, or not looked for */
};

struct resolving {
    struct bm_profile *profile;
    struct bm_symbols *symbols;
    struct found *of_frame;
    struct bm_symbol_place *places; /* of each frame innermost first */
    size_t nr_places, room;
};

/* Recorded by its address, and not named yet. */
static bool is_open(const struct bm_frame_info *frame)
{
    return frame->module && frame->offset && !frame->function &&
           frame->module->symbols == BM_SYMBOLS_UNTRIED;
}

static bool anything_open(const struct bm_profile *profile)
{
    for (size_t i = 0; i < profile->nr_frames; i++)
        if (is_open(&profile->frames[i]))
            return true;
    return false;
}

static void find_places(struct resolving *r, struct bm_symbol_module *module,
                        size_t frame)
{
    struct bm_symbol_place places[BM_SYMBOL_MAX_INLINED];
    unsigned nr = bm_module_places(module, r->profile->frames[frame].offset,
                                   &r->symbols->arena, places);

    r->of_frame[frame] = (struct found){r->nr_places, nr};
    for (unsigned i = 0; i < nr; i++) {
        r->places =
            bm_xgrow(r->places, r->nr_places, &r->room, sizeof(*r->places));
        r->places[r->nr_places++] = places[i];
    }
}

/* All frames of one module, which is open only meanwhile. */
static void resolve_module(struct resolving *r, struct bm_module *module)
{
    struct bm_profile *profile = r->profile;
    struct bm_symbol_module *file = NULL;
    enum bm_symbol_source source = BM_SYMBOLS_UNTRIED;

    for (size_t i = 0; i < profile->nr_frames; i++) {
        if (profile->frames[i].module != module ||
            !is_open(&profile->frames[i]))
            continue;
        if (source == BM_SYMBOLS_UNTRIED)
            file = bm_module_open(module, profile->cwd, &source);
        if (!file)
            break;
        find_places(r, file, i);
    }
    module->symbols = source;
    bm_module_close(file);
}

static void set_place(struct bm_frame_info *frame,
                      const struct bm_symbol_place *place)
{
    frame->function = place->function;
    frame->linkage_name = place->linkage_name;
    frame->file = place->file;
    frame->dir = place->dir;
    frame->line = place->line;
    frame->column = place->column;
}

/* Appends a frame with those it is inlined into before it. */
static struct bm_frame_info *put_frame(const struct resolving *r, size_t index,
                                       struct bm_frame_info *to)
{
    const struct bm_frame_info *from = &r->profile->frames[index];
    const struct found *found = &r->of_frame[index];
    const struct bm_frame_info *outer = NULL;

    if (!found->nr) {
        *to = *from;
        return to;
    }
    for (unsigned i = found->nr; i-- > 0; to++) {
        *to = (struct bm_frame_info){
            .inlined_into = outer,
            .module = from->module,
            .offset = from->offset,
            .flags = from->flags,
        };
        set_place(to, &r->places[found->first + i]);
        outer = to;
    }
    return to - 1;
}

/* Frames in a new array, with everything that points at them. */
static void move_frames(struct resolving *r)
{
    struct bm_profile *p = r->profile;
    size_t nr = p->nr_frames + r->nr_places;
    struct bm_frame_info *frames = bm_xcalloc(nr, sizeof(*frames));
    struct bm_frame_info **moved = bm_xcalloc(p->nr_frames, sizeof(*moved));
    struct bm_frame_info *next = frames;

    for (size_t i = 0; i < p->nr_frames; i++) {
        const struct bm_frame_info *outer = p->frames[i].inlined_into;

        moved[i] = put_frame(r, i, next);
        if (!r->of_frame[i].nr && outer)
            moved[i]->inlined_into = moved[outer - p->frames];
        next = moved[i] + 1;
    }
#define MOVE(pointer)                                                          \
    do {                                                                       \
        if (pointer)                                                           \
            (pointer) = moved[(pointer)-p->frames];                            \
    } while (0)
    for (size_t i = 0; i < p->nr_sites; i++)
        MOVE(p->sites[i].frame);
    for (size_t i = 0; i < p->nr_paths; i++)
        MOVE(p->paths[i].frame);
    for (size_t i = 0; i < p->nr_benchmarks; i++)
        MOVE(p->benchmarks[i].frame);
#undef MOVE
    free(moved);
    free(p->frames);
    p->frames = frames;
    p->nr_frames = (size_t)(next - frames);
}

/* ---- the system's headers ---- */

/*
 * The compiler tells which frames are in headers of the system; debug
 * information does not, but names files alike, and a folder is of one kind.
 */
struct folder {
    const char *path;
    size_t length;
};

static struct folder folder_of(const char *file)
{
    const char *slash = file ? strrchr(file, '/') : NULL;

    return (struct folder){file, slash ? (size_t)(slash - file) : 0};
}

static int compare_folders(const void *left, const void *right)
{
    const struct folder *a = left, *b = right;

    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    return memcmp(a->path, b->path, a->length);
}

static void mark_system(struct bm_profile *p)
{
    struct folder *folders = bm_xcalloc(p->nr_frames, sizeof(*folders));
    size_t nr = 0;

    for (size_t i = 0; i < p->nr_frames; i++) {
        struct folder folder = folder_of(p->frames[i].file);

        if (p->frames[i].flags & BM_FRAME_IS_SYSTEM && folder.length)
            folders[nr++] = folder;
    }
    qsort(folders, nr, sizeof(*folders), compare_folders);
    for (size_t i = 0; i < p->nr_frames; i++) {
        struct bm_frame_info *frame = &p->frames[i];
        struct folder folder = folder_of(frame->file);

        if (frame->flags & BM_FRAME_IS_LINKED && folder.length &&
            bsearch(&folder, folders, nr, sizeof(*folders), compare_folders))
            frame->flags |= BM_FRAME_IS_SYSTEM;
    }
    free(folders);
}

/* ---- frames that are told twice ---- */

/*
 * Where the linker made the machine code, a call has two frames: the linked
 * one, whose function may have inlined the call's own, and below it the one
 * that the pass wrote. What both tell is taken off the first.
 */

static const char *linkage_of(const struct bm_frame_info *frame)
{
    return frame->linkage_name ? frame->linkage_name : frame->function;
}

/* The outermost function of a chain of inlining. */
static const struct bm_frame_info *outermost(const struct bm_frame_info *frame)
{
    while (frame->inlined_into)
        frame = frame->inlined_into;
    return frame;
}

static bool is_linked(const struct bm_path_info *path)
{
    return path && path->frame->flags & BM_FRAME_IS_LINKED;
}

/*
 * What is left of linked frame `frame` above a call in function `below`: NULL
 * in *rest where nothing is. False if it does not tell of that function.
 */
static bool take_off(const struct bm_frame_info *frame,
                     const struct bm_frame_info *below,
                     const struct bm_frame_info **rest)
{
    const char *name = linkage_of(outermost(below));

    for (; name && frame; frame = frame->inlined_into) {
        const char *linkage = linkage_of(frame);
        *rest = frame->inlined_into;
        if (linkage && strcmp(linkage, name) == 0)
            return true;
    }
    return false;
}

/* A path's outer one without what its own frame tells; may append one. */
static void set_outer(struct bm_path_info *path, struct bm_path_info **next)
{
    const struct bm_path_info *outer = path->outer;
    const struct bm_frame_info *rest;

    if (!is_linked(outer) || path->frame->module ||
        !take_off(outer->frame, path->frame, &rest))
        return;
    if (!rest) {
        path->outer = outer->outer;
        return;
    }
    /* Paths come after their outer ones: the new one takes this one's place. */
    struct bm_path_info below = *path;
    *path = (struct bm_path_info){.outer = outer->outer, .frame = rest};
    below.outer = path;
    *++*next = below;
}

/* Paths in a new array, with room for one more each. */
static void move_paths(struct bm_profile *p)
{
    struct bm_path_info *paths = bm_xcalloc(2 * p->nr_paths, sizeof(*paths));
    struct bm_path_info **moved = bm_xcalloc(p->nr_paths, sizeof(*moved));
    struct bm_path_info *next = paths;

    for (size_t i = 0; i < p->nr_paths; i++, next++) {
        *next = p->paths[i];
        if (next->outer)
            next->outer = moved[next->outer - p->paths];
        set_outer(next, &next);
        moved[i] = next;
    }
    for (size_t i = 0; i < p->nr_nodes; i++)
        if (p->nodes[i].path)
            p->nodes[i].path = moved[p->nodes[i].path - p->paths];
    for (size_t i = 0; i < p->nr_groupings; i++)
        if (p->groupings[i].path)
            p->groupings[i].path = moved[p->groupings[i].path - p->paths];
    free(moved);
    free(p->paths);
    p->paths = paths;
    p->nr_paths = (size_t)(next - paths);
}

static bool any_linked(const struct bm_profile *profile)
{
    for (size_t i = 0; i < profile->nr_paths; i++)
        if (is_linked(&profile->paths[i]))
            return true;
    return false;
}

struct bm_symbols *bm_symbols_resolve(struct bm_profile *profile)
{
    struct resolving r = {.profile = profile};

    if (!anything_open(profile))
        return NULL;
    r.symbols = bm_xcalloc(1, sizeof(*r.symbols));
    r.of_frame = bm_xcalloc(profile->nr_frames, sizeof(*r.of_frame));
    for (size_t i = 0; i < profile->nr_modules; i++)
        resolve_module(&r, &profile->modules[i]);
    if (r.nr_places) {
        move_frames(&r);
        mark_system(profile);
    }
    if (r.nr_places && any_linked(profile))
        move_paths(profile);
    free(r.places);
    free(r.of_frame);
    return r.symbols;
}

void bm_symbols_free(struct bm_symbols *symbols)
{
    if (!symbols)
        return;
    bm_arena_release(&symbols->arena);
    free(symbols);
}
