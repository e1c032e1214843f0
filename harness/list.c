/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --list: ids for people, everything that is declared for programs. */
#include "cases.h"
#include "ids.h"

#include <inttypes.h>
#include <math.h>

static void put_string(const char *text)
{
    if (!text) {
        fputs("null", stdout);
        return;
    }
    putchar('"');
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        if (c < 0x20 || c == 0x7f)
            printf("\\u%04x", c);
        else if (c == '"' || c == '\\')
            printf("\\%c", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void put_value(const struct benchmem_value *value)
{
    char number[BM_NUMBER_SIZE];

    switch (value->type) {
    case BENCHMEM_TYPE_INT:
        printf("%" PRId64, value->is.integer);
        break;
    case BENCHMEM_TYPE_NUMBER:
        bm_number_text(number, value->is.number);
        fputs(isfinite(value->is.number) ? number : "null", stdout);
        break;
    case BENCHMEM_TYPE_STRING:
        put_string(value->is.string);
        break;
    }
}

static void put_values(const char *key, const struct benchmem_value *values,
                       size_t nr)
{
    printf(", \"%s\": {", key);
    for (size_t i = 0; i < nr; i++) {
        fputs(i ? ", " : "", stdout);
        put_string(values[i].name);
        fputs(": ", stdout);
        put_value(&values[i]);
    }
    putchar('}');
}

static void put_suites(const char *at)
{
    bool any = false;

    fputs(", \"suites\": [", stdout);
    while (at && *at) {
        size_t size = strcspn(at, ",");
        char *name = strndup(at, size);

        if (name && *name) {
            fputs(any ? ", " : "", stdout);
            put_string(name);
            any = true;
        }
        free(name);
        at += size + (at[size] == ',');
    }
    putchar(']');
}

static void put_ceiling(const char *key, uint64_t ceiling)
{
    printf(", \"%s\": ", key);
    if (ceiling == 0)
        fputs("null", stdout);
    else
        printf("%" PRIu64, ceiling == BENCHMEM_NOTHING ? 0 : ceiling);
}

static void put_count(const char *key, uint32_t value)
{
    printf(", \"%s\": ", key);
    if (value)
        printf("%" PRIu32, value);
    else
        fputs("null", stdout);
}

static void put_warmup(int32_t warmup)
{
    fputs(", \"warmup\": ", stdout);
    if (warmup)
        printf("%" PRId32, warmup < 0 ? 0 : warmup);
    else
        fputs("null", stdout);
}

static void put_case(const struct bm_case *c)
{
    const struct benchmem_benchmark *b = c->benchmark;
    size_t nr_labels = 0;

    while (b->labels && b->labels[nr_labels].name)
        nr_labels++;
    fputs("    {\"id\": ", stdout);
    put_string(c->id);
    fputs(", \"name\": ", stdout);
    put_string(b->name);
    fputs(", \"file\": ", stdout);
    put_string(b->file);
    printf(", \"line\": %" PRIu32, b->line);
    put_values("params", c->params, c->nr_params);
    fputs(", \"group\": ", stdout);
    put_string(b->group);
    put_suites(b->suite);
    put_values("labels", b->labels, nr_labels);
    printf(", \"calls\": %" PRIu32, b->calls ? b->calls : 1);
    put_count("repeats", b->repeats);
    put_warmup(b->warmup);
    printf(", \"isolate\": %s", b->isolate ? "true" : "false");
    printf(", \"native\": %s", b->native ? "true" : "false");
    put_ceiling("max_peak_bytes", b->max_peak);
    put_ceiling("max_allocated_bytes", b->max_allocated);
    put_ceiling("max_allocations", b->max_allocations);
    putchar('}');
}

void bm_cases_print(const struct bm_cases *cases, bool json)
{
    bool any = false;

    if (json)
        fputs("{\"schema_version\": 1, \"benchmarks\": [", stdout);
    for (size_t i = 0; i < cases->nr; i++) {
        if (!cases->items[i].is_selected)
            continue;
        if (json) {
            fputs(any ? ",\n" : "\n", stdout);
            put_case(&cases->items[i]);
        } else {
            puts(cases->items[i].id);
        }
        any = true;
    }
    if (json)
        fputs("\n]}\n", stdout);
}
