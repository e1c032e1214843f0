/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "file.h"

#include "memory.h"
#include "slab.h"
#include "threads.h"

#include "../profile/profile.h"
#include "../profile/records.h"

#include <string.h>

/* The file at first; an ordinary small program needs no more. */
#define FIRST_SLAB ((size_t)32 * 1024)
/* Memory that it is begun in: a head of any length fits. */
#define MEMORY_SLAB ((size_t)BM_RECORD_MAX * 2)
/* A further thread's first piece: its record and some thirty nodes. */
#define THREAD_SLAB ((size_t)4096)
#define MAX_SLAB ((size_t)1024 * 1024)
/* Of a part that has grown by so much: what is not used yet is little then. */
#define MANY ((size_t)16 * 1024 * 1024)
#define MAX_OF_MANY ((size_t)8 * 1024 * 1024)

/*
 * Room at a slab's end that only a thread's `other` nodes may take: without
 * them, the events that find no room would be missing from the totals.
 */
#define RESERVE ((size_t)512)

/* Records are placed on 8 bytes and their words on 16. */
#define ALIGNMENT ((size_t)8)
#define WORDS_ALIGNMENT ((size_t)16)

#define BIN32_TAG 0xc6u /* msgpack's `bin 32`: the tag and four bytes */
#define BIN32_HEADER ((size_t)5)

static _Atomic(uint64_t *) state_words;
static _Atomic bool full;

/* msgpack-c's callback: appends to the record being packed. */
static int pack_bytes(void *data, const char *bytes, size_t size)
{
    struct bm_part *part = data;

    if (size > BM_RECORD_MAX - part->packed)
        part->refused = true;
    if (part->refused)
        return -1;
    memcpy(part->buffer + part->packed, bytes, size);
    part->packed += size;
    return 0;
}

msgpack_packer *bm_record_begin(struct bm_thread *thread)
{
    struct bm_part *part = &thread->part;

    if (!part->buffer)
        part->buffer = bm_map(BM_RECORD_MAX);
    if (!part->buffer)
        return NULL;
    part->packed = 0;
    part->refused = false;
    msgpack_packer_init(&part->packer, part, pack_bytes);
    return &part->packer;
}

static void use_slab(struct bm_part *part, struct bm_slab *slab)
{
    part->slab = slab;
    part->next = slab->base;
    part->end = slab->base + slab->size;
}

static bool grow(struct bm_part *part, size_t need)
{
    size_t size = part->slab_size ? part->slab_size : THREAD_SLAB;

    if (atomic_load_explicit(&full, memory_order_relaxed))
        return false;
    while (size < need + RESERVE)
        size *= 2;
    struct bm_slab *slab = bm_slab_new(size);
    if (!slab) {
        bm_file_flag(BM_STATE_FILE_FULL);
        atomic_store_explicit(&full, true, memory_order_relaxed);
        return false;
    }
    use_slab(part, slab);
    part->grown += size;
    size_t max = part->grown < MANY ? MAX_SLAB : MAX_OF_MANY;
    part->slab_size = size < max ? size * 2 : max;
    return true;
}

static bool make_room(struct bm_part *part, size_t need)
{
    size_t room = (size_t)(part->end - part->next);

    if (room >= need + RESERVE)
        return true;
    return grow(part, need) || (part->last_resort && room >= need);
}

static size_t round_up(size_t size)
{
    return (size + ALIGNMENT - 1) & ~(ALIGNMENT - 1);
}

/* Eight bytes at once: a reader sees all of them or none. */
static void store_8(char *at, const unsigned char *bytes)
{
    uint64_t word;

    memcpy(&word, bytes, sizeof(word));
    /* Release: the record's rest is there before its head is. */
    atomic_store_explicit((_Atomic uint64_t *)(void *)at, word,
                          memory_order_release);
}

/* Takes `size` bytes at `at` for a record: as one `bin` of that length. */
static void claim(char *at, size_t size)
{
    uint32_t rest = (uint32_t)(size - BIN32_HEADER);
    unsigned char head[8] = {BIN32_TAG, (unsigned char)(rest >> 24),
                             (unsigned char)(rest >> 16),
                             (unsigned char)(rest >> 8), (unsigned char)rest};

    store_8(at, head);
}

