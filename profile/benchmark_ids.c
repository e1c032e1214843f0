/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * FILE::NAME[PARAMS]. FILE is the shortest end of the path that tells the
 * profile's benchmark files apart. In the value of a string, `,`, `]` and
 * backslash have a backslash before them and control bytes are \xNN, so
 * that an id has one reading.
 */
#include "load.h"
#include "text.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NULL_TEXT "(null)"
#define UNKNOWN_FILE "?"
#define MAX_DIGITS 17    /* DBL_DECIMAL_DIG: always enough */
#define MAX_INTEGER 1e15 /* below it, all digits are shown */
#define MAX_NUMBER 64    /* -1.7976931348623157e+308 and all integers fit */

/* ---- values ---- */

/* As many digits as it takes to read back as the same value. */
static int nr_digits(double value)
{
    char text[MAX_NUMBER];
    int digits = 1;

    for (; digits < MAX_DIGITS; digits++) {
        snprintf(text, sizeof(text), "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    return digits;
}

/* In any locale with a point, and integers without an exponent. */
static void print_double(char out[MAX_NUMBER], double value)
{
    const char *point = localeconv()->decimal_point;
    int digits = nr_digits(value);
    char *at;

    if (value > -MAX_INTEGER && value < MAX_INTEGER &&
        value == (double)(long long)value)
        digits = MAX_DIGITS;
    snprintf(out, MAX_NUMBER, "%.*g", digits, value);
    at = strcmp(point, ".") == 0 ? NULL : strstr(out, point);
    if (at) {
        *at = '.';
        memmove(at + 1, at + strlen(point), strlen(at + strlen(point)) + 1);
    }
}

static bool needs_backslash(char c)
{
    return c == ',' || c == ']' || c == '\\';
}

static bool is_control(char c)
{
    return (unsigned char)c < 0x20 || c == 0x7f;
}

static const char *escape_value(struct bm_load *load, const char *value)
{
    bool looks_null = strcmp(value, NULL_TEXT) == 0;
    char *text, *out;

    text = bm_arena_take(load->arena, strlen(value) * BM_TEXT_ESCAPE_SIZE + 2);
    if (!text)
        return NULL;
    out = text;
    if (looks_null)
        *out++ = '\\';
    for (; *value; value++) {
        if (is_control(*value)) {
            bm_text_escape(out, (unsigned char)*value);
            out += BM_TEXT_ESCAPE_SIZE;
            continue;
        }
        if (needs_backslash(*value))
            *out++ = '\\';
        *out++ = *value;
    }
    *out = '\0';
    return text;
}

static const char *value_text(struct bm_load *load,
                              const struct bm_param_info *param)
{
    char number[MAX_NUMBER];

    switch (param->kind) {
    case BM_VALUE_STRING:
        return param->value.s ? escape_value(load, param->value.s) : NULL_TEXT;
    case BM_VALUE_BOOL:
        return param->value.u ? "true" : "false";
    case BM_VALUE_DOUBLE:
        print_double(number, param->value.d);
        break;
    case BM_VALUE_SIGNED:
        snprintf(number, sizeof(number), "%lld", (long long)param->value.i);
        break;
    case BM_VALUE_UNSIGNED:
        snprintf(number, sizeof(number), "%llu",
                 (unsigned long long)param->value.u);
        break;
    }
    return bm_arena_text(load->arena, number, strlen(number));
}

/* "n=100,kind=tree" */
static const char *params_text(struct bm_load *load,
                               const struct bm_param_info *params, size_t nr)
{
    size_t size = 1;
    char *text, *out;

    for (size_t i = 0; i < nr; i++)
        size += strlen(params[i].name) + strlen(params[i].text) + 2;
    text = bm_arena_take(load->arena, size);
    if (!text)
        return NULL;
    out = text;
    for (size_t i = 0; i < nr; i++) {
        if (i)
            *out++ = ',';
        out = stpcpy(out, params[i].name);
        *out++ = '=';
        out = stpcpy(out, params[i].text);
    }
    *out = '\0';
    return text;
}

static bool name_params(struct bm_load *load, const struct bm_groups *groups,
                        size_t raw, struct bm_benchmark_info *info)
{
    const struct bm_raw_param *rows = load->params.rows;
    size_t start = groups->starts[raw];

    info->nr_params = groups->starts[raw + 1] - start;
    info->params =
        bm_arena_take(load->arena, info->nr_params * sizeof(*info->params) + 1);
    if (!info->params)
        return false;
    for (size_t i = 0; i < info->nr_params; i++) {
        info->params[i] = rows[groups->order[start + i]].param;
        info->params[i].text = value_text(load, &info->params[i]);
        if (!info->params[i].text)
            return false;
    }
    info->params_text = params_text(load, info->params, info->nr_params);
    return info->params_text;
}

/* ---- files ---- */

static const char *full_path(struct bm_load *load,
                             const struct bm_frame_info *frame)
{
    char *path;

    if (!frame || !frame->file)
        return UNKNOWN_FILE;
    if (frame->file[0] == '/' || !frame->dir || !frame->dir[0])
        return frame->file;
    path = bm_arena_take(load->arena,
                         strlen(frame->dir) + strlen(frame->file) + 2);
    if (path)
        stpcpy(stpcpy(stpcpy(path, frame->dir), "/"), frame->file);
    return path;
}

/* As strings read from their ends, so that common ends are neighbours. */
static int compare_from_end(const char *a, const char *b)
{
    size_t at_a = strlen(a);
    size_t at_b = strlen(b);

    while (at_a && at_b) {
        int difference = (unsigned char)a[--at_a] - (unsigned char)b[--at_b];

        if (difference)
            return difference;
    }
    return (at_a > 0) - (at_b > 0);
}

/* Length of the shortest end of path, of whole components, not one of b's. */
static size_t telling_end(const char *path, const char *b)
{
    size_t length = strlen(path);
    size_t common = 0;
    size_t length_b = strlen(b);

    while (common < length && common < length_b &&
           path[length - 1 - common] == b[length_b - 1 - common])
        common++;
    if (common == length)
        return length;
    if (common == length_b) /* b is an end of path: one component more */
        common++;
    /* The component that holds the first difference, whole. */
    while (common < length && path[length - 1 - common] != '/')
        common++;
    return common;
}

/* ---- all of them ---- */

/* A benchmark under its full path, before FILE is known. */
struct candidate {
    struct bm_benchmark_info info;
    const char *path;
    size_t raw;
    struct candidate *same; /* the first with its name, else itself */
};

static int compare_names(const struct candidate *a, const struct candidate *b)
{
    int order = compare_from_end(a->path, b->path);

    if (order == 0)
        order = strcmp(a->info.name, b->info.name);
    if (order == 0)
        order = strcmp(a->info.params_text, b->info.params_text);
    return order;
}

static int compare_candidates(const void *left, const void *right)
{
    const struct candidate *a = *(struct candidate *const *)left;
    const struct candidate *b = *(struct candidate *const *)right;
    int order = compare_names(a, b);

    return order ? order : (a->raw > b->raw) - (a->raw < b->raw);
}

static bool make_id(struct bm_load *load, struct bm_benchmark_info *info)
{
    const char *open = info->nr_params ? "[" : "";
    const char *close = info->nr_params ? "]" : "";
    const char *parts[] = {info->file,        "::", info->name, open,
                           info->params_text, close};
    const size_t nr_parts = sizeof(parts) / sizeof(parts[0]);
    size_t size = 1;
    char *out;

    for (size_t i = 0; i < nr_parts; i++)
        size += strlen(parts[i]);
    out = bm_arena_take(load->arena, size);
    info->id = out;
    for (size_t i = 0; out && i < nr_parts; i++)
        out = stpcpy(out, parts[i]);
    return out;
}

static size_t longer(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* sorted[first, end) have one path; the neighbours have others. */
static void name_file(struct candidate **sorted, size_t first, size_t end,
                      size_t nr)
{
    const char *path = sorted[first]->path;
    const char *file = strrchr(path, '/');
    size_t length = file ? strlen(file + 1) : strlen(path);

    if (first > 0)
        length = longer(length, telling_end(path, sorted[first - 1]->path));
    if (end < nr)
        length = longer(length, telling_end(path, sorted[end]->path));
    for (size_t i = first; i < end; i++)
        sorted[i]->info.file = path + strlen(path) - length;
}

static bool name_all(struct bm_load *load, struct candidate **sorted, size_t nr)
{
    size_t end;

    qsort(sorted, nr, sizeof(*sorted), compare_candidates);
    for (size_t first = 0; first < nr; first = end) {
        for (end = first + 1; end < nr; end++)
            if (compare_from_end(sorted[first]->path, sorted[end]->path) != 0)
                break;
        name_file(sorted, first, end, nr);
    }
    for (size_t i = 0; i < nr; i++) {
        sorted[i]->same = sorted[i];
        if (i > 0 && compare_names(sorted[i - 1], sorted[i]) == 0)
            sorted[i]->same = sorted[i - 1]->same;
        else if (!make_id(load, &sorted[i]->info))
            return false;
    }
    return true;
}

static bool make_candidates(struct bm_load *load, struct candidate *candidates,
                            struct candidate **sorted, size_t *nr)
{
    const struct bm_raw_benchmark *raw = load->benchmarks.rows.rows;
    struct bm_groups groups = {0};
    bool ok;

    ok = bm_load_group(load, &load->params, NULL, load->benchmarks.rows.nr,
                       &groups);
    *nr = 0;
    for (size_t i = 0; ok && i < load->benchmarks.rows.nr; i++) {
        struct candidate *candidate = &candidates[i];

        if (!raw[i].name)
            continue;
        candidate->raw = i;
        candidate->info.name = raw[i].name;
        candidate->info.frame = raw[i].frame;
        candidate->path = full_path(load, raw[i].frame);
        sorted[(*nr)++] = candidate;
        ok = candidate->path && name_params(load, &groups, i, &candidate->info);
    }
    bm_groups_clear(&groups);
    return ok;
}

/* In the order of the file, which is that of their first entries. */
static void number_them(const struct candidate *candidates, size_t nr,
                        struct bm_named *named)
{
    for (size_t i = 0; i < nr; i++) {
        if (candidates[i].same != &candidates[i])
            continue;
        named->infos[named->nr++] = candidates[i].info;
        named->numbers[i] = (uint32_t)named->nr;
    }
    for (size_t i = 0; i < nr; i++)
        if (candidates[i].same)
            named->numbers[i] = named->numbers[candidates[i].same->raw];
}

bool bm_load_ids(struct bm_load *load, struct bm_named *named)
{
    size_t nr_raw = load->benchmarks.rows.nr;
    struct candidate *candidates = calloc(nr_raw + 1, sizeof(*candidates));
    struct candidate **sorted = calloc(nr_raw + 1, sizeof(struct candidate *));
    size_t nr;
    bool ok;

    *named = (struct bm_named){
        .infos = calloc(nr_raw + 1, sizeof(*named->infos)),
        .numbers = calloc(nr_raw + 1, sizeof(*named->numbers)),
    };
    ok = candidates && sorted && named->infos && named->numbers &&
         make_candidates(load, candidates, sorted, &nr) &&
         name_all(load, sorted, nr);
    if (ok)
        number_them(candidates, nr_raw, named);
    free(candidates);
    free(sorted);
    return ok || bm_load_fail_memory(load);
}
