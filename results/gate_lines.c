/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Limits of one line or of functions: held in every common benchmark where
 * the line or function did anything, or, where it did in none, in the process.
 */
#include "results/gate_check.h"

#include "base/error.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* One line, or one function that fits. */
struct subject {
    UT_hash_handle hh;
    const char *name; /* borrowed from a digest; of a line: its pattern */
    const struct bm_digest_site *site; /* its first line */
    long double sums[2];
    bool met;
};

struct holding {
    const struct bm_gates *gates;
    const struct bm_gate *gate;
    struct bm_joined *joined;
    struct bm_gate_report *report;
    struct bm_sites *sites;
    struct subject *subjects;
    bool *meant; /* by pair */
    size_t nr_checks;
};

/* -- which lines are meant ------------------------------------------------- */

static bool is_line(const struct bm_gate *gate,
                    const struct bm_digest_site *site)
{
    return (site->line == gate->line &&
            bm_same_file(site->file, gate->pattern)) ||
           (site->site_line == gate->line &&
            bm_same_file(site->site_file, gate->pattern));
}

static bool is_meant(const struct bm_gate *gate,
                     const struct bm_digest_site *site)
{
    return gate->subject == BM_GATE_SITE
               ? is_line(gate, site)
               : bm_gate_fits(gate->pattern, site->function);
}

static void add_subject(struct holding *holding,
                        const struct bm_digest_site *site)
{
    const char *name = holding->gate->subject == BM_GATE_SITE
                           ? holding->gate->pattern
                           : site->function;
    struct subject *subject;

    HASH_FIND_STR(holding->subjects, name, subject);
    if (subject)
        return;
    subject = bm_arena_alloc(&holding->report->arena, sizeof(*subject));
    subject->name = name;
    subject->site = site;
    HASH_ADD_KEYPTR(hh, holding->subjects, subject->name, strlen(subject->name),
                    subject);
}

/* Marks the pairs whose line is meant on one side; how many. */
static size_t mark_side(struct holding *holding, unsigned side)
{
    const struct bm_sites *sites = holding->sites;
    size_t count = 0;

    for (uint32_t pair = 0; pair < sites->nr_pairs; pair++) {
        uint32_t number = sites->site_in[side][pair];
        const struct bm_digest_site *site =
            number == BM_NO_PATH ? NULL : &sites->sides[side]->sites[number];

        if (!site || !is_meant(holding->gate, site))
            continue;
        holding->meant[pair] = true;
        count++;
        add_subject(holding, site);
    }
    return count;
}

/* A line number is that of the head; one that is not there, of the base. */
static int mark(struct holding *holding)
{
    const struct bm_gate *gate = holding->gate;
    size_t count = mark_side(holding, 1);

    if (!count || gate->subject == BM_GATE_FUNCTIONS)
        count += mark_side(holding, 0);
    if (count)
        return 0;
    if (gate->subject == BM_GATE_SITE)
        return bm_error("%s: neither run has a site at %s:%u", gate->text,
                        gate->pattern, gate->line);
    return bm_error("%s: neither run has an allocating function that fits %s",
                    gate->text, gate->pattern);
}

/* -- figures --------------------------------------------------------------- */

static void judge(struct holding *holding, const struct bm_joined_row *row,
                  const struct subject *subject)
{
    struct bm_gate_report *report = holding->report;
    struct bm_str name = BM_STR_INIT;
    struct bm_check *check =
        bm_gate_judge(holding->gates, holding->gate, row, &subject->sums[0],
                      subject->sums[1], report);

    if (holding->gate->subject == BM_GATE_SITE)
        bm_site_name(subject->site, &name);
    else
        bm_str_puts(&name, subject->name);
    check->subject = bm_arena_strdup(&report->arena, name.data);
    check->file = subject->site->file;
    check->line = subject->site->line;
    check->site = subject->site->id;
    if (!row)
        check->id = NULL;
    bm_str_clear(&name);
    holding->nr_checks++;
}

/* everything: also where it did nothing, which is 0. */
static void hold_ledger(struct holding *holding,
                        const struct bm_joined_row *row, uint32_t base,
                        uint32_t head, bool everything)
{
    struct bm_site_rows rows;
    struct subject *subject;

    bm_sites_compare(holding->sites, base, head, &rows);
    for (subject = holding->subjects; subject; subject = subject->hh.next) {
        subject->sums[0] = subject->sums[1] = 0;
        subject->met = everything;
    }
    for (size_t i = 0; i < rows.count; i++) {
        const struct bm_site_row *line = &rows.items[i];

        if (!holding->meant[line->pair])
            continue;
        HASH_FIND_STR(holding->subjects,
                      holding->gate->subject == BM_GATE_SITE
                          ? holding->gate->pattern
                          : bm_site_of(line)->function,
                      subject);
        subject->met = true;
        subject->sums[0] += line->base_value;
        subject->sums[1] += line->head_value;
    }
    free(rows.items);
    for (subject = holding->subjects; subject; subject = subject->hh.next) {
        if (subject->met)
            judge(holding, row, subject);
    }
}

static int hold_all(struct holding *holding)
{
    const struct bm_joined *joined = holding->joined;
    size_t last = joined->nr_series - 1;

    for (size_t i = 0; i < joined->nr_rows; i++) {
        const struct bm_joined_row *row = &joined->rows[i];

        if (row->status == BM_ROW_COMMON)
            hold_ledger(holding, row, bm_joined_ledger(joined, row, 0),
                        bm_joined_ledger(joined, row, last), false);
    }
    if (holding->nr_checks)
        return 0;
    if (joined->pivot || !joined->runs[0]->has_process ||
        !joined->runs[last]->has_process)
        return bm_error("%s: it did nothing in any common benchmark",
                        holding->gate->text);
    hold_ledger(holding, NULL, 0, 0, true);
    return 0;
}

int bm_gate_hold_lines(const struct bm_gates *gates, const struct bm_gate *gate,
                       struct bm_joined *joined, struct bm_gate_report *report)
{
    struct holding holding = {gates, gate, joined, report, NULL, NULL, NULL, 0};
    bool none;
    int failed;

    holding.sites = bm_joined_sites(joined, gate->measure, &none);
    if (!holding.sites)
        return none ? bm_error("%s: a run has no profile, so its lines are not "
                               "known",
                               gate->text)
                    : -1;
    holding.meant =
        bm_xcalloc(holding.sites->nr_pairs + 1, sizeof(*holding.meant));
    failed = mark(&holding) ? -1 : hold_all(&holding);
    HASH_CLEAR(hh, holding.subjects);
    free(holding.meant);
    return failed;
}
