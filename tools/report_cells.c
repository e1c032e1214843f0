/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/report_cells.h"

#include "base/error.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Frames of a long path that are shown: this many outer and inner ones. */
#define OUTER_FRAMES 8
#define INNER_FRAMES 16

void bm_columns_add(struct bm_columns *columns, const char *title,
                    const char *key, unsigned flags)
{
    if (columns->count == BM_MOST_COLUMNS)
        BM_BUG("too many columns");
    columns->items[columns->count++] = (struct bm_column){title, key, flags};
}

void bm_columns_begin(const struct bm_columns *columns, struct bm_table *table)
{
    bm_table_init(table, NULL, columns->count);
    struct bm_column *copy =
        bm_arena_alloc(&table->arena, sizeof(columns->items));
    memcpy(copy, columns->items, sizeof(columns->items));
    table->columns = copy;
}

const char *bm_name_of_site(struct bm_view *view, struct bm_table *table,
                            const struct bm_row *row)
{
    struct bm_str name = BM_STR_INIT;

    bm_names_site(&view->names, row->site, row->frame, &name);
    char *copy = bm_arena_strdup(&table->arena, name.data);
    bm_str_clear(&name);
    return copy;
}

void bm_frames_of(const struct bm_site_info *site,
                  const struct bm_path_info *path, struct bm_frames *frames)
{
    const struct bm_frame_info *frame =
        path && !path->other ? path->frame : site->frame;

    frames->count = 0;
    for (;;) {
        for (; frame; frame = frame->inlined_into) {
            frames->items = bm_xgrow(frames->items, frames->count,
                                     &frames->room, sizeof(*frames->items));
            frames->items[frames->count++] = frame;
        }
        path = path ? path->outer : NULL;
        if (!path)
            return;
        frame = path->frame;
    }
}

/* A frame's line is made once: paths share their frames. */
static const char *text_of_frame(struct bm_view *view,
                                 const struct bm_frame_info *frame)
{
    const struct bm_profile *profile = view->profile;
    const char **text;
    struct bm_str line = BM_STR_INIT;

    if (!view->frame_texts)
        view->frame_texts =
            bm_xcalloc(profile->nr_frames, sizeof(*view->frame_texts));
    text = &view->frame_texts[frame - profile->frames];
    if (*text)
        return *text;
    bm_names_frame(&view->names, frame, &line);
    if (frame->inlined_into)
        bm_str_puts(&line, " (inlined)");
    if (frame->flags & BM_FRAME_IS_TAIL)
        bm_str_puts(&line, " (tail call)");
    *text = bm_arena_strdup(&view->texts, line.data);
    bm_str_clear(&line);
    return *text;
}

/* The frame of an `outside` site that was recorded without native stacks. */
static bool says_nothing(const struct bm_frames *frames)
{
    const struct bm_frame_info *only =
        frames->count == 1 ? frames->items[0] : NULL;

    return only && !only->function && !only->file && !only->module;
}

struct path_maker {
    struct bm_cell_maker maker;
    struct bm_view *view;
    const struct bm_site_info *site;
    const struct bm_path_info *path;
    bool all;
};

static void make_path(const struct bm_cell_maker *maker, struct bm_str *out)
{
    const struct path_maker *of = (const struct path_maker *)maker;
    struct bm_frames frames = {NULL, 0, 0};

    bm_frames_of(of->site, of->path, &frames);
    if (of->path && of->path->other)
        bm_str_puts(out, "(other paths)");
    if (of->site && says_nothing(&frames))
        frames.count = 0;
    if (!frames.count)
        bm_names_site(&of->view->names, of->site, NULL, out);
    for (size_t i = frames.count; i-- > 0;) {
        size_t from_outside = frames.count - 1 - i;
        if (!of->all && frames.count > OUTER_FRAMES + INNER_FRAMES + 1 &&
            from_outside >= OUTER_FRAMES && i >= INNER_FRAMES) {
            if (from_outside == OUTER_FRAMES)
                bm_str_printf(out, "\n(%zu more frames)",
                              frames.count - OUTER_FRAMES - INNER_FRAMES);
            continue;
        }
        if (out->size)
            bm_str_putc(out, '\n');
        bm_str_puts(out, text_of_frame(of->view, frames.items[i]));
    }
    free(frames.items);
}

struct bm_cell bm_cell_of_path(struct bm_view *view, struct bm_table *table,
                               const struct bm_row *row, bool all)
{
    struct path_maker *of = bm_arena_alloc(&table->arena, sizeof(*of));

    *of = (struct path_maker){
        {make_path}, view, row->site, bm_row_path(row), all};
    return bm_cell_made(&of->maker);
}

static int compare_benchmarks(const void *a, const void *b)
{
    const struct bm_ranked_benchmark *p = a, *q = b;

    if (p->value != q->value)
        return p->value < q->value ? 1 : -1;
    /* In the order of the program. */
    return p->benchmark < q->benchmark ? -1 : p->benchmark > q->benchmark;
}

struct bm_ranked_benchmark *bm_benchmarks_of(const struct bm_view *view,
                                             bool ranked, size_t *count)
{
    const struct bm_profile *profile = view->profile;
    struct bm_ranked_benchmark *list =
        bm_xcalloc(profile->nr_benchmarks, sizeof(*list));

    *count = 0;
    for (size_t i = 0; i < profile->nr_benchmarks; i++) {
        const struct bm_benchmark_info *benchmark = &profile->benchmarks[i];

        if (view->benchmark && view->benchmark != benchmark)
            continue;
        list[(*count)++] = (struct bm_ranked_benchmark){
            benchmark,
            bm_metric_headline(benchmark,
                               bm_metric_of_wholes(view->report->metric))};
    }
    if (ranked && *count > 1)
        qsort(list, *count, sizeof(*list), compare_benchmarks);
    return list;
}

size_t bm_nr_elided(const struct bm_profile *profile)
{
    size_t count = 0;

    for (size_t i = 0; i < profile->nr_sites; i++)
        count += profile->sites[i].elided;
    return count;
}
