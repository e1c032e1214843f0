/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Hints: what is wrong with a profile or missing from it, and the fix. A
 * profile with which all is well has none.
 */
#include "base/memory.h"
#include "base/size.h"
#include "base/str.h"
#include "tools/call_tree.h"
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

/* Programs and libraries of the system, which nobody builds anew. */
static bool is_of_system(const char *path)
{
    static const char *const folders[] = {
        "/lib/",         "/lib32/", "/lib64/",   "/usr/lib/", "/usr/lib64/",
        "/usr/libexec/", "/bin/",   "/usr/bin/", "/sbin/",    "/usr/sbin/"};

    for (size_t i = 0; i < sizeof(folders) / sizeof(folders[0]); i++) {
        if (!strncmp(path, folders[i], strlen(folders[i])))
            return true;
    }
    return false;
}

/* What is `outside`, by who could do something about it. */
struct outside {
    struct share *shares; /* one for each module, the largest first */
    uint64_t of_others;   /* can be built anew */
    uint64_t of_system;
    uint64_t unknown; /* of no module */
};

static void add_outside(struct outside *outside, const struct bm_view *view,
                        const struct bm_site_info *site,
                        const struct bm_figures *figures)
{
    uint64_t value =
        bm_metric_of(figures, bm_metric_of_wholes(view->report->metric));

    if (site->frame)
        return;
    if (!site->module) {
        outside->unknown += value;
        return;
    }
    outside->shares[site->module - view->profile->modules].value += value;
    if (is_of_system(site->module->path))
        outside->of_system += value;
    else
        outside->of_others += value;
}

