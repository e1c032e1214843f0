/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "measure/judge.h"

#include "base/error.h"
#include "base/locate.h"
#include "base/memory.h"
#include "base/size.h"
#include "measure/ceilings.h"
#include "results/growth.h"
#include "results/join.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Values of a parameter from which on a law can be held to a limit. */
#define LEAST_VALUES 3

/* ---- the base ---- */

static bool is_in(const char *folder, const char *name, const char *ending)
{
    struct bm_str path = BM_STR_INIT;

    bm_str_printf(&path, "%s/%s%s", folder, name, ending);
    bool found = access(path.data, F_OK) == 0;
    bm_str_clear(&path);
    return found;
}

static bool has_profiles(const char *folder)
{
    struct bm_strvec paths = BM_STRVEC_INIT;
    bool any = bm_locate_profiles(folder, &paths) == 0 && paths.count;

    bm_strvec_clear(&paths);
    return any;
}

static bool is_missing(const char *base)
{
    char *folder = bm_locate_folder();
    bool found;

    if (base && strcmp(base, "last") != 0)
        found = access(base, F_OK) == 0 ||
                (folder && (is_in(folder, base, ".json") ||
                            is_in(folder, base, BM_PROFILE_SUFFIX)));
    else
        found = folder && (is_in(folder, "last", "") || has_profiles(folder));
    free(folder);
    return !found;
}

int bm_judge_load_base(const struct bm_session *session, struct bm_run **base)
{
    const struct bm_measuring *m = session->m;

    *base = NULL;
    if (!m->compares)
        return 0;
    if (!is_missing(m->base)) {
        *base = bm_run_load(m->base ? m->base : "last", NULL);
        return *base ? 0 : -1;
    }
    if (m->require_baseline)
        return bm_error("no baseline %s: save one with benchmem-run --save %s",
                        m->base ? m->base : "was saved",
                        m->base && !strchr(m->base, '/') ? m->base : "NAME");
    bm_warn("no baseline %s: nothing is compared, and nothing fails; "
            "--require-baseline makes that an error",
            m->base ? m->base : "was saved");
    return 0;
}

/* ---- growth over the base ---- */

static void add_regressed(struct bm_verdicts *verdicts, const char *id)
{
    if (!id)
        return;
    for (size_t i = 0; i < verdicts->regressed.count; i++)
        if (strcmp(verdicts->regressed.items[i], id) == 0)
            return;
    bm_strvec_push(&verdicts->regressed, id);
}

static void tell_checks(const struct bm_gate_report *report,
                        struct bm_verdicts *verdicts)
{
    for (size_t i = 0; i < report->count; i++) {
        const struct bm_check *check = &report->checks[i];

        if (check->verdict != BM_VERDICT_FAIL)
            continue;
        bm_error("%s%s%s: %s", check->id ? check->id : "process",
                 check->subject ? ", " : "",
                 check->subject ? check->subject : "", check->text);
        add_regressed(verdicts, check->id);
        verdicts->nr_failed++;
    }
}

static int hold(const struct bm_gates *gates, struct bm_joined *joined,
                struct bm_verdicts *verdicts)
{
    struct bm_gate_report report;
    int result = bm_gates_hold(gates, joined, &report);

    tell_checks(&report, verdicts);
    bm_gate_report_clear(&report);
    return result;
}

static void put_change(struct bm_table *table, const struct bm_joined_row *row,
                       enum bm_measure measure)
{
    const struct bm_measure_info *info = bm_measure_info(measure);
    struct bm_str text = BM_STR_INIT;
    long double values[2];
    struct bm_cell *cell;

    for (size_t i = 0; i < 2; i++)
        if (!bm_joined_value(row, i, measure, BM_STAT_MIN, &values[i]))
            return;
    if (values[0] == values[1])
        return;
    cell = bm_table_add_row(table);
    cell[0] = bm_cell_text(info->name);
    for (size_t i = 0; i < 2; i++) {
        bm_str_truncate(&text, 0);
        bm_value_print(&text, values[i], info->unit);
        cell[1 + i] = bm_cell_text(bm_arena_strdup(&table->arena, text.data));
    }
    if (values[0] != 0)
        cell[3] = bm_cell_text(
            bm_arena_printf(&table->arena, "%+.1Lf %%",
                            (values[1] - values[0]) * 100 / values[0]));
    cell[3].tone = values[1] > values[0] ? BM_TONE_BAD : BM_TONE_GOOD;
    cell[4] = bm_cell_text(row->id ? row->id : "(process)");
    bm_str_clear(&text);
}

