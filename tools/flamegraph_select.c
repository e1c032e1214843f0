/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Which profile and benchmark is drawn.
 *
 * A candidate is a benchmark, or the process of a profile that has none; its
 * id is the benchmark's, or the name of the profile's file without suffix. An
 * id that fits exactly wins over one that fits in part. Where all that fit
 * have the same id, in several runs, the newest run is taken.
 */
#include "tools/flamegraph.h"

#include "base/error.h"
#include "base/escape.h"
#include "base/locate.h"
#include "base/memory.h"
#include "results/choose.h"

#include <stdlib.h>
#include <string.h>

/* Lists longer than this are cut. */
#define MOST_LISTED 40

struct candidate {
    size_t input;
    const struct bm_benchmark_info *benchmark;
    char *id;
};

struct candidates {
    struct candidate *items;
    size_t count;
    size_t room;
};

static void add(struct candidates *list, size_t input,
                const struct bm_benchmark_info *benchmark, char *id)
{
    list->items =
        bm_xgrow(list->items, list->count, &list->room, sizeof(*list->items));
    list->items[list->count++] = (struct candidate){input, benchmark, id};
}

static char *stem_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *stem = bm_xstrdup(slash ? slash + 1 : path);
    size_t size = strlen(stem), suffix = strlen(BM_PROFILE_SUFFIX);

    if (size > suffix && !strcmp(stem + size - suffix, BM_PROFILE_SUFFIX))
        stem[size - suffix] = 0;
    return stem;
}

static void list_all(struct candidates *list, const struct bm_inputs *inputs,
                     bool processes)
{
    for (size_t i = 0; i < inputs->count; i++) {
        const struct bm_input *input = &inputs->items[i];
        size_t nr = processes ? 0 : input->profile->nr_benchmarks;

        for (size_t b = 0; b < nr; b++) {
            const struct bm_benchmark_info *benchmark =
                &input->profile->benchmarks[b];
            add(list, i, benchmark, bm_xstrdup(benchmark->id));
        }
        if (!nr)
            add(list, i, NULL, stem_of(input->path));
    }
}

static void clear(struct candidates *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->items[i].id);
    free(list->items);
}

/* Keeps what fits wanted best. */
static void keep_fitting(struct candidates *list, const char *wanted)
{
    size_t kept = 0;
    enum bm_fit best = BM_FIT_IN_PART;

    for (size_t i = 0; i < list->count; i++) {
        enum bm_fit fit = bm_choose_fit(list->items[i].id, wanted);

        if (fit > best)
            best = fit;
    }
    for (size_t i = 0; i < list->count; i++) {
        struct candidate *c = &list->items[i];

        if (bm_choose_fit(c->id, wanted) == best)
            list->items[kept++] = *c;
        else
            free(c->id);
    }
    list->count = kept;
}

static bool have_one_id(const struct candidates *list)
{
    for (size_t i = 1; i < list->count; i++) {
        if (strcmp(list->items[i].id, list->items[0].id) != 0)
            return false;
    }
    return true;
}

static _Noreturn void die_with_list(const struct candidates *list,
                                    const struct bm_inputs *inputs,
                                    const char *what)
{
    struct bm_str line = BM_STR_INIT;

    bm_error("%s", what);
    for (size_t i = 0; i < list->count && i < MOST_LISTED; i++) {
        const struct candidate *c = &list->items[i];

        bm_str_truncate(&line, 0);
        bm_str_puts(&line, "  ");
        bm_escape_terminal(&line, c->id);
        bm_str_puts(&line, inputs->count > 1 ? "  in " : "");
        if (inputs->count > 1)
            bm_escape_terminal(&line, inputs->items[c->input].path);
        fprintf(stderr, "%s\n", line.data);
    }
    if (list->count > MOST_LISTED)
        fprintf(stderr, "  and %zu more\n", list->count - MOST_LISTED);
    exit(BM_EXIT_USAGE);
}

static struct bm_flame_choice take(struct candidates *list, size_t i, char *why)
{
    struct bm_flame_choice choice = {
        .input = list->items[i].input,
        .benchmark = list->items[i].benchmark,
        .why = why,
    };

    clear(list);
    return choice;
}

/* The newest of the same id in several runs. */
static struct bm_flame_choice take_newest(struct candidates *list,
                                          const struct bm_inputs *inputs)
{
    struct bm_str why = BM_STR_INIT;
    size_t newest = 0;

    for (size_t i = 1; i < list->count; i++) {
        const struct candidate *a = &list->items[i];
        const struct candidate *b = &list->items[newest];

        if (inputs->items[a->input].profile->start_ns >
            inputs->items[b->input].profile->start_ns)
            newest = i;
    }
    if (list->count == 1)
        return take(list, 0, NULL);
    bm_str_printf(&why, "newest of %zu runs", list->count);
    return take(list, newest, bm_str_detach(&why));
}

