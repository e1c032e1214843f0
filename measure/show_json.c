/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "measure/show.h"

#include "results/growth.h"
#include "results/make.h"

#include <inttypes.h>
#include <stdio.h>

#define MOST_SITES SIZE_MAX

static void put_law(struct bm_json *json, const struct bm_growth *growth,
                    const char *metric)
{
    bm_json_begin_object(json);
    bm_json_put_string(json, "family", growth->family);
    bm_json_put_string(json, "param", growth->param);
    bm_json_put_string(json, "site", growth->site);
    bm_json_put_string(json, "metric", metric);
    bm_json_key(json, "exponent");
    bm_json_double(json, growth->law.exponent); /* null: none is known */
    bm_json_key(json, "error");
    bm_json_double(json, growth->law.error);
    bm_json_put_uint(json, "values", growth->nr_values);
    bm_json_put_uint(json, "zeros", growth->law.nr_zeros);
    bm_json_end_object(json);
}

static void put_growth(struct bm_json *json, struct bm_session *session)
{
    static const struct {
        enum bm_mode mode;
        enum bm_measure measure;
        size_t most_sites;
    } metrics[] = {
        {BM_MODE_MEMORY, BM_MEASURE_PEAK, MOST_SITES},
        {BM_MODE_TIME, BM_MEASURE_TIME, 0},
    };

    bm_json_key(json, "growth");
    bm_json_begin_array(json);
    for (size_t m = 0; m < sizeof(metrics) / sizeof(*metrics); m++) {
        const char *name = bm_measure_info(metrics[m].measure)->name;
        struct bm_growths growths;

        if (!BM_HAS_MODE(session->m, metrics[m].mode))
            continue;
        bm_growths_of(&growths, session->run, metrics[m].measure,
                      metrics[m].most_sites);
        for (size_t i = 0; i < growths.count; i++)
            put_law(json, &growths.items[i], name);
        bm_growths_clear(&growths);
    }
    bm_json_end_array(json);
}

static void put_values(struct bm_json *json, const char *key,
                       const struct bm_series *series)
{
    bm_json_key(json, key);
    bm_json_begin_array(json);
    for (size_t i = 0; i < series->nr_values; i++)
        bm_json_uint(json, series->values[i]);
    bm_json_end_array(json);
}

static void put_varying(struct bm_json *json, const struct bm_session *session)
{
    bm_json_key(json, "varying_sites");
    bm_json_begin_array(json);
    for (size_t i = 0; i < session->nr_differences; i++) {
        const struct bm_difference *difference = &session->differences[i];
        char id[17];

        snprintf(id, sizeof(id), "%016" PRIx64, difference->id);
        bm_json_begin_object(json);
        bm_json_put_string(json, "benchmark", difference->benchmark);
        bm_json_put_string(json, "site", difference->site);
        bm_json_put_string(json, "id", id);
        put_values(json, "allocations", &difference->allocations);
        put_values(json, "allocated_bytes", &difference->bytes);
        put_values(json, "at_peak_bytes", &difference->peak);
        bm_json_end_object(json);
    }
    bm_json_end_array(json);
}

static void put_more(struct bm_json *json, void *context)
{
    struct bm_session *session = context;

    put_growth(json, session);
    put_varying(json, session);
}

void bm_show_json(struct bm_session *session, FILE *file)
{
    bm_run_write_json_with(session->run, file, put_more, session);
}
