/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the counters mean, held against a model: threads that allocate and
 * free at a few sites, with the words written in the recorder's order. The
 * model also keeps the truth, event by event. A run that ends gives the
 * truth to the byte; one that is cut off between any two stores keeps every
 * identity.
 */
#include "build_profile.h"
#include "same_profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>

#define NR_THREADS 3
#define NR_SITES 4
#define NR_BLOCKS 40
#define NR_EVENTS 300

struct block {
    uint64_t size; /* plus 1, 0: none */
    size_t site;
};

struct event {
    bool is_free;
    size_t site;
    uint64_t size;
    uint64_t epoch; /* the peak that the event found */
    unsigned step;  /* 0: nothing under way */
    struct block *block;
};

struct model {
    uint64_t random;
    bool is_shared; /* the totals change first, in one exchange */
    uint64_t nodes[NR_THREADS][NR_SITES][BM_NR_WORDS_tally];
    uint64_t marks[NR_SITES][BM_NR_WORDS_mark];
    uint64_t totals[BM_NR_WORDS_ledger];
    struct event events[NR_THREADS];
    struct block blocks[NR_BLOCKS];

    struct bm_figures sites[NR_SITES]; /* the truth */
    uint64_t live, peak;
};

static uint64_t draw(struct model *m, uint64_t below)
{
    m->random = m->random * UINT64_C(6364136223846793005) +
                UINT64_C(1442695040888963407);
    return (m->random >> 33) % below;
}

/* ---- the truth ---- */

static void take_peak(struct bm_figures *site)
{
    site->at_peak_bytes = site->live_bytes;
    site->at_peak_blocks = site->live_blocks;
}

static void know(struct model *m, const struct event *event)
{
    struct bm_figures *site = &m->sites[event->site];
    uint64_t amount = event->is_free ? -event->size : event->size;

    site->allocations += !event->is_free;
    site->frees += event->is_free;
    site->allocated_bytes += event->is_free ? 0 : event->size;
    site->freed_bytes += event->is_free ? event->size : 0;
    site->live_bytes += amount;
    site->live_blocks += event->is_free ? -UINT64_C(1) : 1;
    m->live += amount;
    if (site->live_bytes > site->peak_bytes)
        site->peak_bytes = site->live_bytes;
    if (m->live <= m->peak)
        return;
    m->peak = m->live;
    for (size_t i = 0; i < NR_SITES; i++)
        take_peak(&m->sites[i]);
}

/* ---- the recorder, store by store ---- */

static void gauge_add(uint64_t *gauge, uint64_t amount)
{
    gauge[0] += amount;
    if ((int64_t)gauge[0] > 0 && gauge[0] > gauge[1])
        gauge[1] = gauge[0];
}

static void store_node(struct model *m, size_t thread, unsigned store)
{
    const struct event *event = &m->events[thread];
    uint64_t *node = m->nodes[thread][event->site];
    bool moved = node[BM_TALLY_seen] != event->epoch;

    switch (store) {
    case 0:
        if (moved)
            node[BM_TALLY_at_peak] = node[BM_TALLY_live];
        break;
    case 1:
        if (moved)
            node[BM_TALLY_at_peak_blocks] =
                node[BM_TALLY_allocations] - node[BM_TALLY_frees];
        break;
    case 2:
        node[BM_TALLY_seen] = event->epoch;
        break;
    case 3:
        node[event->is_free ? BM_TALLY_frees : BM_TALLY_allocations]++;
        break;
    case 4:
        node[event->is_free ? BM_TALLY_freed : BM_TALLY_allocated] +=
            event->size;
        break;
    case 5:
        node[BM_TALLY_live] += event->is_free ? -event->size : event->size;
        break;
    }
}
#define NR_NODE_STORES 6

/* Forgotten before it is freed, and known once its allocation is complete. */
static void begin(struct model *m, size_t thread)
{
    struct block *block = &m->blocks[draw(m, NR_BLOCKS)];
    struct event *event = &m->events[thread];

    *event = (struct event){.epoch = m->totals[BM_LEDGER_peak], .step = 1};
    event->is_free = block->size != 0;
    event->site = event->is_free ? block->site : draw(m, NR_SITES);
    event->size = event->is_free ? block->size - 1 : draw(m, 4) * draw(m, 99);
    event->block = event->is_free ? NULL : block;
    block->size = 0;
}

static void finish(struct model *m, struct event *event)
{
    struct block *block = event->block;

    event->step = 0;
    if (!block)
        return;
    for (size_t i = 0; block->size && i < NR_BLOCKS; i++)
        block = &m->blocks[i]; /* another thread was here: take a free one */
    *block = (struct block){event->size + 1, event->site};
}

/* One thread's next store. */
static void step(struct model *m, size_t thread)
{
    struct event *event = &m->events[thread];
    uint64_t amount = event->is_free ? -event->size : event->size;
    unsigned first = m->is_shared ? 1 : NR_NODE_STORES;
    unsigned at = event->step++ - 1;

    if (at == (m->is_shared ? 0 : NR_NODE_STORES)) {
        if (m->is_shared)
            event->epoch = m->totals[BM_LEDGER_peak];
        gauge_add(m->totals, amount);
        know(m, event);
    } else if (at == NR_NODE_STORES + 1) {
        gauge_add(m->marks[event->site], amount);
        finish(m, event);
    } else {
        store_node(m, thread, at - (first == 1));
    }
}

