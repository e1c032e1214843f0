/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/memory.h"
#include "tools/export_pprof_stream.h"

#include <string.h>

/* Keys of labels that parameters must not take. */
static const char *const own_keys[] = {"benchmark", "thread", "kind", "type",
                                       "at"};

static Pprof__Label *new_label(struct bm_pprof *pprof, const char *key)
{
    Pprof__Label *label = bm_arena_alloc(&pprof->arena, sizeof(*label));

    pprof__label__init(label);
    label->key = bm_pprof_string(pprof, key);
    return label;
}

Pprof__Label *bm_pprof_label(struct bm_pprof *pprof, const char *key,
                             const char *text)
{
    Pprof__Label *label = new_label(pprof, key);

    label->str = bm_pprof_string(pprof, text);
    return label;
}

static bool is_taken(const struct bm_benchmark_info *benchmark, size_t number)
{
    const char *name = benchmark->params[number].name;

    for (size_t i = 0; i < sizeof(own_keys) / sizeof(own_keys[0]); i++) {
        if (!strcmp(name, own_keys[i]))
            return true;
    }
    for (size_t i = 0; i < number; i++) {
        if (!strcmp(name, benchmark->params[i].name))
            return true;
    }
    return !*name || !strncmp(name, "pprof::", strlen("pprof::"));
}

Pprof__Label *bm_pprof_param(struct bm_pprof *pprof,
                             const struct bm_benchmark_info *benchmark,
                             size_t number)
{
    const struct bm_param_info *param = &benchmark->params[number];
    struct bm_str key = BM_STR_INIT;
    Pprof__Label *label;

    if (is_taken(benchmark, number))
        bm_str_printf(&key, "param%zu:%s", number + 1, param->name);
    else
        bm_str_puts(&key, param->name);
    label = new_label(pprof, key.data);
    if (param->kind == BM_VALUE_SIGNED ||
        (param->kind == BM_VALUE_UNSIGNED && param->value.u <= INT64_MAX)) {
        label->num = param->value.i;
        label->num_unit = bm_pprof_string(pprof, "count");
    } else {
        label->str = bm_pprof_string(pprof, param->text);
    }
    bm_str_clear(&key);
    return label;
}
