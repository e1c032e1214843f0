/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "saves.h"

#include "blocks.h"
#include "file.h"
#include "groups.h"
#include "ledger.h"
#include "memory.h"
#include "sys.h"

#include "../profile/records.h"

#include <stdatomic.h>
#include <time.h>

/* ---- the turn ---- */

/*
 * Waiting, in rounds: a turn is some hundred instructions, so that most are
 * over within the first; a thread that does not run needs the others' time;
 * the last take half a millisecond or so each, two seconds and more in all.
 */
#define SPINS 200
#define YIELDS 2000
#define SLEEPS 4000
#define SLEEP_NS 500000

static struct {
    _Atomic(struct bm_thread *) holder;
    unsigned depth; /* the holder's */
    _Atomic bool is_lost;
} turn;

static bool is_lost(void)
{
    return atomic_load_explicit(&turn.is_lost, memory_order_relaxed);
}

static bool has_turn(const struct bm_thread *thread)
{
    return atomic_load_explicit(&turn.holder, memory_order_relaxed) == thread;
}

static void give_up(void)
{
    atomic_store_explicit(&turn.is_lost, true, memory_order_relaxed);
    bm_file_flag(BM_STATE_UNSAVED);
}

static bool try_turn(struct bm_thread *thread)
{
    struct bm_thread *none = NULL;

    /* Acquire pairs with the release in bm_saves_give_turn: all of maxima. */
    if (!atomic_compare_exchange_strong_explicit(&turn.holder, &none, thread,
                                                 memory_order_acquire,
                                                 memory_order_relaxed))
        return false;
    turn.depth = 1;
    return true;
}

static void wait_a_round(unsigned round)
{
    const struct timespec nap = {.tv_nsec = SLEEP_NS};

    if (round < SPINS)
        /* Orders nothing; it keeps the compiler from taking spins as one. */
        atomic_signal_fence(memory_order_seq_cst);
    else if (round < SPINS + YIELDS)
        bm_syscall(SYS_sched_yield, 0, 0, 0, 0, 0, 0);
    else
        bm_syscall(SYS_nanosleep, (long)&nap, 0, 0, 0, 0, 0);
}

static __attribute__((noinline, cold)) bool
wait_for_turn(struct bm_thread *thread)
{
    for (unsigned round = 0; round < SPINS + YIELDS + SLEEPS; round++) {
        wait_a_round(round);
        if (is_lost())
            return false;
        if (try_turn(thread))
            return true;
    }
    give_up();
    return false;
}

bool bm_saves_take_turn(struct bm_thread *thread)
{
    if (is_lost())
        return false;
    if (has_turn(thread)) {
        turn.depth++;
        return true;
    }
    return try_turn(thread) || wait_for_turn(thread);
}

void bm_saves_give_turn(void)
{
    /* Pairs with the acquire in try_turn. */
    if (--turn.depth == 0)
        atomic_store_explicit(&turn.holder, NULL, memory_order_release);
}

void bm_saves_left(struct bm_thread *thread)
{
    if (!has_turn(thread))
        return;
    give_up();
    atomic_store_explicit(&turn.holder, NULL, memory_order_relaxed);
}

/* ---- parts ---- */

/* Where a part is among its ledger's, by what it is. */
struct part {
    struct part *next;
    uint32_t benchmark, level, of;
    uint32_t number; /* 0: it found no room */
};

#define CHAIN_BITS 12
#define NR_CHAINS ((size_t)1 << CHAIN_BITS)
static struct part *chains[NR_CHAINS]; /* whoever has the turn */

/* In place of a level: that a key's grouping was written. */
#define LEVEL_KEY BM_NR_SAVED

/* Of a node that has no part. */
#define NO_PART UINT32_MAX

static struct bm_maxima process;

static uint64_t *append_saving(struct bm_thread *thread,
                               const struct part *part, uint32_t index)
{
    static const uint64_t zeros[BM_NR_WORDS_saving];
    msgpack_packer *packer = bm_record_begin(thread);
    struct bm_record_saving record = {
        .benchmark = part->benchmark,
        .index = index,
        .level = part->level,
        .of = part->of,
        .saving = {zeros, BM_NR_WORDS_saving},
    };

    if (!packer || bm_pack_saving(packer, &record) != 0)
        return NULL;
    return bm_file_append(thread, BM_NR_WORDS_saving);
}

static void append_grouping(struct bm_thread *thread, uint32_t key,
                            const struct bm_groups *groups)
{
    msgpack_packer *packer = bm_record_begin(thread);
    struct bm_record_grouping record = {
        .site = bm_key_site(key),
        .path = bm_key_path(key),
        .line = groups->of[BM_SAVED_LINE],
        .function = groups->of[BM_SAVED_FUNCTION],
        .type = groups->of[BM_SAVED_TYPE],
    };

    /* What has no room is no group's in the reader's eyes. */
    if (packer && bm_pack_grouping(packer, &record) == 0)
        bm_file_append(thread, 0);
}

