/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "results/budget.h"

#include "base/error.h"
#include "base/output.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t\r"

/* Millionths of a percent in one. */
#define WHOLE (100.0L * 1000000)

struct bm_budget_line {
    const char *text;   /* as it is in the file, without its end */
    const char *prefix; /* what is before the limit; NULL: no limit there */
    const char *rest;   /* what is behind it: blanks and a comment */
    size_t gate;        /* index in gates */
};

/* -- reading --------------------------------------------------------------- */

/* Where the comment begins, or the end of the line. */
static const char *end_of_words(const char *text)
{
    for (const char *p = text; *p; p++) {
        if (*p == '#' && (p == text || strchr(BLANKS, p[-1])))
            return p;
    }
    return text + strlen(text);
}

/* The last word that is a metric: what is before it may be any text. */
static const char *find_metric(const char *start, const char *end, size_t *size)
{
    const char *found = NULL;

    for (const char *p = start; p < end;) {
        p += strspn(p, BLANKS);
        size_t length = strcspn(p, BLANKS);
        char word[32];

        if (p + length > end)
            length = (size_t)(end - p);
        if (length && length < sizeof(word)) {
            memcpy(word, p, length);
            word[length] = '\0';
            if (p > start && bm_measure_find(word) >= 0) {
                found = p;
                *size = length;
            }
        }
        p += length;
    }
    return found;
}

static const char *trimmed(struct bm_arena *arena, const char *start,
                           const char *end)
{
    while (start < end && strchr(BLANKS, *start))
        start++;
    while (end > start && strchr(BLANKS, end[-1]))
        end--;
    return bm_arena_printf(arena, "%.*s", (int)(end - start), start);
}

static int parse_line(struct bm_budget *budget, struct bm_gates *gates,
                      struct bm_budget_line *line, size_t number)
{
    const char *end = end_of_words(line->text);
    struct bm_arena *arena = &budget->arena;
    size_t size = 0;

    if (line->text + strspn(line->text, BLANKS) >= end)
        return 0;
    const char *metric = find_metric(line->text, end, &size);
    if (!metric)
        return bm_error("%s:%zu: no limit: a line is an id, a metric and a "
                        "limit, as in: bench.c::bench_x peak 5 MiB",
                        budget->path, number);
    const char *limit = metric + size + strspn(metric + size, BLANKS);
    const char *origin = bm_arena_printf(arena, "%s:%zu", budget->path, number);
    const char *why =
        bm_gates_add_ceiling(gates, trimmed(arena, line->text, metric),
                             trimmed(arena, metric, metric + size),
                             trimmed(arena, limit, end), origin);
    if (why)
        return bm_error("%s: %s", origin, why);
    while (end > limit && strchr(BLANKS, end[-1]))
        end--;
    line->prefix =
        bm_arena_printf(arena, "%.*s", (int)(limit - line->text), line->text);
    line->rest = end;
    line->gate = gates->count - 1;
    return 0;
}

static int read_lines(struct bm_budget *budget, struct bm_gates *gates,
                      FILE *file)
{
    char *text = NULL;
    size_t room = 0;
    ssize_t size;
    int failed = 0;

    while (!failed && (size = getline(&text, &room, file)) >= 0) {
        if (size && text[size - 1] == '\n')
            text[size - 1] = '\0';
        budget->lines = bm_xgrow(budget->lines, budget->nr_lines, &budget->room,
                                 sizeof(*budget->lines));
        struct bm_budget_line *line = &budget->lines[budget->nr_lines++];
        *line = (struct bm_budget_line){
            .text = bm_arena_strdup(&budget->arena, text),
        };
        failed = parse_line(budget, gates, line, budget->nr_lines);
    }
    if (!failed && ferror(file))
        failed = bm_error("cannot read %s: %s", budget->path, strerror(errno));
    free(text);
    return failed;
}

int bm_budget_read(struct bm_budget *budget, struct bm_gates *gates,
                   bool may_miss)
{
    FILE *file = fopen(budget->path, "re");

    if (!file && errno == ENOENT && may_miss)
        return 0;
    if (!file)
        return bm_error("cannot read %s: %s%s", budget->path, strerror(errno),
                        errno == ENOENT ? "; --update-budget makes it" : "");
    int failed = read_lines(budget, gates, file);
    fclose(file);
    return failed;
}

bool bm_budget_headroom(const char *text, uint64_t *headroom)
{
    size_t size = strlen(text);

    if (size && text[size - 1] == '%')
        size--;
    return bm_millionths_parse(text, size, headroom);
}

/* -- writing --------------------------------------------------------------- */

struct updating {
    const struct bm_gates *gates;
    struct bm_joined *joined;
    uint64_t headroom;
    size_t nr_changed;
    size_t nr_added;
    size_t nr_left_out;
};

/* As it is read back: exact, with the unit that makes it a size or a time. */
static void put_limit(struct bm_str *out, enum bm_measure measure,
                      long double value, uint64_t headroom)
{
    enum bm_unit unit = bm_measure_info(measure)->unit;

    bm_value_print_exact(out,
                         ceill(value + value * (long double)headroom / WHOLE));
    if (unit != BM_UNIT_COUNT)
        bm_str_puts(out, unit == BM_UNIT_NS ? " ns" : " B");
}

