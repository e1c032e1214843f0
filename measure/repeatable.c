/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "measure/repeatable.h"

#include "base/memory.h"
#include "tools/ranking.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Benchmarks that are run again to find their sites. */
#define MOST_PROBED 3

/* A site's figures in one repetition; all 0 where it was not come to. */
struct act {
    uint64_t allocations, bytes, at_peak;
};

struct row {
    uint64_t id;
    char *name;
    struct act *acts; /* by repetition */
};

struct rows {
    struct row *items;
    size_t count;
    size_t room;
    size_t nr_acts;
    bool no_peaks; /* at_peak is not known of the repetitions */
};

/* The line that it is charged to, as every table has it. */
static char *name_of(const struct bm_site_info *site,
                     const struct bm_frame_info *frame)
{
    const char *file = frame && frame->file ? frame->file : NULL;
    const char *slash = file ? strrchr(file, '/') : NULL;
    struct bm_str name = BM_STR_INIT;

    if (file)
        bm_str_printf(&name, "%s:%u %s", slash ? slash + 1 : file, frame->line,
                      frame->function ? frame->function : "?");
    else
        bm_str_printf(&name, "(outside) %s",
                      site->module ? site->module->path : "");
    return bm_str_detach(&name);
}

/*
 * Sites of `outside` share an id where modules differ, and one in a header is
 * charged to several lines, so names tell too.
 */
static struct row *take_row(struct rows *rows, const struct bm_site_info *site,
                            const struct bm_frame_info *frame)
{
    char *name = name_of(site, frame);

    for (size_t i = 0; i < rows->count; i++)
        if (rows->items[i].id == site->id &&
            strcmp(rows->items[i].name, name) == 0) {
            free(name);
            return &rows->items[i];
        }
    rows->items =
        bm_xgrow(rows->items, rows->count, &rows->room, sizeof(*rows->items));
    rows->items[rows->count] = (struct row){
        .id = site->id,
        .name = name,
        .acts = bm_xcalloc(rows->nr_acts, sizeof(struct act)),
    };
    return &rows->items[rows->count++];
}

/* What tells the lines that a profile's sites are charged to. */
struct lines {
    struct bm_charge charge;
    struct bm_node_order nodes;
    struct bm_names names;
    struct bm_ranking_source source;
};

static void lines_init(struct lines *lines, const struct bm_profile *profile)
{
    const struct bm_strvec no_wrappers = BM_STRVEC_INIT;

    bm_charge_init(&lines->charge, profile, false, &no_wrappers);
    bm_node_order_init(&lines->nodes, profile);
    bm_names_init(&lines->names, profile);
    lines->source = (struct bm_ranking_source){
        .profile = profile,
        .charge = &lines->charge,
        .types = &lines->charge,
        .nodes = &lines->nodes,
        .names = &lines->names,
    };
}

static void lines_clear(struct lines *lines)
{
    bm_charge_clear(&lines->charge);
    bm_node_order_clear(&lines->nodes);
    bm_names_clear(&lines->names);
}

/* info NULL: of the whole process. */
static void add_acts(struct rows *rows, const struct lines *lines,
                     const struct bm_benchmark_info *info, size_t repetition)
{
    struct bm_ranking ranking;

    bm_ranking_init(&ranking, BM_BY_CHARGE, &lines->source, info);
    for (size_t i = 0; i < ranking.nr_rows; i++) {
        const struct bm_row *from = &ranking.rows[i];
        struct act *act =
            &take_row(rows, from->site, from->frame)->acts[repetition];

        const struct bm_figures figures = bm_row_figures(from);

        act->allocations += figures.allocations;
        act->bytes += figures.allocated_bytes;
        act->at_peak += figures.at_peak_bytes;
    }
    bm_ranking_clear(&ranking);
}

static bool is_steady(const struct row *row, size_t nr)
{
    for (size_t i = 1; i < nr; i++)
        if (memcmp(&row->acts[i], &row->acts[0], sizeof(row->acts[0])))
            return false;
    return true;
}

static struct bm_series series_of(const struct row *row, size_t nr,
                                  size_t offset)
{
    uint64_t *values = bm_xcalloc(nr, sizeof(*values));

    for (size_t i = 0; i < nr; i++)
        values[i] = *(const uint64_t *)((const char *)&row->acts[i] + offset);
    return (struct bm_series){.values = values, .nr_values = nr};
}

static void report(struct bm_session *session, const char *benchmark,
                   const struct rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        const struct row *row = &rows->items[i];

        if (is_steady(row, rows->nr_acts))
            continue;
        session->differences =
            bm_xgrow(session->differences, session->nr_differences,
                     &session->differences_room, sizeof(*session->differences));
        session->differences[session->nr_differences++] =
            (struct bm_difference){
                .benchmark = bm_xstrdup(benchmark),
                .site = bm_xstrdup(row->name),
                .id = row->id,
                .allocations = series_of(row, rows->nr_acts,
                                         offsetof(struct act, allocations)),
                .bytes =
                    series_of(row, rows->nr_acts, offsetof(struct act, bytes)),
                .peak = series_of(row, rows->no_peaks ? 0 : rows->nr_acts,
                                  offsetof(struct act, at_peak)),
            };
    }
}

static void rows_clear(struct rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        free(rows->items[i].name);
        free(rows->items[i].acts);
    }
    free(rows->items);
}

