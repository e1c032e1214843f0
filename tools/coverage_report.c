/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * benchmem-report --coverage as a whole: finds the binaries of the profiles,
 * marks what was reached, writes the outputs and holds the gates.
 */
#include "base/error.h"
#include "tools/coverage.h"

#include <stdlib.h>
#include <string.h>

#define EMPTY_COVERAGE                                                         \
    {                                                                          \
        .binaries = BM_STRVEC_INIT                                             \
    }

/* -- binaries -------------------------------------------------------------- */

/* Files that --binary names, with their build ids ("" for none). */
struct named {
    const struct bm_strvec *paths;
    struct bm_strvec build_ids;
};

/* What was looked at: the same file of the same build once only. */
struct seen {
    struct bm_strvec keys;
};

static bool look_again(struct seen *seen, const char *path,
                       const char *build_id)
{
    struct bm_str key = BM_STR_INIT;
    bool found = false;

    bm_str_printf(&key, "%s\n%s", path, build_id ? build_id : "");
    for (size_t i = 0; i < seen->keys.count && !found; i++)
        found = !strcmp(seen->keys.items[i], key.data);
    if (!found)
        bm_strvec_push(&seen->keys, key.data);
    bm_str_clear(&key);
    return found;
}

static bool is_named(const struct named *named, const char *build_id)
{
    for (size_t i = 0; build_id && i < named->build_ids.count; i++)
        if (!strcmp(named->build_ids.items[i], build_id))
            return true;
    return false;
}

static int read_named(struct bm_coverage *coverage, struct named *named)
{
    int result = 0;

    for (size_t i = 0; i < named->paths->count; i++) {
        struct bm_coverage_binary binary = {.path = named->paths->items[i]};
        char *build_id = bm_coverage_build_id(binary.path);

        bm_strvec_push(&named->build_ids, build_id ? build_id : "");
        free(build_id);
        result |= bm_coverage_read_binary(coverage, &binary);
    }
    return result;
}

static int read_module(struct bm_coverage *coverage,
                       const struct bm_profile *profile,
                       const struct bm_coverage_binary *binary,
                       struct seen *seen)
{
    struct bm_coverage_binary whole = *binary;
    struct bm_str path = BM_STR_INIT;
    int result = 0;

    if (binary->path[0] != '/')
        bm_str_printf(&path, "%s/", profile->cwd);
    bm_str_puts(&path, binary->path);
    whole.path = path.data;
    if (!look_again(seen, whole.path, whole.build_id))
        result = bm_coverage_read_binary(coverage, &whole);
    bm_str_clear(&path);
    return result;
}

/*
 * A module has a record once one of its calls allocated. The executable is
 * there always: without a record its time of change says if it is the one.
 */
static int read_modules(struct bm_coverage *coverage,
                        const struct bm_profile *profile,
                        const struct named *named, struct seen *seen)
{
    bool program = false;
    int result = 0;

    for (size_t i = 0; i < profile->nr_modules; i++) {
        const struct bm_module *module = &profile->modules[i];
        struct bm_coverage_binary binary = {
            .path = module->path,
            .build_id = module->build_id,
            .checked = true,
            .start_ns = profile->start_ns,
        };

        if (!module->instrumented)
            continue;
        program |= !strcmp(module->path, profile->program);
        if (!is_named(named, module->build_id))
            result |= read_module(coverage, profile, &binary, seen);
    }
    struct bm_coverage_binary binary = {
        .path = profile->program,
        .checked = true,
        .start_ns = profile->start_ns,
        .optional = true,
    };
    if (!program && !named->paths->count)
        result |= read_module(coverage, profile, &binary, seen);
    return result;
}

static int read_binaries(struct bm_coverage *coverage,
                         const struct bm_report *report,
                         const struct bm_inputs *inputs)
{
    struct named named = {&report->coverage.binaries, BM_STRVEC_INIT};
    struct seen seen = {BM_STRVEC_INIT};
    int result = read_named(coverage, &named);

    for (size_t i = 0; i < inputs->count; i++)
        result |=
            read_modules(coverage, inputs->items[i].profile, &named, &seen);
    bm_strvec_clear(&named.build_ids);
    bm_strvec_clear(&seen.keys);
    if (!result && !coverage->binaries.count)
        result = bm_error("cannot tell the coverage of %s: nothing in the "
                          "program was compiled by benchmem-cc; build it with "
                          "benchmem-cc",
                          inputs->items[0].profile->program);
    return result;
}

/* -- profiles -------------------------------------------------------------- */

static bool measured_memory(const struct bm_benchmark_info *benchmark)
{
    if (benchmark->nr_more_passes &&
        benchmark->more_measured == BM_MEASURED_MEMORY)
        return true;
    for (size_t i = 0; i < benchmark->nr_passes; i++)
        if (benchmark->passes[i].measured == BM_MEASURED_MEMORY)
            return true;
    return false;
}

/* The benchmarks that count. -1 if there are some, but without memory. */
static int count_benchmarks(struct bm_coverage *coverage,
                            const struct bm_inputs *inputs)
{
    size_t without = 0;

    for (size_t i = 0; i < inputs->count; i++) {
        const struct bm_profile *profile = inputs->items[i].profile;

        for (size_t b = 0; b < profile->nr_benchmarks; b++) {
            bool memory = measured_memory(&profile->benchmarks[b]);
            coverage->nr_benchmarks += memory;
            without += !memory;
        }
    }
    if (without && !coverage->nr_benchmarks)
        return bm_error("cannot tell the coverage of %s: its benchmarks "
                        "measured no memory; run it without measure=time or "
                        "measure=rss",
                        inputs->items[0].path);
    return 0;
}

