/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What benchmarks of benchmem.h say of themselves, and pools. Of processes
 * or runs that were put together each says it once more: the first counts.
 */
#include "benchmarks.h"
#include "load.h"

#include <stdlib.h>
#include <string.h>

/* Rows by benchmark, as load.h says: the index comes first. */
struct raw_declared {
    size_t benchmark;
    struct bm_declared_info info;
};

struct raw_label {
    size_t benchmark;
    struct bm_param_info label;
};

struct raw_failure {
    size_t benchmark;
    const char *text;
};

void bm_declared_init(struct bm_load *load)
{
    load->declared.row_size = sizeof(struct raw_declared);
    load->labels.row_size = sizeof(struct raw_label);
    load->failures.row_size = sizeof(struct raw_failure);
    load->pools.row_size = sizeof(struct bm_pool_info);
}

/* ---- records ---- */

bool bm_load_declared(struct bm_load *load, const msgpack_object *object)
{
    struct raw_declared *raw;

    BM_LOAD_UNPACK(declared, r);
    raw = bm_load_add(load, &load->declared);
    if (!raw)
        return false;
    raw->benchmark = bm_load_benchmark_index(load, r.benchmark);
    raw->info = (struct bm_declared_info){
        .flags = (unsigned)r.flags,
        .calls = r.calls,
        .max_peak_bytes = r.max_peak,
        .max_allocated_bytes = r.max_allocated,
        .max_allocations = r.max_allocations,
    };
    return bm_load_keep(load, &raw->info.group, r.group) &&
           bm_load_keep(load, &raw->info.suite, r.suite);
}

bool bm_load_label(struct bm_load *load, const msgpack_object *object)
{
    struct raw_label *raw;

    BM_LOAD_UNPACK(label, r);
    raw = bm_load_add(load, &load->labels);
    if (!raw)
        return false;
    raw->benchmark = bm_load_benchmark_index(load, r.benchmark);
    raw->label.kind = r.type <= BM_VALUE_STRING ? (enum bm_param_kind)r.type
                                                : BM_VALUE_UNSIGNED;
    raw->label.text = "";
    if (!bm_load_keep_some(load, &raw->label.name, r.name, ""))
        return false;
    if (raw->label.kind == BM_VALUE_STRING)
        return bm_load_keep(load, &raw->label.value.s, r.text);
    memcpy(&raw->label.value, &r.bits, sizeof(r.bits));
    return true;
}

bool bm_load_failure(struct bm_load *load, const msgpack_object *object)
{
    struct raw_failure *raw;

    BM_LOAD_UNPACK(failure, r);
    raw = bm_load_add(load, &load->failures);
    if (!raw)
        return false;
    raw->benchmark = bm_load_benchmark_index(load, r.benchmark);
    return bm_load_keep_some(load, &raw->text, r.text, "");
}

bool bm_load_pool(struct bm_load *load, const msgpack_object *object)
{
    struct bm_pool_info *pool;

    BM_LOAD_UNPACK(pool, r);
    pool = bm_load_add(load, &load->pools);
    if (!pool)
        return false;
    if (!bm_load_keep_some(load, &pool->name, r.name, ""))
        return false;
    pool->takes = bm_words_get(r.pool, BM_POOL_takes);
    pool->gives = bm_words_get(r.pool, BM_POOL_gives);
    pool->resets = bm_words_get(r.pool, BM_POOL_resets);
    pool->taken_bytes = bm_words_get(r.pool, BM_POOL_taken);
    pool->given_bytes = bm_words_get(r.pool, BM_POOL_given);
    pool->live_bytes = bm_words_get(r.pool, BM_POOL_live);
    pool->peak_bytes = bm_words_get(r.pool, BM_POOL_peak);
    return true;
}

/* ---- into the profile ---- */

static bool has_label(const struct bm_benchmark_info *info, const char *name)
{
    for (size_t i = 0; i < info->nr_labels; i++)
        if (strcmp(info->labels[i].name, name) == 0)
            return true;
    return false;
}

static bool add_labels(struct bm_load *load, const struct bm_groups *groups,
                       size_t number, struct bm_benchmark_info *info)
{
    const struct raw_label *rows = load->labels.rows;
    size_t start = groups->starts[number], end = groups->starts[number + 1];

    info->labels =
        bm_arena_take(load->arena, (end - start) * sizeof(*info->labels) + 1);
    if (!info->labels)
        return false;
    for (size_t i = start; i < end; i++) {
        const struct bm_param_info *label = &rows[groups->order[i]].label;

        if (!has_label(info, label->name))
            info->labels[info->nr_labels++] = *label;
    }
    return true;
}

static bool add_failures(struct bm_load *load, const struct bm_groups *groups,
                         size_t number, struct bm_benchmark_info *info)
{
    const struct raw_failure *rows = load->failures.rows;
    size_t start = groups->starts[number], end = groups->starts[number + 1];

    info->failures =
        bm_arena_take(load->arena, (end - start) * sizeof(*info->failures) + 1);
    if (!info->failures)
        return false;
    for (size_t i = start; i < end; i++)
        info->failures[info->nr_failures++] = rows[groups->order[i]].text;
    return true;
}

bool bm_make_declared(struct bm_making *making)
{
    struct bm_load *load = making->load;
    const uint32_t *numbers = making->named.numbers;
    const struct raw_declared *rows = load->declared.rows;
    size_t nr = making->named.nr;
    struct bm_groups declared = {0}, labels = {0}, failures = {0};
    bool ok = bm_load_group(load, &load->declared, numbers, nr, &declared) &&
              bm_load_group(load, &load->labels, numbers, nr, &labels) &&
              bm_load_group(load, &load->failures, numbers, nr, &failures);

    for (size_t i = 0; ok && i < nr; i++) {
        struct bm_benchmark_info *info = &making->named.infos[i];

        info->declared.calls = 1;
        if (declared.starts[i] < declared.starts[i + 1])
            info->declared = rows[declared.order[declared.starts[i]]].info;
        ok = add_labels(load, &labels, i, info) &&
             add_failures(load, &failures, i, info);
    }
    bm_groups_clear(&declared);
    bm_groups_clear(&labels);
    bm_groups_clear(&failures);
    return ok;
}

void bm_declared_clear(struct bm_load *load)
{
    free(load->declared.rows);
    free(load->labels.rows);
    free(load->failures.rows);
}