/* Runs until stores have been made, or to the end of all events. */
static void run(struct model *m, uint64_t seed, bool is_shared, size_t stores)
{
    size_t nr_threads = is_shared ? NR_THREADS : 1;
    size_t nr_events = 0;
    bool busy = true;

    *m = (struct model){.random = seed, .is_shared = is_shared};
    while (busy && stores > 0) {
        size_t thread = draw(m, nr_threads);

        if (m->events[thread].step == 0 && nr_events < NR_EVENTS) {
            begin(m, thread);
            nr_events++;
        }
        if (m->events[thread].step) {
            step(m, thread);
            stores--;
        }
        busy = nr_events < NR_EVENTS;
        for (size_t i = 0; i < nr_threads; i++)
            busy |= m->events[i].step != 0;
    }
}

static struct bm_profile *parse(const struct model *m, enum bm_end end,
                                bool ledger_last)
{
    /* What is live is not kept. */
    const uint64_t ledger[BM_NR_WORDS_ledger] = {[BM_LEDGER_peak] =
                                                     m->totals[BM_LEDGER_peak]};
    struct bm_profile_error error;
    struct bm_profile *profile;
    struct builder b;

    builder_init(&b);
    add_head(&b);
    add_state(&b, end, 0, 0);
    for (size_t i = 0; i < NR_SITES; i++)
        add_site(&b, i + 1, "a.c");
    if (!ledger_last)
        ADD(&b, ledger, .ledger = {ledger, BM_NR_WORDS_ledger});
    for (size_t t = 0; t < NR_THREADS; t++)
        ADD(&b, thread, .index = t + 1, .tid = t);
    for (size_t t = 0; t < NR_THREADS; t++)
        for (size_t i = 0; i < NR_SITES; i++)
            ADD(&b, node, .site = i + 1, .thread = t + 1,
                .node = {m->nodes[t][i], BM_NR_WORDS_tally});
    for (size_t i = 0; i < NR_SITES; i++)
        ADD(&b, mark, .site = i + 1, .mark = {m->marks[i], BM_NR_WORDS_mark});
    if (ledger_last)
        ADD(&b, ledger, .ledger = {ledger, BM_NR_WORDS_ledger});
    profile = builder_parse(&b, &error);
    assert_non_null(profile);
    builder_clear(&b);
    return profile;
}

/* What nodes hold at the peak is the same before its ledger and behind it. */
static struct bm_profile *profile_of(const struct model *m, enum bm_end end)
{
    struct bm_profile *profile = parse(m, end, false);
    struct bm_profile *other = parse(m, end, true);
    const char *differs = profiles_differ(profile, other);

    if (differs)
        fail_msg("with the ledger last: %s", differs);
    bm_profile_free(other);
    return profile;
}

/* ---- tests ---- */

static void check_whole_run(uint64_t seed, bool is_shared)
{
    struct bm_profile *profile;
    struct model m;

    run(&m, seed, is_shared, SIZE_MAX);
    profile = profile_of(&m, BM_END_STATUS);
    assert_null(bm_profile_check(profile));
    assert_null(small_form_differs(profile));
    assert_true(profile->complete);
    assert_int_equal(profile->flags, 0);
    assert_true(profile->totals.peak_bytes == m.peak);
    assert_true(profile->totals.live_bytes == m.live);
    for (size_t i = 0; i < NR_SITES; i++) {
        /* Marks of threads that race are not held to the order of events. */
        if (is_shared)
            m.sites[i].peak_bytes = profile->sites[i].figures.peak_bytes;
        assert_memory_equal(&profile->sites[i].figures, &m.sites[i],
                            sizeof(m.sites[i]));
    }
    bm_profile_free(profile);
}

static void a_run_of_one_thread_is_exact(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++)
        check_whole_run(seed, false);
}

static void a_run_of_many_threads_is_exact(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++)
        check_whole_run(seed, true);
}

/* Figures of completed calls, plus at most the one under way per thread. */
static void check_counts(const struct bm_profile *profile,
                         const struct model *m)
{
    uint64_t allocations = 0;

    for (size_t i = 0; i < NR_SITES; i++)
        allocations += m->sites[i].allocations;
    assert_in_range(profile->totals.allocations + NR_THREADS, allocations,
                    allocations + 2 * NR_THREADS);
}

static void check_cut_run(uint64_t seed, bool is_shared, size_t stores)
{
    struct bm_profile *profile;
    struct model m;

    run(&m, seed, is_shared, stores);
    profile = profile_of(&m, BM_END_UNKNOWN);
    assert_null(bm_profile_check(profile));
    assert_null(small_form_differs(profile));
    assert_false(profile->complete);
    check_counts(profile, &m);
    bm_profile_free(profile);
}

static void a_kill_between_any_two_stores_keeps_the_identities(void **state)
{
    (void)state;
    for (size_t stores = 0; stores < NR_EVENTS * 7; stores++)
        for (uint64_t seed = 0; seed < 3; seed++) {
            check_cut_run(seed, false, stores);
            check_cut_run(seed, true, stores);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_run_of_one_thread_is_exact),
        cmocka_unit_test(a_run_of_many_threads_is_exact),
        cmocka_unit_test(a_kill_between_any_two_stores_keeps_the_identities),
    };

    return cmocka_run_group_tests_name("profile_figures", tests, NULL, NULL);
}
