/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "synthetic.h"
#include "build_profile.h"

#include <stdio.h>

#define SITES_A_FILE 40
#define SINGLE_PASSES 1000
#define MAX_CALLERS 1000 /* functions that call sites and each other */

struct making {
    msgpack_packer *packer;
    const struct synthetic *what;
    uint64_t random;
    size_t nr_inner;          /* paths that have others below them */
    uint64_t live, peak;      /* of the process */
    struct bm_pass_info pass; /* every pass is like every other */
    int error;
};

/* Knuth's MMIX generator; the high bits are the good ones. */
static uint64_t draw(struct making *m, uint64_t below)
{
    m->random = m->random * UINT64_C(6364136223846793005) +
                UINT64_C(1442695040888963407);
    return (m->random >> 33) % below;
}

#define ADD_TO(m, name, ...)                                                   \
    ((m)->error |= PACK((m)->packer, name, __VA_ARGS__))

static void pack_head(struct making *m)
{
    uint64_t state[BM_NR_WORDS_state] = {[BM_STATE_end_kind] = BM_END_STATUS};

    ADD_TO(m, head, .magic = text_of(BM_PROFILE_MAGIC),
           .schema_version = BM_SCHEMA_VERSION, .writer = text_of("synthetic"),
           .program = text_of("/usr/bin/synthetic"), .cwd = text_of("/tmp"),
           .host = text_of("host"), .pid = 4242,
           .start_ns = 1700000000000000000);
    ADD_TO(m, argument, .text = text_of("synthetic"));
    ADD_TO(m, state, .state = WORDS_OF(state));
    ADD_TO(m, module, .index = 1, .path = text_of("/usr/bin/synthetic"),
           .build_id = text_of("00112233445566778899aabbccddeeff00112233"),
           .instrumented = 1);
    for (size_t i = 0; i < m->what->threads; i++) {
        uint64_t thread[BM_NR_WORDS_thread] = {[BM_THREAD_dropped] = 0};

        ADD_TO(m, thread, .index = i + 1, .tid = 4242 + i,
               .name = text_of(i ? "worker" : "main"),
               .thread = WORDS_OF(thread));
    }
}

/* Frames 1 to sites are those of the sites; the next ones call them. */
static void pack_frame(struct making *m, size_t index, const char *callee)
{
    char function[48], file[48];

    snprintf(function, sizeof(function), "ns%zu::function_%zu", index % 7,
             index);
    snprintf(file, sizeof(file), "src/file_%zu.c", index / SITES_A_FILE);
    ADD_TO(m, frame, .index = index, .function = text_of(function),
           .file = text_of(file), .dir = text_of("/home/user/project"),
           .line = 1 + index % SITES_A_FILE * 10, .column = 5,
           .callee = text_of(callee));
}

static void pack_site(struct making *m, size_t index)
{
    static const char *const kinds[] = {"malloc", "calloc", "realloc", "new"};
    static const char *const types[] = {"struct node", "char", NULL, "int"};
    const char *kind = kinds[index % 4];

    pack_frame(m, index, kind);
    ADD_TO(m, site, .index = index, .id = index * UINT64_C(0x9e3779b97f4a7c15),
           .frame = index, .kind = text_of(kind), .callee = text_of(kind),
           .type = text_of(types[index % 4]),
           .size_expr = text_of("n * sizeof *p"));
}

static size_t nr_callers(const struct making *m)
{
    return m->nr_inner < MAX_CALLERS ? m->nr_inner : MAX_CALLERS;
}

static void pack_inner_path(struct making *m, size_t index)
{
    size_t outer = index - 1;

    if (index > m->what->depth)
        outer = 1 + draw(m, index - 1);
    ADD_TO(m, path, .index = index, .outer = outer,
           .frame = m->what->sites + 1 + index % nr_callers(m));
}

/* One node: blocks of one size, held up to `top` of them, `left` at last. */
struct share {
    size_t site, path;
    uint64_t size, blocks, top, left;
};

/* The i-th place where something is allocated, of nr_shares. */
static struct share share_of(struct making *m, size_t i)
{
    struct share share = {.site = 1 + i % m->what->sites};

    m->random = (m->what->seed + i) * UINT64_C(0x9e3779b97f4a7c15);
    if (m->what->paths)
        share.path = m->nr_inner + 1 + i;
    share.size = 8 * draw(m, 100);
    share.blocks = 1 + draw(m, 1000);
    share.top = 1 + draw(m, share.blocks);
    share.left = draw(m, 4) ? 0 : draw(m, share.top + 1);
    return share;
}

static size_t nr_shares(const struct making *m)
{
    return m->what->paths ? m->what->paths - m->nr_inner : m->what->sites;
}

/* The process has an entry of its own and all passes of all benchmarks. */
static uint64_t nr_entries(const struct making *m, size_t benchmark)
{
    return benchmark ? m->what->passes
                     : 1 + m->what->benchmarks * m->what->passes;
}

/* What entries left before the one with the peak, which is the last. */
static uint64_t blocks_at_peak(const struct making *m, size_t benchmark,
                               const struct share *share)
{
    uint64_t before = benchmark ? 0 : nr_entries(m, 0) - 1;

    return share->top + before * share->left;
}

