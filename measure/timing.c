/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Time: runs in which no block is recorded. A benchmark's is that of its
 * passes, as the recorder or the harness's main took it; that of a program
 * without benchmarks is from its start to its end.
 */
#include "measure/session.h"

#include "base/memory.h"
#include "results/make.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void add_entries(struct bm_session *session,
                        const struct bm_launch *launch,
                        const struct bm_profile *profile, unsigned run)
{
    for (size_t i = 0; i < profile->nr_benchmarks; i++) {
        const struct bm_benchmark_info *info = &profile->benchmarks[i];

        if (!session->target.has_main &&
            !bm_session_wants(session, info->id, info->declared.suite))
            continue;
        bm_run_add_benchmark(session->run, info);
        for (size_t p = 0; p < info->nr_passes; p++) {
            struct bm_measurement *entry;

            if (info->passes[p].open ||
                info->passes[p].measured != BM_MEASURED_TIME)
                continue;
            entry = bm_session_add(session, info->id, BM_MODE_TIME, launch,
                                   session->target.has_main ? (unsigned)p + 1
                                                            : run);
            entry->pid = profile->pid;
            entry->time_ns = info->passes[p].time_ns;
            entry->group = bm_xstrdup(info->declared.group);
            entry->suite = bm_xstrdup(info->declared.suite);
        }
    }
}

static void add_process(struct bm_session *session,
                        const struct bm_launch *launch, unsigned run)
{
    const char *program = session->target.argv[0];
    const char *slash = strrchr(program, '/');
    struct bm_series *series = &session->run->process.series[BM_MEASURE_TIME];

    *bm_series_extend(session->run, series, 1) = launch->child.ns;
    session->run->has_process = true;
    bm_session_add(session, slash ? slash + 1 : program, BM_MODE_TIME, launch,
                   run)
        ->time_ns = launch->child.ns;
}

static int run_once(struct bm_session *session, unsigned run, bool is_warmup,
                    bool *failed)
{
    struct bm_strvec arguments = bm_session_arguments(session, BM_MODE_TIME);
    struct bm_launch launch;
    const struct bm_wish wish = {
        .mode = BM_MODE_TIME,
        .off = is_warmup || !session->target.has_benchmarks,
        .arguments = session->target.has_main ? &arguments : NULL,
        .stdout_fd = bm_session_stdout(session),
    };
    int result = bm_target_launch(&session->target, &wish, &launch);

    *failed = !result && bm_session_failed(session, &launch.child);
    if (!result && !is_warmup && session->target.has_benchmarks) {
        size_t count;
        struct bm_profile **profiles = bm_session_read(&launch, &count);

        if (count > 1)
            bm_session_order(session, profiles, count);
        for (size_t i = 0; i < count; i++) {
            add_entries(session, &launch, profiles[i], run);
            bm_profile_free(profiles[i]);
        }
        free(profiles);
    } else if (!result && !is_warmup) {
        add_process(session, &launch, run);
    }
    bm_launch_clear(&launch);
    bm_strvec_clear(&arguments);
    return result;
}

static int run_all(struct bm_session *session)
{
    struct bm_rounds rounds = bm_session_rounds(session, BM_MODE_TIME);
    bool failed = false;
    double start = bm_session_seconds();

    if (session->target.has_main) {
        bm_progress(session, "time");
        return run_once(session, 1, false, &failed);
    }
    for (uint64_t i = 0; i < rounds.warmups && !failed; i++) {
        bm_progress(session, "time: warm-up %" PRIu64 " of %" PRIu64, i + 1,
                    rounds.warmups);
        if (run_once(session, 0, true, &failed))
            return -1;
    }
    for (uint64_t i = 0; i < rounds.most && !failed; i++) {
        if (i >= rounds.least &&
            bm_session_seconds() - start >= rounds.max_seconds)
            break;
        bm_progress(session, "time: run %" PRIu64 " of %" PRIu64, i + 1,
                    rounds.most);
        if (run_once(session, (unsigned)i + 1, false, &failed))
            return -1;
    }
    return 0;
}

int bm_measure_time(struct bm_session *session)
{
    int result = run_all(session);

    bm_progress_end(session);
    return result;
}
