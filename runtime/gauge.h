/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Words that events change, and pairs of them: two 64-bit words side by side
 * on a 16-byte boundary, which are plain words while the process has one
 * thread and change together in one 128-bit compare and exchange once it has
 * more. See purse.h for the gauge of the process and its sites.
 *
 * A pass gauge has what is live and the largest value that it ever had. It
 * also holds the serial of the open pass, so that an event can not land in
 * another pass than the one it saw, and whether the peak is the open pass's
 * own.
 */
#ifndef BENCHMEM_RUNTIME_GAUGE_H
#define BENCHMEM_RUNTIME_GAUGE_H

#include "hidden.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/*
 * Whether the process has one thread: glibc's own flag (2.32 and later), or a
 * byte that always says no.
 */
extern const char *bm_single_threaded BM_HIDDEN;

static inline bool bm_is_threaded(void)
{
    return !*(const volatile char *)bm_single_threaded;
}

static inline uint64_t bm_word_get(const uint64_t *word)
{
    return atomic_load_explicit((const _Atomic uint64_t *)word,
                                memory_order_relaxed);
}

/* A word that no other thread writes: an ordinary operand. */
static inline uint64_t bm_word_own(const uint64_t *word)
{
    return *word;
}

/*
 * Release costs nothing on x86 and keeps the order in which a reader of the
 * file finds the words, should the process be killed between two of them.
 */
static inline void bm_word_set(uint64_t *word, uint64_t value)
{
    atomic_store_explicit((_Atomic uint64_t *)word, value,
                          memory_order_release);
}

/*
 * For words that only the calling thread writes. Atomics keep compilers from
 * making one instruction of it.
 */
static inline void bm_word_add(uint64_t *word, uint64_t value)
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
    __asm__ volatile("addq %1, %0" : "+m"(*word) : "er"(value) : "memory");
#else
    bm_word_set(word, bm_word_get(word) + value);
#endif
}

static inline void bm_word_max(uint64_t *word, uint64_t value)
{
    if (bm_word_get(word) < value)
        bm_word_set(word, value);
}

/* Whether that raised the word. Release as in bm_word_set. */
static inline bool bm_word_max_shared(uint64_t *word, uint64_t value)
{
    uint64_t seen = bm_word_get(word);

    while (seen < value && !atomic_compare_exchange_weak_explicit(
                               (_Atomic uint64_t *)word, &seen, value,
                               memory_order_release, memory_order_relaxed))
        ;
    return seen < value;
}

static inline uint64_t bm_word_add_shared(uint64_t *word, uint64_t value)
{
    return atomic_fetch_add_explicit((_Atomic uint64_t *)word, value,
                                     memory_order_relaxed) +
           value;
}

struct bm_pair {
    uint64_t low, high;
};

/* Replaces both words if they are as expected. Orders all events. */
static inline bool bm_pair_exchange(uint64_t *words, struct bm_pair expected,
                                    struct bm_pair desired)
{
#if defined(__aarch64__)
    struct bm_pair seen;
    uint32_t failed;

    do {
        __asm__ volatile("ldaxp %0, %1, [%2]"
                         : "=&r"(seen.low), "=&r"(seen.high)
                         : "r"(words)
                         : "memory");
        if (seen.low != expected.low || seen.high != expected.high)
            return false;
        __asm__ volatile("stlxp %w0, %1, %2, [%3]"
                         : "=&r"(failed)
                         : "r"(desired.low), "r"(desired.high), "r"(words)
                         : "memory");
    } while (failed);
    return true;
#else
    unsigned __int128 from =
        (unsigned __int128)expected.high << 64 | expected.low;
    unsigned __int128 to = (unsigned __int128)desired.high << 64 | desired.low;

    return __sync_bool_compare_and_swap((unsigned __int128 *)(void *)words,
                                        from, to);
#endif
}

/*
 * A pass gauge: each word has an amount in its low 48 bits (address spaces
 * have 47) and half of the pass's serial above; the top bit says that the
 * peak is the open pass's own.
 */
#define BM_PASS_AMOUNT_BITS 48
#define BM_PASS_AMOUNT_MASK (((uint64_t)1 << BM_PASS_AMOUNT_BITS) - 1)
#define BM_PASS_OWN ((uint64_t)1 << 63)
#define BM_MAX_PASS ((uint32_t)0x7fffffff)

struct bm_pass_gauge {
    uint64_t live;
    uint64_t peak;
    bool is_own; /* the peak is the open pass's */
};

static inline struct bm_pair bm_pair_get(const uint64_t *words)
{
    return (struct bm_pair){bm_word_get(&words[0]), bm_word_get(&words[1])};
}

/* What a serial puts into the two words. */
static inline struct bm_pair bm_pass_tags(uint32_t serial)
{
    return (struct bm_pair){
        .low = (uint64_t)serial << BM_PASS_AMOUNT_BITS,
        .high = (uint64_t)(serial >> 16) << BM_PASS_AMOUNT_BITS,
    };
}

/* Takes a gauge apart; false if another pass is open, or none. */
static inline bool bm_pass_unpack(struct bm_pair pair, uint32_t serial,
                                  struct bm_pass_gauge *out)
{
    struct bm_pair tags = bm_pass_tags(serial);

    out->live = pair.low ^ tags.low;
    out->is_own = pair.high & BM_PASS_OWN;
    out->peak = (pair.high ^ tags.high) & ~BM_PASS_OWN;
    return !((out->live | out->peak) >> BM_PASS_AMOUNT_BITS);
}

static inline struct bm_pair bm_pass_pack(struct bm_pass_gauge gauge,
                                          uint32_t serial)
{
    struct bm_pair tags = bm_pass_tags(serial);

    return (struct bm_pair){
        .low = gauge.live | tags.low,
        .high = gauge.peak | tags.high | (gauge.is_own ? BM_PASS_OWN : 0),
    };
}

/* Stores both words, as one for many threads; false if they have changed. */
static inline bool bm_pair_set(uint64_t *words, struct bm_pair seen,
                               struct bm_pair next, bool threaded)
{
    if (threaded)
        return bm_pair_exchange(words, seen, next);
    bm_word_set(&words[0], next.low);
    bm_word_set(&words[1], next.high);
    return true;
}

#endif
