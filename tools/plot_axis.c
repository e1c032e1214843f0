/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/plot.h"

#include <float.h>
#include <math.h>

/* More ticks than this crowd an axis. */
#define MAX_TICKS 8

/* A logarithmic axis shows more than a linear one from this ratio on. */
#define LOG_RATIO 20

void bm_plot_axis_add(struct bm_plot_axis *axis, long double value)
{
    if (value < 0)
        return;
    if (value == 0)
        axis->zeros = true;
    if (value > 0 && (axis->min == 0 || value < axis->min))
        axis->min = value;
    if (value > axis->max)
        axis->max = value;
    axis->any = true;
}

void bm_plot_axis_finish(struct bm_plot_axis *axis, enum bm_plot_scale wanted)
{
    axis->log = wanted == BM_PLOT_SCALE_LOG;
    if (wanted == BM_PLOT_SCALE_AUTO)
        axis->log = axis->min > 0 && axis->max / axis->min >= LOG_RATIO;
    /* A step below the smallest: clear of it on every range. */
    if (axis->min > 0)
        axis->floor = axis->min / fmaxl(2, powl(axis->max / axis->min, 0.12L));
    else
        axis->floor = 1;
}

/* 0 has a place that no tick of a panel's own range could name. */
static bool is_symmetric(const struct bm_plot_axis *axis)
{
    return axis->log && axis->zeros && !axis->own_ticks;
}

double bm_plot_axis_place(const struct bm_plot_axis *axis, long double value)
{
    if (axis->log && value <= 0 && !is_symmetric(axis))
        return (double)axis->floor;
    return (double)value;
}

/* -- labels ---------------------------------------------------------------- */

const char *bm_plot_label_expression(enum bm_unit unit)
{
    switch (unit) {
    case BM_UNIT_BYTES:
        /* base/size.h's rule. */
        return "abs(datum.value) < 1024 ? format(datum.value, ',~r') + ' B'"
               " : abs(datum.value) < 1048576"
               " ? format(datum.value / 1024, '.1~f') + ' KiB'"
               " : abs(datum.value) < 1073741824"
               " ? format(datum.value / 1048576, '.1~f') + ' MiB'"
               " : abs(datum.value) < 1099511627776"
               " ? format(datum.value / 1073741824, '.1~f') + ' GiB'"
               " : format(datum.value / 1099511627776, ',.1~f') + ' TiB'";
    case BM_UNIT_NS:
        return "abs(datum.value) < 1e3 ? format(datum.value, '.1~f') + ' ns'"
               " : abs(datum.value) < 1e6"
               " ? format(datum.value / 1e3, '.1~f') + ' us'"
               " : abs(datum.value) < 1e9"
               " ? format(datum.value / 1e6, '.1~f') + ' ms'"
               " : format(datum.value / 1e9, ',.1~f') + ' s'";
    default:
        return "abs(datum.value) < 1e6 ? format(datum.value, ',.12~r')"
               " : format(datum.value, '.3~s')";
    }
}

/* Zero has a place of its own on a log axis. */
static json_t *label_expression(const struct bm_plot_axis *axis)
{
    const char *label = bm_plot_label_expression(axis->unit);

    if (!axis->log || !axis->zeros || !axis->own_ticks)
        return json_string(label);
    return json_sprintf("datum.value <= %.17g ? '0' : (%s)",
                        (double)axis->floor * 1.0001, label);
}

/* -- ticks ----------------------------------------------------------------- */

/* Of a log axis: powers of the base, so many apart that they are few. */
static void add_log_ticks(json_t *ticks, const struct bm_plot_axis *axis)
{
    long double base = axis->unit == BM_UNIT_BYTES ? 2 : 10;
    int first = (int)floorl(logl(axis->min) / logl(base) + 1e-9L);
    int last = (int)ceill(logl(axis->max) / logl(base) - 1e-9L);
    int step = (last - first) / MAX_TICKS + 1;

    for (int i = first; i <= last; i += step)
        json_array_append_new(ticks,
                              json_real((double)powl(base, (long double)i)));
}

/* 1, 2, 5 times a power of ten; bytes, powers of two. */
static long double step_of(enum bm_unit unit, long double max, int nr_ticks)
{
    long double least = max / nr_ticks;
    static const int steps[] = {1, 2, 5, 10};

    if (unit == BM_UNIT_BYTES)
        return fmaxl(1, powl(2, ceill(log2l(least))));
    long double power = powl(10, floorl(log10l(least)));
    for (int i = 0; i < 4; i++) {
        if (power * steps[i] >= least)
            return power * steps[i];
    }
    return power * 10;
}

