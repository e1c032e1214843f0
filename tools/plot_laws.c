/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The fitted law of each line that scaling draws, as a line of its own with
 * its exponent at the end.
 */
#include "tools/plot.h"

#include "results/growth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* A power is a straight line on two logarithmic axes alone. */
#define NR_STEPS 24

/* A law of two points says nothing that their line does not. */
#define LEAST_POINTS 3

struct line {
    const char *key;   /* run and line */
    const json_t *row; /* one of its rows */
    double *x, *y;
    size_t count, room_x, room_y;
    UT_hash_handle hh;
};

static const char *text_of(const json_t *row, const char *key)
{
    const char *text = json_string_value(json_object_get(row, key));

    return text ? text : "";
}

static struct line *line_of(struct bm_plot *plot, struct line **lines,
                            const json_t *row)
{
    const char *key = bm_arena_printf(
        &plot->arena, "%s\n%s", text_of(row, "run"), text_of(row, "line"));
    struct line *line = NULL;

    HASH_FIND_STR(*lines, key, line);
    if (line)
        return line;
    line = bm_arena_alloc(&plot->arena, sizeof(*line));
    line->key = key;
    line->row = row;
    HASH_ADD_KEYPTR(hh, *lines, line->key, strlen(line->key), line);
    return line;
}

static void add_value(struct line *line, const json_t *row)
{
    bool zero = json_is_true(json_object_get(row, "zero"));

    line->x = bm_xgrow(line->x, line->count, &line->room_x, sizeof(*line->x));
    line->y = bm_xgrow(line->y, line->count, &line->room_y, sizeof(*line->y));
    line->x[line->count] = json_number_value(json_object_get(row, "x"));
    line->y[line->count] =
        zero ? 0 : json_number_value(json_object_get(row, "y"));
    line->count++;
}

/* Logarithm of the constant that a law has besides its exponent. */
static double constant_of(const struct line *line, double exponent, double *min,
                          double *max)
{
    double sum = 0;
    size_t count = 0;

    *min = INFINITY;
    *max = 0;
    for (size_t i = 0; i < line->count; i++) {
        if (!(line->x[i] > 0) || !(line->y[i] > 0))
            continue;
        sum += log(line->y[i]) - exponent * log(line->x[i]);
        *min = fmin(*min, line->x[i]);
        *max = fmax(*max, line->x[i]);
        count++;
    }
    return count ? sum / (double)count : 0;
}

static void add_law(json_t *rows, const struct line *line,
                    const struct bm_law *law, const char *param)
{
    double min, max, constant = constant_of(line, law->exponent, &min, &max);
    struct bm_str text = BM_STR_INIT;

    if (!(max > min))
        return;
    bm_law_print(&text, law, param);
    for (int i = 0; i <= NR_STEPS; i++) {
        double x = min * pow(max / min, (double)i / NR_STEPS);
        json_t *row = bm_plot_pack(
            "{s:s, s:f, s:f, s:o, s:s}", "kind", "law", "x", x, "y",
            exp(constant + law->exponent * log(x)), "law",
            bm_plot_string(text.data), "end", i == NR_STEPS ? "yes" : "");
        static const char *const same[] = {"run", "line", "color", "facet"};

        for (size_t j = 0; j < sizeof(same) / sizeof(same[0]); j++) {
            json_t *value = json_object_get(line->row, same[j]);
            if (value)
                json_object_set(row, same[j], value);
        }
        json_array_append_new(rows, row);
    }
    bm_str_clear(&text);
}

bool bm_plot_add_laws(struct bm_plot *plot, json_t *rows, const char *param)
{
    struct line *lines = NULL, *line, *next;
    size_t nr_values = json_array_size(rows);
    bool any = false;

    for (size_t i = 0; i < nr_values; i++) {
        const json_t *row = json_array_get(rows, i);
        add_value(line_of(plot, &lines, row), row);
    }
    HASH_ITER(hh, lines, line, next)
    {
        struct bm_law law = bm_law_fit(line->x, line->y, line->count);

        if (law.known && law.nr_points >= LEAST_POINTS) {
            add_law(rows, line, &law, param);
            any = true;
        }
        HASH_DEL(lines, line);
        free(line->x);
        free(line->y);
    }
    return any;
}