/* What is not the same as in the base; time never is, so it is left out. */
static void show_changes(const struct bm_session *session,
                         const struct bm_joined *joined, FILE *file)
{
    static const struct bm_column columns[] = {
        {"METRIC", "metric", 0},
        {"BASE", "base", BM_COLUMN_RIGHT},
        {"NOW", "now", BM_COLUMN_RIGHT},
        {"CHANGE", "change", BM_COLUMN_RIGHT},
        {"BENCHMARK", "id", BM_COLUMN_MIDDLE},
    };
    const struct bm_terminal terminal =
        bm_terminal_of(fileno(file), session->m->common.color);
    struct bm_table table;

    bm_table_init(&table, columns, sizeof(columns) / sizeof(*columns));
    for (size_t i = 0; i < joined->nr_rows; i++)
        for (enum bm_measure m = 0; m < BM_NR_MEASURES; m++)
            if (joined->rows[i].status == BM_ROW_COMMON &&
                (m != BM_MEASURE_TIME ||
                 session->m->modes == 1u << BM_MODE_TIME))
                put_change(&table, &joined->rows[i], m);
    fprintf(file,
            "\nCompared with %s: %zu benchmark%s in both, %zu new, "
            "%zu gone%s\n",
            joined->labels[0], joined->nr_common,
            joined->nr_common == 1 ? "" : "s", joined->nr_new, joined->nr_gone,
            table.nr_rows ? "" : "; no figure changed");
    if (table.nr_rows)
        bm_table_write(&table, file, session->m->common.format, &terminal);
    bm_table_clear(&table);
}

static int judge_growth_over_base(struct bm_session *session,
                                  struct bm_run *base, FILE *file,
                                  struct bm_verdicts *verdicts)
{
    enum bm_format format = session->m->common.format;
    struct bm_run *runs[] = {base, session->run};
    struct bm_joined joined;
    int result = 0;

    bm_join_runs(&joined, runs, 2);
    if (format == BM_FORMAT_TABLE || format == BM_FORMAT_MD)
        show_changes(session, &joined, file);
    if (session->m->gates.count)
        result = hold(&session->m->gates, &joined, verdicts);
    bm_joined_clear(&joined);
    return result;
}

/* ---- laws ---- */

static void tell_law(const struct bm_growth *growth, const char *metric,
                     const struct bm_gate *gate)
{
    struct bm_str law = BM_STR_INIT;

    bm_law_print(&law, &growth->law, growth->param);
    bm_error("%s%s%s: %s grows as %s, limit %s^%g", growth->family,
             growth->site ? ", " : "", growth->site ? growth->site : "", metric,
             law.data, growth->param, gate->exponent);
    bm_str_clear(&law);
}

/* The benchmarks of a family are beyond its limit together. */
static void add_family(struct bm_verdicts *verdicts, const struct bm_run *run,
                       const char *family)
{
    size_t size = strcspn(family, "[");

    for (size_t i = 0; i < run->nr_benchmarks; i++)
        if (strncmp(run->benchmarks[i].id, family, size) == 0 &&
            (run->benchmarks[i].id[size] == '[' ||
             !run->benchmarks[i].id[size]))
            add_regressed(verdicts, run->benchmarks[i].id);
}

static int judge_laws(struct bm_session *session, struct bm_verdicts *verdicts)
{
    enum bm_measure measure =
        BM_HAS_MODE(session->m, BM_MODE_MEMORY) ? BM_MEASURE_PEAK
        : BM_HAS_MODE(session->m, BM_MODE_TIME) ? BM_MEASURE_TIME
                                                : BM_MEASURE_RSS;
    const struct bm_gates *laws = &session->m->laws;
    struct bm_growths growths;
    bool any = false;

    if (!laws->count)
        return 0;
    bm_growths_of(&growths, session->run, measure, 0);
    for (size_t i = 0; i < growths.count; i++) {
        const struct bm_growth *growth = &growths.items[i];

        if (growth->nr_values < LEAST_VALUES || !growth->law.known)
            continue;
        any = true;
        for (size_t g = 0; g < laws->count; g++) {
            if (!bm_law_exceeds(&growth->law, laws->items[g].exponent))
                continue;
            tell_law(growth, bm_measure_info(measure)->name, &laws->items[g]);
            add_family(verdicts, session->run, growth->family);
            verdicts->nr_failed++;
        }
    }
    bm_growths_clear(&growths);
    return any ? 0
               : bm_error("cannot hold growth to a limit: no benchmark ran "
                          "with %d values of a numeric parameter",
                          LEAST_VALUES);
}

/* ---- all of it ---- */

static int judge_ceilings(struct bm_session *session,
                          struct bm_verdicts *verdicts)
{
    struct bm_gates *gates = &session->m->ceilings;
    int result = bm_ceilings_hold(session, verdicts);

    for (size_t i = 0; i < gates->count && !result; i++) {
        struct bm_gates one = {
            .items = &gates->items[i], .count = 1, .stat = BM_STAT_MAX};
        struct bm_joined joined;

        if (bm_ceilings_hold_it(&gates->items[i]))
            continue;
        bm_join_runs(&joined, &session->run, 1);
        result = hold(&one, &joined, verdicts);
        bm_joined_clear(&joined);
    }
    return result;
}

int bm_judge(struct bm_session *session, struct bm_run *base, FILE *file,
             struct bm_verdicts *verdicts)
{
    const struct bm_measuring *m = session->m;
    int result = 0;

    *verdicts = (struct bm_verdicts){
        .regressed = BM_STRVEC_INIT,
        .has_regressions = m->gates.count || m->laws.count || m->ceilings.count,
    };
    if (base)
        result = judge_growth_over_base(session, base, file, verdicts);
    if (!result)
        result = judge_laws(session, verdicts);
    if (!result)
        result = judge_ceilings(session, verdicts);
    return result;
}

void bm_verdicts_clear(struct bm_verdicts *verdicts)
{
    bm_strvec_clear(&verdicts->regressed);
}