static void add_linear_ticks(json_t *ticks, const struct bm_plot_axis *axis)
{
    long double step = step_of(axis->unit, axis->max, MAX_TICKS - 2);

    for (int i = 0; i <= MAX_TICKS && step * i < axis->max + step; i++)
        json_array_append_new(ticks, json_real((double)(step * i)));
}

json_t *bm_plot_change_ticks(enum bm_unit unit, long double most)
{
    long double step = step_of(unit, most, MAX_TICKS / 2 - 1);
    json_t *ticks = json_array();

    for (int i = -MAX_TICKS / 2; i <= MAX_TICKS / 2; i++)
        json_array_append_new(ticks, json_real((double)(step * i)));
    return ticks;
}

/* NULL where the drawing chooses better. */
static json_t *ticks_of(const struct bm_plot_axis *axis)
{
    if (!axis->own_ticks || !(axis->max > 0))
        return NULL;
    /* Less than a decade needs finer ticks than powers of ten. */
    if (axis->log && axis->unit != BM_UNIT_BYTES && axis->max < axis->min * 30)
        return NULL;
    json_t *ticks = json_array();
    if (axis->log && axis->zeros)
        json_array_append_new(ticks, json_real((double)axis->floor));
    if (axis->log)
        add_log_ticks(ticks, axis);
    else
        add_linear_ticks(ticks, axis);
    return ticks;
}

/* -- channels -------------------------------------------------------------- */

static json_t *scale_of(const struct bm_plot_axis *axis)
{
    json_t *scale = bm_plot_pack("{s:s, s:b}", "type",
                                 axis->log ? "log" : "linear", "nice", 1);

    if (axis->log && axis->zeros && axis->own_ticks) {
        double top = (double)fmaxl(axis->max, axis->floor * 2);
        json_object_set_new(scale, "domain",
                            bm_plot_pack("[f, f]", (double)axis->floor, top));
        json_object_set_new(scale, "nice", json_false());
    }
    if (is_symmetric(axis)) {
        json_object_set_new(scale, "type", json_string("symlog"));
        json_object_set_new(scale, "constant",
                            json_real((double)fmaxl(axis->min, 1)));
    } else if (axis->log && axis->unit == BM_UNIT_BYTES)
        json_object_set_new(scale, "base", json_integer(2));
    if (!axis->log)
        json_object_set_new(scale, "zero", json_boolean(axis->from_zero));
    return scale;
}

json_t *bm_plot_axis_channel(const struct bm_plot_axis *axis, const char *field)
{
    json_t *look = bm_plot_pack("{s:o, s:b}", "labelExpr",
                                label_expression(axis), "labelOverlap", 1);
    json_t *ticks = ticks_of(axis);

    if (ticks)
        json_object_set_new(look, "values", ticks);
    else
        json_object_set_new(look, "tickCount", json_integer(6));
    return bm_plot_pack("{s:s, s:s, s:o, s:o, s:o}", "field", field, "type",
                        "quantitative", "title", bm_plot_string(axis->title),
                        "scale", scale_of(axis), "axis", look);
}

/* The same steps up and down, few enough for the larger side. */
static void add_multiples(json_t *ticks, double least, double most)
{
    static const double multiples[] = {1.02, 1.05, 1.1, 1.25, 1.5, 2,
                                       3,    5,    10,  20,   50,  100,
                                       1e3,  1e4,  1e5, 1e6,  1e9};
    double farthest = fmax(most, 1 / least);
    size_t last = 0;

    while (last < sizeof(multiples) / sizeof(multiples[0]) &&
           multiples[last] <= farthest)
        last++;
    for (size_t i = last > 4 ? last - 4 : 0; i < last; i++) {
        if (multiples[i] <= most)
            json_array_append_new(ticks, json_real(multiples[i]));
        if (1 / multiples[i] >= least)
            json_array_append_new(ticks, json_real(1 / multiples[i]));
    }
}

json_t *bm_plot_ratio_channel(const char *field, json_t *title, double least,
                              double most)
{
    json_t *ticks = bm_plot_pack("[f]", 1.0);

    add_multiples(ticks, least, most);
    return bm_plot_pack(
        "{s:s, s:s, s:o, s:{s:s, s:[f, f], s:b, s:b}, s:{s:o, s:s, s:b}}",
        "field", field, "type", "quantitative", "title", title, "scale", "type",
        "log", "domain", least, most, "nice", 0, "clamp", 1, "axis", "values",
        ticks, "labelExpr",
        "datum.value == 1 ? 'same' : 'x' + format(datum.value, '.3~r')",
        "labelOverlap", 1);
}
