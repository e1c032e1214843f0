/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Which profile and benchmark a report shows. --benchmark takes an exact id
 * or a part that only one has; --worst takes the heaviest of several.
 */
#include "base/error.h"
#include "base/memory.h"
#include "results/choose.h"
#include "tools/report.h"

#include <stdlib.h>
#include <string.h>

/* Rows of a table for people, unless --top says otherwise. */
#define DEFAULT_TOP 10

/* Where --benchmark could lead. */
struct candidate {
    size_t input;
    const struct bm_benchmark_info *benchmark;
};

struct candidates {
    struct candidate *items;
    size_t count;
    size_t room;
};

/* All that fit as well as the best one does. */
static void find_candidates(struct candidates *found,
                            const struct bm_inputs *inputs, const char *wanted)
{
    enum bm_fit best = BM_FIT_IN_PART;

    for (size_t i = 0; i < inputs->count; i++) {
        const struct bm_profile *profile = inputs->items[i].profile;

        for (size_t b = 0; b < profile->nr_benchmarks; b++) {
            enum bm_fit fit = bm_choose_fit(profile->benchmarks[b].id, wanted);

            if (fit < best)
                continue;
            if (fit > best)
                found->count = 0;
            best = fit;
            found->items = bm_xgrow(found->items, found->count, &found->room,
                                    sizeof(*found->items));
            found->items[found->count++] =
                (struct candidate){i, &profile->benchmarks[b]};
        }
    }
}

_Noreturn static void die_none(const struct bm_inputs *inputs,
                               const char *wanted)
{
    struct bm_str list = BM_STR_INIT;
    size_t number = 0;

    for (size_t i = 0; i < inputs->count; i++) {
        const struct bm_profile *profile = inputs->items[i].profile;
        for (size_t b = 0; b < profile->nr_benchmarks; b++)
            bm_choose_list(&list, number++, profile->benchmarks[b].id);
    }
    if (!number)
        bm_die("--benchmark %s: there are no benchmarks in %s", wanted,
               inputs->count == 1 ? inputs->items[0].path : "these profiles");
    bm_die("--benchmark %s: no such benchmark; there are %s", wanted,
           list.data);
}

_Noreturn static void die_several(const struct candidates *found,
                                  const char *wanted)
{
    struct bm_str list = BM_STR_INIT;

    for (size_t i = 0; i < found->count; i++)
        bm_choose_list(&list, i, found->items[i].benchmark->id);
    bm_die("--benchmark %s: several fit: %s; name one, or add --worst METRIC "
           "for the heaviest",
           wanted, list.data);
}

static struct bm_view *add(struct bm_views *views,
                           const struct bm_report *report,
                           const struct bm_input *input)
{
    struct bm_view *view = &views->items[views->count++];

    *view = (struct bm_view){
        .report = report,
        .input = input,
        .profile = input->profile,
        .listing = BM_LISTING_INIT,
    };
    bm_charge_init(&view->charge, input->profile, report->callers,
                   &report->wrappers);
    bm_charge_init_types(&view->types, input->profile, &report->wrappers);
    bm_names_init(&view->names, input->profile);
    bm_node_order_init(&view->nodes, input->profile);
    view->source = (struct bm_ranking_source){
        .profile = input->profile,
        .charge = &view->charge,
        .types = &view->types,
        .nodes = &view->nodes,
        .names = &view->names,
    };
    return view;
}

static char *why_heaviest(size_t count, const char *meaning)
{
    struct bm_str why = BM_STR_INIT;

    bm_str_printf(&why, "heaviest of %zu by %s", count, meaning);
    return bm_str_detach(&why);
}

/* The heaviest of candidates first to last. */
static const struct candidate *heaviest(const struct candidate *first,
                                        size_t count, enum bm_metric metric)
{
    const struct candidate *best = first;

    for (size_t i = 1; i < count; i++) {
        if (bm_metric_headline(first[i].benchmark, metric) >
            bm_metric_headline(best->benchmark, metric))
            best = &first[i];
    }
    return best;
}

/* Candidates of one profile lie together. */
static size_t nr_together(const struct candidates *found, size_t first,
                          bool whole_folder)
{
    size_t n = 1;

    while (first + n < found->count &&
           (whole_folder ||
            found->items[first + n].input == found->items[first].input))
        n++;
    return n;
}

