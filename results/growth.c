/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "results/growth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the fit ---- */

struct sums {
    double x, y;
    size_t nr;
};

static bool has_logarithm(double n, double value)
{
    return n > 0 && value > 0 && isfinite(n) && isfinite(value);
}

static double slope(const double *n, const double *values, size_t nr,
                    const struct sums *mean, double *spread)
{
    double product = 0;

    *spread = 0;
    for (size_t i = 0; i < nr; i++) {
        if (!has_logarithm(n[i], values[i]))
            continue;
        double x = log(n[i]) - mean->x;

        product += x * (log(values[i]) - mean->y);
        *spread += x * x;
    }
    return *spread > 0 ? product / *spread : NAN;
}

/* The standard error of the slope: residuals over nr - 2 degrees. */
static double error_of(const double *n, const double *values, size_t nr,
                       const struct sums *mean, double exponent, double spread)
{
    double squares = 0;

    if (mean->nr < 3)
        return NAN;
    for (size_t i = 0; i < nr; i++) {
        if (!has_logarithm(n[i], values[i]))
            continue;
        double rest =
            log(values[i]) - mean->y - exponent * (log(n[i]) - mean->x);
        squares += rest * rest;
    }
    return sqrt(squares / (double)(mean->nr - 2) / spread);
}

struct bm_law bm_law_fit(const double *n, const double *values, size_t nr)
{
    struct bm_law law = {.exponent = NAN, .error = NAN};
    struct sums mean = {0};
    double spread;

    for (size_t i = 0; i < nr; i++) {
        law.nr_zeros += !has_logarithm(n[i], values[i]);
        if (!has_logarithm(n[i], values[i]))
            continue;
        mean.x += log(n[i]);
        mean.y += log(values[i]);
        mean.nr++;
    }
    law.nr_points = mean.nr;
    if (mean.nr == 0) {
        bool nothing = nr > 1;
        for (size_t i = 0; i < nr; i++)
            nothing &= values[i] == 0 && n[i] > 0;
        if (nothing)
            law = (struct bm_law){.known = true, .nr_zeros = nr};
        return law;
    }
    mean.x /= (double)mean.nr;
    mean.y /= (double)mean.nr;
    law.exponent = slope(n, values, nr, &mean, &spread);
    law.known = !isnan(law.exponent);
    if (law.known)
        law.error = error_of(n, values, nr, &mean, law.exponent, spread);
    return law;
}

void bm_law_print(struct bm_str *out, const struct bm_law *law,
                  const char *param)
{
    /* Two decimals: -0.00 is 0. */
    double exponent = fabs(law->exponent) < 0.005 ? 0 : law->exponent;

    if (!law->known) {
        bm_str_puts(out, "-");
        return;
    }
    bm_str_printf(out, "%s^%.2f", param, exponent);
    if (law->nr_points && !isnan(law->error))
        bm_str_printf(out, " ± %.2f", law->error);
}

bool bm_law_exceeds(const struct bm_law *law, double limit)
{
    /* The fit's own rounding is no growth. */
    const double rounding = 1e-9;
    double error = isnan(law->error) ? 0 : law->error;

    return law->known && law->exponent - error > limit + rounding;
}

/* ---- families ---- */

static bool is_numeric(const struct bm_param_info *param)
{
    return param->kind == BM_VALUE_SIGNED || param->kind == BM_VALUE_UNSIGNED ||
           param->kind == BM_VALUE_DOUBLE;
}

static double number_of(const struct bm_param_info *param)
{
    switch (param->kind) {
    case BM_VALUE_SIGNED:
        return (double)param->value.i;
    case BM_VALUE_UNSIGNED:
        return (double)param->value.u;
    default:
        return param->value.d;
    }
}

/* The benchmark's id without parameter `index`. */
static void print_family(struct bm_str *out, const struct bm_run_benchmark *b,
                         size_t index)
{
    const char *comma = "";

    bm_str_printf(out, "%s::%s", b->file ? b->file : "?", b->name);
    for (size_t i = 0; i < b->nr_params; i++) {
        if (i == index)
            continue;
        bm_str_printf(out, "%s%s=%s", *comma ? comma : "[", b->params[i].name,
                      b->params[i].text);
        comma = ",";
    }
    if (*comma)
        bm_str_putc(out, ']');
}

struct member {
    const struct bm_run_benchmark *benchmark;
    double n;
    double value; /* the least over the passes */
};