/* The part, and whether it is new; NULL without memory. */
static struct part *part_of(uint32_t benchmark, uint32_t level, uint32_t of,
                            bool *is_new)
{
    uint64_t what =
        ((uint64_t)benchmark << 32 | of) * (BM_NR_SAVED + 1) + level;
    /* Knuth's multiplicative hashing: 2^64 / golden ratio. */
    uint64_t hash = what * UINT64_C(0x9e3779b97f4a7c15);
    struct part **chain = &chains[hash >> (64 - CHAIN_BITS)];
    struct part *part = *chain;

    while (part && (part->benchmark != benchmark || part->level != level ||
                    part->of != of))
        part = part->next;
    *is_new = !part;
    if (part)
        return part;
    part = bm_arena_get(sizeof(*part));
    if (!part)
        return NULL;
    *part = (struct part){*chain, benchmark, level, of, 0};
    *chain = part;
    return part;
}

static uint32_t number_of(struct bm_thread *thread, struct bm_maxima *maxima,
                          uint32_t benchmark, uint32_t level, uint32_t of)
{
    bool is_new;
    struct part *part = part_of(benchmark, level, of, &is_new);
    uint64_t *words;

    if (!part)
        return 0;
    if (!is_new)
        return part->number;
    words = append_saving(thread, part, maxima->nr + 1);
    if (words)
        part->number = bm_maxima_add(maxima, words);
    return part->number;
}

/* The parts that a node's blocks count for. */
static __attribute__((noinline, cold)) void find_parts(struct bm_thread *thread,
                                                       struct bm_maxima *maxima,
                                                       struct bm_node *node)
{
    struct bm_node_aside *aside = bm_node_aside_if(node);
    const struct bm_groups groups = bm_groups_of(node->key);
    bool is_new;

    for (unsigned level = 0; level < BM_NR_SAVED; level++)
        if (groups.of[level])
            aside->parts[level] = number_of(thread, maxima, aside->benchmark,
                                           level, groups.of[level]);
    if (!aside->parts[BM_SAVED_SITE])
        aside->parts[BM_SAVED_SITE] = NO_PART;
    if (part_of(0, LEVEL_KEY, node->key, &is_new) && is_new)
        append_grouping(thread, node->key, &groups);
}

/* ---- events ---- */

static unsigned add_node(struct bm_thread *thread, struct bm_maxima *maxima,
                         struct bm_node *node, uint64_t grown,
                         struct bm_maxima_change *changes)
{
    const struct bm_node_aside *aside = bm_node_aside_if(node);
    unsigned nr = 0;

    if (!aside->parts[BM_SAVED_SITE])
        find_parts(thread, maxima, node);
    for (unsigned level = 0; level < BM_NR_SAVED; level++) {
        uint32_t part = aside->parts[level];

        if (part && part != NO_PART)
            changes[nr++] = (struct bm_maxima_change){part, grown};
    }
    return nr;
}

void bm_saves_note(struct bm_thread *thread, struct bm_maxima *maxima,
                   const struct bm_saves_change *change)
{
    struct bm_maxima_change changes[2 * BM_NR_SAVED];
    unsigned nr = 0;

    if (!has_turn(thread))
        return;
    if (change->gone)
        nr +=
            add_node(thread, maxima, change->gone, -change->gone_size, changes);
    if (change->made)
        nr += add_node(thread, maxima, change->made, change->made_size,
                       changes + nr);
    bm_maxima_change(maxima, changes, nr,
                     change->made_size - change->gone_size);
}

void bm_saves_note_process(struct bm_thread *thread,
                           const struct bm_saves_change *change)
{
    bm_saves_note(thread, &process, change);
}

void bm_saves_begin_pass(struct bm_thread *thread,
                         struct bm_benchmark *benchmark)
{
    bool turn_is_ours = bm_saves_begin(thread);

    if (turn_is_ours)
        bm_maxima_restart(&benchmark->maxima);
    bm_saves_end(turn_is_ours);
}

/* ---- starting ---- */

bool bm_saves_start(void)
{
    bool had_slack = bm_options.slack != 0;

    if (!bm_options.saves)
        return false;
    bm_options.slack = 0;
    bm_be_careful(BM_CAREFUL_SAVES);
    return had_slack;
}

static void begin(struct bm_maxima *maxima, const struct bm_ledger *ledger)
{
    if (!bm_options.saves)
        return;
    bm_maxima_init(maxima, &ledger->words[BM_LEDGER_saves]);
    bm_word_set(maxima->state, BM_MAXIMA_SETTLED);
}

void bm_saves_begin_process(void)
{
    begin(&process, &bm_process);
}

void bm_saves_begin_benchmark(struct bm_benchmark *benchmark)
{
    begin(&benchmark->maxima, &benchmark->ledger);
}

void bm_saves_after_fork(void)
{
    for (size_t i = 0; i < NR_CHAINS; i++)
        chains[i] = NULL;
    turn.depth = 0;
    atomic_store_explicit(&turn.is_lost, false, memory_order_relaxed);
    /* Its holder, if it is another thread, is not in this process. */
    atomic_store_explicit(&turn.holder, NULL, memory_order_relaxed);
}
