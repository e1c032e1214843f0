/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/inputs.h"

#include "base/error.h"
#include "base/locate.h"
#include "base/memory.h"
#include "base/str.h"
#include "results/runs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct bm_input *add(struct bm_inputs *inputs, const char *path)
{
    inputs->items = bm_xgrow(inputs->items, inputs->count, &inputs->room,
                             sizeof(*inputs->items));
    struct bm_input *input = &inputs->items[inputs->count++];
    *input = (struct bm_input){
        .path = bm_xstrdup(path),
        .others = BM_STRVEC_INIT,
    };
    return input;
}

static void list_folder(const char *folder, struct bm_strvec *paths)
{
    if (bm_locate_profiles(folder, paths))
        bm_die("cannot read %s: %s", folder, strerror(errno));
    if (!paths->count)
        bm_die("no profile in %s: run a program that benchmem-cc built, or "
               "name a .bmem file",
               folder);
}

static void add_folder(struct bm_inputs *inputs, const char *folder)
{
    struct bm_strvec paths = BM_STRVEC_INIT;

    list_folder(folder, &paths);
    for (size_t i = 0; i < paths.count; i++)
        add(inputs, paths.items[i]);
    bm_strvec_clear(&paths);
    inputs->folder = true;
}

/* The first process of the newest run; the run's others are named. */
static void add_newest(struct bm_inputs *inputs)
{
    char *folder = bm_locate_folder();
    struct bm_strvec paths = BM_STRVEC_INIT;
    struct bm_str why = BM_STR_INIT;
    struct bm_runs runs;

    if (!folder)
        bm_die("no profile named, and no " BM_FOLDER_NAME
               " here or above: run a program that benchmem-cc built, or name "
               "a .bmem file");
    list_folder(folder, &paths);
    bm_runs_init(&runs, &paths);
    if (!runs.nr_processes)
        bm_die("no profile in %s can be read", folder);

    struct bm_input *input = add(inputs, runs.processes[runs.newest].path);
    if (runs.nr_runs > 1)
        bm_str_printf(&why, "newest of %zu in %s/", runs.nr_runs, folder);
    else
        bm_str_printf(&why, "the only run in %s/", folder);
    input->why = bm_str_detach(&why);
    for (size_t i = 0; i < runs.nr_processes; i++) {
        if (i != runs.newest && runs.processes[i].first == runs.newest)
            bm_strvec_push(&input->others, runs.processes[i].path);
    }
    bm_runs_clear(&runs);
    bm_strvec_clear(&paths);
    free(folder);
}

void bm_inputs_find(struct bm_inputs *inputs, const struct bm_strvec *args)
{
    struct stat st;

    if (!args->count) {
        add_newest(inputs);
        return;
    }
    for (size_t i = 0; i < args->count; i++) {
        const char *path = args->items[i];

        if (stat(path, &st))
            bm_die("cannot read %s: %s", path, strerror(errno));
        if (S_ISDIR(st.st_mode))
            add_folder(inputs, path);
        else
            add(inputs, path);
    }
}

int bm_input_read(struct bm_input *input)
{
    struct bm_profile_error error = {0, NULL};

    if (access(input->path, R_OK))
        return bm_error("cannot read %s: %s", input->path, strerror(errno));
    input->profile = bm_profile_read(input->path, &error);
    if (!input->profile)
        return bm_error("cannot read %s: byte %" PRIu64 ": %s", input->path,
                        error.offset, error.why ? error.why : "unknown fault");
    input->symbols = bm_symbols_resolve(input->profile);
    return 0;
}

void bm_input_clear(struct bm_input *input)
{
    free(input->path);
    free(input->why);
    bm_strvec_clear(&input->others);
    bm_profile_free(input->profile);
    bm_symbols_free(input->symbols);
}

int bm_inputs_read(struct bm_inputs *inputs)
{
    int result = 0;
    size_t kept = 0;

    for (size_t i = 0; i < inputs->count; i++) {
        struct bm_input input = inputs->items[i];

        if (bm_input_read(&input)) {
            result = -1;
            bm_input_clear(&input);
            continue;
        }
        inputs->items[kept++] = input;
    }
    inputs->count = kept;
    return result;
}

void bm_inputs_clear(struct bm_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        bm_input_clear(&inputs->items[i]);
    free(inputs->items);
    *inputs = (struct bm_inputs)BM_INPUTS_INIT;
}
