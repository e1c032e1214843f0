/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "results/gate.h"

#include "base/size.h"

#include <stdlib.h>
#include <string.h>

/* Ten times as large as a percentage can sensibly be. */
#define MOST_PERCENT 1000000u

static const char *const metrics_hint =
    "a metric is time, peak, allocated, allocations, leaked or rss";

bool bm_millionths_parse(const char *text, size_t size, uint64_t *out)
{
    uint64_t value = 0, scale = 1000000;
    bool digits = false, point = false;

    for (size_t i = 0; i < size; i++) {
        if (text[i] == '.' && !point) {
            point = true;
            continue;
        }
        if (text[i] < '0' || text[i] > '9')
            return false;
        digits = true;
        if (point && scale == 1)
            continue;
        if (point)
            scale /= 10;
        value = value * 10 + (uint64_t)(text[i] - '0');
        if (value > (uint64_t)MOST_PERCENT * 1000000)
            return false;
    }
    *out = value * scale;
    return digits && *out / 1000000 <= MOST_PERCENT;
}

static bool parse_time(const char *text, uint64_t *ns)
{
    static const struct {
        const char *name;
        uint64_t ns;
    } units[] = {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}};
    size_t size = strspn(text, "0123456789.");
    const char *unit = text[size] == ' ' ? text + size + 1 : text + size;
    uint64_t millionths;

    if (!bm_millionths_parse(text, size, &millionths))
        return false;
    *ns = 0;
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (strcmp(units[i].name, unit))
            continue;
        *ns = (uint64_t)((unsigned __int128)millionths * units[i].ns / 1000000);
        return true;
    }
    return !*unit && !millionths;
}

static const char *parse_limit(struct bm_gate *gate, const char *text)
{
    size_t size = strlen(text);

    if (!size)
        return "the limit is missing, as in peak:10% or peak:5MiB";
    if (*text == '-')
        return "a limit is not below 0; a decline fails with --two-sided";
    if (text[size - 1] == '%') {
        gate->percent = true;
        if (gate->ceiling)
            return "a largest value is no percentage";
        return bm_millionths_parse(text, size - 1, &gate->limit)
                   ? NULL
                   : "the percentage is no number from 0 to 1000000";
    }
    switch (bm_measure_info(gate->measure)->unit) {
    case BM_UNIT_BYTES:
        return bm_size_parse(text, &gate->limit)
                   ? NULL
                   : "the limit is neither a size (5MiB, 5MB, 5k) nor a "
                     "percentage";
    case BM_UNIT_NS:
        return parse_time(text, &gate->limit)
                   ? NULL
                   : "the limit is neither a time (5ms, 2s) nor a percentage";
    default:
        return bm_count_parse(text, &gate->limit)
                   ? NULL
                   : "the limit is neither a count nor a percentage";
    }
}

/* "parser.c:88": the line is behind the last colon. */
static const char *parse_site(struct bm_gate *gate, char *place)
{
    char *colon = strrchr(place, ':');
    uint64_t line;

    if (!colon || colon == place || !bm_count_parse(colon + 1, &line) ||
        !line || line > UINT32_MAX)
        return "a site is site:FILE:LINE:METRIC:LIMIT";
    *colon = '\0';
    gate->pattern = place;
    gate->line = (uint32_t)line;
    return NULL;
}

static const char *parse_subject(struct bm_gate *gate, char *subject)
{
    char *colon = strchr(subject, ':');
    static const struct {
        const char *name;
        enum bm_gate_subject subject;
    } words[] = {
        {"benchmark", BM_GATE_BENCHMARKS},
        {"site", BM_GATE_SITE},
        {"function", BM_GATE_FUNCTIONS},
    };

    for (size_t i = 0; colon && i < sizeof(words) / sizeof(words[0]); i++) {
        size_t size = strlen(words[i].name);

        if ((size_t)(colon - subject) != size ||
            strncmp(subject, words[i].name, size))
            continue;
        gate->subject = words[i].subject;
        gate->pattern = colon + 1;
        if (!*gate->pattern)
            return "nothing is named between the colons";
        return gate->subject == BM_GATE_SITE ? parse_site(gate, colon + 1)
                                             : NULL;
    }
    return "what comes before the metric begins with benchmark:, site: or "
           "function:";
}

