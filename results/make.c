/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "results/make.h"

#include "base/error.h"
#include "results/digest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* An id and where its benchmark is: in the run, or in one of its profiles. */
struct bm_run_entry {
    UT_hash_handle hh;
    const char *id;
    size_t number;                    /* in run->benchmarks */
    const struct bm_profile *profile; /* or in a profile */
    const struct bm_benchmark_info *info;
};

const char *bm_run_stem(struct bm_run *run, const char *path)
{
    static const char *const suffixes[] = {".bmem", ".json"};
    size_t end = strlen(path);

    while (end > 1 && path[end - 1] == '/')
        end--;
    size_t start = end;
    while (start > 0 && path[start - 1] != '/')
        start--;
    size_t size = end - start;
    char *stem = bm_arena_printf(&run->arena, "%.*s", (int)size, path + start);
    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
        size_t length = strlen(suffixes[i]);

        if (size > length && !strcmp(stem + size - length, suffixes[i])) {
            stem[size - length] = '\0';
            break;
        }
    }
    return stem;
}

struct bm_run *bm_run_new(const char *source, const char *label)
{
    struct bm_run *run = bm_xcalloc(1, sizeof(*run));

    run->files = (struct bm_strvec)BM_STRVEC_INIT;
    run->arena = (struct bm_arena)BM_ARENA_INIT;
    run->source = bm_arena_strdup(&run->arena, source);
    run->label =
        label ? bm_arena_strdup(&run->arena, label) : bm_run_stem(run, source);
    run->process.name = "(process)";
    return run;
}

void bm_run_free(struct bm_run *run)
{
    if (!run)
        return;
    bm_run_release(run);
    for (int m = 0; m < BM_NR_MEASURES; m++)
        bm_digest_free(run->digests[m]);
    free(run->benchmarks);
    HASH_CLEAR(hh, run->by_id);
    bm_strvec_clear(&run->files);
    bm_arena_release(&run->arena);
    free(run);
}

void bm_run_release(struct bm_run *run)
{
    for (size_t i = 0; i < run->nr_profiles; i++)
        bm_profile_free(run->profiles[i]);
    free(run->profiles);
    run->profiles = NULL;
    run->nr_profiles = 0;
    HASH_CLEAR(hh, run->in_files);
}

void bm_run_set_label(struct bm_run *run, const char *label)
{
    run->label = bm_arena_strdup(&run->arena, label);
}

struct bm_run_benchmark *bm_run_take(struct bm_run *run, const char *id)
{
    struct bm_run_entry *entry;

    HASH_FIND_STR(run->by_id, id, entry);
    if (entry)
        return &run->benchmarks[entry->number];

    run->benchmarks = bm_xgrow(run->benchmarks, run->nr_benchmarks, &run->room,
                               sizeof(*run->benchmarks));
    struct bm_run_benchmark *benchmark = &run->benchmarks[run->nr_benchmarks];
    *benchmark = (struct bm_run_benchmark){
        .id = bm_arena_strdup(&run->arena, id),
    };
    entry = bm_arena_alloc(&run->arena, sizeof(*entry));
    entry->id = benchmark->id;
    entry->number = run->nr_benchmarks++;
    HASH_ADD_KEYPTR(hh, run->by_id, entry->id, strlen(entry->id), entry);
    return benchmark;
}

size_t bm_run_number(const struct bm_run *run, const char *id)
{
    struct bm_run_entry *entry;

    HASH_FIND_STR(run->by_id, id, entry);
    return entry ? entry->number : SIZE_MAX;
}

uint64_t *bm_series_extend(struct bm_run *run, struct bm_series *series,
                           size_t count)
{
    size_t before = series->nr_values;
    uint64_t *values =
        bm_arena_alloc(&run->arena, (before + count) * sizeof(*values));

    if (before)
        memcpy(values, series->values, before * sizeof(*values));
    series->values = values;
    series->nr_values = before + count;
    return values + before;
}

void bm_series_add_more(struct bm_series *series, const struct bm_range *more,
                        uint64_t count)
{
    if (!count)
        return;
    if (!series->nr_more || more->min < series->more.min)
        series->more.min = more->min;
    if (!series->nr_more || more->max > series->more.max)
        series->more.max = more->max;
    series->more.sum += more->sum;
    series->nr_more += count;
}

const char *bm_run_value_text(struct bm_run *run,
                              const struct bm_param_info *value)
{
    struct bm_str text = BM_STR_INIT;

    switch (value->kind) {
    case BM_VALUE_SIGNED:
        bm_str_printf(&text, "%" PRId64, value->value.i);
        break;
    case BM_VALUE_UNSIGNED:
        bm_str_printf(&text, "%" PRIu64, value->value.u);
        break;
    case BM_VALUE_DOUBLE:
        bm_value_print_exact(&text, value->value.d);
        break;
    case BM_VALUE_BOOL:
        bm_str_puts(&text, value->value.u ? "true" : "false");
        break;
    case BM_VALUE_STRING:
        bm_str_puts(&text, value->value.s ? value->value.s : "(null)");
        break;
    }
    const char *copy = bm_arena_strdup(&run->arena, text.data);
    bm_str_clear(&text);
    return copy;
}

const struct bm_param_info *bm_run_value(const struct bm_param_info *values,
                                         size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) {
        if (!strcmp(values[i].name, name))
            return &values[i];
    }
    return NULL;
}

/* -- profiles -------------------------------------------------------------- */

void bm_run_own_profile(struct bm_run *run, struct bm_profile *profile)
{
    run->profiles = bm_xcalloc(1, sizeof(struct bm_profile *));
    run->profiles[run->nr_profiles++] = profile;
    bm_strvec_push(&run->files, profile->path);
    bm_run_index_profile(run, profile);
}

void bm_run_index_profile(struct bm_run *run, const struct bm_profile *profile)
{
    for (size_t i = 0; i < profile->nr_benchmarks; i++) {
        const struct bm_benchmark_info *info = &profile->benchmarks[i];
        struct bm_run_entry *entry;

        HASH_FIND_STR(run->in_files, info->id, entry);
        if (entry)
            continue;
        entry = bm_arena_alloc(&run->arena, sizeof(*entry));
        entry->id = info->id;
        entry->profile = profile;
        entry->info = info;
        HASH_ADD_KEYPTR(hh, run->in_files, entry->id, strlen(entry->id), entry);
    }
}

struct bm_profile *const *bm_run_profiles(struct bm_run *run, size_t *count)
{
    static struct bm_profile *const none[1];

    *count = 0;
    if (!run->nr_profiles && run->files.count) {
        run->profiles = bm_xcalloc(run->files.count, sizeof(*run->profiles));
        for (size_t i = 0; i < run->files.count; i++) {
            struct bm_profile *profile = bm_run_read(run->files.items[i]);

            if (!profile)
                return NULL;
            run->profiles[run->nr_profiles++] = profile;
            bm_run_index_profile(run, profile);
        }
    }
    *count = run->nr_profiles;
    return run->nr_profiles ? run->profiles : none;
}

const struct bm_profile *
bm_run_find_profile(const struct bm_run *run,
                    const struct bm_run_benchmark *benchmark,
                    const struct bm_benchmark_info **info)
{
    struct bm_run_entry *entry;

    *info = NULL;
    if (!benchmark->id)
        return run->nr_profiles == 1 ? run->profiles[0] : NULL;
    HASH_FIND_STR(run->in_files, benchmark->id, entry);
    if (!entry)
        return NULL;
    *info = entry->info;
    return entry->profile;
}
