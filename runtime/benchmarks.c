/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "benchmarks.h"

#include "calls.h"
#include "cfi.h"
#include "gauge.h"
#include "head.h"
#include "memory.h"
#include "options.h"
#include "saves.h"
#include "stop.h"
#include "timeline.h"

#include "../profile/identity.h"

#include <string.h>

#define NR_CHAINS 1024u
static struct bm_benchmark *chains[NR_CHAINS];
static uint32_t nr_benchmarks;

/* Frames of the functions entered last; looking one up reads its names. */
#define NR_RECENT 16u
static struct {
    const struct bm_bench *bench;
    uint32_t frame;
} recent[NR_RECENT];
static uint32_t recent_epoch;
static _Atomic uint32_t code_epoch; /* rises when code is unmapped */

/* Arguments as they are compared and kept. */
struct arguments {
    uint32_t frame;
    uint32_t nr;
    const struct bm_param *params;
    uint64_t values[BM_MAX_PARAMS];
    char texts[BM_MAX_PARAMS][BM_MAX_PARAM_TEXT + 1];
};

/*
 * Copies a string of the program, as far as it can be read: what is passed
 * as char * need not be a string.
 */
static void copy_string(char *out, const char *text)
{
    struct bm_readable readable = {0, 0};
    size_t size = 0;

    for (; size < BM_MAX_PARAM_TEXT; size++) {
        if (!bm_readable_check(&readable, (uintptr_t)(text + size) & ~7UL) ||
            !text[size])
            break;
        out[size] = text[size];
    }
    out[size] = '\0';
}

static void read_arguments(struct arguments *out, const struct bm_bench *bench,
                           const uint64_t *values)
{
    out->params = bm_abi_at(&bench->params);
    out->nr = out->params ? bench->nr_params : 0;
    if (out->nr > BM_MAX_PARAMS)
        out->nr = BM_MAX_PARAMS;
    for (uint32_t i = 0; i < out->nr; i++) {
        out->values[i] = values[i];
        if (out->params[i].type == BM_PARAM_STRING && values[i]) {
            copy_string(out->texts[i], (const char *)(uintptr_t)values[i]);
            out->values[i] = (uint64_t)(uintptr_t)out->texts[i];
        }
    }
}

static uint64_t hash_text(const char *text)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a, 64 bits */

    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return hash;
}

static bool is_string(const struct arguments *arguments, uint32_t i)
{
    return arguments->params[i].type == BM_PARAM_STRING && arguments->values[i];
}

static const char *text_of(uint64_t value)
{
    return (const char *)(uintptr_t)value;
}

static struct bm_benchmark **chain_of(const struct arguments *arguments)
{
    uint64_t hash = arguments->frame;

    for (uint32_t i = 0; i < arguments->nr; i++) {
        uint64_t value = arguments->values[i];

        if (is_string(arguments, i))
            value = hash_text(text_of(value));
        hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 29;
    }
    return &chains[hash % NR_CHAINS];
}

static bool is_same(const struct bm_benchmark *benchmark,
                    const struct arguments *arguments)
{
    if (benchmark->frame != arguments->frame ||
        benchmark->nr_params != arguments->nr)
        return false;
    for (uint32_t i = 0; i < arguments->nr; i++) {
        uint64_t value = benchmark->values[i];

        if (!is_string(arguments, i)) {
            if (value != arguments->values[i])
                return false;
        } else if (!value ||
                   strcmp(text_of(value), text_of(arguments->values[i])) != 0) {
            return false;
        }
    }
    return true;
}

static struct bm_text text_from(const char *text)
{
    return (struct bm_text){text, text ? strlen(text) : 0};
}

static bool append_param(struct bm_thread *thread, uint32_t benchmark,
                         const struct arguments *arguments, uint32_t i)
{
    const struct bm_param *param = &arguments->params[i];
    msgpack_packer *packer = bm_record_begin(thread);
    bool string = param->type == BM_PARAM_STRING;
    struct bm_record_param record = {
        .benchmark = benchmark,
        .name = text_from(bm_abi_at(&param->name)),
        .type = param->type,
        .bits = string ? 0 : arguments->values[i],
        .text = text_from(string ? text_of(arguments->values[i]) : NULL),
    };

    return packer && bm_pack_param(packer, &record) == 0 &&
           bm_file_append(thread, 0);
}

static const char *name_of(const struct bm_bench *bench)
{
    const struct bm_frame *where = bm_abi_at(&bench->where);
    const struct bm_scope *scope = where ? bm_abi_at(&where->scope) : NULL;

    return scope ? bm_abi_at(&scope->function) : NULL;
}

static bool append_records(struct bm_thread *thread,
                           const struct bm_bench *bench,
                           const struct arguments *arguments,
                           struct bm_ledger *ledger)
{
    msgpack_packer *packer = bm_record_begin(thread);
    struct bm_record_benchmark record = {
        .index = ledger->benchmark,
        .name = text_from(name_of(bench)),
        .frame = arguments->frame,
    };

