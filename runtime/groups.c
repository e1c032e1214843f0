/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "groups.h"

#include "abi.h"
#include "attribute.h"
#include "frames.h"
#include "memory.h"
#include "paths.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* What a frame says, for blocks that are charged to it. */
struct frame {
    const struct frame *charged; /* itself or one it is inlined into, or NULL */
    const struct frame *typed;   /* the same, for the type */
    uint32_t place;              /* number of function, file, line, column */
    uint32_t function;           /* number of function and file */
    uint32_t type;               /* 0: none */
};

struct site {
    const struct frame *frame; /* NULL: `outside` */
    uint32_t what;             /* number of kind and type */
    uint32_t type;             /* 0: none */
    uint32_t function;         /* of `outside` */
};

/* ---- numbers of texts ---- */

static struct bm_intern numbers = {.max = 1u << 22, .nr_heads = 1u << 13};

/* What a number is of: tells equal texts apart. */
enum subject { PLACE, FUNCTION, TYPE, WHAT, OUTSIDE, LINE };

struct hash {
    XXH64_state_t states[2];
};

static void hash_bytes(struct hash *hash, const void *bytes, size_t size)
{
    for (unsigned i = 0; i < 2; i++)
        XXH64_update(&hash->states[i], bytes, size);
}

static void hash_number(struct hash *hash, uint64_t number)
{
    hash_bytes(hash, &number, sizeof(number));
}

static void hash_text(struct hash *hash, struct bm_text text)
{
    hash_number(hash, text.data ? text.size : UINT64_MAX);
    if (text.data)
        hash_bytes(hash, text.data, text.size);
}

static struct hash begin(enum subject subject)
{
    struct hash hash;

    for (unsigned i = 0; i < 2; i++)
        XXH64_reset(&hash.states[i], i);
    hash_number(&hash, subject);
    return hash;
}

static uint32_t number_of(struct hash *hash)
{
    struct bm_intern_key key = {XXH64_digest(&hash->states[0]),
                                XXH64_digest(&hash->states[1])};

    return bm_intern_add(&numbers, key, NULL, NULL);
}

/* As reports name files: the folder counts where the name has none. */
static void hash_function(struct hash *hash,
                          const struct bm_record_frame *frame)
{
    const struct bm_text none = {0};
    bool has_folder =
        frame->file.data && memchr(frame->file.data, '/', frame->file.size);

    hash_text(hash, frame->function);
    hash_text(hash, frame->file);
    hash_text(hash, has_folder ? none : frame->dir);
    /* Of the linker's code, which is named after the run. */
    hash_number(hash, frame->module);
    hash_number(hash, frame->offset);
}

static uint32_t number_of_function(const struct bm_record_frame *frame)
{
    struct hash hash = begin(FUNCTION);

    hash_function(&hash, frame);
    return number_of(&hash);
}

static uint32_t number_of_place(const struct bm_record_frame *frame)
{
    struct hash hash = begin(PLACE);

    hash_function(&hash, frame);
    hash_number(&hash, frame->line);
    hash_number(&hash, frame->column);
    return number_of(&hash);
}

static uint32_t number_of_type(struct bm_text type)
{
    struct hash hash = begin(TYPE);

    hash_text(&hash, type);
    return number_of(&hash);
}

static uint32_t number_of_pair(enum subject subject, uint32_t a, uint32_t b)
{
    struct hash hash = begin(subject);

    hash_number(&hash, a);
    hash_number(&hash, b);
    return number_of(&hash);
}

/* ---- frames and sites, as they are met ---- */

/* Before the entry can be found, which its linking orders. */
static void keep(struct bm_intern_entry *entry, const void *notes)
{
    uint64_t bits = (uintptr_t)notes;

    atomic_store_explicit(&entry->aux[0], (uint32_t)bits, memory_order_relaxed);
    atomic_store_explicit(&entry->aux[1], (uint32_t)(bits >> 32),
                          memory_order_relaxed);
}

