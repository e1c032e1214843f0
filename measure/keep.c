/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* --profile: a file for each benchmark, or for those beyond a limit. */
#include "measure/judge.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/output.h"
#include "measure/outputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The profile with one of its benchmarks alone; the process stays whole. */
static int write_single(const struct bm_profile *whole, size_t number,
                        const char *path, bool force)
{
    struct bm_profile single = *whole;
    struct bm_output out;
    int result = 0;

    single.benchmarks = &whole->benchmarks[number];
    single.nr_benchmarks = 1;
    single.nodes = bm_xcalloc(whole->nr_nodes + 1, sizeof(*single.nodes));
    single.nr_nodes = 0;
    for (size_t i = 0; i < whole->nr_nodes; i++) {
        const struct bm_node_info *node = &whole->nodes[i];

        if (node->benchmark && node->benchmark != number + 1)
            continue;
        single.nodes[single.nr_nodes] = *node;
        single.nodes[single.nr_nodes++].benchmark = node->benchmark ? 1 : 0;
    }
    if (bm_output_open(&out, path, force)) {
        result = -1;
    } else if (bm_profile_write(&single, fileno(out.file))) {
        result = bm_error("cannot write %s: %s", path, strerror(errno));
        bm_output_abandon(&out);
    } else {
        result = bm_output_close(&out);
    }
    free(single.nodes);
    return result;
}

/* A word for a shell. */
static void print_quoted(FILE *file, const char *word)
{
    fputc('\'', file);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\'", file);
        fputc(*word, file);
    }
    fputc('\'', file);
}

static bool is_kept(const struct bm_session *session,
                    const struct bm_verdicts *verdicts, const char *id)
{
    bool measured = false;

    for (size_t i = 0; i < session->run->nr_benchmarks; i++)
        measured |= strcmp(session->run->benchmarks[i].id, id) == 0;
    if (!measured || !verdicts->has_regressions)
        return measured;
    for (size_t i = 0; i < verdicts->regressed.count; i++)
        if (strcmp(verdicts->regressed.items[i], id) == 0)
            return true;
    return false;
}

int bm_judge_keep_profiles(struct bm_session *session,
                           const struct bm_verdicts *verdicts, FILE *file)
{
    const struct bm_profile *whole = session->memory;
    struct bm_strvec kept = BM_STRVEC_INIT;
    int result = 0;

    for (size_t i = 0; whole && i < whole->nr_benchmarks && !result; i++) {
        struct bm_str path = BM_STR_INIT;
        char *name;

        if (!is_kept(session, verdicts, whole->benchmarks[i].id))
            continue;
        name = bm_name_of_id(whole->benchmarks[i].id);
        bm_str_printf(&path, "%s/%s.bmem", session->m->profile_folder, name);
        result = write_single(whole, i, path.data, session->m->force);
        bm_strvec_push(&kept, path.data);
        free(name);
        bm_str_clear(&path);
    }
    if (!result && !session->m->common.quiet) {
        fprintf(file, "\n%zu profile%s in %s%s\n", kept.count,
                kept.count == 1 ? "" : "s", session->m->profile_folder,
                kept.count ? "; look at one with" : "");
        for (size_t i = 0; i < kept.count; i++) {
            fputs("    benchmem-flamegraph ", file);
            print_quoted(file, kept.items[i]);
            fputc('\n', file);
        }
    }
    bm_strvec_clear(&kept);
    return result;
}
