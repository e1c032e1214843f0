/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * CSV (RFC 4180): one row for each stack of the process (`benchmark` empty)
 * and of each benchmark. The metric's column has the name that it has in
 * benchmem-report's JSON. `stack` is a folded stack, outermost frame first.
 */
#include "base/escape.h"
#include "tools/export.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A frame as part of a quoted field: escaped but for the quotes around. */
static void write_label(struct bm_str *out, const struct bm_call_place *place)
{
    struct bm_str label = BM_STR_INIT;

    bm_label_plain(&label, place, ';', ':');
    for (const char *p = label.data; *p; p++) {
        if (*p == '"')
            bm_str_putc(out, '"');
        bm_str_putc(out, *p);
    }
    bm_str_clear(&label);
}

static void put_text(struct bm_str *row, const char *text)
{
    bm_str_putc(row, ',');
    if (text)
        bm_escape_csv(row, text);
}

static void put_line(struct bm_str *row, uint32_t line)
{
    bm_str_putc(row, ',');
    if (line)
        bm_str_printf(row, "%" PRIu32, line);
}

/* What is the same in all rows of a leaf's place. */
static void write_place(struct bm_str *out, const struct bm_call_place *place)
{
    const struct bm_site_info *site = place->site;

    if (!site)
        return;
    put_text(out, site->kind);
    put_text(out, site->type);
    put_text(out, place->file);
    put_line(out, place->line);
    put_line(out, place->column);
    put_text(out, place->function);
    put_text(out, site->callee);
    put_text(out, place->module);
    bm_str_printf(out, ",%016" PRIx64, site->id);
}

static void put_label(struct bm_str *row, const struct bm_labels *labels,
                      uint32_t place)
{
    size_t size;
    const char *label = bm_label_of(labels, place, &size);

    bm_str_add(row, label, size);
}

static void write_rows(const struct bm_call_tree *tree, enum bm_metric metric,
                       const char *benchmark, FILE *file)
{
    const uint64_t *totals = tree->totals[metric];
    struct bm_labels frames, places;
    struct bm_stacks stacks;
    struct bm_str row = BM_STR_INIT;

    bm_labels_init(&frames, tree, write_label);
    bm_labels_init(&places, tree, write_place);
    if (benchmark)
        bm_escape_csv(&row, benchmark);
    bm_str_putc(&row, ',');
    size_t start = row.size;
    bm_stacks_init(&stacks, tree, &frames, ";", false, totals);
    while (bm_stacks_next(&stacks)) {
        bm_str_truncate(&row, start);
        bm_put_number(&row, totals[stacks.leaf]);
        put_label(&row, &places, tree->nodes[stacks.leaf].place);
        bm_str_puts(&row, ",\"");
        /* As in bm_escape_csv: no formula. */
        if (strchr("=+-@", stacks.text[0]))
            bm_str_putc(&row, '\'');
        fwrite_unlocked(row.data, 1, row.size, file);
        fwrite_unlocked(stacks.text, 1, stacks.size, file);
        fwrite_unlocked("\"\n", 1, 2, file);
    }
    bm_stacks_clear(&stacks);
    bm_str_clear(&row);
    bm_labels_clear(&frames);
    bm_labels_clear(&places);
}

static void write_csv(const struct bm_export *export, FILE *file)
{
    fprintf(file,
            "benchmark,%s,kind,type,file,line,column,function,callee,module,"
            "site,stack\n",
            bm_export_key(export->metric));
    for (size_t i = 0; i < export->nr_windows; i++) {
        const struct bm_benchmark_info *benchmark = export->windows[i];
        struct bm_call_tree tree;

        bm_export_tree(export, i, &tree);
        write_rows(&tree, export->metric, benchmark ? benchmark->id : NULL,
                   file);
        bm_call_tree_clear(&tree);
    }
}

const struct bm_export_format bm_export_csv = {
    .name = "csv",
    .suffix = ".csv",
    .reader = "spreadsheets, pandas, DuckDB",
    .scope = BM_EXPORT_ALL,
    .write = write_csv,
};
