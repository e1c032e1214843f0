/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "frames.h"

#include "calls.h"
#include "file.h"
#include "groups.h"
#include "intern.h"
#include "modules.h"
#include "options.h"
#include "stop.h"

#include "../profile/records.h"

#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static struct bm_intern frames = {.max = 1u << 22, .nr_heads = 1u << 14};
static struct bm_intern sites = {.max = 1u << 22, .nr_heads = 1u << 13};

static const char *const kind_names[] = {
#define KIND_NAME(upper, name, meaning) [BM_KIND_##upper] = name,
    BM_KINDS(KIND_NAME)
#undef KIND_NAME
};

static struct bm_text text(const char *string)
{
    return (struct bm_text){string, string ? strlen(string) : 0};
}

static struct bm_text text_at(const int32_t *reference)
{
    return text(bm_abi_at(reference));
}

/* A record on its way into a table and the profile. */
struct adding {
    struct bm_thread *thread;
    struct bm_record_frame frame;
    struct bm_record_site site;
};

static bool publish_frame(void *context, uint32_t index,
                          struct bm_intern_entry *entry)
{
    struct adding *adding = context;

    if (bm_options.saves)
        bm_groups_note_frame(entry, &adding->frame);
    adding->frame.index = index;
    msgpack_packer *packer = bm_record_begin(adding->thread);
    return packer && bm_pack_frame(packer, &adding->frame) == 0 &&
           bm_file_append(adding->thread, 0) != NULL;
}

static bool publish_site(void *context, uint32_t index,
                         struct bm_intern_entry *entry)
{
    struct adding *adding = context;

    if (bm_options.saves)
        bm_groups_note_site(entry, &adding->site);
    adding->site.index = index;
    msgpack_packer *packer = bm_record_begin(adding->thread);
    return packer && bm_pack_site(packer, &adding->site) == 0 &&
           bm_file_append(adding->thread, 0) != NULL;
}

static void hash_text(XXH64_state_t *state, struct bm_text part)
{
    if (part.data)
        XXH64_update(state, part.data, part.size);
    XXH64_update(state, "", 1);
}

/* Two hashes of all that a frame says: 128 bits tell any frames apart. */
static struct bm_intern_key frame_key(const struct bm_record_frame *frame)
{
    uint64_t numbers[] = {frame->line,  frame->column, frame->inlined_into,
                          frame->flags, frame->module, frame->offset};
    struct bm_intern_key key;
    uint64_t *words[] = {&key.a, &key.b};
    for (unsigned i = 0; i < 2; i++) {
        XXH64_state_t state;
        XXH64_reset(&state, i);
        XXH64_update(&state, numbers, sizeof(numbers));
        hash_text(&state, frame->function);
        hash_text(&state, frame->linkage_name);
        hash_text(&state, frame->file);
        hash_text(&state, frame->dir);
        hash_text(&state, frame->callee);
        hash_text(&state, frame->type);
        *words[i] = XXH64_digest(&state);
    }
    return key;
}

static uint32_t add_frame(struct bm_thread *thread,
                          const struct bm_frame *where, uint32_t inlined_into)
{
    const struct bm_scope *scope = bm_abi_at(&where->scope);
    const struct bm_detail *detail = bm_abi_at(&where->detail);
    struct adding adding = {
        .thread = thread,
        .frame =
            {
                .function = text_at(&scope->function),
                .linkage_name = text_at(&scope->linkage_name),
                .file = text_at(&scope->file),
                .dir = text_at(&scope->dir),
                .line = where->line,
                .column = where->column,
                .inlined_into = inlined_into,
                .callee = text_at(&where->callee),
                .flags = where->flags,
            },
    };
    /* An allocator's call is a site, which has its own. */
    if (detail && where->kind == BM_KIND_CALL)
        adding.frame.type = text_at(&detail->type);
    return bm_intern_add(&frames, frame_key(&adding.frame), publish_frame,
                         &adding);
}

#define MAX_INLINING 64

uint32_t bm_frame_of_call(struct bm_thread *thread,
                          const struct bm_frame *where)
{
    const struct bm_frame *chain[MAX_INLINING];
    unsigned nr = 0;
    uint32_t index = 0;
    for (; where && nr < MAX_INLINING; where = bm_abi_at(&where->parent))
        chain[nr++] = where;
    while (nr > 0) {
        index = add_frame(thread, chain[--nr], index);
        if (!index)
            return 0;
    }
    return index;
}

