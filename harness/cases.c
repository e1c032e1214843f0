/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "cases.h"

#include "ids.h"
#include "say.h"

#define MAX_CASES 100000 /* more is a mistake in a range */

/* ---- making ---- */

static uint32_t nr_dimensions(const struct benchmem_benchmark *b)
{
    uint32_t nr = 0;

    while (b->params && b->params[nr].name)
        nr++;
    if (nr > BENCHMEM_MAX_PARAMS)
        bm_say_die("%s has more than %d parameters", b->name,
                   BENCHMEM_MAX_PARAMS);
    return nr;
}

static size_t nr_cases_of(const struct benchmem_benchmark *b)
{
    uint32_t nr = nr_dimensions(b);
    size_t cases = 1;

    for (uint32_t i = 0; i < nr; i++) {
        if (b->params[i].count == 0)
            bm_say_die("%s: parameter %s has no values", b->name,
                       b->params[i].name);
        if (__builtin_mul_overflow(cases, b->params[i].count, &cases) ||
            cases > MAX_CASES)
            bm_say_die("%s has more than %d combinations of parameters",
                       b->name, MAX_CASES);
    }
    return cases;
}

/* Value number i of a range. */
static double in_range(const struct benchmem_dimension *d, size_t i)
{
    double value = d->first;

    if (d->times == 0)
        return d->first + d->add * (double)i;
    while (i-- > 0)
        value *= d->times;
    return value;
}

/* 0.1 + 2 * 0.1 is to be 0.3: the nearest value of 15 digits. */
static double rounded(double value)
{
    char text[40];

    snprintf(text, sizeof(text), "%.15g", value);
    return strtod(text, NULL);
}

static struct benchmem_value value_of(const struct benchmem_benchmark *b,
                                      const struct benchmem_dimension *d,
                                      size_t i)
{
    struct benchmem_value value = {.name = d->name, .type = d->type};

    switch (d->type) {
    case BENCHMEM_TYPE_INT:
        /* A range is kept in doubles, exact up to 2^53. */
        if (!d->integers &&
            !(in_range(d, i) <= 0x1p53 && in_range(d, i) >= -0x1p53))
            bm_say_die("%s: the range of %s goes beyond 2^53", b->name,
                       d->name);
        value.is.integer =
            d->integers ? d->integers[i] : (int64_t)in_range(d, i);
        break;
    case BENCHMEM_TYPE_NUMBER:
        value.is.number = d->numbers ? d->numbers[i] : rounded(in_range(d, i));
        break;
    case BENCHMEM_TYPE_STRING:
        value.is.string = d->strings[i];
        break;
    }
    return value;
}

/* Combination number `index`, of which the last dimension moves first. */
static void make_case(struct bm_case *out, const struct benchmem_benchmark *b,
                      size_t index)
{
    out->benchmark = b;
    out->nr_params = nr_dimensions(b);
    out->params = calloc(out->nr_params + 1, sizeof(*out->params));
    if (!out->params)
        bm_say_die("out of memory");
    for (uint32_t i = out->nr_params; i-- > 0;) {
        const struct benchmem_dimension *d = &b->params[i];

        out->params[i] = value_of(b, d, index % d->count);
        index /= d->count;
    }
    out->id = bm_id_make(b, out->params, out->nr_params);
}

void bm_cases_make(struct bm_cases *out)
{
    const struct benchmem_benchmark *b;
    size_t nr = 0;

    for (b = benchmem_benchmarks_; b; b = b->next_)
        nr += nr_cases_of(b);
    out->items = calloc(nr + 1, sizeof(*out->items));
    if (!out->items)
        bm_say_die("out of memory");
    out->nr = 0;
    for (b = benchmem_benchmarks_; b; b = b->next_)
        for (size_t i = 0, count = nr_cases_of(b); i < count; i++)
            make_case(&out->items[out->nr++], b, i);
}

/* ---- selecting ---- */

