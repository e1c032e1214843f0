/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Hints: what is wrong with a profile or missing from it, and the fix. A
 * profile with which all is well has none.
 */
#include "base/str.h"
#include "tools/report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Blocks of foreign code below this share are no news. */
#define OUTSIDE_PERCENT 5

/* Modules that one hint names. */
#define MOST_MODULES 3

struct share {
    const struct bm_module *module;
    uint64_t value;
};

/* Largest first, then by path. */
static int compare_shares(const void *a, const void *b)
{
    const struct share *p = a, *q = b;

    if (p->value != q->value)
        return p->value < q->value ? 1 : -1;
    return strcmp(p->module->path, q->module->path);
}

/* Libraries of the system, which nobody builds anew. */
static bool is_of_system(const char *path)
{
    static const char *const folders[] = {"/lib/", "/lib32/", "/lib64/",
                                          "/usr/lib/", "/usr/lib64/",
                                          "/usr/libexec/"};

    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
        if (!strncmp(path, folders[i], strlen(folders[i])))
            return true;
    }
    return false;
}

/*
 * Adds the figures of `outside` sites to shares, one for each module of the
 * profile; their sum.
 */
static uint64_t gather_outside(const struct bm_view *view,
                               struct share *shares)
{
    const struct bm_profile *profile = view->profile;
    const struct bm_benchmark_info *benchmark = view->benchmark;
    size_t nr_sites = benchmark ? benchmark->nr_sites : profile->nr_sites;
    uint64_t sum = 0;

    for (size_t i = 0; i < profile->nr_modules; i++)
        shares[i].module = &profile->modules[i];
    for (size_t i = 0; i < nr_sites; i++) {
        const struct bm_site_info *site =
            benchmark ? benchmark->sites[i].site : &profile->sites[i];
        const struct bm_figures *figures =
            benchmark ? &benchmark->sites[i].figures : &site->figures;

        if (site->frame)
            continue;
        uint64_t value = bm_metric_of(figures, view->report->metric);
        sum += value;
        if (site->module)
            shares[site->module - profile->modules].value += value;
    }
    return sum;
}

static void name_modules(struct bm_str *out, const struct share *shares,
                         size_t count, bool of_system)
{
    size_t named = 0;

    for (size_t i = 0; i < count && shares[i].value; i++) {
        const char *path = shares[i].module->path;

        if (is_of_system(path) != of_system)
            continue;
        if (named == MOST_MODULES) {
            bm_str_puts(out, ", ...");
            break;
        }
        bm_str_printf(out, "%s%s", named++ ? ", " : "", path);
    }
}

static void hint_outside(const struct bm_view *view, struct bm_strvec *hints)
{
    const struct bm_profile *profile = view->profile;
    const struct bm_figures *totals =
        view->benchmark ? &view->benchmark->figures : &profile->totals;
    uint64_t whole = bm_metric_total(totals, view->report->metric);
    struct share *shares = calloc(profile->nr_modules + 1, sizeof(*shares));

    if (!shares)
        return;
    uint64_t sum = gather_outside(view, shares);
    unsigned percent =
        whole ? (unsigned)(100.0 * (double)sum / (double)whole + 0.5) : 0;
    if (percent >= OUTSIDE_PERCENT) {
        struct bm_str own = BM_STR_INIT, system = BM_STR_INIT;

        qsort(shares, profile->nr_modules, sizeof(*shares), compare_shares);
        name_modules(&own, shares, profile->nr_modules, false);
        name_modules(&system, shares, profile->nr_modules, true);
        const char *what = bm_metric_meaning(view->report->metric);
        if (own.size)
            bm_strvec_pushf(hints,
                            "%u %% of the %s come from code that benchmem-cc "
                            "did not compile: %s; build it with benchmem-cc or "
                            "benchmem-c++, or record with "
                            "BENCHMEM_OPTIONS=native=1",
                            percent, what, own.data);
        else
            bm_strvec_pushf(hints,
                            "%u %% of the %s are of system libraries%s%s, "
                            "outside any call of the program's own code",
                            percent, what, system.size ? ": " : "",
                            system.data);
        bm_str_clear(&own);
        bm_str_clear(&system);
    }
    free(shares);
}

static void hint_end(const struct bm_profile *profile, struct bm_strvec *hints)
{
    if (profile->end == BM_END_UNKNOWN)
        bm_strvec_push(hints, "the program's end is not known: it still runs, "
                              "or was killed; figures are as of then");
}

static void hint_wrappers(const struct bm_view *view, struct bm_strvec *hints)
{
    if (view->report->callers && !view->profile->nr_paths &&
        view->profile->nr_sites)
        bm_strvec_push(hints, "there are no call paths in this profile, so "
                              "callers of wrappers are only known where "
                              "wrappers were inlined; record with "
                              "BENCHMEM_OPTIONS=paths=full");
}

static void hint_paths(const struct bm_view *view, struct bm_strvec *hints)
{
    enum bm_by by = view->report->by;

    if (by == BM_BY_PATH && !view->profile->nr_paths &&
        view->profile->totals.allocations)
        bm_strvec_push(hints, "there are no call paths in this profile; "
                              "record with BENCHMEM_OPTIONS=paths=full");
}

void bm_report_hints(const struct bm_view *view, struct bm_strvec *hints)
{
    const struct bm_profile *profile = view->profile;

    hint_end(profile, hints);
    for (size_t i = 0; i < profile->nr_notes; i++)
        bm_strvec_push(hints, profile->notes[i]);
    hint_outside(view, hints);
    hint_wrappers(view, hints);
    hint_paths(view, hints);
    if (view->owes)
        bm_strvec_push(hints, "threads without a figure freed more of other "
                              "threads' blocks than they held, so that the "
                              "column does not add up");
}