    if (!packer || bm_pack_benchmark(packer, &record) != 0 ||
        !bm_file_append(thread, 0))
        return false;
    for (uint32_t i = 0; i < arguments->nr; i++)
        if (!append_param(thread, ledger->benchmark, arguments, i))
            return false;
    return bm_ledger_begin(thread, ledger);
}

/* As driver/stop_where.c finds it in a profile. */
static uint64_t identity_of(const struct bm_bench *bench,
                            const struct arguments *arguments)
{
    const struct bm_frame *where = bm_abi_at(&bench->where);
    const struct bm_scope *scope = where ? bm_abi_at(&where->scope) : NULL;
    uint64_t hash = bm_identity_begin(scope ? bm_abi_at(&scope->file) : NULL,
                                      name_of(bench));

    for (uint32_t i = 0; i < arguments->nr; i++) {
        const struct bm_param *param = &arguments->params[i];
        bool string = param->type == BM_PARAM_STRING;

        hash = bm_identity_param(hash, bm_abi_at(&param->name),
                                 string ? 0 : arguments->values[i],
                                 string ? text_of(arguments->values[i]) : NULL);
    }
    return bm_identity_end(hash);
}

static bool keep_arguments(struct bm_benchmark *benchmark,
                           const struct arguments *arguments)
{
    benchmark->frame = arguments->frame;
    benchmark->nr_params = arguments->nr;
    for (uint32_t i = 0; i < arguments->nr; i++) {
        benchmark->values[i] = arguments->values[i];
        if (!is_string(arguments, i))
            continue;
        const char *text = text_of(arguments->values[i]);
        size_t size = strlen(text) + 1;
        char *copy = bm_arena_get(size);
        if (!copy)
            return false;
        memcpy(copy, text, size);
        benchmark->values[i] = (uint64_t)(uintptr_t)copy;
    }
    return true;
}

static struct bm_benchmark *make(struct bm_thread *thread,
                                 const struct bm_bench *bench,
                                 const struct arguments *arguments)
{
    struct bm_benchmark *benchmark;

    if (nr_benchmarks == BM_MAX_BENCHMARKS) {
        bm_note_once(thread, BM_NOTE_BENCHMARKS);
        return NULL;
    }
    benchmark = bm_arena_get(sizeof(*benchmark));
    if (!benchmark || !keep_arguments(benchmark, arguments))
        return NULL;
    /* An index is used up even where its records find no room. */
    benchmark->ledger.benchmark = ++nr_benchmarks;
    if (!append_records(thread, bench, arguments, &benchmark->ledger))
        return NULL;
    bm_saves_begin_benchmark(benchmark);
    if (bm_options.stop_benchmark &&
        bm_options.stop_benchmark == identity_of(bench, arguments))
        bm_stop_watch_benchmark(nr_benchmarks);
    return benchmark;
}

static uint32_t frame_of(struct bm_thread *thread, const struct bm_bench *bench)
{
    uint32_t i = (uint32_t)((uintptr_t)bench / sizeof(*bench)) % NR_RECENT;
    const struct bm_frame *where = bm_abi_at(&bench->where);
    uint32_t epoch = atomic_load_explicit(&code_epoch, memory_order_relaxed);

    if (recent_epoch != epoch)
        memset(recent, 0, sizeof(recent));
    recent_epoch = epoch;
    if (recent[i].bench != bench) {
        recent[i].bench = bench;
        recent[i].frame = where ? bm_frame_index(thread, where) : 0;
    }
    return recent[i].frame;
}

struct bm_benchmark *bm_benchmark_get(struct bm_thread *thread,
                                      const struct bm_bench *bench,
                                      const uint64_t *values)
{
    static struct arguments arguments; /* the opening thread's: not on its
                                          stack, which may be small */

    arguments.frame = frame_of(thread, bench);
    read_arguments(&arguments, bench, values);
    struct bm_benchmark **chain = chain_of(&arguments);
    for (struct bm_benchmark *at = *chain; at; at = at->next)
        if (is_same(at, &arguments))
            return at;

    struct bm_benchmark *benchmark = make(thread, bench, &arguments);
    if (benchmark) {
        benchmark->next = *chain;
        *chain = benchmark;
    }
    return benchmark;
}

void bm_benchmarks_code_changed(void)
{
    atomic_fetch_add_explicit(&code_epoch, 1, memory_order_relaxed);
}

void bm_benchmarks_after_fork(void)
{
    memset(chains, 0, sizeof(chains));
    nr_benchmarks = 0;
}

