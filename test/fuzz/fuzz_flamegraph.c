/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* benchmem-flamegraph on any profile: page, picture and tables are sound. */
#include "outputs.h"

#include "tools/flamegraph.h"
#include "tools/page.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct bm_terminal terminal = {.color = false, .width = 100};

static void write_data(FILE *file, void *flame)
{
    FILE *json = bm_page_open_json(file);

    bm_flame_write_data(flame, json);
    fclose(json);
}

static void write_svg(FILE *file, void *flame)
{
    bm_flame_write_svg(flame, file);
}

static void write_tree(FILE *file, void *flame)
{
    bm_flame_write_tree(flame, file, &terminal);
}

static void write_table(FILE *file, void *flame)
{
    bm_flame_write_table(flame, file, &terminal);
}

static void write_summary(FILE *file, void *flame)
{
    bm_flame_write_summary(flame, file, &terminal);
}

static void write_stats(FILE *file, void *flame)
{
    bm_flame_write_stats(flame, file, &terminal);
}

static void check_page(struct bm_flame *flame)
{
    size_t size;
    char *text = written(write_data, flame, &size);

    demand(!memchr(text, '<', size), "no < in the page's data");
    demand_json(text, size, "the page's data");
    free(text);
}

static void check_reports(struct bm_flame *flame,
                          struct bm_flame_options *options)
{
    static void (*const writers[])(FILE *, void *) = {
        write_table, write_tree, write_summary, write_stats};
    size_t size;
    char *text = written(write_svg, flame, &size);

    demand_svg(text, size);
    free(text);
    for (size_t i = 0; i < sizeof(writers) / sizeof(*writers); i++)
        for (int format = 0; format < BM_NR_FORMATS; format++) {
            options->report = (enum bm_flame_report)(BM_FLAME_TABLE + i);
            options->common.format = (enum bm_format)format;
            text = written(writers[i], flame, &size);
            if (format == BM_FORMAT_JSON)
                demand_json(text, size, "a flame report's JSON");
            else
                demand_plain(text, size, "a flame report's text");
            free(text);
        }
}

/* The tree that a page or a report has: they differ in what is kept. */
static void check(const struct bm_profile *profile,
                  struct bm_flame_options *options, unsigned choice)
{
    bool page = choice % 2;
    struct bm_flame flame = {
        .options = options,
        .profile = profile,
        .metric = (enum bm_metric)(choice / 2 % BM_NR_METRICS),
    };

    if (profile->nr_benchmarks && choice / 2 / BM_NR_METRICS % 2)
        flame.benchmark = &profile->benchmarks[choice % profile->nr_benchmarks];
    bm_call_tree_init(&flame.tree, profile, flame.benchmark,
                      (struct bm_call_options){
                          .own = page,
                          .native = choice / 2 / BM_NR_METRICS / 2 % 2,
                          .fold = options->fold && !page,
                      });
    if (page && choice / 2 / BM_NR_METRICS / 4)
        bm_flame_compare(&flame, profile, NULL);
    if (page)
        check_page(&flame);
    else
        check_reports(&flame, options);
    bm_flame_base_clear(flame.base);
    bm_call_tree_clear(&flame.tree);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned choice = choose(data, size, 2 * BM_NR_METRICS * 8);
    struct bm_flame_options options = {
        .args = BM_STRVEC_INIT,
        .no_source = true,
        .fold = choice % 3 == 0,
        .threshold = -1,
        .depth = UINT64_MAX,
        .top = UINT64_MAX,
    };
    struct bm_profile *profile = parse_input(data, size);

    if (!profile)
        return 0;
    check(profile, &options, choice);
    bm_profile_free(profile);
    return 0;
}
