/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Memory: recorded runs, whose profiles become one with every pass of every
 * repetition. Where the program has the harness's main, that repeats within
 * one run; else a repetition is a run.
 */
#include "measure/session.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/output.h"
#include "measure/outputs.h"
#include "measure/repeatable.h"
#include "results/make.h"
#include "symbols/symbols.h"
#include "tools/merging.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The profiles that one is made of, and what names their foreign frames. */
struct parts {
    struct bm_profile **profiles;
    struct bm_symbols **symbols;
    size_t count;
    size_t room, symbols_room;
    size_t nr_runs; /* first processes among them */
};

static void add_part(struct parts *parts, struct bm_profile *profile)
{
    parts->profiles = bm_xgrow(parts->profiles, parts->count, &parts->room,
                               sizeof(struct bm_profile *));
    parts->symbols =
        bm_xgrow(parts->symbols, parts->count, &parts->symbols_room,
                 sizeof(struct bm_symbols *));
    parts->symbols[parts->count] = bm_symbols_resolve(profile);
    parts->profiles[parts->count++] = profile;
}

static void parts_clear(struct parts *parts)
{
    for (size_t i = 0; i < parts->count; i++) {
        bm_profile_free(parts->profiles[i]);
        bm_symbols_free(parts->symbols[i]);
    }
    free(parts->profiles);
    free(parts->symbols);
}

/* ---- a run ---- */

static void add_entries(struct bm_session *session,
                        const struct bm_launch *launch,
                        const struct bm_profile *profile, unsigned run)
{
    const struct bm_benchmark_info *infos = profile->benchmarks;

    for (size_t i = 0; i < profile->nr_benchmarks; i++)
        for (size_t p = 0; p < infos[i].nr_passes; p++) {
            struct bm_measurement *entry;
            bool repeats = session->target.has_main;

            if (infos[i].passes[p].open ||
                infos[i].passes[p].measured != BM_MEASURED_MEMORY)
                continue;
            entry = bm_session_add(session, infos[i].id, BM_MODE_MEMORY, launch,
                                   repeats ? (unsigned)p + 1 : run);
            entry->pid = profile->pid;
            entry->high_water_bytes = infos[i].passes[p].peak_bytes;
            entry->group = bm_xstrdup(infos[i].declared.group);
            entry->suite = bm_xstrdup(infos[i].declared.suite);
        }
}

static void add_process(struct bm_session *session,
                        const struct bm_launch *launch,
                        const struct bm_profile *profile, unsigned run)
{
    const char *program = session->target.argv[0];
    const char *slash = strrchr(program, '/');
    struct bm_measurement *entry = bm_session_add(
        session, slash ? slash + 1 : program, BM_MODE_MEMORY, launch, run);

    entry->high_water_bytes = profile->totals.peak_bytes;
}

/* What a child process wrote stays beside the profile, under its number. */
static void keep_child(const struct bm_session *session,
                       struct bm_profile *profile)
{
    struct bm_str ending = BM_STR_INIT;
    struct bm_output out;

    bm_str_printf(&ending, ".%" PRIu64 ".bmem", profile->pid);
    char *path = bm_with_ending(session->profile, ending.data);
    struct bm_symbols *symbols = bm_symbols_resolve(profile);
    if (access(path, F_OK) && !bm_output_open(&out, path, false)) {
        if (bm_profile_write(profile, fileno(out.file))) {
            bm_warn("cannot write %s: %s", path, strerror(errno));
            bm_output_abandon(&out);
        } else {
            bm_output_close(&out);
        }
    }
    bm_profile_free(profile);
    bm_symbols_free(symbols);
    free(path);
    bm_str_clear(&ending);
}

/* The first process, and those others that ran benchmarks on its behalf. */
static int take_profiles(struct bm_session *session,
                         const struct bm_launch *launch, struct parts *parts,
                         unsigned run)
{
    size_t count;
    struct bm_profile **profiles = bm_session_read(launch, &count);
    bool is_first = parts->nr_runs == 0;
    int result = 0;

    if (count && profiles[0]->pid == (uint64_t)launch->child.pid)
        parts->nr_runs++;
    if (count && is_first)
        result = bm_outputs_name_profile(session, profiles[0]);
    for (size_t i = 0; i < count; i++) {
        bool is_root = profiles[i]->pid == (uint64_t)launch->child.pid;

        add_entries(session, launch, profiles[i], run);
        if (is_root && !session->target.has_benchmarks &&
            !profiles[i]->nr_benchmarks)
            add_process(session, launch, profiles[i], run);
        if (is_root || profiles[i]->nr_benchmarks)
            add_part(parts, profiles[i]);
        else if (is_first && !result)
            keep_child(session, profiles[i]);
        else
            bm_profile_free(profiles[i]);
    }
    free(profiles);
    return result;
}

