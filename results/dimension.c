/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "results/dimension.h"

#include <string.h>

static const struct {
    const char *name;
    enum bm_dimension_kind kind;
} words[] = {
    {"fullname", BM_DIMENSION_FULLNAME}, {"name", BM_DIMENSION_NAME},
    {"function", BM_DIMENSION_FUNCTION}, {"func", BM_DIMENSION_FUNCTION},
    {"file", BM_DIMENSION_FILE},         {"module", BM_DIMENSION_FILE},
    {"group", BM_DIMENSION_GROUP},       {"suite", BM_DIMENSION_SUITE},
};

static const struct {
    const char *text;
    enum bm_dimension_kind kind;
} prefixes[] = {
    {"param:", BM_DIMENSION_PARAM},
    {"extra:", BM_DIMENSION_EXTRA},
};

bool bm_dimension_parse(const char *text, struct bm_dimension *dimension)
{
    const char *name = strncmp(text, "node.", 5) ? text : text + 5;

    *dimension = (struct bm_dimension){BM_DIMENSION_ANY, name, text};
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (!strcmp(words[i].name, name))
            dimension->kind = words[i].kind;
    }
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        size_t size = strlen(prefixes[i].text);

        if (strncmp(prefixes[i].text, name, size))
            continue;
        dimension->kind = prefixes[i].kind;
        dimension->name = name + size;
    }
    return dimension->name[0];
}

const char *bm_benchmark_name(const struct bm_run_benchmark *benchmark)
{
    const char *end = benchmark->id ? strstr(benchmark->id, "::") : NULL;

    if (!benchmark->id)
        return benchmark->name;
    return end ? end + 2 : benchmark->id;
}

const struct bm_param_info *
bm_dimension_value(const struct bm_dimension *dimension,
                   const struct bm_run_benchmark *benchmark)
{
    const struct bm_param_info *value = NULL;

    if (dimension->kind == BM_DIMENSION_PARAM ||
        dimension->kind == BM_DIMENSION_ANY)
        value = bm_run_value(benchmark->params, benchmark->nr_params,
                             dimension->name);
    if (!value && (dimension->kind == BM_DIMENSION_EXTRA ||
                   dimension->kind == BM_DIMENSION_ANY))
        value = bm_run_value(benchmark->extra, benchmark->nr_extra,
                             dimension->name);
    return value;
}

const char *bm_dimension_text(const struct bm_dimension *dimension,
                              const struct bm_run_benchmark *benchmark)
{
    switch (dimension->kind) {
    case BM_DIMENSION_FULLNAME:
        return benchmark->id ? benchmark->id : benchmark->name;
    case BM_DIMENSION_NAME:
        return bm_benchmark_name(benchmark);
    case BM_DIMENSION_FUNCTION:
        return benchmark->name;
    case BM_DIMENSION_FILE:
        return benchmark->file;
    case BM_DIMENSION_GROUP:
        return benchmark->group;
    case BM_DIMENSION_SUITE:
        return benchmark->suite;
    default:
        break;
    }
    const struct bm_param_info *value =
        bm_dimension_value(dimension, benchmark);
    return value ? value->text : NULL;
}

static bool is_new(struct bm_strvec *seen, const char *text)
{
    for (size_t i = 0; i < seen->count; i++) {
        if (!strcmp(seen->items[i], text))
            return false;
    }
    bm_strvec_push(seen, text);
    return true;
}

static void list_values(struct bm_strvec *seen, struct bm_str *out,
                        const char *prefix, const struct bm_param_info *values,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct bm_str text = BM_STR_INIT;

        bm_str_printf(&text, "%s%s", prefix, values[i].name);
        if (is_new(seen, text.data))
            bm_str_printf(out, "%s%s", out->size ? ", " : "", text.data);
        bm_str_clear(&text);
    }
}

bool bm_dimension_is_known(const struct bm_dimension *dimension,
                           struct bm_run *const *runs, size_t nr_runs)
{
    if (dimension->kind < BM_DIMENSION_PARAM)
        return true;
    for (size_t i = 0; i < nr_runs; i++) {
        for (size_t j = 0; j < runs[i]->nr_benchmarks; j++) {
            if (bm_dimension_value(dimension, &runs[i]->benchmarks[j]))
                return true;
        }
    }
    return false;
}

static void list_run(struct bm_strvec *seen, struct bm_str *out,
                     const struct bm_run *run)
{
    for (size_t i = 0; i < run->nr_benchmarks; i++) {
        const struct bm_run_benchmark *benchmark = &run->benchmarks[i];

        list_values(seen, out, "", benchmark->params, benchmark->nr_params);
        list_values(seen, out, "extra:", benchmark->extra, benchmark->nr_extra);
    }
}

void bm_dimension_list(struct bm_str *out, struct bm_run *const *runs,
                       size_t nr_runs)
{
    struct bm_strvec seen = BM_STRVEC_INIT;

    for (size_t i = 0; i < nr_runs; i++)
        list_run(&seen, out, runs[i]);
    bm_strvec_clear(&seen);
}