static void choose_benchmarks(struct bm_views *views,
                              const struct bm_report *report,
                              const struct bm_inputs *inputs)
{
    struct candidates found = {NULL, 0, 0};
    bool whole_folder = inputs->folder && report->metric_given;
    enum bm_metric metric = bm_metric_of_wholes(report->metric);
    size_t n;

    find_candidates(&found, inputs, report->benchmark);
    if (!found.count)
        die_none(inputs, report->benchmark);
    for (size_t first = 0; first < found.count; first += n) {
        n = nr_together(&found, first, whole_folder);
        if (n > 1 && !report->metric_given)
            die_several(&found, report->benchmark);

        const struct candidate *best = heaviest(&found.items[first], n, metric);
        struct bm_view *view = add(views, report, &inputs->items[best->input]);
        view->benchmark = best->benchmark;
        if (n > 1)
            view->chosen_benchmark = why_heaviest(
                n, metric == BM_METRIC_LEAKED ? "bytes retained"
                                              : bm_metric_meaning(metric));
    }
    free(found.items);
}

static void choose_profiles(struct bm_views *views,
                            const struct bm_report *report,
                            const struct bm_inputs *inputs)
{
    enum bm_metric metric = bm_metric_of_wholes(report->metric);

    if (!inputs->folder || !report->metric_given || inputs->count < 2) {
        for (size_t i = 0; i < inputs->count; i++)
            add(views, report, &inputs->items[i]);
        return;
    }

    size_t best = 0;
    for (size_t i = 1; i < inputs->count; i++) {
        if (bm_metric_total(&inputs->items[i].profile->totals, metric) >
            bm_metric_total(&inputs->items[best].profile->totals, metric))
            best = i;
    }
    add(views, report, &inputs->items[best])->chosen =
        why_heaviest(inputs->count, bm_metric_meaning(metric));
}

/* Ranking by what was not recorded would show nothing in an order of none. */
static void check_saves(const struct bm_views *views)
{
    const struct bm_report *report = views->items[0].report;

    if (report->metric != BM_METRIC_SAVES)
        return;
    for (size_t i = 0; i < views->count; i++) {
        const struct bm_view *view = &views->items[i];

        if (!bm_saves_are_told(view->profile, view->benchmark))
            bm_die("--worst saves: %s has no saves%s; record them with "
                   "benchmem-run --saves=1 -- PROGRAM or "
                   "BENCHMEM_OPTIONS=saves=1",
                   view->input->path,
                   view->benchmark ? " of this benchmark" : "");
    }
}

/* What a ranking by accesses cannot be made of. */
static void require_access(const struct bm_report *report,
                           const struct bm_inputs *inputs)
{
    const char *metric = bm_rank_names[report->metric];

    if (report->benchmark || report->by == BM_BY_BENCHMARK)
        bm_die("--worst %s: what is read and written is told of whole "
               "processes; leave out %s",
               metric, report->benchmark ? "--benchmark" : "--by benchmark");
    for (size_t i = 0; i < inputs->count; i++)
        if (!inputs->items[i].profile->has_access)
            bm_die("--worst %s: %s does not tell what was read and written; "
                   "build the program with benchmem-cc --benchmem-access",
                   metric, inputs->items[i].path);
}

void bm_views_init(struct bm_views *views, const struct bm_report *report,
                   const struct bm_inputs *inputs)
{
    views->items = bm_xcalloc(inputs->count, sizeof(*views->items));
    views->count = 0;
    if (bm_metric_is_of_access(report->metric))
        require_access(report, inputs);
    if (report->benchmark)
        choose_benchmarks(views, report, inputs);
    else
        choose_profiles(views, report, inputs);
    check_saves(views);
}

void bm_views_clear(struct bm_views *views)
{
    for (size_t i = 0; i < views->count; i++) {
        struct bm_view *view = &views->items[i];

        bm_charge_clear(&view->charge);
        bm_charge_clear(&view->types);
        bm_names_clear(&view->names);
        bm_node_order_clear(&view->nodes);
        bm_listing_clear(&view->listing);
        bm_arena_release(&view->texts);
        free(view->frame_texts);
        free(view->chosen);
        free(view->chosen_benchmark);
    }
    free(views->items);
    *views = (struct bm_views){NULL, 0};
}

size_t bm_view_top(const struct bm_report *report, size_t nr)
{
    bool for_people = report->common.format == BM_FORMAT_TABLE ||
                      report->common.format == BM_FORMAT_MD;
    uint64_t top = report->top_given ? report->top
                   : for_people      ? DEFAULT_TOP
                                     : 0;

    return top && top < nr ? (size_t)top : nr;
}
