/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "report_sample.h"

#include "runtime/abi.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define VECTOR "/usr/include/c++/12/bits/stl_vector.h"
#define ALLOCATOR "/usr/include/c++/12/bits/new_allocator.h"
#define ALLOCATE "std::__new_allocator<int>::allocate"

#define FRAME(b, i, name, path, at_line, at_column, ...)                       \
    ADD(b, frame, .index = i, .function = text_of(name),                       \
        .file = text_of(path), .dir = text_of("/src"), .line = at_line,        \
        .column = at_column, __VA_ARGS__)

static void add_frames(struct builder *b)
{
    FRAME(b, 1, "main", "main.cpp", 10, 3);
    FRAME(b, 2, "build", "kdtree.c", 42, 20, .callee = text_of("malloc"));
    FRAME(b, 3, "xmalloc", "util.c", 7, 12, .flags = BM_FRAME_WRAPPER);
    FRAME(b, 4, "load", "main.cpp", 20, 5);
    FRAME(b, 5, "fill", "fill.cpp", 5, 7);
    FRAME(b, 6, "std::vector<int>::push_back", VECTOR, 1287, 2,
          .flags = BM_FRAME_SYSTEM, .inlined_into = 5);
    FRAME(b, 7, ALLOCATE, ALLOCATOR, 137, 27, .flags = BM_FRAME_SYSTEM,
          .inlined_into = 6);
    FRAME(b, 8, ALLOCATE, ALLOCATOR, 137, 27, .flags = BM_FRAME_SYSTEM,
          .linkage_name = text_of("_ZNSt15__new_allocatorIiE8allocateEmPKv"));
    FRAME(b, 9, "grow", "grow.cpp", 9, 3);
    FRAME(b, 10, ALLOCATE, ALLOCATOR, 137, 27, .flags = BM_FRAME_SYSTEM,
          .inlined_into = 9);
    FRAME(b, 11, "read_line", "main.cpp", 30, 9);
    FRAME(b, 12, "gone", "main.cpp", 50, 13);
    FRAME(b, 13, "bench_sort", "bench.c", 3, 6);
}

static void add_sites(struct builder *b)
{
    ADD(b, site, .index = 1, .id = 0x1001, .frame = 2,
        .kind = text_of("malloc"), .callee = text_of("malloc"),
        .type = text_of("struct node"), .size_expr = text_of("sizeof *n"),
        .count = text_of("1"));
    ADD(b, site, .index = 2, .id = 0x1002, .frame = 3,
        .kind = text_of("malloc"), .callee = text_of("malloc"));
    ADD(b, site, .index = 3, .id = 0x1003, .frame = 8, .kind = text_of("new"),
        .callee = text_of("operator new(unsigned long)"),
        .type = text_of("int"));
    ADD(b, site, .index = 4, .id = 0xffffffffffffffff,
        .kind = text_of("outside"), .module = 2);
    ADD(b, site, .index = 5, .id = 0x1005, .frame = 11, .kind = text_of("via"),
        .callee = text_of("getline"));
    ADD(b, site, .index = 6, .id = 0x1006, .frame = 12,
        .kind = text_of("malloc"), .callee = text_of("malloc"),
        .type = text_of("char"), .size_expr = text_of("n + 1"), .elided = 1);
}

static void add_paths(struct builder *b)
{
    ADD(b, path, .index = 1, .frame = 1);
    ADD(b, path, .index = 2, .outer = 1, .frame = 2, .site = 1);
    ADD(b, path, .index = 3, .outer = 1, .frame = 4);
    ADD(b, path, .index = 4, .outer = 3, .frame = 3, .site = 2);
    ADD(b, path, .index = 5, .outer = 1, .frame = 7, .site = 3);
    ADD(b, path, .index = 6, .outer = 1, .frame = 10, .site = 3);
    ADD(b, path, .index = 7, .outer = 1, .frame = 11, .site = 5);
}

/* What one thread did at one site and path. */
struct did {
    uint64_t benchmark, site, path, thread;
    uint64_t allocations, frees, allocated, freed, at_peak;
    uint64_t pass; /* of the benchmark's largest peak, else 0 */
};

