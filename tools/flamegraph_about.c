/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What is told in words of a profile that is drawn.
 */
#include "tools/flamegraph.h"

#include "base/escape.h"
#include "tools/spread.h"

#include <inttypes.h>
#include <string.h>
#include <time.h>

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

static void put_end(const struct bm_profile *profile, struct bm_str *out)
{
    switch (profile->end) {
    case BM_END_STATUS:
        bm_str_printf(out, "exit status %" PRIu64, profile->end_value);
        break;
    case BM_END_SIGNAL:
        bm_str_printf(out, "killed by signal %" PRIu64, profile->end_value);
        break;
    case BM_END_EXEC:
        bm_str_puts(out, "replaced by exec");
        break;
    case BM_END_UNKNOWN:
        bm_str_puts(out, "end unknown");
        break;
    }
}

static void push_passes(const struct bm_benchmark_info *benchmark,
                        struct bm_strvec *lines)
{
    uint64_t passes = bm_nr_passes(benchmark);

    if (passes == 1)
        bm_strvec_push(lines, "1 pass");
    else
        bm_strvec_pushf(lines, "%" PRIu64 " passes together", passes);
}

void bm_flame_about(const struct bm_profile *profile,
                    const struct bm_benchmark_info *benchmark,
                    struct bm_strvec *lines)
{
    struct bm_str end = BM_STR_INIT;
    time_t start = (time_t)(profile->start_ns / 1000000000u);
    struct tm tm;

    bm_strvec_push(lines, base_name(profile->program));
    if (profile->start_ns && localtime_r(&start, &tm)) {
        char when[64];
        strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S", &tm);
        bm_strvec_push(lines, when);
    }
    put_end(profile, &end);
    bm_strvec_push(lines, end.data);
    if (benchmark)
        push_passes(benchmark, lines);
    bm_strvec_push(lines, base_name(profile->path));
    bm_str_clear(&end);
}

void bm_flame_notes(const struct bm_flame *flame, struct bm_strvec *lines)
{
    for (size_t i = 0; i < flame->profile->nr_notes; i++)
        bm_strvec_push(lines, flame->profile->notes[i]);
    bm_symbols_hints(flame->profile, lines);
    if (flame->tree.no_paths)
        bm_strvec_push(lines,
                       "recorded without call paths (paths=sites): each site "
                       "stands by itself, without its callers");
    if (flame->tree.has_rest && !(flame->profile->flags & BM_STATE_PATHS_FULL))
        bm_strvec_push(lines, "paths beyond max_paths are gathered at their "
                              "site, as \"further paths\"");
}

void bm_flame_title(const struct bm_flame *flame, struct bm_str *out)
{
    if (flame->benchmark)
        bm_str_puts(out, flame->benchmark->id);
    else
        bm_str_puts(out, base_name(flame->profile->program));
}

void bm_flame_label(const struct bm_call_place *place, struct bm_str *out)
{
    const struct bm_site_info *site = place->site;

    bm_call_label(place, out);
    if (site) {
        bm_str_printf(out, " %s", site->kind);
        if (!strcmp(site->kind, "via") && site->callee)
            bm_str_printf(out, " %s", site->callee);
        if (site->type)
            bm_str_printf(out, " %s", site->type);
    }
    if (place->flags & BM_CALL_REST)
        bm_str_puts(out, ", further paths");
    if (place->flags & BM_CALL_INLINED)
        bm_str_puts(out, " [inlined]");
}

static void write_line(FILE *file, const struct bm_terminal *terminal,
                       enum bm_tone tone, const char *text)
{
    struct bm_str line = BM_STR_INIT;

    bm_escape_terminal(&line, text);
    fprintf(file, "%s%s%s\n", bm_tone_begin(terminal, tone), line.data,
            bm_tone_end(terminal, tone));
    bm_str_clear(&line);
}

void bm_flame_write_heading(const struct bm_flame *flame, FILE *file,
                            const struct bm_terminal *terminal)
{
    struct bm_str title = BM_STR_INIT, total = BM_STR_INIT;
    struct bm_strvec notes = BM_STRVEC_INIT;
    const struct bm_cell cell =
        bm_metric_cell(flame->tree.totals[flame->metric][0], flame->metric);

    bm_flame_title(flame, &title);
    if (flame->why)
        bm_str_printf(&title, " (%s)", flame->why);
    write_line(file, terminal, BM_TONE_STRONG, title.data);
    bm_cell_show(&total, &cell);
    bm_str_printf(&total, " %s", bm_flame_unit(flame));
    write_line(file, terminal, BM_TONE_NORMAL, total.data);
    bm_flame_notes(flame, &notes);
    for (size_t i = 0; i < notes.count && !flame->options->common.quiet; i++)
        write_line(file, terminal, BM_TONE_NOTICE, notes.items[i]);
    fputc('\n', file);
    bm_strvec_clear(&notes);
    bm_str_clear(&title);
    bm_str_clear(&total);
}

const char *bm_flame_unit(const struct bm_flame *flame)
{
    static const char *const units[BM_NR_METRICS] = {
        [BM_METRIC_PEAK] = "held at the peak",
        [BM_METRIC_ALLOCATED] = "allocated",
        [BM_METRIC_ALLOCATIONS] = "allocations",
        [BM_METRIC_LEAKED] = "live at the end",
        [BM_METRIC_TEMPORARY] = "temporary allocations",
    };

    if (flame->metric == BM_METRIC_PEAK && !flame->benchmark &&
        bm_is_merged(flame->profile))
        return "held at the peaks of the processes, an upper bound";
    return units[flame->metric];
}

size_t bm_flame_top(const struct bm_flame_options *options, size_t nr)
{
    bool for_people = options->common.format == BM_FORMAT_TABLE ||
                      options->common.format == BM_FORMAT_MD;
    uint64_t top = options->top != UINT64_MAX ? options->top
                   : for_people               ? 20
                                              : 0;

    return top && top < nr ? (size_t)top : nr;
}
