/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Gates of coverage: a share that must be reached, and no call beyond those
 * of a base that is not reached.
 */
#include "base/escape.h"
#include "base/size.h"
#include "results/match.h"
#include "tools/coverage.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Lists longer than this are cut in messages. */
#define MOST_LISTED 20

int bm_coverage_hold_share(const struct bm_coverage *coverage,
                           const struct bm_report *report)
{
    double share = report->coverage.share;
    bool held = 100.0 * (double)coverage->nr_reached >=
                share * (double)coverage->nr_sites;
    struct bm_str text = BM_STR_INIT;

    bm_percent_print(&text, coverage->nr_reached, coverage->nr_sites);
    if (!held || !report->common.quiet)
        fprintf(stderr, "%s: %zu of %zu allocation calls (%s %%), %s %g %%\n",
                held ? "coverage holds" : "FAIL coverage", coverage->nr_reached,
                coverage->nr_sites, text.data, held ? "at least" : "below",
                share);
    bm_str_clear(&text);
    return !held;
}

/* -- calls that are new ---------------------------------------------------- */

struct missing {
    const struct bm_coverage_site **items;
    size_t nr;
};

static struct missing missing_of(const struct bm_coverage *coverage)
{
    struct missing missing = {
        bm_xcalloc(coverage->nr_sites + 1,
                   sizeof(const struct bm_coverage_site *)),
        0};

    for (size_t i = 0; i < coverage->nr_sites; i++)
        if (coverage->sites[i]->reach != BM_REACH_COUNTED)
            missing.items[missing.nr++] = coverage->sites[i];
    return missing;
}

static struct bm_match_place place(const void *context, unsigned side,
                                   size_t item)
{
    const struct missing *sides = context;
    const struct bm_frame_info *frame = &sides[side].items[item]->frame;

    return (struct bm_match_place){frame->line, frame->column};
}

static void add_part(struct bm_str *text, const char *part)
{
    bm_str_puts(text, part ? part : "");
    bm_str_putc(text, '\n');
}

/* Files by their last name: checkouts and build folders differ. */
static void text(const void *context, unsigned side, size_t item,
                 unsigned round, struct bm_str *out)
{
    const struct missing *sides = context;
    const struct bm_coverage_site *site = sides[side].items[item];
    const char *slash =
        site->frame.file ? strrchr(site->frame.file, '/') : NULL;

    (void)round;
    add_part(out, slash ? slash + 1 : site->frame.file);
    add_part(out, site->frame.function);
    add_part(out, site->callee);
    add_part(out, site->type);
    add_part(out, site->size_expr);
}

static void tell_one(const struct bm_coverage_site *site)
{
    struct bm_str line = BM_STR_INIT, clean = BM_STR_INIT;

    bm_str_printf(&line, "%s:%" PRIu32, site->shown, site->frame.line);
    if (site->frame.function)
        bm_str_printf(&line, " %s", site->frame.function);
    bm_escape_terminal(&clean, line.data);
    fprintf(stderr, "FAIL %s: not reached, and not so in the base\n",
            clean.data);
    bm_str_clear(&line);
    bm_str_clear(&clean);
}

int bm_coverage_hold_new(const struct bm_coverage *coverage,
                         const struct bm_coverage *base,
                         const struct bm_report *report)
{
    struct missing sides[2] = {missing_of(base), missing_of(coverage)};
    struct bm_match_sides match = {
        .nr = {sides[0].nr, sides[1].nr},
        .place = place,
        .text = text,
        .nr_rounds = 1,
        .context = sides,
    };
    uint32_t *head_of = bm_match(&match);
    bool *known = bm_xcalloc(sides[1].nr + 1, sizeof(*known));
    size_t nr_new = 0;

    for (size_t i = 0; i < sides[0].nr; i++)
        if (head_of[i] != BM_NO_MATCH)
            known[head_of[i]] = true;
    for (size_t i = 0; i < sides[1].nr; i++)
        if (!known[i] && nr_new++ < MOST_LISTED)
            tell_one(sides[1].items[i]);
    if (nr_new > MOST_LISTED)
        fprintf(stderr, "and %zu more\n", nr_new - MOST_LISTED);
    if (nr_new)
        fprintf(stderr, "coverage failed: %zu call%s newly not reached\n",
                nr_new, nr_new == 1 ? "" : "s");
    else if (!report->common.quiet)
        fputs("coverage holds: no call is newly not reached\n", stderr);
    free(known);
    free(head_of);
    free(sides[0].items);
    free(sides[1].items);
    return nr_new > 0;
}