static void add_node(struct builder *b, uint64_t peak, const struct did *did)
{
    uint64_t words[] = {
        [BM_TALLY_allocations] = did->allocations,
        [BM_TALLY_frees] = did->frees,
        [BM_TALLY_allocated] = did->allocated,
        [BM_TALLY_freed] = did->freed,
        [BM_TALLY_live] = did->allocated - did->freed,
        [BM_TALLY_at_peak] = did->at_peak,
        [BM_TALLY_seen] = peak,
        [BM_TALLY_pass] = did->pass,
        [BM_NR_WORDS_tally - 1] = 0,
    };

    ADD(b, node, .benchmark = did->benchmark, .site = did->site,
        .path = did->path, .thread = did->thread, .node = WORDS_OF(words));
}

static void add_mark(struct builder *b, uint64_t benchmark, uint64_t site,
                     uint64_t live, uint64_t peak, uint64_t pass)
{
    uint64_t words[] = {live, peak, pass};

    ADD(b, mark, .benchmark = benchmark, .site = site, .mark = WORDS_OF(words));
}

static void add_thread(struct builder *b, uint64_t index, uint64_t tid,
                       const char *name, uint64_t unknown_frees)
{
    uint64_t words[] = {unknown_frees, 0, 0};

    ADD(b, thread, .index = index, .tid = tid, .name = text_of(name),
        .thread = WORDS_OF(words));
}

static void add_process(struct builder *b)
{
    static const struct did nodes[] = {
        {0, 1, 2, 1, 10, 4, 12000, 4000, 10000, 0},
        {0, 2, 4, 1, 5, 5, 5000, 5000, 4000, 0},
        {0, 3, 5, 1, 2, 2, 3000, 3000, 3000, 0},
        {0, 3, 6, 2, 1, 0, 1000, 0, 1000, 0},
        {0, 4, 0, 1, 1, 0, 1500, 0, 1500, 0},
        {0, 5, 7, 1, 1, 1, 120, 120, 0, 0},
    };
    const uint64_t peak = 19500;

    add_ledger(b, 0, 10500, peak, 0, 0);
    for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++)
        add_node(b, peak, &nodes[i]);
    add_mark(b, 0, 1, 8000, 11000, 0);
    add_mark(b, 0, 2, 0, 4000, 0);
    add_mark(b, 0, 3, 1000, 4000, 0);
    add_mark(b, 0, 4, 1500, 1500, 0);
    add_mark(b, 0, 5, 0, 120, 0);
}

static void add_pass(struct builder *b, uint64_t benchmark, uint64_t serial,
                     uint64_t peak, uint64_t allocated, uint64_t allocations)
{
    uint64_t words[] = {serial, 0, peak, allocated, allocations, 0};

    ADD(b, pass, .benchmark = benchmark, .pass = WORDS_OF(words));
}

static void add_benchmark(struct builder *b, uint64_t index, uint64_t n)
{
    ADD(b, benchmark, .index = index, .name = text_of("bench_sort"),
        .frame = 13);
    ADD(b, param, .benchmark = index, .name = text_of("n"),
        .type = BM_PARAM_UNSIGNED, .bits = n);
}

static void add_benchmarks(struct builder *b)
{
    add_benchmark(b, 1, 100);
    add_benchmark(b, 2, 1000);
    add_ledger(b, 1, 0, 900, 2, 2);
    add_pass(b, 1, 1, 800, 800, 2);
    add_pass(b, 1, 2, 900, 900, 2);
    add_node(b, 900, &(struct did){1, 1, 2, 1, 4, 4, 1700, 1700, 900, 2});
    add_mark(b, 1, 1, 0, 900, 2);
    add_ledger(b, 2, 0, 8000, 3, 1);
    add_pass(b, 2, 3, 8000, 8000, 2);
    add_node(b, 8000, &(struct did){2, 1, 2, 1, 2, 2, 8000, 8000, 8000, 3});
    add_mark(b, 2, 1, 0, 8000, 3);
}