static const char *parse_growth(struct bm_gate *gate, const char *limit)
{
    char *end;

    gate->subject = BM_GATE_GROWTH;
    gate->limit_text = limit;
    gate->metric_text = "growth";
    gate->exponent = strtod(limit, &end);
    return end != limit && !*end && gate->exponent >= 0 && gate->exponent < 100
               ? NULL
               : "the exponent of a growth law is a number, as in growth:1.2";
}

/* subject may be NULL, and is cut apart. */
static const char *parse_parts(struct bm_gate *gate, char *subject,
                               const char *metric, const char *limit)
{
    int measure = bm_measure_find(metric);

    if (measure < 0)
        return metrics_hint;
    gate->measure = (enum bm_measure)measure;
    gate->metric_text = metric;
    gate->limit_text = limit;
    const char *why = subject ? parse_subject(gate, subject) : NULL;
    if (!why && gate->subject != BM_GATE_BENCHMARKS &&
        !bm_digest_has(gate->measure))
        why = "sites and functions have peak, allocated, allocations and "
              "leaked";
    return why ? why : parse_limit(gate, limit);
}

static const char *parse(struct bm_gate *gate, char *text)
{
    char *limit = strrchr(text, ':');

    if (!*text)
        return "it is empty; a limit is METRIC:LIMIT, as in peak:10%";
    if (!limit)
        return "a limit is METRIC:LIMIT, as in peak:10%";
    *limit++ = '\0';
    char *metric = strrchr(text, ':');
    char *subject = metric ? text : NULL;
    if (metric)
        *metric++ = '\0';
    else
        metric = text;
    if (!subject && !gate->ceiling && !strcmp(metric, "growth"))
        return parse_growth(gate, limit);
    return parse_parts(gate, subject, metric, limit);
}

static void add(struct bm_gates *gates, const struct bm_gate *gate)
{
    gates->items = bm_xgrow(gates->items, gates->count, &gates->room,
                            sizeof(*gates->items));
    gates->items[gates->count++] = *gate;
}

const char *bm_gates_add(struct bm_gates *gates, const char *text, bool ceiling)
{
    struct bm_gate gate = {
        .text = bm_arena_strdup(&gates->arena, text),
        .ceiling = ceiling,
    };
    const char *why = parse(&gate, bm_arena_strdup(&gates->arena, text));

    if (why)
        return why;
    add(gates, &gate);
    return NULL;
}

static bool has_prefix(const char *subject)
{
    return !strncmp(subject, "site:", 5) || !strncmp(subject, "function:", 9) ||
           !strncmp(subject, "benchmark:", 10);
}

const char *bm_gates_add_ceiling(struct bm_gates *gates, const char *subject,
                                 const char *metric, const char *limit,
                                 const char *origin)
{
    struct bm_arena *arena = &gates->arena;
    struct bm_gate gate = {
        .text = bm_arena_printf(arena, "%s: %s %s %s", origin, subject, metric,
                                limit),
        .ceiling = true,
        .origin = bm_arena_strdup(arena, origin),
    };
    const char *why = parse_parts(
        &gate,
        bm_arena_printf(arena, "%s%s",
                        has_prefix(subject) ? "" : "benchmark:", subject),
        bm_arena_strdup(arena, metric), bm_arena_strdup(arena, limit));

    if (!why)
        add(gates, &gate);
    return why;
}

bool bm_gates_need_sites(const struct bm_gates *gates)
{
    for (size_t i = 0; i < gates->count; i++) {
        if (gates->items[i].subject == BM_GATE_SITE ||
            gates->items[i].subject == BM_GATE_FUNCTIONS)
            return true;
    }
    return false;
}

void bm_gates_clear(struct bm_gates *gates)
{
    free(gates->items);
    bm_arena_release(&gates->arena);
    *gates = (struct bm_gates){.count = 0};
}