uint32_t bm_frame_left(struct bm_thread *thread, const struct bm_scope *scope)
{
    struct adding adding = {
        .thread = thread,
        .frame =
            {
                .function = text_at(&scope->function),
                .linkage_name = text_at(&scope->linkage_name),
                .file = text_at(&scope->file),
                .dir = text_at(&scope->dir),
                .flags = BM_FRAME_TAIL,
            },
    };
    return bm_intern_add(&frames, frame_key(&adding.frame), publish_frame,
                         &adding);
}

static uint32_t add_address(struct bm_thread *thread, uintptr_t pc, bool exact,
                            uint64_t flags)
{
    struct bm_module_place place = bm_module_of(thread, pc - 1);
    struct adding adding = {.thread = thread};
    adding.frame.module = place.index;
    adding.frame.offset = exact ? place.offset : 0;
    adding.frame.flags = flags;
    return bm_intern_add(&frames, frame_key(&adding.frame), publish_frame,
                         &adding);
}

uint32_t bm_frame_foreign(struct bm_thread *thread, uintptr_t pc, bool exact)
{
    return add_address(thread, pc, exact, 0);
}

uint32_t bm_frame_linked(struct bm_thread *thread, uintptr_t pc)
{
    return add_address(thread, pc, true, BM_FRAME_LINKED);
}

bool bm_frame_is_system(uintptr_t pc)
{
    return bm_module_is_system(pc - 1);
}

const struct bm_intern_entry *bm_frame_entry(uint32_t frame)
{
    return bm_intern_get(&frames, frame);
}

const struct bm_intern_entry *bm_site_entry(uint32_t site)
{
    return bm_intern_get(&sites, site);
}

/* What a site's id is the hash of: see `id` in docs/metrics.md. */
static uint64_t site_id(const struct bm_frame *where, struct bm_text callee)
{
    const struct bm_scope *scope = bm_abi_at(&where->scope);
    uint32_t place[2] = {where->line, where->column};
    XXH64_state_t state;
    XXH64_reset(&state, 0);
    hash_text(&state, text_at(&scope->file));
    XXH64_update(&state, place, sizeof(place));
    hash_text(&state, text_at(&scope->function));
    hash_text(&state, callee);
    return XXH64_digest(&state);
}

static uint32_t add_site(struct bm_thread *thread, const struct bm_frame *where,
                         enum bm_kind kind, struct bm_text callee, bool elided)
{
    struct adding adding = {.thread = thread};
    struct bm_record_site *site = &adding.site;
    site->id = site_id(where, callee);
    struct bm_intern_key key = {site->id, elided};
    uint32_t index = bm_intern_find(&sites, key);
    if (index)
        return index;

    /* Elided sites come at start-up, before modules can be looked up. */
    if (!elided)
        bm_module_meet_instrumented(thread, (uintptr_t)where);
    site->frame = add_frame(thread, where, 0);
    site->kind = text(kind_names[kind]);
    site->callee = callee;
    site->elided = elided;
    const struct bm_detail *detail = bm_abi_at(&where->detail);
    if (detail) {
        site->type = text_at(&detail->type);
        site->size_expr = text_at(&detail->size_expr);
        site->count = text_at(&detail->count);
    }
    if (site->frame)
        index = bm_intern_add(&sites, key, publish_site, &adding);
    if (!elided && bm_options.stop_site && bm_options.stop_site == site->id)
        bm_stop_watch_site(index);
    return index;
}

uint32_t bm_site_of_call(struct bm_thread *thread, const struct bm_frame *where,
                         enum bm_kind kind, const char *callee)
{
    struct bm_text name = callee ? text(callee) : text_at(&where->callee);
    uint32_t index = add_site(thread, where, kind, name, false);
    return index ? index : BM_SITE_OTHER;
}

void bm_site_elided(struct bm_thread *thread, const struct bm_frame *where)
{
    add_site(thread, where, (enum bm_kind)where->kind, text_at(&where->callee),
             true);
}

static uint32_t add_outside(struct bm_thread *thread, uint32_t module)
{
    struct adding adding = {.thread = thread};
    struct bm_intern_key key = {module, 2};
    adding.site.kind = text(kind_names[BM_KIND_OUTSIDE]);
    adding.site.module = module;
    return bm_intern_add(&sites, key, publish_site, &adding);
}

uint32_t bm_site_outside(struct bm_thread *thread, uintptr_t pc)
{
    uint32_t index = add_outside(thread, bm_module_of(thread, pc - 1).index);
    return index ? index : BM_SITE_OTHER;
}

void bm_frames_init(struct bm_thread *thread)
{
    /* The first index that a table gives out is 1: BM_SITE_OTHER. */
    add_outside(thread, 0);
}