static const void *kept(const struct bm_intern_entry *entry)
{
    uint64_t low = atomic_load_explicit(&entry->aux[0], memory_order_relaxed);
    uint64_t high = atomic_load_explicit(&entry->aux[1], memory_order_relaxed);

    return (const void *)(uintptr_t)(high << 32 | low);
}

static const struct frame *frame_at(uint32_t index)
{
    return index ? kept(bm_frame_entry(index)) : NULL;
}

static bool is_foreign(const struct bm_record_frame *frame)
{
    return frame->module && !(frame->flags & BM_FRAME_LINKED);
}

static bool is_charged(const struct bm_record_frame *frame)
{
    if (is_foreign(frame) || frame->flags & BM_FRAME_SYSTEM)
        return false;
    return frame->file.data || frame->flags & BM_FRAME_LINKED;
}

static bool is_typed(const struct bm_record_frame *frame)
{
    return frame->type.data || is_foreign(frame) ||
           !(frame->flags & BM_FRAME_WRAPPER);
}

void bm_groups_note_frame(struct bm_intern_entry *entry,
                          const struct bm_record_frame *frame)
{
    const struct frame *outer = frame_at((uint32_t)frame->inlined_into);
    struct frame *notes = bm_arena_get(sizeof(*notes));

    if (!notes)
        return;
    notes->charged = is_charged(frame) ? notes : outer ? outer->charged : NULL;
    notes->typed = is_typed(frame) ? notes : outer ? outer->typed : NULL;
    notes->place = number_of_place(frame);
    notes->function = number_of_function(frame);
    notes->type = frame->type.data ? number_of_type(frame->type) : 0;
    keep(entry, notes);
}

void bm_groups_note_site(struct bm_intern_entry *entry,
                         const struct bm_record_site *site)
{
    struct site *notes = bm_arena_get(sizeof(*notes));
    struct hash what = begin(WHAT);

    if (!notes)
        return;
    hash_text(&what, site->kind);
    hash_text(&what, site->type);
    notes->frame = frame_at((uint32_t)site->frame);
    notes->what = number_of(&what);
    notes->type = site->type.data ? number_of_type(site->type) : 0;
    notes->function = number_of_pair(OUTSIDE, (uint32_t)site->module, 0);
    keep(entry, notes);
}

/* ---- keys ---- */

enum purpose { CHARGED, TYPED };

static const struct frame *stop_of(const struct frame *frame,
                                   enum purpose purpose)
{
    return purpose == CHARGED ? frame->charged : frame->typed;
}

/* The frame that a key's blocks count for: see bm_charge_frame. */
static const struct frame *frame_of(const struct site *site, uint32_t path,
                                    enum purpose purpose)
{
    const struct frame *found = stop_of(site->frame, purpose);

    if (found == site->frame)
        return found;
    if (path && !bm_path_get(path).other)
        found = NULL;
    while (path && !found && !bm_path_get(path).other) {
        const struct bm_path parts = bm_path_get(path);
        const struct frame *frame =
            parts.frame ? frame_at(parts.frame) : site->frame;

        found = frame ? stop_of(frame, purpose) : NULL;
        path = parts.outer;
    }
    return found ? found : site->frame;
}

static uint32_t type_of(const struct site *site, uint32_t path)
{
    static const struct bm_text unknown = {0};
    uint32_t type = site->type;

    if (!type && site->frame)
        type = frame_of(site, path, TYPED)->type;
    return type ? type : number_of_type(unknown);
}

struct bm_groups bm_groups_of(uint32_t key)
{
    uint32_t number = bm_key_site(key), path = bm_key_path(key);
    struct bm_groups groups = {.of[BM_SAVED_SITE] = number};
    const struct site *site = kept(bm_site_entry(number));

    if (!site)
        return groups;
    groups.of[BM_SAVED_TYPE] = type_of(site, path);
    groups.of[BM_SAVED_FUNCTION] = site->function;
    if (!site->frame)
        return groups;
    const struct frame *charged = frame_of(site, path, CHARGED);
    groups.of[BM_SAVED_FUNCTION] = charged->function;
    if (charged != site->frame)
        groups.of[BM_SAVED_LINE] =
            number_of_pair(LINE, charged->place, site->what);
    return groups;
}
