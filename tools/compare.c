/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * benchmem-compare: runs side by side, and limits that they are held to.
 */
#include "tools/compare.h"

#include "base/error.h"
#include "base/output.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The runs that were named, loaded. */
struct runs {
    struct bm_run **items;
    size_t count;
    bool no_base; /* the first is not there, which is allowed */
};

/*
 * Of two runs, what comparing lines needs is taken from a profile while it is
 * in memory, which then is freed before the next one is read.
 */
static int prepare(const struct bm_compare_options *options, struct bm_run *run)
{
    enum bm_measure measure = BM_MEASURE_PEAK;
    bool none, failed = false;

    for (size_t i = options->nr_columns; i-- > 0;) {
        if (!options->columns[i].is_extra &&
            bm_digest_has(options->columns[i].measure))
            measure = options->columns[i].measure;
    }
    if (options->args.count == 2 && options->format <= BM_COMPARE_MD &&
        options->format != BM_COMPARE_CSV)
        failed = !bm_run_digest(run, measure, &none) && !none;
    bm_run_release(run);
    return failed ? -1 : 0;
}

static int load_runs(const struct bm_compare_options *options,
                     struct runs *runs)
{
    runs->items = bm_xcalloc(options->args.count, sizeof(*runs->items));
    for (size_t i = 0; i < options->args.count; i++) {
        enum bm_run_fault fault;
        struct bm_run *run = bm_run_load(options->args.items[i], &fault);

        if (!run && !i && options->allow_missing &&
            fault == BM_RUN_FAULT_MISSING) {
            runs->no_base = true;
            return 0;
        }
        if (!run)
            return -1;
        if (prepare(options, run)) {
            bm_run_free(run);
            return -1;
        }
        if (i < options->labels.count)
            bm_run_set_label(run, options->labels.items[i]);
        runs->items[runs->count++] = run;
    }
    return 0;
}

static void free_runs(struct runs *runs)
{
    for (size_t i = 0; i < runs->count; i++)
        bm_run_free(runs->items[i]);
    free(runs->items);
}

/* What no benchmark has would put all of them into one table. */
static int check_groups(const struct bm_compare_options *options,
                        const struct runs *runs)
{
    struct bm_str own = BM_STR_INIT;

    for (size_t i = 0; i < options->nr_group_by; i++) {
        if (bm_dimension_is_known(&options->group_by[i], runs->items,
                                  runs->count))
            continue;
        bm_dimension_list(&own, runs->items, runs->count);
        bm_error("--group-by %s: no benchmark has it; there are fullname, "
                 "name, function, group, file, suite%s%s",
                 options->group_by[i].text, own.size ? ", " : "",
                 own.size ? own.data : "");
        bm_str_clear(&own);
        return -1;
    }
    return 0;
}

static int join(struct bm_compare *compare, const struct runs *runs)
{
    const char *pivot = compare->options->pivot;
    struct bm_dimension dimension;

    if (!pivot) {
        bm_join_runs(&compare->joined, runs->items, runs->count);
        return 0;
    }
    if (!bm_dimension_parse(pivot, &dimension) ||
        dimension.kind == BM_DIMENSION_FULLNAME ||
        dimension.kind == BM_DIMENSION_NAME)
        return bm_error("--pivot '%s': it is param:NAME, extra:NAME, function, "
                        "file, group or suite",
                        pivot);
    if (bm_join_pivot(&compare->joined, runs->items[0], &dimension))
        return -1;
    if (compare->options->diff && compare->joined.nr_series < 2)
        return bm_error("--diff needs two values of %s; there is only %s",
                        pivot, compare->joined.labels[0]);
    return 0;
}

/* -- output ---------------------------------------------------------------- */

static int write_page(struct bm_compare *compare, FILE *file)
{
    const struct bm_compare_options *options = compare->options;
    struct bm_page page = {
        .file = file,
        .markdown = options->format == BM_COMPARE_MD,
        .terminal = bm_terminal_of(fileno(file), options->common.color),
    };

    if (page.markdown)
        page.terminal.color = false;
    if (options->diff)
        bm_compare_diff(compare, &page);
    else
        bm_compare_tables(compare, &page);
    bm_compare_news(compare, &page);
    int failed = bm_compare_sites(compare, &page);
    bm_compare_gates(compare, &page);
    return failed;
}

static int write_result(struct bm_compare *compare, FILE *file)
{
    switch (compare->options->format) {
    case BM_COMPARE_JSON:
        return bm_compare_json(compare, file);
    case BM_COMPARE_CSV:
        bm_compare_csv(compare, file);
        return 0;
    case BM_COMPARE_ACTION:
    case BM_COMPARE_BENCHER:
    case BM_COMPARE_GOBENCH:
        bm_compare_series(compare, file);
        return 0;
    default:
        return write_page(compare, file);
    }
}

/* Formats for programs have no place for what people want to read. */
static void tell_gates(struct bm_compare *compare)
{
    struct bm_page page = {.file = stderr};

    if (compare->options->format != BM_COMPARE_TABLE &&
        compare->options->format != BM_COMPARE_MD &&
        (compare->gates.nr_failed || !compare->options->common.quiet))
        bm_compare_gates(compare, &page);
}

/* Files that were asked for beside the result. All are opened before work. */
struct side_file {
    const char *path;
    bool open;
    struct bm_output out;
};
enum { CSV, JUNIT, SARIF, NR_FILES };