/* The one benchmark of --benchmark, by the rules of the other reports. */
static void mark_chosen(struct bm_coverage *coverage,
                        const struct bm_report *report,
                        const struct bm_inputs *inputs)
{
    struct bm_views views;

    bm_views_init(&views, report, inputs);
    coverage->nr_benchmarks = views.count;
    for (size_t i = 0; i < views.count; i++)
        bm_coverage_mark(coverage, views.items[i].profile,
                         views.items[i].benchmark);
    bm_views_clear(&views);
}

static void warn_of_gaps(const struct bm_input *input)
{
    if (input->profile->flags & (BM_STATE_STOPPED | BM_STATE_FILE_FULL))
        bm_warn("%s: recording ended early or ran out of room: more may have "
                "been reached than it tells",
                input->path);
}

static int gather(struct bm_coverage *coverage, const struct bm_report *report,
                  const struct bm_inputs *inputs)
{
    if (count_benchmarks(coverage, inputs) ||
        read_binaries(coverage, report, inputs))
        return -1;
    for (size_t i = 0; i < inputs->count; i++) {
        warn_of_gaps(&inputs->items[i]);
        if (!report->benchmark)
            bm_coverage_mark(coverage, inputs->items[i].profile, NULL);
    }
    if (report->benchmark)
        mark_chosen(coverage, report, inputs);
    bm_coverage_sort(coverage);
    return 0;
}

/* -- the base -------------------------------------------------------------- */

static bool is_json(const char *path)
{
    FILE *file = fopen(path, "re");
    int c = file ? getc(file) : EOF;

    while (c == ' ' || c == '\n' || c == '\t' || c == '\r')
        c = getc(file);
    if (file)
        fclose(file);
    return c == '{';
}

/* A report of --format json, or a profile whose binary is still there. */
static int read_base(struct bm_coverage *base, const struct bm_report *report)
{
    struct bm_inputs inputs = BM_INPUTS_INIT;
    struct bm_strvec args = BM_STRVEC_INIT;
    struct bm_report plain = *report;
    int result;

    if (is_json(report->coverage.base))
        return bm_coverage_read_json(base, report->coverage.base);
    plain.coverage.binaries = (struct bm_strvec)BM_STRVEC_INIT;
    bm_strvec_push(&args, report->coverage.base);
    bm_inputs_find(&inputs, &args);
    result = bm_inputs_read(&inputs);
    if (!result)
        result = gather(base, &plain, &inputs);
    bm_inputs_clear(&inputs);
    bm_strvec_clear(&args);
    return result;
}

/* -- all of it ------------------------------------------------------------- */

static int write_lcov(const struct bm_coverage *coverage,
                      struct bm_output *output)
{
    bm_coverage_lcov(coverage, output->file);
    return bm_output_close(output);
}

static int write_outputs(const struct bm_coverage *coverage,
                         const struct bm_report *report,
                         const struct bm_inputs *inputs,
                         struct bm_output *output, struct bm_output *lcov)
{
    int result = 0;

    switch (report->common.format) {
    case BM_FORMAT_JSON:
        bm_coverage_json(coverage, inputs, output->file);
        break;
    case BM_FORMAT_CSV:
        bm_coverage_csv(coverage, output->file);
        break;
    default:
        bm_coverage_text(coverage, report, inputs, output->file);
        break;
    }
    result = bm_output_close(output);
    if (report->coverage.lcov)
        result |= write_lcov(coverage, lcov);
    return result;
}

static int hold(const struct bm_coverage *coverage,
                const struct bm_coverage *base, const struct bm_report *report)
{
    int held = 0;

    if (report->coverage.share_given)
        held = bm_coverage_hold_share(coverage, report);
    if (report->coverage.base)
        held |= bm_coverage_hold_new(coverage, base, report);
    return held ? BM_EXIT_GATE : BM_EXIT_OK;
}

int bm_report_coverage(const struct bm_report *report, struct bm_inputs *inputs,
                       struct bm_output *output, bool inputs_failed)
{
    struct bm_coverage coverage = EMPTY_COVERAGE, base = EMPTY_COVERAGE;
    struct bm_coverage absent = EMPTY_COVERAGE;
    struct bm_output lcov;
    bool has_lcov = false;
    int result = BM_EXIT_USAGE;

    if (inputs_failed)
        goto out;
    if (report->coverage.lcov &&
        bm_output_open(&lcov, report->coverage.lcov, report->common.force))
        goto out;
    has_lcov = report->coverage.lcov;
    if (gather(&coverage, report, inputs) ||
        (report->coverage.base && read_base(&base, report)))
        goto out;
    if (report->coverage.inventory) {
        if (bm_coverage_read_inventory(&absent, &coverage, inputs,
                                       report->coverage.inventory))
            goto out;
        coverage.absent = &absent;
    }
    has_lcov = false;
    if (write_outputs(&coverage, report, inputs, output, &lcov) == 0)
        result = hold(&coverage, &base, report);
    output = NULL;

out:
    if (has_lcov)
        bm_output_abandon(&lcov);
    if (output)
        bm_output_abandon(output);
    bm_coverage_clear(&coverage);
    bm_coverage_clear(&base);
    bm_coverage_clear(&absent);
    return result;
}
