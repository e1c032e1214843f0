/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Benchmarks' counters, held against a model: two benchmarks that are entered
 * in turn, with the words written in the recorder's order. As for the
 * process, a run that ends gives the truth, and one that is cut off between
 * any two stores keeps every identity.
 */
#include "build_profile.h"
#include "same_profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdlib.h>

#define NR_SITES 3
#define NR_BENCHMARKS 2
#define NR_BLOCKS 12
#define NR_SINGLE 3 /* passes with a record of their own */
#define NR_PASSES 8 /* of both benchmarks together */

struct block {
    bool is_used;
    uint64_t size, birth;
    size_t site;
};

struct bench {
    uint64_t nodes[NR_SITES][BM_NR_WORDS_tally];
    uint64_t ledger[BM_NR_WORDS_ledger];
    uint64_t passes[NR_SINGLE][BM_NR_WORDS_pass];
    uint64_t more[BM_NR_WORDS_passes];
    uint64_t spare[BM_NR_WORDS_pass];
    size_t nr_records;
    uint64_t *pass;      /* the open one's words */
    uint64_t live, peak; /* the recorder's own gauge */
    bool is_own;

    struct bm_pass_info truth[NR_PASSES];
    size_t nr_truth;
    uint64_t site_live[NR_SITES], best, at_peak[NR_SITES];
};

struct model {
    uint64_t random;
    size_t left; /* stores until the kill */
    uint64_t nodes[NR_SITES][BM_NR_WORDS_tally];
    uint64_t ledger[BM_NR_WORDS_ledger];
    struct bench benches[NR_BENCHMARKS];
    struct bench *open;
    uint64_t serial;
    struct block blocks[NR_BLOCKS];
};

static uint64_t draw(struct model *m, uint64_t below)
{
    m->random = m->random * UINT64_C(6364136223846793005) +
                UINT64_C(1442695040888963407);
    return (m->random >> 33) % below;
}

/* ---- the recorder ---- */

static void put(struct model *m, uint64_t *word, uint64_t value)
{
    if (m->left == 0)
        return;
    m->left--;
    *word = value;
}

static void add(struct model *m, uint64_t *word, uint64_t value)
{
    put(m, word, *word + value);
}

static void raise_to(struct model *m, uint64_t *word, uint64_t value)
{
    if (value > *word)
        put(m, word, value);
}

static uint64_t blocks_of(const uint64_t *node)
{
    return node[BM_TALLY_allocations] - node[BM_TALLY_frees] -
           node[BM_TALLY_before_blocks];
}

static void see_peak(struct model *m, uint64_t *node, uint64_t peak, bool held)
{
    if (node[BM_TALLY_seen] == peak)
        return;
    put(m, &node[BM_TALLY_at_peak], held ? node[BM_TALLY_live] : 0);
    put(m, &node[BM_TALLY_at_peak_blocks], held ? blocks_of(node) : 0);
    put(m, &node[BM_TALLY_seen], peak);
}

static void change_node(struct model *m, uint64_t *node, bool is_free,
                        uint64_t size)
{
    add(m, &node[is_free ? BM_TALLY_frees : BM_TALLY_allocations], 1);
    add(m, &node[is_free ? BM_TALLY_freed : BM_TALLY_allocated], size);
    add(m, &node[BM_TALLY_live], is_free ? -size : size);
}

static void count_in_window(struct model *m, size_t site, bool is_free,
                            uint64_t size)
{
    struct bench *bench = m->open;
    uint64_t *node = bench->nodes[site];
    uint64_t peak_pass =
        bench->is_own ? m->serial : bench->ledger[BM_LEDGER_peak_pass];

    see_peak(m, node, bench->peak, node[BM_TALLY_pass] == peak_pass);
    if (node[BM_TALLY_pass] != m->serial) {
        put(m, &node[BM_TALLY_live], 0);
        add(m, &node[BM_TALLY_before_blocks], blocks_of(node));
        put(m, &node[BM_TALLY_pass], m->serial);
    }
    change_node(m, node, is_free, size);
    bench->live += is_free ? -size : size;
    if (bench->live > bench->peak) {
        bench->peak = bench->live;
        bench->is_own = true;
    }
    if (!is_free) {
        add(m, &bench->pass[BM_PASS_allocations], 1);
        add(m, &bench->pass[BM_PASS_allocated], size);
    }
    raise_to(m, &bench->pass[BM_PASS_peak], bench->live);
    put(m, &bench->ledger[BM_LEDGER_live], bench->live);
    if (bench->is_own) {
        raise_to(m, &bench->ledger[BM_LEDGER_peak_pass], m->serial);
        raise_to(m, &bench->ledger[BM_LEDGER_peak], bench->peak);
    }
}

