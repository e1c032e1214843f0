/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/call_places.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* Numbers only and no padding: compared byte by byte. */
struct key {
    uint32_t function;
    uint32_t file;
    uint32_t line;
    uint32_t column;
    uint32_t flags;
    uint32_t site; /* index plus 1, 0 for an outer frame */
};

/*
 * Functions that no user wrote: of the recorder, of the header's main, and of
 * the C library before main or a thread's start function. A name that ends in
 * * stands for all that begin so.
 */
static const char *const own_functions[] = {
    "__benchmem_*",
    "benchmem_main_*",
    "_start",
    "__libc_start_main*",
    "__libc_start_call_main",
    "start_thread",
    "clone",
    "clone3",
    "__clone",
    "__clone3",
    "_dl_start_user",
};

static bool is_own(const char *function)
{
    for (size_t i = 0; i < sizeof(own_functions) / sizeof(*own_functions);
         i++) {
        const char *name = own_functions[i];
        size_t size = strcspn(name, "*");

        if (!strncmp(function, name, size) &&
            (name[size] == '*' || !function[size]))
            return true;
    }
    return false;
}

static uint32_t *new_numbers(size_t count)
{
    uint32_t *numbers = bm_xcalloc(count + 1, sizeof(*numbers));

    memset(numbers, 0xff, (count + 1) * sizeof(*numbers));
    return numbers;
}

void bm_call_places_init(struct bm_call_places *places,
                         struct bm_call_tree *tree)
{
    *places = (struct bm_call_places){
        .tree = tree,
        .functions = BM_INTERN_INIT,
        .files = BM_INTERN_INIT,
        .routines = BM_INTERN_INIT,
        .keys = BM_INTERN_INIT,
        .of_frame = new_numbers(tree->profile->nr_frames),
        .of_site = new_numbers(tree->profile->nr_sites),
    };
    bm_names_init(&places->names, tree->profile);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

/* What a box is called whose code no symbol names. */
static const char *name_foreign(struct bm_call_tree *tree,
                                const struct bm_frame_info *frame)
{
    const char *module = base_name(frame->module->path);

    if (tree->options.native || frame->flags & BM_FRAME_IS_LINKED)
        return bm_arena_printf(&tree->arena, "%s+0x%" PRIx64, module,
                               frame->offset);
    return bm_arena_printf(&tree->arena, "[%s]", module);
}

static void describe_frame(struct bm_call_places *places,
                           const struct bm_frame_info *frame,
                           struct bm_call_place *place)
{
    static const struct {
        unsigned of_frame, of_place;
    } bits[] = {
        {BM_FRAME_IS_TAIL, BM_CALL_TAIL},
        {BM_FRAME_IS_SYSTEM, BM_CALL_SYSTEM},
    };

    place->frame = frame;
    place->file = bm_names_file(&places->names, frame);
    place->line = frame->line;
    place->column = frame->column;
    place->function = frame->function;
    for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++)
        place->flags |= frame->flags & bits[i].of_frame ? bits[i].of_place : 0;
    if (frame->inlined_into)
        place->flags |= BM_CALL_INLINED;
    if (frame->module) {
        if (!(frame->flags & BM_FRAME_IS_LINKED))
            place->flags |= BM_CALL_FOREIGN;
        place->module = frame->module->path;
        if (!place->function)
            place->function = name_foreign(places->tree, frame);
    }
    if (!place->function)
        place->function = "(unknown)";
    if (is_own(place->function))
        place->flags |= BM_CALL_OWN;
}

/* An `outside` site may have a frame that stands for no code. */
static bool says_anything(const struct bm_frame_info *frame)
{
    return frame->function || frame->file || frame->module;
}

static void describe_outside(struct bm_call_places *places,
                             const struct bm_site_info *site,
                             struct bm_call_place *place)
{
    place->flags = BM_CALL_OUTSIDE | BM_CALL_FOREIGN;
    place->function = "outside";
    if (!site->module)
        return;
    place->module = site->module->path;
    place->function = bm_arena_printf(&places->tree->arena, "outside [%s]",
                                      base_name(site->module->path));
}

/* A routine is a function of a file. */
static uint32_t number_of_routine(struct bm_call_places *places,
                                  uint32_t function, uint32_t file)
{
    const uint32_t pair[] = {function, file};
    uint32_t number = bm_intern_bytes(&places->routines, pair, sizeof(pair));

    places->tree->nr_routines = places->routines.count;
    return number;
}

/* Strings of one profile are mostly the same pointers, and come together. */
static uint32_t number_of_file(struct bm_call_places *places, const char *file)
{
    if (file != places->last_file) {
        places->last_file = file;
        places->last_number = bm_intern(&places->files, file);
    }
    return places->last_number;
}

/* The number of an equal place, or of a new one. */
static uint32_t find_or_add(struct bm_call_places *places,
                            struct bm_call_place *place)
{
    struct bm_call_tree *tree = places->tree;
    const char *where = place->file ? place->file : place->module;
    const struct key key = {
        .function = bm_intern(&places->functions, place->function),
        .file = number_of_file(places, where ? where : ""),
        .line = place->line,
        .column = place->column,
        .flags = place->flags,
        .site = place->site ? (uint32_t)(place->site - tree->profile->sites) + 1
                            : 0,
    };

