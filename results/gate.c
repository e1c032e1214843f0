/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "results/gate.h"

#include "base/error.h"
#include "base/escape.h"
#include "results/gate_check.h"

#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* Limits in percent are kept in millionths. */
#define WHOLE (100.0L * 1000000)

bool bm_gate_fits(const char *pattern, const char *text)
{
    return text && (!strcmp(pattern, text) || !fnmatch(pattern, text, 0));
}

/* -- one limit, two values ------------------------------------------------- */

static bool is_beyond(const struct bm_gates *gates, const struct bm_gate *gate,
                      long double base, long double head)
{
    long double change = head - base;

    if (gate->ceiling)
        return head > (long double)gate->limit;
    if (gates->two_sided && change < 0)
        change = -change;
    return gate->percent ? change * WHOLE > base * (long double)gate->limit
                         : change > (long double)gate->limit;
}

static long double most_allowed(const struct bm_gate *gate, long double base)
{
    if (gate->ceiling)
        return gate->limit;
    return gate->percent ? base + base * (long double)gate->limit / WHOLE
                         : base + (long double)gate->limit;
}

static char *describe(struct bm_arena *arena, const struct bm_check *check)
{
    const struct bm_measure_info *info = bm_measure_info(check->gate->measure);
    struct bm_str text = BM_STR_INIT;

    bm_str_printf(&text, "%s ", info->name);
    if (check->gate->ceiling || !check->has_base) {
        bm_str_puts(&text, "is ");
    } else {
        bm_str_puts(&text, check->head == check->base  ? "is still "
                           : check->head > check->base ? "grew from "
                                                       : "fell from ");
        if (check->head != check->base) {
            bm_value_print(&text, check->base, info->unit);
            bm_str_puts(&text, " to ");
        }
    }
    bm_value_print(&text, check->head, info->unit);
    if (!check->gate->ceiling && check->has_base && check->base > 0 &&
        check->head != check->base)
        bm_str_printf(&text, " (%+.1Lf %%)",
                      (check->head - check->base) * 100 / check->base);
    bm_str_printf(&text, ", %s %s",
                  check->gate->ceiling ? "the most allowed is" : "limit",
                  check->gate->limit_text);
    char *copy = bm_arena_strdup(arena, text.data);
    bm_str_clear(&text);
    return copy;
}

static void count(struct bm_gate_report *report, enum bm_verdict verdict)
{
    report->nr_failed += verdict == BM_VERDICT_FAIL;
    report->nr_passed += verdict == BM_VERDICT_PASS;
}

static struct bm_check *add_check(struct bm_gate_report *report,
                                  const struct bm_joined_row *row)
{
    report->checks = bm_xgrow(report->checks, report->count, &report->room,
                              sizeof(*report->checks));
    struct bm_check *check = &report->checks[report->count++];
    *check = (struct bm_check){.row = row};
    if (row) {
        check->id = row->id;
        check->file = row->sample->path;
        check->line = row->sample->line;
    }
    return check;
}

struct bm_check *bm_gate_judge(const struct bm_gates *gates,
                               const struct bm_gate *gate,
                               const struct bm_joined_row *row,
                               const long double *base, long double head,
                               struct bm_gate_report *report)
{
    struct bm_check *check = add_check(report, row);

    check->gate = gate;
    check->has_base = base != NULL;
    check->base = base ? *base : 0;
    check->head = head;
    check->most = most_allowed(gate, check->base);
    check->verdict = !base && !gate->ceiling ? BM_VERDICT_NEW
                     : is_beyond(gates, gate, check->base, head)
                         ? BM_VERDICT_FAIL
                         : BM_VERDICT_PASS;
    check->text = describe(&report->arena, check);
    count(report, check->verdict);
    return check;
}

/* -- benchmarks ------------------------------------------------------------ */

/* FILE::NAME[PARAMS] of another checkout: its file by its end. */
static bool is_same_id(const char *pattern, const struct bm_joined_row *row)
{
    const char *name = strstr(pattern, "::");
    char file[PATH_MAX];

    if (!name || strcmp(name + 2, row->name) ||
        (size_t)(name - pattern) >= sizeof(file))
        return false;
    memcpy(file, pattern, (size_t)(name - pattern));
    file[name - pattern] = '\0';
    return bm_same_file(file, row->sample->file);
}

bool bm_gate_means(const struct bm_gate *gate, const struct bm_joined_row *row)
{
    return !gate->pattern || bm_gate_fits(gate->pattern, row->id) ||
           bm_gate_fits(gate->pattern, row->name) ||
           is_same_id(gate->pattern, row);
}

static int lacks(const struct bm_gate *gate, const struct bm_joined *joined,
                 const struct bm_joined_row *row, bool in_base)
{
    return bm_error("%s: %s has no %s of %s, while %s has", gate->text,
                    joined->labels[in_base ? joined->nr_series - 1 : 0],
                    bm_measure_info(gate->measure)->name,
                    row->id ? row->id : "the process",
                    joined->labels[in_base ? 0 : joined->nr_series - 1]);
}

static int hold_row(const struct bm_gates *gates, const struct bm_gate *gate,
                    const struct bm_joined *joined,
                    const struct bm_joined_row *row,
                    struct bm_gate_report *report)
{
    long double base = 0, head = 0;
    bool has_base = bm_joined_value(row, 0, gate->measure, gates->stat, &base);
    bool has_head = bm_joined_value(row, joined->nr_series - 1, gate->measure,
                                    gates->stat, &head);