static void count_in_process(struct model *m, size_t site, bool is_free,
                             uint64_t size)
{
    see_peak(m, m->nodes[site], m->ledger[BM_LEDGER_peak], true);
    change_node(m, m->nodes[site], is_free, size);
    add(m, &m->ledger[BM_LEDGER_live], is_free ? -size : size);
    raise_to(m, &m->ledger[BM_LEDGER_peak], m->ledger[BM_LEDGER_live]);
}

static void begin_pass(struct model *m, struct bench *bench)
{
    m->open = bench;
    m->serial++;
    add(m, &bench->ledger[BM_LEDGER_nr_passes], 1);
    bench->pass = bench->spare;
    /* A record is seen whole or not at all. */
    if (m->left && bench->ledger[BM_LEDGER_nr_passes] <= NR_SINGLE) {
        bench->pass = bench->passes[bench->nr_records++];
        bench->pass[BM_PASS_serial] = m->serial;
        bench->pass[BM_PASS_open] = 1;
    }
    bench->live = 0;
    bench->is_own = false;
    memset(bench->site_live, 0, sizeof(bench->site_live));
    bench->truth[bench->nr_truth++] = (struct bm_pass_info){0};
}

static void add_to_range(struct model *m, uint64_t *range, uint64_t value,
                         bool is_first)
{
    if (is_first || value < range[0])
        put(m, &range[0], value);
    if (value > range[1])
        put(m, &range[1], value);
    add(m, &range[2], value);
}

