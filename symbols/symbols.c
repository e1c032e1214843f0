/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "symbols/symbols.h"

#include "base/memory.h"
#include "symbols/module.h"

#include <stdlib.h>

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

struct bm_symbols *bm_symbols_resolve(struct bm_profile *profile)
{
    struct resolving r = {.profile = profile};

    if (!anything_open(profile))
        return NULL;
    r.symbols = bm_xcalloc(1, sizeof(*r.symbols));
    r.of_frame = bm_xcalloc(profile->nr_frames, sizeof(*r.of_frame));
    for (size_t i = 0; i < profile->nr_modules; i++)
        resolve_module(&r, &profile->modules[i]);
    if (r.nr_places)
        move_frames(&r);
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
