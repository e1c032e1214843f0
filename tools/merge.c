/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * benchmem-merge: the profiles of many processes as one.
 */
#include "base/command.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/output.h"
#include "tools/inputs.h"
#include "tools/merging.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct merge {
    struct bm_common common;
    struct bm_strvec args;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
    struct merge *merge = state->input;

    switch (key) {
    case ARGP_KEY_ARG:
        bm_strvec_push(&merge->args, arg);
        return 0;
    case ARGP_KEY_END:
        if (!merge->common.output)
            argp_error(state, "where to? -o FILE names the merged profile");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {{0}};

static const struct bm_example examples[] = {
    {"benchmem-merge -o job.bmem rank.*.bmem",
     "All ranks of a job, each started with BENCHMEM_OUTPUT=rank.%r.bmem"},
    {"benchmem-merge -o all.bmem",
     "The newest run below .benchmem: a process and all that it started"},
    {"benchmem-merge -o all.bmem profiles/ && benchmem-report all.bmem",
     "Every profile of a folder, then what they did together"},
    {NULL, NULL},
};

static const struct bm_command command = {
    .name = "benchmem-merge",
    .summary = "put the profiles of many processes into one",
    .arguments = "[PROFILE|FOLDER...]",
    .description =
        "Reads the profiles of several processes and writes one that holds "
        "them all. A folder stands for the profiles in it. Without arguments, "
        "the processes of the newest run below .benchmem are taken.\n\n"
        "What can be added up is added up: allocations, frees, bytes "
        "allocated, freed and live, for the whole, each site, call path and "
        "type. Peaks come at different moments in different processes, so "
        "their sum is no peak: it is an upper bound of what the processes "
        "held together, and is called that. Every process stays listed with "
        "the peak that it had, and what one site held has minimum, mean and "
        "maximum over the processes. A benchmark has the passes of all.\n\n"
        "Sites are one where file, line, column, function and callee are. "
        "Processes are listed by their MPI rank, or else by their start. A "
        "merged profile can be merged again, and is read by every command "
        "that reads profiles.",
    .options = options,
    .parse = parse,
    .shares = BM_SHARES_OUTPUT,
    .output = "Write the merged profile to FILE (- is standard output); this "
              "option has to be given",
    .examples = examples,
    .see_also = "benchmem-report(1), benchmem-run(1), benchmem-flamegraph(1)",
};

/* ---- which come together, and in which order ---- */

/* -1 where it is no number. */
static long rank_of(const struct bm_profile *p)
{
    char *end;

    if (!p->rank || !*p->rank)
        return -1;
    long rank = strtol(p->rank, &end, 10);
    return *end || rank < 0 ? -1 : rank;
}

static int compare_processes(const void *left, const void *right)
{
    const struct bm_input *a = left, *b = right;
    long rank_a = rank_of(a->profile), rank_b = rank_of(b->profile);

    if (rank_a != rank_b)
        return rank_a < rank_b ? -1 : 1;
    if (a->profile->start_ns != b->profile->start_ns)
        return a->profile->start_ns < b->profile->start_ns ? -1 : 1;
    return strcmp(a->path, b->path);
}

static bool is_same_process(const struct bm_profile *a,
                            const struct bm_profile *b)
{
    const char *host_a = a->host ? a->host : "";
    const char *host_b = b->host ? b->host : "";

    return a->pid == b->pid && a->start_ns == b->start_ns &&
           a->nr_processes == b->nr_processes && strcmp(host_a, host_b) == 0;
}

/* Twice the same process would count everything twice. */
static int check_inputs(const struct bm_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++) {
        const struct bm_input *input = &inputs->items[i];
        const char *why =
            bm_merging_refuses(input->profile, BM_MERGING_PROCESSES);

        if (why)
            return bm_error("cannot merge %s: %s", input->path, why);
        for (size_t j = 0; j < i; j++)
            if (is_same_process(inputs->items[j].profile, input->profile))
                return bm_error("cannot merge %s: it is the same process as %s",
                                input->path, inputs->items[j].path);
    }
    return 0;
}

static void find_inputs(struct bm_inputs *inputs, const struct bm_strvec *args)
{
    struct bm_inputs run = BM_INPUTS_INIT;
    struct bm_strvec paths = BM_STRVEC_INIT;

    if (args->count) {
        bm_inputs_find(inputs, args);
        return;
    }
    bm_inputs_find(&run, args);
    bm_strvec_push(&paths, run.items[0].path);
    for (size_t i = 0; i < run.items[0].others.count; i++)
        bm_strvec_push(&paths, run.items[0].others.items[i]);
    bm_inputs_find(inputs, &paths);
    bm_inputs_clear(&run);
    bm_strvec_clear(&paths);
}

/* ---- writing ---- */

static int write_merged(const struct bm_inputs *inputs, FILE *file)
{
    const struct bm_profile **profiles =
        bm_xcalloc(inputs->count, sizeof(*profiles));

    for (size_t i = 0; i < inputs->count; i++)
        profiles[i] = inputs->items[i].profile;
    int result =
        bm_merging_write(profiles, inputs->count, BM_MERGING_PROCESSES,
                         "benchmem-merge " BENCHMEM_VERSION, fileno(file));
    if (result)
        bm_error("cannot write the merged profile: %s", strerror(errno));
    free(profiles);
    return result;
}

static void tell(const struct merge *merge, const struct bm_inputs *inputs)
{
    uint64_t nr = 0;

    for (size_t i = 0; i < inputs->count; i++) {
        size_t within = inputs->items[i].profile->nr_processes;
        nr += within ? within : 1;
    }
    if (!merge->common.quiet && strcmp(merge->common.output, "-") != 0)
        printf("%s: %" PRIu64 " process%s\n", merge->common.output, nr,
               nr == 1 ? "" : "es");
}

int main(int argc, char **argv)
{
    struct merge merge = {.args = BM_STRVEC_INIT};
    struct bm_inputs inputs = BM_INPUTS_INIT;
    struct bm_output output;
    int failed = -1;

    bm_command_parse(&command, argc, argv, &merge.common, &merge);
    if (strcmp(merge.common.output, "-") == 0 && isatty(STDOUT_FILENO))
        bm_die("cannot write a profile to a terminal: -o FILE names a file");
    if (bm_output_open(&output, merge.common.output, merge.common.force))
        goto out;
    find_inputs(&inputs, &merge.args);
    /* A job that lacks a rank would look smaller than it is. */
    if (bm_inputs_read(&inputs) || check_inputs(&inputs)) {
        bm_output_abandon(&output);
        goto out;
    }
    qsort(inputs.items, inputs.count, sizeof(*inputs.items), compare_processes);
    if (write_merged(&inputs, output.file)) {
        bm_output_abandon(&output);
        goto out;
    }
    failed = bm_output_close(&output);
    if (!failed)
        tell(&merge, &inputs);
out:
    bm_inputs_clear(&inputs);
    bm_strvec_clear(&merge.args);
    return failed ? BM_EXIT_USAGE : BM_EXIT_OK;
}