static void end_pass(struct model *m)
{
    struct bench *bench = m->open;
    uint64_t *more = bench->more;
    bool is_first = more[BM_PASSES_count] == 0;

    m->open = NULL;
    bench->truth[bench->nr_truth - 1].retained_bytes = bench->live;
    if (bench->is_own)
        raise_to(m, &bench->ledger[BM_LEDGER_peak_pass], m->serial);
    if (bench->pass != bench->spare) {
        put(m, &bench->pass[BM_PASS_retained], bench->live);
        put(m, &bench->pass[BM_PASS_open], 0);
        return;
    }
#define ADD_RANGE(metric, value)                                               \
    add_to_range(m, &more[BM_PASSES_##metric##_min], value, is_first)
    ADD_RANGE(peak, bench->spare[BM_PASS_peak]);
    ADD_RANGE(allocated, bench->spare[BM_PASS_allocated]);
    ADD_RANGE(allocations, bench->spare[BM_PASS_allocations]);
    ADD_RANGE(retained, bench->live);
#undef ADD_RANGE
    memset(bench->spare, 0, sizeof(bench->spare));
    put(m, &more[BM_PASSES_count], more[BM_PASSES_count] + 1);
}

/* ---- the program, and the truth about its windows ---- */

static void know(struct bench *bench, size_t site, bool is_free, uint64_t size)
{
    struct bm_pass_info *pass = &bench->truth[bench->nr_truth - 1];
    uint64_t live = 0;

    pass->allocations += !is_free;
    pass->allocated_bytes += is_free ? 0 : size;
    bench->site_live[site] += is_free ? -size : size;
    for (size_t i = 0; i < NR_SITES; i++)
        live += bench->site_live[i];
    if (live > pass->peak_bytes)
        pass->peak_bytes = live;
    if (live <= bench->best)
        return;
    bench->best = live;
    memcpy(bench->at_peak, bench->site_live, sizeof(bench->at_peak));
}

static void one_call(struct model *m)
{
    struct block *block = &m->blocks[draw(m, NR_BLOCKS)];
    bool is_free = block->is_used;

    if (!is_free)
        *block = (struct block){.size = draw(m, 5) * draw(m, 50),
                                .birth = m->open ? m->serial : 0,
                                .site = draw(m, NR_SITES)};
    block->is_used = !is_free;
    if (m->open && block->birth == m->serial) {
        count_in_window(m, block->site, is_free, block->size);
        know(m->open, block->site, is_free, block->size);
    }
    count_in_process(m, block->site, is_free, block->size);
}

/* Two windows' worth of events and what lies between, until the kill. */
static void run(struct model *m, uint64_t seed, size_t stores)
{
    *m = (struct model){.random = seed, .left = stores};
    for (size_t pass = 0; pass < NR_PASSES && m->left; pass++) {
        for (size_t i = draw(m, 6); i > 0 && m->left; i--)
            one_call(m);
        /* More of the first, so that it goes beyond its single passes. */
        begin_pass(m, &m->benches[draw(m, 4) == 0]);
        for (size_t i = draw(m, 20); i > 0 && m->left; i--)
            one_call(m);
        if (m->left)
            end_pass(m);
    }
}

static void add_benchmark(struct builder *b, struct bench *bench,
                          uint64_t index)
{
    struct bm_words ledger = {bench->ledger, BM_NR_WORDS_ledger};

    ADD(b, benchmark, .index = index, .name = text_of("bench_it"), .frame = 1);
    ADD(b, param, .benchmark = index, .name = text_of("n"), .bits = index);
    ADD(b, ledger, .benchmark = index, .ledger = ledger);
    for (size_t i = 0; i < bench->nr_records; i++)
        ADD(b, pass, .benchmark = index,
            .pass = {bench->passes[i], BM_NR_WORDS_pass});
    ADD(b, passes, .benchmark = index,
        .passes = {bench->more, BM_NR_WORDS_passes});
    for (size_t i = 0; i < NR_SITES; i++)
        ADD(b, node, .benchmark = index, .site = i + 1, .thread = 1,
            .node = {bench->nodes[i], BM_NR_WORDS_tally});
}

static struct bm_profile *profile_of(struct model *m, enum bm_end end)
{
    struct bm_profile_error error;
    struct bm_profile *profile;
    struct builder b;

    builder_init(&b);
    add_head(&b);
    add_state(&b, end, 0, 0);
    for (size_t i = 0; i < NR_SITES; i++)
        add_site(&b, i + 1, "a.c");
    ADD(&b, thread, .index = 1, .tid = 1);
    ADD(&b, ledger, .ledger = {m->ledger, BM_NR_WORDS_ledger});
    for (size_t i = 0; i < NR_SITES; i++)
        ADD(&b, node, .site = i + 1, .thread = 1,
            .node = {m->nodes[i], BM_NR_WORDS_tally});
    for (size_t i = 0; i < NR_BENCHMARKS; i++)
        add_benchmark(&b, &m->benches[i], i + 1);
    profile = builder_parse(&b, &error);
    assert_non_null(profile);
    builder_clear(&b);
    return profile;
}

/* ---- tests ---- */

static void check_pass(const struct bm_pass_info *pass,
                       const struct bm_pass_info *truth)
{
    assert_true(pass->peak_bytes == truth->peak_bytes);
    assert_true(pass->allocated_bytes == truth->allocated_bytes);
    assert_true(pass->allocations == truth->allocations);
    assert_true(pass->retained_bytes == truth->retained_bytes);
    assert_false(pass->open);
}

static void check_passes(const struct bm_benchmark_info *info,
                         const struct bench *bench)
{
    struct bm_range peak = {UINT64_MAX, 0, 0};

    assert_int_equal(info->nr_passes + info->nr_more_passes, bench->nr_truth);
    for (size_t i = 0; i < info->nr_passes; i++)
        check_pass(&info->passes[i], &bench->truth[i]);
    for (size_t i = info->nr_passes; i < bench->nr_truth; i++) {
        uint64_t value = bench->truth[i].peak_bytes;

        peak.min = value < peak.min ? value : peak.min;
        peak.max = value > peak.max ? value : peak.max;
        peak.sum += value;
    }
    if (info->nr_more_passes)
        assert_memory_equal(&info->more_peak, &peak, sizeof(peak));
}

static void check_truth(const struct bm_profile *profile, const struct model *m)
{
    for (size_t b = 0; b < NR_BENCHMARKS; b++) {
        const struct bm_benchmark_info *info = &profile->benchmarks[b];
        const struct bench *bench = &m->benches[b];

        check_passes(info, bench);
        assert_true(info->figures.peak_bytes == bench->best);
        for (size_t i = 0; i < info->nr_sites; i++)
            assert_true(info->sites[i].figures.at_peak_bytes ==
                        bench->at_peak[info->sites[i].site - profile->sites]);
    }
}

static void whole_runs_are_exact(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 2000; seed++) {
        struct bm_profile *profile;
        struct model m;

        run(&m, seed, SIZE_MAX);
        profile = profile_of(&m, BM_END_STATUS);
        assert_null(bm_profile_check(profile));
        assert_null(small_form_differs(profile));
        assert_int_equal(profile->flags, 0);
        check_truth(profile, &m);
        bm_profile_free(profile);
    }
}

static void a_kill_between_any_two_stores_keeps_the_identities(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 60; seed++) {
        size_t stores = 0;
        struct model m;

        do {
            struct bm_profile *profile;

            run(&m, seed, ++stores);
            profile = profile_of(&m, BM_END_UNKNOWN);
            assert_null(bm_profile_check(profile));
            assert_null(small_form_differs(profile));
            bm_profile_free(profile);
        } while (m.left == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whole_runs_are_exact),
        cmocka_unit_test(a_kill_between_any_two_stores_keeps_the_identities),
    };

    return cmocka_run_group_tests_name("profile_windows", tests, NULL, NULL);
}