static void begin_as(struct builder *b, enum bm_end end, unsigned flags)
{
    builder_init(b);
    ADD(b, head, .magic = text_of(BM_PROFILE_MAGIC),
        .schema_version = BM_SCHEMA_VERSION, .writer = text_of("test 1"),
        .program = text_of("/src/app"), .cwd = text_of("/src"),
        .host = text_of("here"), .pid = 42, .start_ns = 1700000000000000000u);
    ADD(b, argument, .text = text_of("./app"));
    ADD(b, argument, .text = text_of("two words"));
    add_state(b, end, 0, flags);
    ADD(b, module, .index = 1, .path = text_of("/src/app"), .instrumented = 1);
    ADD(b, module, .index = 2, .path = text_of("/opt/libplain.so"));
}

static void begin(struct builder *b)
{
    begin_as(b, BM_END_STATUS, 0);
}

void sample_build(struct builder *b)
{
    begin(b);
    add_frames(b);
    add_sites(b);
    add_paths(b);
    add_thread(b, 1, 100, "app", 1);
    add_thread(b, 2, 101, "worker", 0);
    add_process(b);
    add_benchmarks(b);
}

static struct bm_profile *finish(struct builder *b)
{
    struct bm_profile_error error = {0, NULL};
    struct bm_profile *profile = builder_parse(b, &error);

    if (!profile)
        fail_msg("byte %llu: %s", (unsigned long long)error.offset, error.why);
    const char *broken = bm_profile_check(profile);
    if (broken)
        fail_msg("the sample breaks: %s", broken);
    builder_clear(b);
    return profile;
}

struct bm_profile *sample_profile(void)
{
    struct builder b;

    sample_build(&b);
    return finish(&b);
}

struct bm_profile *sample_of_two_threads(void)
{
    struct builder b;

    begin(&b);
    FRAME(&b, 1, "main", "main.c", 10, 3);
    ADD(&b, site, .index = 1, .id = 1, .frame = 1, .kind = text_of("malloc"));
    ADD(&b, path, .index = 1, .frame = 1, .site = 1);
    add_thread(&b, 1, 100, "app", 0);
    add_thread(&b, 2, 101, NULL, 0);
    add_ledger(&b, 0, 400, 1000, 0, 0);
    add_node(&b, 1000, &(struct did){0, 1, 1, 1, 10, 0, 1000, 0, 1000, 0});
    add_node(&b, 1000, &(struct did){0, 1, 1, 2, 0, 6, 0, 600, 0, 0});
    add_mark(&b, 0, 1, 400, 1000, 0);
    return finish(&b);
}

struct bm_profile *sample_without_allocations(void)
{
    struct builder b;

    begin(&b);
    FRAME(&b, 12, "gone", "main.cpp", 50, 13);
    ADD(&b, site, .index = 6, .id = 6, .frame = 12, .kind = text_of("malloc"),
        .elided = 1);
    add_ledger(&b, 0, 0, 0, 0, 0);
    return finish(&b);
}

struct bm_profile *sample_of_a_killed_program(void)
{
    static const struct did nodes[] = {
        {0, 1, 0, 1, 1, 0, 100, 0, 100, 0},
        {0, 2, 0, 1, 1, 0, 500, 0, 500, 0},
        {0, 3, 0, 1, 1, 0, 400, 0, 400, 0},
    };
    struct builder b;

    begin_as(&b, BM_END_UNKNOWN, BM_STATE_PATHS_FULL);
    ADD(&b, module, .index = 3, .path = text_of("/usr/lib/libc.so.6"));
    FRAME(&b, 1, "main", "main.c", 10, 3);
    ADD(&b, site, .index = 1, .id = 1, .frame = 1, .kind = text_of("malloc"));
    ADD(&b, site, .index = 2, .id = 2, .kind = text_of("outside"), .module = 3);
    ADD(&b, site, .index = 3, .id = 3, .kind = text_of("outside"));
    add_thread(&b, 1, 100, "app", 0);
    add_ledger(&b, 0, 1000, 1000, 0, 0);
    for (size_t i = 0; i < sizeof(nodes) / sizeof(nodes[0]); i++) {
        add_node(&b, 1000, &nodes[i]);
        add_mark(&b, 0, nodes[i].site, nodes[i].allocated, nodes[i].allocated,
                 0);
    }
    return finish(&b);
}