static uint64_t *append_pass(struct bm_thread *thread, uint32_t benchmark,
                             const uint64_t *words)
{
    msgpack_packer *packer = bm_record_begin(thread);
    struct bm_record_pass record = {
        .benchmark = benchmark,
        .pass = {words, BM_NR_WORDS_pass},
    };

    if (!packer || bm_pack_pass(packer, &record) != 0)
        return NULL;
    return bm_file_append(thread, BM_NR_WORDS_pass);
}

static void begin_passes(struct bm_thread *thread,
                         struct bm_benchmark *benchmark)
{
    static const uint64_t zeros[BM_NR_WORDS_passes];
    msgpack_packer *packer = bm_record_begin(thread);
    struct bm_record_passes record = {
        .benchmark = benchmark->ledger.benchmark,
        .passes = {zeros, BM_NR_WORDS_passes},
    };

    if (packer && bm_pack_passes(packer, &record) == 0)
        benchmark->passes = bm_file_append(thread, BM_NR_WORDS_passes);
}

void bm_benchmark_begin_pass(struct bm_thread *thread,
                             struct bm_benchmark *benchmark, uint32_t serial)
{
    uint64_t *nr_passes = &benchmark->ledger.words[BM_LEDGER_nr_passes];
    const uint64_t fresh[BM_NR_WORDS_pass] = {
        [BM_PASS_serial] = serial,
        [BM_PASS_open] = 1,
        [BM_PASS_measure] = bm_options.measure,
        [BM_PASS_began] = bm_timeline_now(),
    };
    uint64_t *words = NULL;

    bm_word_add(nr_passes, 1);
    if (bm_word_get(nr_passes) <= BM_MAX_SINGLE_PASSES)
        words = append_pass(thread, benchmark->ledger.benchmark, fresh);
    else if (!benchmark->passes)
        begin_passes(thread, benchmark);
    if (!words)
        words = benchmark->spare_pass;
    if (words == benchmark->spare_pass)
        bm_word_set(&words[BM_PASS_serial], serial);
    atomic_store_explicit(&benchmark->pass, words, memory_order_relaxed);
}

/* Three words of `passes`: minimum, maximum and sum, in that order. */
static void add_to_range(uint64_t *range, uint64_t value, bool is_first)
{
    if (is_first || value < range[0])
        bm_word_set(&range[0], value);
    if (value > range[1])
        bm_word_set(&range[1], value);
    bm_word_add(&range[2], value);
}

/*
 * Takes the spare words' figures out: an event of another thread that still
 * comes for this pass is then counted with the next.
 */
static uint64_t take_spare(uint64_t *pass, int word)
{
    return atomic_exchange_explicit((_Atomic uint64_t *)&pass[word], 0,
                                    memory_order_relaxed);
}

static void add_to_passes(uint64_t *passes, uint64_t *pass,
                          const struct bm_pass_end *end)
{
    uint64_t count = bm_word_get(&passes[BM_PASSES_count]);
    bool is_first = count == 0;

    add_to_range(&passes[BM_PASSES_peak_min], take_spare(pass, BM_PASS_peak),
                 is_first);
    add_to_range(&passes[BM_PASSES_allocated_min],
                 take_spare(pass, BM_PASS_allocated), is_first);
    add_to_range(&passes[BM_PASSES_allocations_min],
                 take_spare(pass, BM_PASS_allocations), is_first);
    add_to_range(&passes[BM_PASSES_retained_min], end->retained, is_first);
    add_to_range(&passes[BM_PASSES_time_min], end->time_ns, is_first);
    bm_word_set(&passes[BM_PASSES_measure], bm_options.measure);
    bm_word_set(&passes[BM_PASSES_count], count + 1);
}

void bm_benchmark_end_pass(struct bm_benchmark *benchmark,
                           struct bm_pass_end *end)
{
    uint64_t *pass =
        atomic_load_explicit(&benchmark->pass, memory_order_relaxed);

    end->peak = bm_word_get(&pass[BM_PASS_peak]);
    end->allocated = bm_word_get(&pass[BM_PASS_allocated]);
    end->allocations = bm_word_get(&pass[BM_PASS_allocations]);
    if (pass != benchmark->spare_pass) {
        bm_word_set(&pass[BM_PASS_time_ns], end->time_ns);
        bm_word_set(&pass[BM_PASS_setup_peak_rss], end->setup_peak_rss);
        bm_word_set(&pass[BM_PASS_peak_rss], end->peak_rss);
        bm_word_set(&pass[BM_PASS_ended], bm_timeline_now());
        bm_word_set(&pass[BM_PASS_retained], end->retained);
        bm_word_set(&pass[BM_PASS_open], 0);
    } else if (benchmark->passes) {
        add_to_passes(benchmark->passes, pass, end);
    } else {
        take_spare(pass, BM_PASS_peak);
        take_spare(pass, BM_PASS_allocated);
        take_spare(pass, BM_PASS_allocations);
    }
}
