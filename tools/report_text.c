/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A report as a page for people: the facts of each profile, its benchmarks,
 * its worst rows, and hints where something is wrong. As text or Markdown.
 */
#include "base/size.h"
#include "tools/measured.h"
#include "tools/report.h"
#include "tools/spread.h"
#include "tools/text_page.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

/* -- facts ---------------------------------------------------------------- */

/* A word of a command line, in quotes where a shell would need them. */
static void add_word(struct bm_str *out, const char *word)
{
    bool plain = *word && !strpbrk(word, " \t\n\"'\\$`*?[]{}()<>|&;#!~");

    if (out->size)
        bm_str_putc(out, ' ');
    if (plain) {
        bm_str_puts(out, word);
        return;
    }
    bm_str_putc(out, '\'');
    for (; *word; word++) {
        if (*word == '\'')
            bm_str_puts(out, "'\\'");
        bm_str_putc(out, *word);
    }
    bm_str_putc(out, '\'');
}

static void describe_program(const struct bm_profile *profile,
                             struct bm_str *out)
{
    if (!profile->nr_arguments)
        bm_str_puts(out, profile->program);
    for (size_t i = 0; i < profile->nr_arguments; i++)
        add_word(out, profile->arguments[i]);
}

static void describe_end(const struct bm_profile *profile, struct bm_str *out)
{
    const char *name;

    switch (profile->end) {
    case BM_END_STATUS:
        bm_str_printf(out, "exited with status %" PRIu64, profile->end_value);
        break;
    case BM_END_SIGNAL:
        name = profile->end_value < 128 ? sigabbrev_np((int)profile->end_value)
                                        : NULL;
        bm_str_printf(out, "killed by signal %" PRIu64, profile->end_value);
        if (name)
            bm_str_printf(out, " (SIG%s)", name);
        break;
    case BM_END_EXEC:
        bm_str_puts(out, "became another program (exec)");
        break;
    case BM_END_UNKNOWN:
        bm_str_puts(out, "still running, or killed");
        break;
    }
    bm_str_puts(out, profile->complete ? ", complete" : ", incomplete");
}