static void add_up(struct making *m)
{
    for (size_t i = 0; i < nr_shares(m); i++) {
        struct share share = share_of(m, i);

        m->live += nr_entries(m, 0) * share.left * share.size;
        m->peak += blocks_at_peak(m, 0, &share) * share.size;
        m->pass.allocations += share.blocks;
        m->pass.allocated_bytes += share.blocks * share.size;
        m->pass.retained_bytes += share.left * share.size;
        m->pass.peak_bytes += share.top * share.size;
    }
}

static void pack_node(struct making *m, size_t benchmark, size_t i)
{
    struct share share = share_of(m, i);
    uint64_t entries = nr_entries(m, benchmark);
    uint64_t left = entries * share.left;
    uint64_t frees = entries * share.blocks - left;
    uint64_t node[BM_NR_WORDS_tally] = {
        [BM_TALLY_allocations] = entries * share.blocks,
        [BM_TALLY_frees] = frees,
        [BM_TALLY_allocated] = entries * share.blocks * share.size,
        [BM_TALLY_freed] = frees * share.size,
        [BM_TALLY_live] = (benchmark ? share.left : left) * share.size,
        [BM_TALLY_at_peak] = blocks_at_peak(m, benchmark, &share) * share.size,
        [BM_TALLY_at_peak_blocks] = blocks_at_peak(m, benchmark, &share),
        [BM_TALLY_seen] = benchmark ? m->pass.peak_bytes : m->peak,
        [BM_TALLY_pass] = benchmark * m->what->passes,
        [BM_TALLY_temporary] = frees / 2,
    };

    ADD_TO(m, node, .benchmark = benchmark, .site = share.site,
           .path = share.path,
           .thread = m->what->threads ? 1 + i % m->what->threads : 0,
           .node = WORDS_OF(node));
}

static void pack_paths(struct making *m)
{
    for (size_t i = 1; i <= m->nr_inner; i++)
        pack_inner_path(m, i);
    for (size_t i = 0; m->what->paths && i < nr_shares(m); i++) {
        struct share share = share_of(m, i);

        ADD_TO(m, path, .index = share.path, .outer = 1 + draw(m, m->nr_inner),
               .frame = share.site, .site = share.site);
    }
}

static void pack_ledger(struct making *m, size_t benchmark)
{
    uint64_t ledger[BM_NR_WORDS_ledger] = {
        [BM_LEDGER_live] = benchmark ? m->pass.retained_bytes : m->live,
        [BM_LEDGER_peak] = benchmark ? m->pass.peak_bytes : m->peak,
        [BM_LEDGER_peak_pass] = benchmark * m->what->passes,
        [BM_LEDGER_nr_passes] = benchmark ? m->what->passes : 0,
    };

    ADD_TO(m, ledger, .benchmark = benchmark, .ledger = WORDS_OF(ledger));
}

static void pack_passes(struct making *m, size_t benchmark)
{
    size_t single = m->what->passes;
    uint64_t more = 0;

    if (single > SINGLE_PASSES) {
        more = single - SINGLE_PASSES;
        single = SINGLE_PASSES;
    }
    for (size_t i = 0; i < single; i++) {
        uint64_t pass[BM_NR_WORDS_pass] = {(benchmark - 1) * m->what->passes +
                                               i + 1,
                                           0,
                                           m->pass.peak_bytes,
                                           m->pass.allocated_bytes,
                                           m->pass.allocations,
                                           m->pass.retained_bytes};

        ADD_TO(m, pass, .benchmark = benchmark, .pass = WORDS_OF(pass));
    }
#define SAME(value) (value), (value), (value)*more
    if (more) {
        uint64_t passes[BM_NR_WORDS_passes] = {
            more, SAME(m->pass.peak_bytes), SAME(m->pass.allocated_bytes),
            SAME(m->pass.allocations), SAME(m->pass.retained_bytes)};

        ADD_TO(m, passes, .benchmark = benchmark, .passes = WORDS_OF(passes));
    }
#undef SAME
}

static void pack_benchmark(struct making *m, size_t benchmark)
{
    ADD_TO(m, benchmark, .index = benchmark, .name = text_of("bench_synthetic"),
           .frame = 1 + benchmark % m->what->sites);
    ADD_TO(m, param, .benchmark = benchmark, .name = text_of("n"),
           .type = BM_VALUE_UNSIGNED, .bits = benchmark);
    pack_ledger(m, benchmark);
    pack_passes(m, benchmark);
}

int synthetic_pack(msgpack_packer *packer, const struct synthetic *what)
{
    struct making m = {.packer = packer, .what = what};

    if (what->paths)
        m.nr_inner =
            what->depth > what->paths / 10 ? what->depth : what->paths / 10 + 1;
    /* At least one path is a block's. */
    if (m.nr_inner >= what->paths)
        m.nr_inner = what->paths ? what->paths - 1 : 0;
    add_up(&m);
    pack_head(&m);
    for (size_t i = 1; i <= what->sites; i++)
        pack_site(&m, i);
    for (size_t i = 1; what->paths && i <= nr_callers(&m); i++)
        pack_frame(&m, what->sites + i, NULL);
    pack_paths(&m);
    pack_ledger(&m, 0);
    for (size_t i = 1; i <= what->benchmarks; i++)
        pack_benchmark(&m, i);
    for (size_t b = 0; b <= what->benchmarks; b++)
        for (size_t i = 0; i < nr_shares(&m); i++)
            pack_node(&m, b, i);
    return m.error;
}