    uint32_t number = bm_intern_bytes(&places->keys, &key, sizeof(key));
    if (number < tree->nr_places)
        return number;
    place->routine = number_of_routine(places, key.function, key.file);
    tree->places = bm_xgrow(tree->places, tree->nr_places, &places->room,
                            sizeof(*tree->places));
    tree->places[tree->nr_places] = *place;
    return tree->nr_places++;
}

uint32_t bm_call_places_frame(struct bm_call_places *places,
                              const struct bm_frame_info *frame)
{
    uint32_t *known = &places->of_frame[frame - places->tree->profile->frames];

    if (*known == BM_CALL_NO_PLACE) {
        struct bm_call_place place = {0};

        describe_frame(places, frame, &place);
        *known = find_or_add(places, &place);
    }
    return *known;
}

uint32_t bm_call_places_leaf(struct bm_call_places *places,
                             const struct bm_site_info *site,
                             const struct bm_frame_info *frame, bool rest)
{
    uint32_t *known = &places->of_site[site - places->tree->profile->sites];
    bool usual = !rest && (!frame || frame == site->frame);
    struct bm_call_place place = {.site = site};

    if (usual && *known != BM_CALL_NO_PLACE)
        return *known;
    if (!frame)
        frame = site->frame;
    if (frame && says_anything(frame))
        describe_frame(places, frame, &place);
    else
        describe_outside(places, site, &place);
    if (rest)
        place.flags |= BM_CALL_REST;
    uint32_t number = find_or_add(places, &place);
    if (usual)
        *known = number;
    return number;
}

/* The last n parts of a path, all of it if it has no more. */
static const char *last_parts(const char *path, unsigned n)
{
    const char *p = path + strlen(path);

    while (p > path) {
        if (p[-1] == '/' && n-- == 1)
            break;
        p--;
    }
    return p;
}

struct ending {
    UT_hash_handle hh;
    const char *text;
    const char *file; /* the one that has it, NULL: several */
};

/* Which files have which ending of n parts. */
static struct ending *find_endings(struct bm_call_tree *tree, unsigned n,
                                   struct bm_arena *arena)
{
    struct ending *endings = NULL, *ending;

    for (uint32_t i = 0; i < tree->nr_places; i++) {
        const char *file = tree->places[i].file;
        if (!file)
            continue;
        const char *text = last_parts(file, n);
        HASH_FIND(hh, endings, text, strlen(text), ending);
        if (!ending) {
            ending = bm_arena_alloc(arena, sizeof(*ending));
            ending->text = text;
            ending->file = file;
            HASH_ADD_KEYPTR(hh, endings, text, strlen(text), ending);
        } else if (ending->file && strcmp(ending->file, file) != 0) {
            ending->file = NULL;
        }
    }
    return endings;
}

/* More parts than this are not worth a box's width. */
#define MOST_PARTS 8

/*
 * Each file's shortest ending of its own. Whole parts only, and the same
 * number for all of which the shorter ones are alike.
 */
static void shorten_files(struct bm_call_tree *tree)
{
    bool more = true;

    for (uint32_t i = 0; i < tree->nr_places; i++)
        tree->places[i].short_file = NULL;
    for (unsigned n = 1; n <= MOST_PARTS && more; n++) {
        struct bm_arena arena = BM_ARENA_INIT;
        struct ending *endings = find_endings(tree, n, &arena), *ending;

        more = false;
        for (uint32_t i = 0; i < tree->nr_places; i++) {
            struct bm_call_place *place = &tree->places[i];
            if (!place->file || place->short_file)
                continue;
            const char *text = last_parts(place->file, n);
            HASH_FIND(hh, endings, text, strlen(text), ending);
            if (ending->file)
                place->short_file = text;
            else
                more = true;
        }
        HASH_CLEAR(hh, endings);
        bm_arena_release(&arena);
    }
    for (uint32_t i = 0; i < tree->nr_places; i++) {
        if (!tree->places[i].short_file)
            tree->places[i].short_file = tree->places[i].file;
    }
}

static int by_line(const void *a, const void *b, void *context)
{
    const struct bm_call_place *places = context;
    const struct bm_call_place *x = &places[*(const uint32_t *)a];
    const struct bm_call_place *y = &places[*(const uint32_t *)b];

    if (x->routine != y->routine)
        return x->routine < y->routine ? -1 : 1;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return x->column < y->column ? -1 : x->column > y->column;
}

static bool same_line(const struct bm_call_place *a,
                      const struct bm_call_place *b)
{
    return a->routine == b->routine && a->line == b->line;
}

void bm_call_places_finish(struct bm_call_places *places)
{
    struct bm_call_place *all = places->tree->places;
    uint32_t count = places->tree->nr_places;
    uint32_t *order = bm_xcalloc(count + 1, sizeof(*order));

    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    qsort_r(order, count, sizeof(*order), by_line, all);
    for (uint32_t i = 0, end; i < count; i = end) {
        for (end = i + 1;
             end < count && same_line(&all[order[i]], &all[order[end]]);)
            end++;
        /* Sorted: if the first and the last agree, all of them do. */
        if (all[order[i]].column == all[order[end - 1]].column)
            continue;
        for (uint32_t j = i; j < end; j++)
            all[order[j]].flags |= BM_CALL_COLUMN;
    }
    free(order);
    shorten_files(places->tree);
}

void bm_call_places_clear(struct bm_call_places *places)
{
    bm_intern_clear(&places->keys);
    bm_names_clear(&places->names);
    bm_intern_clear(&places->functions);
    bm_intern_clear(&places->files);
    bm_intern_clear(&places->routines);
    free(places->of_frame);
    free(places->of_site);
}