/*
 * Puts the packed record behind `lead` zero bytes at `at`, and as many as
 * `zeros` behind it, which are there.
 */
static void publish(const struct bm_part *part, char *at, size_t lead,
                    size_t zeros)
{
    unsigned char head[8] = {0};
    size_t in_head = sizeof(head) - lead;

    if (in_head > part->packed)
        in_head = part->packed;
    memcpy(head + lead, part->buffer, in_head);
    claim(at, round_up(lead + part->packed + zeros));
    if (part->packed > in_head)
        memcpy(at + sizeof(head), part->buffer + in_head,
               part->packed - in_head);
    store_8(at, head);
}

/* Words begin words_at into the record, of which `zeros` bytes are not packed.
 */
static uint64_t *append(struct bm_part *part, size_t words_at, size_t zeros,
                        size_t alignment)
{
    size_t size = part->packed + zeros;

    if (part->refused || !part->buffer || part->packed == 0 ||
        !make_room(part, size + alignment + ALIGNMENT))
        return NULL;

    char *at = part->next;
    size_t lead = -((uintptr_t)at + words_at) & (alignment - 1);
    at += lead & -ALIGNMENT; /* stays zero: room not used */
    lead &= ALIGNMENT - 1;

    publish(part, at, lead, zeros);
    part->last = at;
    part->next = at + round_up(lead + size);
    part->slab->used = (size_t)(part->next - part->slab->base);
    return (uint64_t *)(void *)(at + lead + words_at);
}

uint64_t *bm_file_append(struct bm_thread *thread, size_t nr_words)
{
    struct bm_part *part = &thread->part;
    size_t words_at = part->packed - nr_words * sizeof(uint64_t);

    if (nr_words == 0) /* placed as it comes, on 8 bytes */
        return append(part, 0, 0, ALIGNMENT);
    return append(part, words_at, 0, WORDS_ALIGNMENT);
}

uint64_t *bm_file_append_zeros(struct bm_thread *thread, size_t nr_words,
                               size_t alignment)
{
    struct bm_part *part = &thread->part;

    return append(part, part->packed, nr_words * sizeof(uint64_t), alignment);
}

size_t bm_file_room(const struct bm_thread *thread)
{
    const struct bm_part *part = &thread->part;
    size_t room = (size_t)(part->end - part->next);

    return room > RESERVE ? room - RESERVE : 0;
}

void bm_file_take_back(struct bm_thread *thread)
{
    struct bm_part *part = &thread->part;
    static const unsigned char nothing[8];
    char *at = part->last;

    if (!at)
        return;
    /* Room that means nothing, by way of one record that is skipped. */
    claim(at, (size_t)(part->next - at));
    memset(at + sizeof(nothing), 0,
           (size_t)(part->next - at) - sizeof(nothing));
    store_8(at, nothing);
    part->next = at;
    part->slab->used = (size_t)(at - part->slab->base);
    part->last = NULL;
}

bool bm_file_begin(struct bm_thread *thread)
{
    struct bm_slab *slab = bm_slab_begin(MEMORY_SLAB);

    if (!slab)
        return false;
    atomic_store_explicit(&full, false, memory_order_relaxed);
    use_slab(&thread->part, slab);
    thread->part.slab_size = FIRST_SLAB;
    return true;
}

int bm_file_settle(struct bm_thread *thread, const char *path)
{
    struct bm_part *part = &thread->part;
    struct bm_slab *slab = part->slab;
    size_t size = FIRST_SLAB;

    if (size < slab->used + RESERVE)
        size = slab->size;
    int error = bm_slab_settle(slab, path, size);
    part->end = slab->base + slab->size;
    return error;
}

void bm_file_set_state(uint64_t *words)
{
    /* Pairs with the acquire in bm_file_state: the words are filled. */
    atomic_store_explicit(&state_words, words, memory_order_release);
}

uint64_t *bm_file_state(void)
{
    /* Pairs with the release in bm_file_set_state. */
    return atomic_load_explicit(&state_words, memory_order_acquire);
}

void bm_file_flag(uint64_t flag)
{
    uint64_t *state = bm_file_state();

    if (state)
        atomic_fetch_or_explicit((_Atomic uint64_t *)&state[BM_STATE_flags],
                                 flag, memory_order_relaxed);
}