static void describe_run(const struct bm_profile *profile, struct bm_str *out)
{
    time_t seconds = (time_t)(profile->start_ns / 1000000000u);
    char text[64];
    struct tm tm;

    if (profile->start_ns && localtime_r(&seconds, &tm) &&
        strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S %z", &tm))
        bm_str_printf(out, "%s, ", text);
    bm_str_printf(out, "pid %" PRIu64, profile->pid);
    if (profile->parent_pid)
        bm_str_printf(out, " (child of %" PRIu64 ")", profile->parent_pid);
    if (profile->rank)
        bm_str_printf(out, ", rank %s", profile->rank);
    bm_str_puts(out, ", ");
    describe_end(profile, out);
}

static void describe_totals(const struct bm_profile *profile, const char *live,
                            struct bm_str *out)
{
    const struct bm_figures *totals = &profile->totals;

    if (bm_measured_no_memory(profile)) {
        bm_str_puts(out, "memory was not recorded");
        return;
    }
    if (bm_is_merged(profile)) {
        bm_str_printf(out, "%zu processes, upper bound of the peak ",
                      profile->nr_processes);
        bm_size_print(out, totals->peak_bytes);
        bm_str_puts(out, " (sum of their peaks)");
    } else {
        bm_str_puts(out, "peak ");
        bm_size_print(out, totals->peak_bytes);
    }
    bm_str_puts(out, ", allocated ");
    bm_size_print(out, totals->allocated_bytes);
    bm_str_printf(out, " in %" PRIu64 " allocation%s, %s ", totals->allocations,
                  totals->allocations == 1 ? "" : "s", live);
    bm_size_print(out, totals->live_bytes);
    bm_str_printf(out, " in %" PRIu64 " block%s", totals->live_blocks,
                  totals->live_blocks == 1 ? "" : "s");
}

static void add_count(struct bm_str *out, uint64_t count, const char *what)
{
    if (count)
        bm_str_printf(out, "%s%" PRIu64 " %s%s", out->size ? ", " : "", count,
                      what, count == 1 ? "" : "s");
}

/* What most programs have none of. */
static void describe_rest(const struct bm_profile *profile, struct bm_str *out)
{
    add_count(out, profile->totals.inherited_blocks, "inherited block");
    if (profile->totals.inherited_blocks) {
        bm_str_puts(out, " of ");
        bm_size_print(out, profile->totals.inherited_bytes);
    }
    add_count(out, profile->failed_allocations, "failed allocation");
    add_count(out, profile->unknown_frees, "free of an unknown block");
    add_count(out, profile->dropped, "dropped event");
}

static void fact_of(const struct bm_text_page *page, const char *name,
                    struct bm_str *text)
{
    if (text->size)
        bm_text_page_fact(page, name, text->data);
    bm_str_truncate(text, 0);
}

static void put_profile(const struct bm_text_page *page,
                        const struct bm_view *view)
{
    struct bm_str text = BM_STR_INIT;
    const char *why = view->chosen ? view->chosen : view->input->why;

    bm_str_puts(&text, view->input->path);
    if (why)
        bm_str_printf(&text, " (%s)", why);
    fact_of(page, "profile", &text);
    for (size_t i = 0; i < view->input->others.count; i++)
        bm_str_printf(&text, "%s%s", i ? ", " : "",
                      view->input->others.items[i]);
    fact_of(page, "children", &text);
    bm_str_clear(&text);
}

static void put_details(const struct bm_text_page *page,
                        const struct bm_profile *profile)
{
    struct bm_str text = BM_STR_INIT;

    bm_text_page_fact(page, "folder", profile->cwd);
    if (profile->host)
        bm_text_page_fact(page, "host", profile->host);
    if (profile->options && *profile->options)
        bm_text_page_fact(page, "options", profile->options);
    bm_text_page_fact(page, "writer", profile->writer);
    add_count(&text, profile->totals.frees, "free");
    add_count(&text, profile->totals.temporary, "temporary allocation");
    add_count(&text, profile->nr_threads, "thread");
    add_count(&text, profile->nr_paths, "path record");
    fact_of(page, "counts", &text);
    for (size_t i = 0; i < profile->nr_modules; i++) {
        const struct bm_module *module = &profile->modules[i];
        bm_str_printf(&text, "%s%s%s", i ? ", " : "", module->path,
                      module->instrumented ? " (instrumented)" : "");
    }
    fact_of(page, "modules", &text);
    bm_str_clear(&text);
}

static void put_facts(const struct bm_text_page *page,
                      const struct bm_view *view)
{
    const struct bm_profile *profile = view->profile;
    struct bm_str text = BM_STR_INIT;

    put_profile(page, view);
    describe_program(profile, &text);
    fact_of(page, "program", &text);
    describe_run(profile, &text);
    fact_of(page, "run", &text);
    if (view->report->common.verbose)
        put_details(page, profile);
    describe_totals(profile, "live at exit", &text);
    fact_of(page, "totals", &text);
    describe_rest(profile, &text);
    fact_of(page, "also", &text);
    if (view->benchmark) {
        bm_str_puts(&text, view->benchmark->id);
        if (view->chosen_benchmark)
            bm_str_printf(&text, " (%s)", view->chosen_benchmark);
        fact_of(page, "benchmark", &text);
    }
    bm_str_clear(&text);
}

/* -- sections ------------------------------------------------------------- */

static void put_processes(const struct bm_text_page *page,
                          const struct bm_view *view)
{
    struct bm_table table;

    if (!view->profile->nr_processes)
        return;
    bm_text_page_title(page,
                       bm_is_merged(view->profile)
                           ? "Processes, each with its own peak"
                           : "Runs, of which the first stands for the process");
    bm_table_of_processes(view, &table);
    bm_text_page_table(page, &table);
    bm_table_clear(&table);
}

static void put_benchmarks(const struct bm_text_page *page,
                           const struct bm_view *view)
{
    struct bm_table table;

    if (!view->profile->nr_benchmarks) {
        bm_text_page_sentence(page, page->markdown ? "" : "\n",
                              "No benchmark function was entered.",
                              BM_TONE_NORMAL);
        return;
    }
    bm_text_page_title(page,
                       "Benchmarks, each figure the minimum over the passes");
    bm_table_of_benchmarks(view, &table);
    bm_text_page_table(page, &table);
    bm_table_clear(&table);
}

static void describe_rows(const struct bm_view *view, struct bm_str *out)
{
    static const char *const plurals[] = {
        [BM_BY_SITE] = "Sites",     [BM_BY_FUNCTION] = "Functions",
        [BM_BY_FILE] = "Files",     [BM_BY_TYPE] = "Types",
        [BM_BY_MODULE] = "Modules", [BM_BY_BENCHMARK] = "Benchmarks",
        [BM_BY_PATH] = "Paths",     [BM_BY_THREAD] = "Threads",
    };
    bool retained = view->benchmark && view->report->metric == BM_METRIC_LEAKED;

    bool bound = bm_is_merged(view->profile) && !view->benchmark &&
                 view->report->metric == BM_METRIC_PEAK;

    bm_str_printf(out, "%s by %s", plurals[view->report->by],
                  retained ? "bytes retained"
                  : bound ? "bytes held at the peaks of the processes, added up"
                          : bm_metric_meaning(view->report->metric));
    if (view->benchmark && bm_nr_passes(view->benchmark) > 1)
        bm_str_printf(out, ", %" PRIu64 " passes together%s",
                      bm_nr_passes(view->benchmark),
                      view->report->metric == BM_METRIC_PEAK
                          ? " (the peak is that of the largest)"
                          : "");
}

static double percent_of(uint64_t part, uint64_t whole)
{
    return 100.0 * (double)part / (double)whole;
}

/* The first row shown that has a line of source, by type a name. */
static const struct bm_row *first_in_source(const struct bm_view *view,
                                            const struct bm_ranking *ranking)
{
    size_t shown = bm_view_top(view->report, ranking->nr_rows);

    for (size_t i = 0; i < shown; i++) {
        const struct bm_row *row = &ranking->rows[i];

        if (row->frame && (view->report->by == BM_BY_SITE || row->label))
            return row;
    }
    return NULL;
}

/* What that row's share of the peak is worth. */
static void put_saves(const struct bm_text_page *page, struct bm_view *view,
                      const struct bm_ranking *ranking)
{
    const struct bm_row *row = first_in_source(view, ranking);
    uint64_t peak = ranking->totals.peak_bytes;
    struct bm_str text = BM_STR_INIT;

    if (view->report->metric != BM_METRIC_PEAK || !row || !row->own_saves ||
        !peak)
        return;
    uint64_t saves = row->figures->saves_bytes;
    bm_str_puts(&text, "fix ");
    if (view->report->by == BM_BY_SITE)
        bm_names_site(&view->names, row->site, row->frame, &text);
    else
        bm_str_puts(&text, row->label);
    bm_str_printf(&text, " and the peak falls by %.0f %%",
                  percent_of(saves, peak));
    if (saves != row->figures->at_peak_bytes)
        bm_str_printf(&text, " (not %.0f %%)",
                      percent_of(row->figures->at_peak_bytes, peak));
    bm_str_puts(&text, ", to ");
    bm_size_print(&text, peak - saves);
    bm_text_page_sentence(page, page->markdown ? "" : "\n", text.data,
                          BM_TONE_NORMAL);
    bm_str_clear(&text);
}

static void put_rows(const struct bm_text_page *page, struct bm_view *view)
{
    struct bm_str title = BM_STR_INIT;
    struct bm_ranking ranking;
    struct bm_table table;

    bm_ranking_init(&ranking, view->report->by, &view->source, view->benchmark);
    if (!ranking.nr_rows) {
        bm_text_page_sentence(page, page->markdown ? "" : "\n",
                              "No allocation was recorded.", BM_TONE_NORMAL);
    } else {
        bm_ranking_sort(&ranking, view->report->metric,
                        bm_view_top(view->report, ranking.nr_rows));
        describe_rows(view, &title);
        bm_text_page_title(page, title.data);
        bm_table_of_rows(view, &ranking, &table);
        bm_text_page_table(page, &table);
        bm_table_clear(&table);
        put_saves(page, view, &ranking);
    }
    bm_ranking_clear(&ranking);
    bm_str_clear(&title);
}

static void put_elided(const struct bm_text_page *page, struct bm_view *view)
{
    struct bm_table table;

    if (!bm_nr_elided(view->profile)) {
        bm_text_page_sentence(page, page->markdown ? "" : "\n",
                              "The optimizer removed no allocation call.",
                              BM_TONE_NORMAL);
        return;
    }
    bm_text_page_title(
        page, "Allocation calls of the source that were optimized away");
    bm_table_of_elided(view, &table);
    bm_text_page_table(page, &table);
    bm_table_clear(&table);
}

static void put_hints(const struct bm_text_page *page,
                      const struct bm_view *view)
{
    size_t nr_elided = bm_nr_elided(view->profile);
    struct bm_strvec hints = BM_STRVEC_INIT;
    struct bm_str text = BM_STR_INIT;

    if (view->report->common.quiet)
        return;
    if (nr_elided && !view->report->elided) {
        bm_str_printf(&text,
                      "%zu allocation call%s of the source %s optimized away; "
                      "--elided lists %s",
                      nr_elided, nr_elided == 1 ? "" : "s",
                      nr_elided == 1 ? "was" : "were",
                      nr_elided == 1 ? "it" : "them");
        bm_text_page_sentence(page, page->markdown ? "" : "\n", text.data,
                              BM_TONE_FAINT);
    }
    bm_report_hints(view, &hints);
    for (size_t i = 0; i < hints.count; i++)
        bm_text_page_sentence(page,
                              page->markdown ? "> hint: "
                              : i == 0       ? "\nhint: "
                                             : "hint: ",
                              hints.items[i], BM_TONE_NOTICE);
    bm_strvec_clear(&hints);
    bm_str_clear(&text);
}

static void put_view(const struct bm_text_page *page, struct bm_view *view)
{
    const struct bm_report *report = view->report;

    put_facts(page, view);
    put_processes(page, view);
    if (report->elided) {
        put_elided(page, view);
    } else if (report->by == BM_BY_BENCHMARK) {
        put_benchmarks(page, view);
    } else {
        if (view->profile->nr_benchmarks && report->by == BM_BY_SITE)
            put_benchmarks(page, view);
        put_rows(page, view);
    }
    put_hints(page, view);
}

void bm_report_text(struct bm_views *views, FILE *file,
                    const struct bm_terminal *terminal)
{
    const struct bm_text_page page = {
        .file = file,
        .terminal = *terminal,
        .markdown = views->items[0].report->common.format == BM_FORMAT_MD,
    };

    for (size_t i = 0; i < views->count; i++) {
        if (i)
            fputc('\n', file);
        if (page.markdown)
            fputs("## benchmem-report\n\n", file);
        put_view(&page, &views->items[i]);
    }
}
