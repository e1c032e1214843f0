/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A profile in which every member has a value of its own, but for nodes: what
 * is lost on the way through a writer shows.
 */
#ifndef BENCHMEM_TEST_FULL_PROFILE_H
#define BENCHMEM_TEST_FULL_PROFILE_H

#include "build_profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static inline void add_full_places(struct builder *b,
                                   enum bm_symbol_source symbols)
{
    ADD(b, module, .index = 1, .path = text_of("m"),
        .build_id = text_of("00ff"), .bias = UINT64_MAX, .instrumented = 1,
        .symbols = symbols);
    ADD(b, frame, .index = 1, .function = text_of("f"),
        .linkage_name = text_of("_Z1f"), .file = text_of("f.c"),
        .dir = text_of("/d"), .line = 1, .column = 2, .callee = text_of("g"),
        .flags = 15, .type = text_of("struct t"));
    ADD(b, frame, .index = 2, .inlined_into = 1, .module = 1, .offset = 99);
    ADD(b, site, .index = 1, .id = UINT64_MAX, .frame = 2,
        .kind = text_of("new[]"), .callee = text_of("operator new[]"),
        .type = text_of("struct s"), .size_expr = text_of("n * 2"),
        .count = text_of("n"), .elided = 1, .module = 1);
    ADD(b, path, .index = 1, .frame = 1);
    ADD(b, path, .index = 2, .outer = 1, .frame = 2, .site = 1, .flags = 1);
}

/* Passes like the recorder's: a serial is the process's, not the benchmark's.
 */
static inline void add_full_pass(struct builder *b, uint64_t benchmark,
                                 uint64_t serial)
{
    uint64_t words[BM_NR_WORDS_pass] = {
        [BM_PASS_serial] = serial,
        [BM_PASS_measure] = BM_MEASURED_TIME,
        [BM_PASS_time_ns] = 10 + serial,
        [BM_PASS_setup_peak_rss] = 11,
        [BM_PASS_peak_rss] = 12,
        [BM_PASS_began] = 40 + 10 * serial,
        [BM_PASS_ended] = 60 + 10 * serial,
    };

    ADD(b, pass, .benchmark = benchmark, .pass = WORDS_OF(words));
}

static inline void add_full_benchmark(struct builder *b)
{
    uint64_t more[BM_NR_WORDS_passes] = {
        [BM_PASSES_count] = 2,     [BM_PASSES_measure] = BM_MEASURED_TIME,
        [BM_PASSES_time_min] = 10, [BM_PASSES_time_max] = 20,
        [BM_PASSES_time_sum] = 30,
    };

    ADD(b, benchmark, .index = 1, .name = text_of("bench_f"), .frame = 1);
    ADD(b, param, .benchmark = 1, .name = text_of("n"),
        .type = BM_VALUE_UNSIGNED, .bits = 3);
    ADD(b, param, .benchmark = 1, .name = text_of("of"),
        .type = BM_VALUE_STRING, .text = text_of("x"));
    ADD(b, declared, .benchmark = 1, .group = text_of("g"),
        .suite = text_of("s,t"), .calls = 5, .flags = BM_DECLARED_MAX_PEAK,
        .max_peak = 6, .max_allocated = 7, .max_allocations = 8);
    ADD(b, label, .benchmark = 1, .name = text_of("l"), .type = BM_VALUE_SIGNED,
        .bits = 4);
    ADD(b, failure, .benchmark = 1, .text = text_of("why"));
    add_full_pass(b, 1, 1);
    add_full_pass(b, 1, 3);
    ADD(b, passes, .benchmark = 1, .passes = WORDS_OF(more));
    add_ledger(b, 1, 0, 0, 0, 4);
    ADD(b, benchmark, .index = 2, .name = text_of("bench_g"), .frame = 2);
    add_full_pass(b, 2, 2);
    add_ledger(b, 2, 0, 0, 0, 1);
}

static inline void add_full_course(struct builder *b)
{
    uint64_t pool[BM_NR_WORDS_pool] = {3, 4, 5, 6, 7, 8, 9};
    uint64_t moment[BM_NR_WORDS_moment] = {50, 60};

    ADD(b, pool, .name = text_of("arena"), .pool = WORDS_OF(pool));
    ADD(b, moment, .moment = WORDS_OF(moment));
}

/* bm_profile_free it. */
static inline struct bm_profile *full_profile(uint64_t parent_pid,
                                              enum bm_symbol_source symbols)
{
    struct bm_profile_error error;
    struct bm_profile *profile;
    struct builder b;

    builder_init(&b);
    ADD(&b, head, .magic = text_of(BM_PROFILE_MAGIC), .schema_version = 1,
        .writer = text_of("w"), .program = text_of("p"), .cwd = text_of("c"),
        .host = text_of("h"), .pid = 1, .parent_pid = parent_pid, .start_ns = 3,
        .options = text_of("o"), .rank = text_of("r"));
    ADD(&b, argument, .text = text_of(""));
    ADD(&b, argument, .text = text_of("-x"));
    add_state(&b, BM_END_SIGNAL, 9, BM_STATE_PATHS_FULL);
    ADD(&b, note, .text = text_of("a note"));
    add_full_places(&b, symbols);
    add_full_benchmark(&b);
    add_full_course(&b);
    profile = builder_parse(&b, &error);
    assert_non_null(profile);
    builder_clear(&b);
    return profile;
}

#endif