    if (gate->ceiling || row->status == BM_ROW_NEW) {
        if (has_head)
            bm_gate_judge(gates, gate, row, NULL, head, report);
        return 0;
    }
    if (row->status == BM_ROW_GONE || (!has_base && !has_head))
        return 0;
    if (has_base != has_head)
        return lacks(gate, joined, row, has_base);
    bm_gate_judge(gates, gate, row, &base, head, report);
    return 0;
}

static int hold_benchmarks(const struct bm_gates *gates,
                           const struct bm_gate *gate,
                           const struct bm_joined *joined,
                           struct bm_gate_report *report)
{
    size_t before = report->nr_failed + report->nr_passed;
    bool meant = false;
    int failed = 0;

    for (size_t i = 0; !failed && i < joined->nr_rows; i++) {
        if (!bm_gate_means(gate, &joined->rows[i]))
            continue;
        meant = true;
        failed = hold_row(gates, gate, joined, &joined->rows[i], report);
    }
    if (failed || report->nr_failed + report->nr_passed > before)
        return failed;
    if (!meant)
        return bm_error("%s: no benchmark fits %s", gate->text, gate->pattern);
    return bm_error("%s: %s", gate->text,
                    gate->pattern ? "no common benchmark that fits has it"
                                  : "no run has this metric");
}

/* -- all of them ----------------------------------------------------------- */

int bm_gate_hold(const struct bm_gates *gates, const struct bm_gate *gate,
                 struct bm_joined *joined, struct bm_gate_report *report)
{
    switch (gate->subject) {
    case BM_GATE_BENCHMARKS:
        return hold_benchmarks(gates, gate, joined, report);
    case BM_GATE_SITE:
    case BM_GATE_FUNCTIONS:
        return bm_gate_hold_lines(gates, gate, joined, report);
    default:
        return bm_error("%s: growth laws are not fitted here", gate->text);
    }
}

static void add_gone(const struct bm_gates *gates,
                     const struct bm_joined *joined,
                     struct bm_gate_report *report)
{
    for (size_t i = 0; i < joined->nr_rows; i++) {
        if (joined->rows[i].status != BM_ROW_GONE)
            continue;
        struct bm_check *check = add_check(report, &joined->rows[i]);
        check->verdict = gates->strict ? BM_VERDICT_FAIL : BM_VERDICT_GONE;
        check->text = bm_arena_printf(
            &report->arena, "is gone: %s has it, %s has not", joined->labels[0],
            joined->labels[joined->nr_series - 1]);
        report->nr_failed += gates->strict;
    }
}

/* What has to be there before anything can be held against anything. */
static int check_sides(const struct bm_gates *gates,
                       const struct bm_joined *joined)
{
    bool relative = false;

    for (size_t i = 0; i < gates->count; i++)
        relative |= !gates->items[i].ceiling;
    if (!relative)
        return joined->nr_rows ? 0 : bm_error("no benchmark to hold to limits");
    if (joined->nr_series < 2)
        return bm_error("limits need two %s, one to hold against the other; "
                        "there is only %s",
                        joined->pivot ? "values" : "runs",
                        joined->nr_series ? joined->labels[0] : "none");
    if (!joined->nr_common)
        return bm_error("no common benchmark: %s and %s have none together, so "
                        "no limit can be held",
                        joined->labels[0],
                        joined->labels[joined->nr_series - 1]);
    return 0;
}

int bm_gates_hold(const struct bm_gates *gates, struct bm_joined *joined,
                  struct bm_gate_report *report)
{
    int failed;

    *report = (struct bm_gate_report){.arena = BM_ARENA_INIT};
    failed = check_sides(gates, joined);
    for (size_t i = 0; !failed && i < gates->count; i++)
        failed = bm_gate_hold(gates, &gates->items[i], joined, report);
    if (!failed && joined->nr_series > 1)
        add_gone(gates, joined, report);
    report->nr_new = joined->nr_new;
    report->nr_gone = joined->nr_gone;
    return failed;
}

void bm_gates_tell(const struct bm_gate_report *report, FILE *file)
{
    struct bm_str line = BM_STR_INIT, clean = BM_STR_INIT;
    size_t nr = report->nr_failed + report->nr_passed;

    for (size_t i = 0; i < report->count; i++) {
        const struct bm_check *check = &report->checks[i];

        if (check->verdict != BM_VERDICT_FAIL)
            continue;
        bm_str_truncate(&line, 0);
        bm_str_truncate(&clean, 0);
        bm_str_printf(&line, "FAIL %s%s%s: %s",
                      check->subject ? check->subject : "",
                      check->subject ? " in " : "",
                      check->id ? check->id : "the process", check->text);
        bm_escape_terminal(&clean, line.data);
        fprintf(file, "%s\n", clean.data);
    }
    bm_str_clear(&line);
    bm_str_clear(&clean);
    if (report->nr_failed)
        fprintf(file, "limits failed: %zu of %zu check%s\n", report->nr_failed,
                nr, nr == 1 ? "" : "s");
    else
        fprintf(file, "limits hold: %zu check%s\n", nr, nr == 1 ? "" : "s");
}

void bm_gate_report_clear(struct bm_gate_report *report)
{
    free(report->checks);
    bm_arena_release(&report->arena);
    *report = (struct bm_gate_report){.count = 0};
}