struct family {
    char *name;
    const char *param;
    struct member *members;
    size_t nr;
    size_t room;
};

struct families {
    struct family *items;
    size_t count;
    size_t room;
};

static struct family *take_family(struct families *all,
                                  const struct bm_run_benchmark *b,
                                  size_t index)
{
    struct bm_str name = BM_STR_INIT;

    print_family(&name, b, index);
    for (size_t i = 0; i < all->count; i++)
        if (strcmp(all->items[i].name, name.data) == 0 &&
            strcmp(all->items[i].param, b->params[index].name) == 0) {
            bm_str_clear(&name);
            return &all->items[i];
        }
    all->items =
        bm_xgrow(all->items, all->count, &all->room, sizeof(*all->items));
    all->items[all->count] = (struct family){.name = bm_str_detach(&name),
                                             .param = b->params[index].name};
    return &all->items[all->count++];
}

static void add_member(struct families *all, const struct bm_run_benchmark *b,
                       size_t index, long double value)
{
    struct family *family = take_family(all, b, index);

    family->members = bm_xgrow(family->members, family->nr, &family->room,
                               sizeof(*family->members));
    family->members[family->nr++] =
        (struct member){b, number_of(&b->params[index]), (double)value};
}

static int compare_members(const void *left, const void *right)
{
    const struct member *a = left, *b = right;

    return (a->n > b->n) - (a->n < b->n);
}

static void find_families(struct families *all, const struct bm_run *run,
                          enum bm_measure measure)
{
    long double value;

    for (size_t i = 0; i < run->nr_benchmarks; i++) {
        const struct bm_run_benchmark *b = &run->benchmarks[i];

        if (!bm_series_stat(&b->series[measure], BM_STAT_MIN, &value))
            continue;
        for (size_t p = 0; p < b->nr_params; p++)
            if (is_numeric(&b->params[p]))
                add_member(all, b, p, value);
    }
    for (size_t i = 0; i < all->count; i++)
        qsort(all->items[i].members, all->items[i].nr,
              sizeof(*all->items[i].members), compare_members);
}

static size_t nr_distinct(const struct family *family)
{
    size_t nr = family->nr > 0;

    for (size_t i = 1; i < family->nr; i++)
        nr += family->members[i].n > family->members[i - 1].n;
    return nr;
}

static void families_clear(struct families *all)
{
    for (size_t i = 0; i < all->count; i++) {
        free(all->items[i].name);
        free(all->items[i].members);
    }
    free(all->items);
}

/* ---- laws ---- */

static void add_law(struct bm_growths *growths, const struct family *family,
                    const char *site, const double *values)
{
    size_t nr = family->nr;
    double *n = bm_xcalloc(nr, sizeof(*n));

    for (size_t i = 0; i < nr; i++)
        n[i] = family->members[i].n;
    growths->items = bm_xgrow(growths->items, growths->count, &growths->room,
                              sizeof(*growths->items));
    growths->items[growths->count++] = (struct bm_growth){
        .family = bm_arena_strdup(&growths->arena, family->name),
        .param = bm_arena_strdup(&growths->arena, family->param),
        .site = site ? bm_arena_strdup(&growths->arena, site) : NULL,
        .nr_values = nr_distinct(family),
        .first_n = n[0],
        .last_n = n[nr - 1],
        .first = values[0],
        .last = values[nr - 1],
        .law = bm_law_fit(n, values, nr),
    };
    free(n);
}

/* ---- sites ---- */

/* A site over the members of a family. */
struct curve {
    const struct bm_site_info *site;
    double *values; /* by member */
    double last;    /* at the largest n */
};

static double share_of(const struct bm_figures *figures,
                       enum bm_measure measure, uint64_t nr_passes)
{
    double passes = nr_passes ? (double)nr_passes : 1;

    switch (measure) {
    case BM_MEASURE_PEAK:
        return (double)figures->at_peak_bytes;
    case BM_MEASURE_ALLOCATED:
        return (double)figures->allocated_bytes / passes;
    case BM_MEASURE_ALLOCATIONS:
        return (double)figures->allocations / passes;
    case BM_MEASURE_LEAKED:
        return (double)figures->live_bytes / passes;
    default:
        return 0;
    }
}

/* Of runs with several profiles, sites are met once in each. */
static bool is_same_site(const struct bm_site_info *a,
                         const struct bm_site_info *b)
{
    if (a == b || a->id != b->id)
        return a == b;
    return !a->module || !b->module
               ? a->module == b->module
               : strcmp(a->module->path, b->module->path) == 0;
}

