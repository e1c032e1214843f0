/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* benchmem-report on any profile: each format, by one property, is sound. */
#include "outputs.h"

#include "base/output.h"
#include "tools/report.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct bm_terminal terminal = {.color = false, .width = 100};

static void write_json(FILE *file, void *views)
{
    bm_report_json(views, file);
}

static void write_csv(FILE *file, void *views)
{
    bm_report_csv(views, file);
}

static void write_text(FILE *file, void *views)
{
    bm_report_text(views, file, &terminal);
}

static void check_format(struct bm_report *report, struct bm_views *views,
                         enum bm_format format)
{
    char *text;
    size_t size;

    report->common.format = format;
    switch (format) {
    case BM_FORMAT_JSON:
        text = written(write_json, views, &size);
        demand_json(text, size, "the report's JSON");
        break;
    case BM_FORMAT_CSV:
        text = written(write_csv, views, &size);
        demand_csv(text, size, "the report's CSV");
        break;
    default:
        text = written(write_text, views, &size);
        demand_plain(text, size, "the report's text");
        break;
    }
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned choice = choose(data, size, BM_BY_CHARGE * BM_NR_METRICS * 2);
    struct bm_report report = {
        .args = BM_STRVEC_INIT,
        .wrappers = BM_STRVEC_INIT,
        .by = (enum bm_by)(choice % BM_BY_CHARGE),
        .metric = (enum bm_metric)(choice / BM_BY_CHARGE % BM_NR_METRICS),
        .callers = choice / BM_BY_CHARGE / BM_NR_METRICS,
        .elided = true,
    };
    struct bm_input input = {.path = (char *)"fuzz.bmem",
                             .others = BM_STRVEC_INIT};
    struct bm_inputs inputs = {&input, 1, 1, false};
    struct bm_views views = {NULL, 0};

    input.profile = parse_input(data, size);
    if (!input.profile)
        return 0;
    bm_views_init(&views, &report, &inputs);
    for (int format = 0; format < BM_NR_FORMATS; format++)
        check_format(&report, &views, (enum bm_format)format);
    bm_views_clear(&views);
    bm_profile_free(input.profile);
    return 0;
}