static const struct bm_benchmark_info *find(const struct bm_profile *profile,
                                            const char *id)
{
    for (size_t i = 0; i < profile->nr_benchmarks; i++)
        if (strcmp(profile->benchmarks[i].id, id) == 0)
            return &profile->benchmarks[i];
    return NULL;
}

/* ---- repetitions that are runs ---- */

/* id NULL: the process. */
static void compare_runs(struct bm_session *session, const char *id,
                         const struct lines *runs, size_t count)
{
    struct rows rows = {.nr_acts = count};

    for (size_t run = 0; run < count; run++) {
        const struct bm_benchmark_info *info =
            id ? find(runs[run].source.profile, id) : NULL;

        if (info || !id)
            add_acts(&rows, &runs[run], info, run);
    }
    report(session, id, &rows);
    rows_clear(&rows);
}

static void compare_all_runs(struct bm_session *session,
                             const struct bm_profile *const *parts,
                             size_t count)
{
    struct lines *runs = bm_xcalloc(count, sizeof(*runs));

    for (size_t i = 0; i < count; i++)
        lines_init(&runs[i], parts[i]);
    for (size_t i = 0; i < parts[0]->nr_benchmarks; i++)
        compare_runs(session, parts[0]->benchmarks[i].id, runs, count);
    if (!parts[0]->nr_benchmarks)
        compare_runs(session, NULL, runs, count);
    for (size_t i = 0; i < count; i++)
        lines_clear(&runs[i]);
    free(runs);
}

/* ---- passes within one run ---- */

static bool is_same_pass(const struct bm_pass_info *a,
                         const struct bm_pass_info *b)
{
    return a->peak_bytes == b->peak_bytes &&
           a->allocated_bytes == b->allocated_bytes &&
           a->allocations == b->allocations &&
           a->retained_bytes == b->retained_bytes;
}

/* Number from 1 of the first pass that is unlike the one before, or 0. */
static size_t first_change(const struct bm_benchmark_info *info)
{
    for (size_t i = 1; i < info->nr_passes; i++)
        if (!info->passes[i].open &&
            !is_same_pass(&info->passes[i - 1], &info->passes[i]))
            return i + 1;
    return 0;
}

static bool add_probed(struct rows *rows, const struct bm_profile *profile,
                       const char *id, size_t nr, size_t act)
{
    const struct bm_benchmark_info *info = find(profile, id);
    struct lines lines;

    if (!info || info->nr_passes != nr)
        return false;
    lines_init(&lines, profile);
    add_acts(rows, &lines, info, act);
    lines_clear(&lines);
    return true;
}

/* Runs the benchmark alone with nr passes; its sites are added to the rows. */
static bool probe(struct bm_session *session, const char *id, size_t nr,
                  size_t act, struct rows *rows)
{
    struct bm_strvec arguments = BM_STRVEC_INIT;
    const struct bm_wish wish = {.mode = BM_MODE_MEMORY,
                                 .arguments = &arguments,
                                 .stdout_fd = bm_session_stdout(session)};
    struct bm_launch launch;
    bool found = false;

    bm_strvec_push(&arguments, "--quiet");
    bm_strvec_push(&arguments, "--workload");
    bm_strvec_push(&arguments, id);
    bm_strvec_push(&arguments, "--repeats");
    bm_strvec_pushf(&arguments, "%zu", nr);
    if (!bm_target_launch(&session->target, &wish, &launch) &&
        !launch.child.end.signal && launch.child.end.status == 0) {
        size_t count;
        struct bm_profile **profiles = bm_session_read(&launch, &count);

        for (size_t i = 0; i < count; i++) {
            found |= add_probed(rows, profiles[i], id, nr, act);
            bm_profile_free(profiles[i]);
        }
        free(profiles);
    }
    bm_launch_clear(&launch);
    bm_strvec_clear(&arguments);
    return found;
}

/* From sums over 1, 2 and 3 passes to what passes 2 and 3 did each. */
static void subtract(struct rows *rows)
{
    for (size_t i = 0; i < rows->count; i++) {
        struct act *acts = rows->items[i].acts;

        for (size_t a = 0; a < 2; a++) {
            acts[a].allocations = acts[a + 1].allocations - acts[a].allocations;
            acts[a].bytes = acts[a + 1].bytes - acts[a].bytes;
            acts[a].at_peak = 0; /* of the largest pass alone: no sum */
        }
    }
    rows->nr_acts = 2;
    rows->no_peaks = true;
}

static void compare_passes(struct bm_session *session, const char *id,
                           size_t change)
{
    struct rows rows = {.nr_acts = 3};
    bool found = true;

    bm_progress(session, "memory: which sites of %s vary", id);
    for (size_t act = 0; act < 3 && found; act++) {
        size_t nr = change + act - 2;
        found = nr == 0 || probe(session, id, nr, act, &rows);
    }
    if (found) {
        subtract(&rows);
        report(session, id, &rows);
    }
    rows_clear(&rows);
    bm_progress_end(session);
}

void bm_find_differences(struct bm_session *session,
                         const struct bm_profile *const *parts, size_t count)
{
    size_t nr_probed = 0;

    if (session->status || count == 0)
        return;
    if (!session->target.has_main) {
        if (count > 1)
            compare_all_runs(session, parts, count);
        return;
    }
    for (size_t p = 0; p < count; p++)
        for (size_t i = 0; i < parts[p]->nr_benchmarks; i++) {
            size_t change = first_change(&parts[p]->benchmarks[i]);

            if (change && nr_probed++ < MOST_PROBED)
                compare_passes(session, parts[p]->benchmarks[i].id, change);
        }
}