/* * is any text, ? any byte; ids hold brackets, so there are no sets. */
static bool matches(const char *pattern, const char *text)
{
    const char *star = NULL, *resume = NULL;

    while (*text) {
        if (*pattern == '*') {
            star = pattern++;
            resume = text;
        } else if (*pattern == '?' || *pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star + 1;
            text = ++resume;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

static bool is_wanted(const struct bm_case *c, const struct bm_words *filters)
{
    for (size_t i = 0; i < filters->nr; i++) {
        const char *filter = filters->items[i];

        if (strpbrk(filter, "*?") ? matches(filter, c->id)
                                  : strstr(c->id, filter) != NULL)
            return true;
    }
    return filters->nr == 0;
}

bool bm_case_is_in_suite(const struct bm_case *c, const char *name, size_t size)
{
    const char *at = c->benchmark->suite;

    while (at && *at) {
        size_t length = strcspn(at, ",");

        if (length == size && strncmp(at, name, size) == 0)
            return true;
        at += length + (at[length] == ',');
    }
    return false;
}

static bool is_in_suites(const struct bm_case *c, const struct bm_words *suites)
{
    for (size_t i = 0; i < suites->nr; i++)
        if (bm_case_is_in_suite(c, suites->items[i], strlen(suites->items[i])))
            return true;
    return suites->nr == 0;
}

static bool is_named(const struct bm_case *c, const struct bm_words *workloads)
{
    for (size_t i = 0; i < workloads->nr; i++)
        if (strcmp(c->id, workloads->items[i]) == 0)
            return true;
    return workloads->nr == 0;
}

/* Whether an earlier case is in the suite too. */
static bool is_old_suite(const struct bm_cases *cases, size_t nr,
                         const char *name, size_t size)
{
    for (size_t i = 0; i < nr; i++)
        if (bm_case_is_in_suite(&cases->items[i], name, size))
            return true;
    return false;
}

static void list_suites(const struct bm_cases *cases)
{
    for (size_t i = 0; i < cases->nr; i++) {
        const char *at = cases->items[i].benchmark->suite;

        while (at && *at) {
            size_t size = strcspn(at, ",");

            if (size && !is_old_suite(cases, i, at, size))
                fprintf(stderr, "  %.*s\n", (int)size, at);
            at += size + (at[size] == ',');
        }
    }
}

static void check_suites(const struct bm_cases *cases,
                         const struct bm_words *suites)
{
    for (size_t i = 0; i < suites->nr; i++) {
        const char *name = suites->items[i];

        if (is_old_suite(cases, cases->nr, name, strlen(name)))
            continue;
        bm_say("no suite %s; there are:", name);
        list_suites(cases);
        exit(2);
    }
}

static void check_workloads(const struct bm_cases *cases,
                            const struct bm_words *workloads)
{
    for (size_t i = 0; i < workloads->nr; i++) {
        struct bm_words one = {&workloads->items[i], 1};
        size_t at = 0;

        while (at < cases->nr && !is_named(&cases->items[at], &one))
            at++;
        if (at < cases->nr)
            continue;
        bm_say("no workload %s; there are:", workloads->items[i]);
        for (at = 0; at < cases->nr; at++)
            fprintf(stderr, "  %s\n", cases->items[at].id);
        exit(2);
    }
}

void bm_cases_select(struct bm_cases *cases,
                     const struct bm_harness_options *options)
{
    size_t nr = 0;

    check_suites(cases, &options->suites);
    check_workloads(cases, &options->workloads);
    for (size_t i = 0; i < cases->nr; i++) {
        struct bm_case *c = &cases->items[i];

        c->is_selected = is_wanted(c, &options->filters) &&
                         is_in_suites(c, &options->suites) &&
                         is_named(c, &options->workloads);
        nr += c->is_selected;
    }
    if (nr == 0 && cases->nr > 0)
        bm_say_die("none of the %zu benchmarks is selected: see --list",
                   cases->nr);
}