static int open_files(const struct bm_compare_options *options,
                      struct side_file *files)
{
    const char *const paths[NR_FILES] = {[CSV] = options->csv,
                                         [JUNIT] = options->junit,
                                         [SARIF] = options->sarif};

    for (int i = 0; i < NR_FILES; i++) {
        files[i].path = paths[i];
        if (!paths[i])
            continue;
        if (bm_output_open(&files[i].out, paths[i], options->common.force))
            return -1;
        files[i].open = true;
    }
    return 0;
}

static int write_files(struct bm_compare *compare, struct side_file *files)
{
    int failed = 0;

    if (files[CSV].open)
        bm_compare_csv(compare, files[CSV].out.file);
    if (files[JUNIT].open)
        bm_compare_junit(compare, files[JUNIT].out.file);
    if (files[SARIF].open)
        bm_compare_sarif(compare, files[SARIF].out.file);
    for (int i = 0; i < NR_FILES; i++) {
        if (files[i].open)
            failed |= bm_output_close(&files[i].out);
        files[i].open = false;
    }
    return failed;
}

/* The server reads both streams; a result for programs keeps its own. */
static bool is_for_people(const struct bm_compare_options *options)
{
    return options->format == BM_COMPARE_TABLE ||
           options->format == BM_COMPARE_MD || options->common.output;
}

static int write_github(struct bm_compare *compare)
{
    const struct bm_compare_options *options = compare->options;
    const char *summary = options->step_summary;

    if (options->github) {
        bm_compare_annotations(compare,
                               is_for_people(options) ? stdout : stderr);
        if (!summary)
            summary = getenv("GITHUB_STEP_SUMMARY");
    }
    return summary && *summary ? bm_compare_summary(compare, summary) : 0;
}

/* -- budget ---------------------------------------------------------------- */

static int update_budget(struct bm_compare *compare,
                         struct bm_compare_options *options)
{
    static const enum bm_measure usual[] = {BM_MEASURE_PEAK,
                                            BM_MEASURE_ALLOCATIONS};
    enum bm_measure asked[BM_NR_MEASURES];
    struct bm_str what = BM_STR_INIT;
    size_t nr = 0;

    for (size_t i = 0; i < options->nr_columns && nr < BM_NR_MEASURES; i++) {
        if (!options->columns[i].is_extra)
            asked[nr++] = options->columns[i].measure;
    }
    int failed = bm_budget_update(&options->budget, &options->gates,
                                  &compare->joined, nr ? asked : usual,
                                  nr ? nr : 2, options->headroom, &what);
    if (!failed && !options->common.quiet)
        printf("%s\n", what.data);
    bm_str_clear(&what);
    return failed;
}

/* -- the whole ------------------------------------------------------------- */

/* No benchmark in common is never what was meant. */
static int check_common(const struct bm_compare *compare)
{
    const struct bm_joined *joined = &compare->joined;

    if (joined->nr_series < 2 || joined->nr_common)
        return 0;
    return bm_error("no common benchmark: %s and %s have none together",
                    joined->labels[0], joined->labels[joined->nr_series - 1]);
}

static int compare_all(struct bm_compare *compare,
                       struct bm_compare_options *options, FILE *file,
                       struct side_file *files)
{
    int failed = check_common(compare);

    if (!failed && compare->has_gates) {
        failed =
            bm_gates_hold(&options->gates, &compare->joined, &compare->gates);
        compare->gates_held = !failed;
    }
    failed |= write_result(compare, file);
    tell_gates(compare);
    failed |= write_files(compare, files);
    failed |= write_github(compare);
    return failed;
}

static int run(struct bm_compare_options *options, const struct runs *runs,
               FILE *file, struct side_file *files, bool *gate_failed)
{
    struct bm_compare compare = {
        .options = options,
        .has_gates = options->gates.count > 0,
    };
    int failed = check_groups(options, runs);

    if (!failed)
        failed = join(&compare, runs);
    if (!failed)
        failed = bm_compare_view(&compare);
    if (!failed && options->update_budget)
        failed = update_budget(&compare, options);
    else if (!failed)
        failed = compare_all(&compare, options, file, files);
    *gate_failed = compare.gates.nr_failed > 0;
    bm_compare_clear(&compare);
    return failed;
}

int main(int argc, char **argv)
{
    struct bm_compare_options options;
    struct side_file files[NR_FILES] = {{.open = false}};
    struct bm_output output;
    struct runs runs = {NULL, 0, false};
    bool gate_failed = false;

    bm_compare_parse(&options, argc, argv);
    if (bm_output_open(&output, options.common.output, options.common.force))
        return BM_EXIT_USAGE;
    int failed = open_files(&options, files);
    if (!failed && options.budget.path)
        failed = bm_budget_read(&options.budget, &options.gates,
                                options.update_budget);
    if (!failed)
        failed = load_runs(&options, &runs);
    if (!failed && runs.no_base)
        fprintf(output.file, "no base yet: nothing was compared\n");
    else if (!failed)
        failed = run(&options, &runs, output.file, files, &gate_failed);

    /* What was found is worth reading also where limits cannot be told. */
    if (runs.count || runs.no_base)
        failed |= bm_output_close(&output);
    else
        bm_output_abandon(&output);
    for (int i = 0; i < NR_FILES; i++) {
        if (files[i].open)
            bm_output_abandon(&files[i].out);
    }
    free_runs(&runs);
    bm_compare_options_clear(&options);
    return failed ? BM_EXIT_USAGE : gate_failed ? BM_EXIT_GATE : BM_EXIT_OK;
}