static void gather_outside(struct outside *outside, const struct bm_view *view)
{
    const struct bm_profile *profile = view->profile;
    const struct bm_benchmark_info *benchmark = view->benchmark;
    size_t nr_sites = benchmark ? benchmark->nr_sites : profile->nr_sites;

    *outside = (struct outside){
        .shares = bm_xcalloc(profile->nr_modules, sizeof(struct share))};
    for (size_t i = 0; i < profile->nr_modules; i++)
        outside->shares[i].module = &profile->modules[i];
    for (size_t i = 0; i < nr_sites; i++)
        add_outside(outside, view,
                    benchmark ? benchmark->sites[i].site : &profile->sites[i],
                    benchmark ? &benchmark->sites[i].figures
                              : &profile->sites[i].figures);
    if (profile->nr_modules > 1)
        qsort(outside->shares, profile->nr_modules, sizeof(*outside->shares),
              compare_shares);
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

/* "38 % of the bytes allocated", empty where that is no news. */
static void describe_share(struct bm_str *out, const struct bm_view *view,
                           uint64_t part)
{
    const struct bm_figures *totals =
        view->benchmark ? &view->benchmark->figures : &view->profile->totals;
    uint64_t whole =
        bm_metric_total(totals, bm_metric_of_wholes(view->report->metric));

    bm_str_truncate(out, 0);
    if (!whole)
        return;
    double percent = 100.0 * (double)part / (double)whole;
    if (percent >= OUTSIDE_PERCENT)
        bm_str_printf(
            out, "%.0f %% of the %s", percent,
            bm_metric_meaning(bm_metric_of_wholes(view->report->metric)));
}

static void hint_outside(const struct bm_view *view, struct bm_strvec *hints)
{
    size_t nr_modules = view->profile->nr_modules;
    struct bm_str share = BM_STR_INIT, names = BM_STR_INIT;
    struct outside outside;

    gather_outside(&outside, view);
    describe_share(&share, view, outside.of_others);
    if (share.size) {
        name_modules(&names, outside.shares, nr_modules, false);
        bm_strvec_pushf(hints,
                        "%s come from code that benchmem-cc did not compile: "
                        "%s; build it with benchmem-cc or benchmem-c++%s",
                        share.data, names.data,
                        bm_call_is_native(view->profile)
                            ? ", for its lines"
                            : ", or record with BENCHMEM_OPTIONS=native=1");
    }
    describe_share(&share, view, outside.of_system);
    if (share.size) {
        bm_str_truncate(&names, 0);
        name_modules(&names, outside.shares, nr_modules, true);
        bm_strvec_pushf(hints,
                        "%s are of system code, outside any call of "
                        "compiled code: %s",
                        share.data, names.data);
    }
    describe_share(&share, view, outside.unknown);
    if (share.size)
        bm_strvec_pushf(hints, "%s could not be charged to any code",
                        share.data);
    bm_str_clear(&share);
    bm_str_clear(&names);
    free(outside.shares);
}

static void hint_end(const struct bm_profile *profile, struct bm_strvec *hints)
{
    if (profile->end == BM_END_UNKNOWN)
        bm_strvec_push(hints, "the program's end is not known: it still runs, "
                              "or was killed; figures are as of then");
}

static void hint_wrappers(const struct bm_view *view, struct bm_strvec *hints)
{
    const struct bm_strvec *wrappers = &view->report->wrappers;

    for (size_t i = 0; i < wrappers->count; i++) {
        if (!bm_charge_fits(view->profile, wrappers->items[i]))
            bm_strvec_pushf(hints,
                            "no function in this profile fits --wrapper %s",
                            wrappers->items[i]);
    }
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

/* A site that uses none of its blocks beyond a part at their beginnings. */
static bool is_too_long(const struct bm_access *access)
{
    uint64_t judged = access->bytes - access->escaped_bytes;

    return access->reached_bytes && access->reached_bytes < judged / 2;
}

static void hint_too_long(const struct bm_view *view, struct bm_strvec *hints)
{
    const struct bm_site_info *worst = NULL;
    const struct bm_access *most = NULL; /* worst's */
    struct bm_str text = BM_STR_INIT;

    for (size_t i = 0; i < view->profile->nr_sites; i++) {
        const struct bm_site_info *site = &view->profile->sites[i];
        const struct bm_access *access = bm_access_of(&site->figures);

        if (!is_too_long(access) ||
            (worst && access->untouched_bytes <= most->untouched_bytes))
            continue;
        worst = site;
        most = access;
    }
    if (!worst)
        return;
    bm_str_printf(&text, "what %s:%" PRIu32 " uses lies within the first ",
                  worst->frame->file ? worst->frame->file : "?",
                  worst->frame->line);
    bm_size_print(&text, most->reached_bytes);
    bm_str_puts(&text, " of ");
    bm_size_print(&text, most->bytes - most->escaped_bytes);
    bm_strvec_pushf(hints, "%s: it could ask for less", text.data);
    bm_str_clear(&text);
}

static void hint_access(const struct bm_view *view, struct bm_strvec *hints)
{
    const struct bm_access *access = bm_access_of(&view->profile->totals);
    struct bm_str share = BM_STR_INIT;

    if (!bm_metric_is_of_access(view->report->metric))
        return;
    hint_too_long(view, hints);
    if (!access->escaped_bytes || (double)access->escaped_bytes * 100 <
                                      (double)access->bytes * OUTSIDE_PERCENT)
        return;
    bm_str_printf(&share, "%.0f %%",
                  (double)access->escaped_bytes * 100 / (double)access->bytes);
    bm_strvec_pushf(hints,
                    "%s of the bytes are in blocks that code without "
                    "--benchmem-access asked for or was given; they are not "
                    "judged (UNSEEN)",
                    share.data);
    bm_str_clear(&share);
}

void bm_report_hints(const struct bm_view *view, struct bm_strvec *hints)
{
    const struct bm_profile *profile = view->profile;

    hint_end(profile, hints);
    for (size_t i = 0; i < profile->nr_notes; i++)
        bm_strvec_push(hints, profile->notes[i]);
    bm_symbols_hints(profile, hints);
    hint_outside(view, hints);
    hint_wrappers(view, hints);
    hint_paths(view, hints);
    hint_access(view, hints);
    if (view->owes)
        bm_strvec_push(hints, "threads without a figure freed more of other "
                              "threads' blocks than they held, so that the "
                              "column does not add up");
}