static struct bm_flame_choice
choose_by_id(const struct bm_inputs *inputs,
             const struct bm_flame_options *options, const char *id)
{
    struct candidates list = {NULL, 0, 0};
    struct bm_str what = BM_STR_INIT;

    list_all(&list, inputs, options->process);
    keep_fitting(&list, id);
    if (!list.count) {
        list_all(&list, inputs, options->process);
        bm_str_printf(&what, "nothing fits %s; there is:", id);
        die_with_list(&list, inputs, what.data);
    }
    if (!have_one_id(&list)) {
        bm_str_printf(&what, "several fit %s; name one of them:", id);
        die_with_list(&list, inputs, what.data);
    }
    return take_newest(&list, inputs);
}

static uint64_t weight_of(const struct candidate *c,
                          const struct bm_inputs *inputs, enum bm_metric metric)
{
    if (c->benchmark)
        return bm_metric_headline(c->benchmark, metric);
    return bm_metric_total(&inputs->items[c->input].profile->totals, metric);
}

static struct bm_flame_choice
choose_heaviest(const struct bm_inputs *inputs,
                const struct bm_flame_options *options)
{
    struct candidates list = {NULL, 0, 0};
    struct bm_str why = BM_STR_INIT;
    size_t best = 0;

    list_all(&list, inputs, options->process);
    for (size_t i = 1; i < list.count; i++) {
        if (weight_of(&list.items[i], inputs, options->worst) >
            weight_of(&list.items[best], inputs, options->worst))
            best = i;
    }
    if (list.count == 1)
        return take(&list, 0, NULL);
    bm_str_printf(&why, "heaviest of %zu by %s", list.count,
                  bm_metric_meaning(options->worst));
    return take(&list, best, bm_str_detach(&why));
}

/* A profile alone: its only benchmark, else its process. */
static struct bm_flame_choice
choose_only(const struct bm_inputs *inputs,
            const struct bm_flame_options *options)
{
    const struct bm_profile *profile = inputs->items[0].profile;
    struct candidates list = {NULL, 0, 0};

    if (inputs->count > 1) {
        list_all(&list, inputs, options->process);
        die_with_list(
            &list, inputs,
            "several profiles; name one by its id or a part of it, or "
            "add --worst METRIC for the heaviest:");
    }
    return (struct bm_flame_choice){
        .benchmark = profile->nr_benchmarks == 1 && !options->process
                         ? &profile->benchmarks[0]
                         : NULL,
    };
}

/* The id without its file. */
static const char *name_in(const char *id)
{
    const char *name = strstr(id, "::");

    return name ? name : id;
}

/* Keeps the benchmark of this id, else those that are so called elsewhere. */
static void keep_like(struct candidates *list, const char *like)
{
    size_t kept = 0;
    bool exact = false;

    for (size_t i = 0; i < list->count && !exact; i++)
        exact = !strcmp(list->items[i].id, like);
    for (size_t i = 0; i < list->count; i++) {
        struct candidate *c = &list->items[i];

        if (exact ? !strcmp(c->id, like)
                  : !strcmp(name_in(c->id), name_in(like)))
            list->items[kept++] = *c;
        else
            free(c->id);
    }
    list->count = kept;
}

/*
 * The same benchmark as in the other profile, or the only one: a benchmark
 * may have moved to another file, or got another name.
 */
static struct bm_flame_choice
choose_like(const struct bm_inputs *inputs,
            const struct bm_flame_options *options, const char *like)
{
    struct candidates list = {NULL, 0, 0};
    struct bm_str what = BM_STR_INIT;

    list_all(&list, inputs, options->process);
    if (list.count == 1)
        return take(&list, 0, NULL);
    keep_like(&list, like);
    if (list.count && have_one_id(&list))
        return take_newest(&list, inputs);
    clear(&list);
    list = (struct candidates){NULL, 0, 0};
    list_all(&list, inputs, options->process);
    bm_str_printf(&what, "nothing in %s fits %s; there is:", options->base,
                  like);
    die_with_list(&list, inputs, what.data);
}

struct bm_flame_choice bm_flame_choose(const struct bm_inputs *inputs,
                                       const struct bm_flame_options *options,
                                       const char *like)
{
    if (like)
        return choose_like(inputs, options, like);
    if (options->args.count > 1)
        return choose_by_id(inputs, options, options->args.items[1]);
    if (options->worst_given)
        return choose_heaviest(inputs, options);
    return choose_only(inputs, options);
}