static int run_once(struct bm_session *session, struct parts *parts,
                    unsigned run, bool *failed)
{
    struct bm_strvec arguments = bm_session_arguments(session, BM_MODE_MEMORY);
    struct bm_launch launch;
    const struct bm_wish wish = {
        .mode = BM_MODE_MEMORY,
        .options = session->m->recorder.size ? session->m->recorder.data : NULL,
        .arguments = session->target.has_main ? &arguments : NULL,
        .stdout_fd = bm_session_stdout(session),
    };
    int result = bm_target_launch(&session->target, &wish, &launch);

    *failed = !result && bm_session_failed(session, &launch.child);
    if (!result)
        result = take_profiles(session, &launch, parts, run);
    bm_launch_clear(&launch);
    bm_strvec_clear(&arguments);
    return result;
}

static int warm_up(struct bm_session *session, uint64_t nr, bool *failed)
{
    const struct bm_wish wish = {
        .off = true,
        .stdout_fd = bm_session_stdout(session),
    };

    for (uint64_t i = 0; i < nr && !*failed; i++) {
        struct bm_launch launch;

        bm_progress(session, "memory: warm-up %" PRIu64 " of %" PRIu64, i + 1,
                    nr);
        if (bm_target_launch(&session->target, &wish, &launch))
            return -1;
        *failed = bm_session_failed(session, &launch.child);
        bm_launch_clear(&launch);
    }
    return 0;
}

static int run_all(struct bm_session *session, struct parts *parts)
{
    struct bm_rounds rounds = bm_session_rounds(session, BM_MODE_MEMORY);
    bool failed = false;
    double start = bm_session_seconds();

    if (session->target.has_main) {
        bm_progress(session, "memory");
        return run_once(session, parts, 1, &failed);
    }
    if (warm_up(session, rounds.warmups, &failed))
        return -1;
    for (uint64_t i = 0; i < rounds.most && !failed; i++) {
        if (i >= rounds.least &&
            bm_session_seconds() - start >= rounds.max_seconds)
            break;
        bm_progress(session, "memory: run %" PRIu64 " of %" PRIu64, i + 1,
                    rounds.most);
        if (run_once(session, parts, (unsigned)i + 1, &failed))
            return -1;
    }
    return 0;
}

/* ---- the profile of all ---- */

static int write_profile(const struct bm_session *session,
                         const struct parts *parts)
{
    struct bm_output out;
    int result;

    if (bm_output_open(&out, session->profile, session->m->force))
        return -1;
    if (parts->count == 1)
        result = bm_profile_write(parts->profiles[0], fileno(out.file));
    else
        result = bm_merging_write(
            (const struct bm_profile *const *)parts->profiles, parts->count,
            BM_MERGING_RUNS, "benchmem-run " BENCHMEM_VERSION,
            fileno(out.file));
    if (result) {
        bm_error("cannot write %s: %s", session->profile, strerror(errno));
        bm_output_abandon(&out);
        return -1;
    }
    return bm_output_close(&out);
}

/* As where a sanitizer owns malloc: limits held to that would always hold. */
static bool saw_nothing(const struct bm_profile *profile)
{
    return (profile->flags & BM_STATE_LATE) && !profile->totals.allocations;
}

static int take_over(struct bm_session *session, size_t nr_parts)
{
    struct bm_profile *profile = bm_run_read(session->profile);

    if (!profile)
        return -1;
    if (saw_nothing(profile)) {
        bm_profile_free(profile);
        return bm_error("%s: no block was recorded: the recorder came late, or "
                        "a sanitizer owns malloc; %s says more",
                        session->target.argv[0], session->profile);
    }
    if (nr_parts > 1)
        bm_session_order(session, &profile, 1);
    for (size_t i = 0; i < profile->nr_benchmarks; i++)
        if (session->target.has_main ||
            bm_session_wants(session, profile->benchmarks[i].id,
                             profile->benchmarks[i].declared.suite))
            bm_run_add_benchmark(session->run, &profile->benchmarks[i]);
    bm_run_add_process(session->run, profile);
    bm_run_describe(session->run, profile);
    bm_run_own_profile(session->run, profile);
    session->memory = profile;
    return 0;
}

int bm_measure_memory(struct bm_session *session)
{
    struct parts parts = {0};
    int result = run_all(session, &parts);

    bm_progress_end(session);
    if (!result && parts.count)
        result =
            write_profile(session, &parts) || take_over(session, parts.count)
                ? -1
                : 0;
    if (!result && parts.count)
        bm_find_differences(session,
                            (const struct bm_profile *const *)parts.profiles,
                            parts.count);
    parts_clear(&parts);
    return result;
}