static struct curve *take_curve(struct curve **curves, size_t *count,
                                size_t *room, const struct bm_site_info *site,
                                size_t nr_members)
{
    for (size_t i = 0; i < *count; i++)
        if (is_same_site((*curves)[i].site, site))
            return &(*curves)[i];
    *curves = bm_xgrow(*curves, *count, room, sizeof(**curves));
    (*curves)[*count] = (struct curve){
        .site = site, .values = bm_xcalloc(nr_members, sizeof(double))};
    return &(*curves)[(*count)++];
}

static int compare_curves(const void *left, const void *right)
{
    const struct curve *a = left, *b = right;

    if (a->last != b->last)
        return a->last < b->last ? 1 : -1;
    return (a->site->id > b->site->id) - (a->site->id < b->site->id);
}

static bool is_same_line(const struct bm_site_info *a,
                         const struct bm_site_info *b)
{
    const struct bm_frame_info *x = a->frame, *y = b->frame;

    return x && y && x->file && y->file && x->line == y->line &&
           strcmp(x->file, y->file) == 0;
}

/* Columns are shown where a line has several sites, to tell them apart. */
static void name_site(struct bm_str *out, const struct curve *curves,
                      size_t count, size_t index)
{
    const struct bm_site_info *site = curves[index].site;
    const struct bm_frame_info *frame = site->frame;
    const char *file = frame && frame->file ? frame->file : NULL;
    const char *slash = file ? strrchr(file, '/') : NULL;

    if (!file) {
        bm_str_printf(out, "(outside) %s",
                      site->module ? site->module->path : "");
        return;
    }
    bm_str_printf(out, "%s:%u", slash ? slash + 1 : file, frame->line);
    for (size_t i = 0; i < count; i++)
        if (i != index && is_same_line(curves[i].site, site)) {
            bm_str_printf(out, ":%u", frame->column);
            break;
        }
    bm_str_printf(out, " %s", frame->function ? frame->function : "?");
}

static void add_sites(struct bm_growths *growths, const struct bm_run *run,
                      const struct family *family, enum bm_measure measure,
                      size_t most)
{
    struct curve *curves = NULL;
    size_t count = 0, room = 0;

    for (size_t m = 0; m < family->nr; m++) {
        const struct bm_benchmark_info *info;
        const struct bm_profile *profile =
            bm_run_find_profile(run, family->members[m].benchmark, &info);

        for (size_t s = 0; profile && info && s < info->nr_sites; s++) {
            struct curve *curve = take_curve(&curves, &count, &room,
                                             info->sites[s].site, family->nr);

            curve->values[m] = share_of(&info->sites[s].figures, measure,
                                        info->nr_passes + info->nr_more_passes);
            if (m + 1 == family->nr)
                curve->last = curve->values[m];
        }
    }
    if (count)
        qsort(curves, count, sizeof(*curves), compare_curves);
    for (size_t i = 0; i < count; i++) {
        struct bm_str name = BM_STR_INIT;

        name_site(&name, curves, count, i);
        if (i < most && curves[i].last > 0)
            add_law(growths, family, name.data, curves[i].values);
        bm_str_clear(&name);
        free(curves[i].values);
    }
    free(curves);
}

void bm_growths_of(struct bm_growths *growths, struct bm_run *run,
                   enum bm_measure measure, size_t most_sites)
{
    struct families all = {0};
    size_t nr_profiles = 0;

    *growths = (struct bm_growths){.arena = BM_ARENA_INIT};
    find_families(&all, run, measure);
    if (most_sites && all.count)
        bm_run_profiles(run, &nr_profiles);
    for (size_t i = 0; i < all.count; i++) {
        const struct family *family = &all.items[i];
        double *values;

        if (nr_distinct(family) < 2)
            continue;
        values = bm_xcalloc(family->nr, sizeof(*values));
        for (size_t m = 0; m < family->nr; m++)
            values[m] = family->members[m].value;
        add_law(growths, family, NULL, values);
        free(values);
        if (nr_profiles)
            add_sites(growths, run, family, measure, most_sites);
    }
    families_clear(&all);
}

void bm_growths_clear(struct bm_growths *growths)
{
    free(growths->items);
    bm_arena_release(&growths->arena);
    *growths = (struct bm_growths){.arena = BM_ARENA_INIT};
}