static bool means_any(const struct bm_gate *gate,
                      const struct bm_joined *joined)
{
    for (size_t i = 0; i < joined->nr_rows; i++) {
        if (joined->rows[i].cells[joined->nr_series - 1] &&
            bm_gate_means(gate, &joined->rows[i]))
            return true;
    }
    return false;
}

/* The largest value that the limit is held to; -1 after an error. */
static int largest(const struct updating *u, const struct bm_gate *gate,
                   long double *value)
{
    struct bm_gate_report report = {.arena = BM_ARENA_INIT};
    int failed = bm_gate_hold(u->gates, gate, u->joined, &report);

    *value = 0;
    for (size_t i = 0; i < report.count; i++) {
        if (report.checks[i].head > *value)
            *value = report.checks[i].head;
    }
    bm_gate_report_clear(&report);
    return failed;
}

static int update_line(struct updating *u, const struct bm_budget_line *line,
                       struct bm_str *out)
{
    const struct bm_gate *gate =
        line->prefix ? &u->gates->items[line->gate] : NULL;
    long double value;

    if (gate && gate->subject == BM_GATE_BENCHMARKS &&
        !means_any(gate, u->joined)) {
        u->nr_left_out++;
        return 0;
    }
    size_t before = out->size;
    if (!gate) {
        bm_str_printf(out, "%s\n", line->text);
        return 0;
    }
    if (largest(u, gate, &value))
        return -1;
    bm_str_puts(out, line->prefix);
    put_limit(out, gate->measure, value, u->headroom);
    bm_str_printf(out, "%s", line->rest);
    u->nr_changed += strcmp(out->data + before, line->text) != 0;
    bm_str_putc(out, '\n');
    return 0;
}

/* Whether a line of the budget is meant for the row. */
static bool is_covered(const struct bm_budget *budget, const struct updating *u,
                       const struct bm_joined_row *row)
{
    for (size_t i = 0; i < budget->nr_lines; i++) {
        const struct bm_budget_line *line = &budget->lines[i];

        if (line->prefix &&
            u->gates->items[line->gate].subject == BM_GATE_BENCHMARKS &&
            bm_gate_means(&u->gates->items[line->gate], row))
            return true;
    }
    return false;
}

static void add_new(const struct bm_budget *budget, struct updating *u,
                    const bool *wanted, struct bm_str *out)
{
    const struct bm_joined *joined = u->joined;

    for (size_t i = 0; i < joined->nr_rows; i++) {
        const struct bm_joined_row *row = &joined->rows[i];
        long double value;

        if (!row->id || !row->cells[joined->nr_series - 1] ||
            is_covered(budget, u, row))
            continue;
        for (int m = 0; m < BM_NR_MEASURES; m++) {
            if (!wanted[m] ||
                !bm_joined_value(row, joined->nr_series - 1, (enum bm_measure)m,
                                 u->gates->stat, &value))
                continue;
            bm_str_printf(out, "%s  %-11s  ", row->id, bm_measure_names[m]);
            put_limit(out, (enum bm_measure)m, value, u->headroom);
            bm_str_putc(out, '\n');
            u->nr_added++;
        }
    }
}

static int write_file(const char *path, const struct bm_str *text)
{
    struct bm_output out;

    if (bm_output_open(&out, path, true))
        return -1;
    fwrite(text->data, 1, text->size, out.file);
    return bm_output_close(&out);
}

int bm_budget_update(struct bm_budget *budget, const struct bm_gates *gates,
                     struct bm_joined *joined, const enum bm_measure *measures,
                     size_t nr_measures, uint64_t headroom, struct bm_str *what)
{
    struct updating u = {
        .gates = gates, .joined = joined, .headroom = headroom};
    struct bm_str text = BM_STR_INIT;
    bool wanted[BM_NR_MEASURES] = {false};
    bool any = false;
    int failed = 0;

    for (size_t i = 0; i < budget->nr_lines; i++) {
        const struct bm_budget_line *line = &budget->lines[i];

        if (line->prefix &&
            gates->items[line->gate].subject == BM_GATE_BENCHMARKS)
            any = wanted[gates->items[line->gate].measure] = true;
    }
    for (size_t i = 0; !any && i < nr_measures; i++)
        wanted[measures[i]] = true;

    if (!budget->nr_lines)
        bm_str_puts(&text, "# Largest values: id, metric and limit.\n");
    for (size_t i = 0; !failed && i < budget->nr_lines; i++)
        failed = update_line(&u, &budget->lines[i], &text);
    if (!failed) {
        add_new(budget, &u, wanted, &text);
        failed = write_file(budget->path, &text);
        bm_str_printf(what, "%s: %zu changed, %zu added, %zu left out",
                      budget->path, u.nr_changed, u.nr_added, u.nr_left_out);
    }
    bm_str_clear(&text);
    return failed;
}

void bm_budget_clear(struct bm_budget *budget)
{
    free(budget->lines);
    bm_arena_release(&budget->arena);
    *budget = (struct bm_budget){.path = NULL};
}
