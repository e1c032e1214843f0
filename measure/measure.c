/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "measure/measure.h"

#include "base/error.h"
#include "base/process.h"
#include "measure/about.h"
#include "measure/judge.h"
#include "measure/manifest.h"
#include "measure/show.h"

#include <errno.h>
#include <string.h>

static int prepare(const struct bm_measuring *m)
{
    char *words[] = {"sh", "-c", (char *)m->prepare, NULL};
    struct bm_process_end end;

    if (!m->prepare)
        return 0;
    if (bm_process_run(words, &end))
        return bm_error("cannot run sh: %s", strerror(errno));
    int status = bm_process_shell_status(&end);
    return status ? bm_error("--prepare %s: it failed with status %d",
                             m->prepare, status)
                  : 0;
}

/* A program that failed ends it: what the next mode would find is no use. */
static int take_modes(struct bm_session *session)
{
    static int (*const modes[BM_NR_MODES])(struct bm_session *) = {
        [BM_MODE_MEMORY] = bm_measure_memory,
        [BM_MODE_TIME] = bm_measure_time,
        [BM_MODE_RSS] = bm_measure_rss,
    };

    for (int mode = 0; mode < BM_NR_MODES; mode++)
        if (BM_HAS_MODE(session->m, mode) && !session->status &&
            modes[mode](session))
            return -1;
    if (session->status)
        return 0;
    if (!session->target.has_main && bm_session_check_names(session))
        return -1;
    /* Limits that were held to nothing would always hold. */
    return session->nr_entries
               ? 0
               : bm_error("%s: nothing was measured: is BENCHMEM_DISABLE set, "
                          "or does it run another program?",
                          session->target.argv[0]);
}

static void tell_failure(const struct bm_session *session,
                         const struct bm_verdicts *verdicts)
{
    bm_error("%s failed with status %d%s", session->target.argv[0],
             session->status,
             verdicts->nr_failed ? ", which counts more than any limit" : "");
}

/* What is kept is of runs that went well. */
static int keep(struct bm_session *session, const struct bm_verdicts *verdicts,
                FILE *file)
{
    const struct bm_measuring *m = session->m;

    if (m->profile_folder && bm_judge_keep_profiles(session, verdicts, file))
        return -1;
    if (session->manifest && session->nr_entries && bm_manifest_keep(session))
        return -1;
    if (m->save && session->status) {
        bm_warn("not saved as %s: the program failed", m->save);
        return 0;
    }
    return m->save ? bm_run_save(session->run, NULL, m->save, m->force) : 0;
}

/* With the harness's main, the process is no row where no benchmark ran. */
static bool has_rows(const struct bm_session *session)
{
    return session->run->nr_benchmarks ||
           (session->run->has_process && !session->target.has_main);
}

static int run(struct bm_session *session, struct bm_run *base)
{
    /* Data for programs must be all that there is on standard output. */
    bool pure = session->m->common.format == BM_FORMAT_JSON ||
                session->m->common.format == BM_FORMAT_CSV;
    struct bm_verdicts verdicts = {.regressed = BM_STRVEC_INIT};
    int result = 0;

    if (take_modes(session))
        return BM_EXIT_USAGE;
    bm_about_fill(session->run, session->target.path);
    if (pure || (!session->m->common.quiet && has_rows(session)))
        bm_show_results(session, stdout);
    FILE *file = pure ? stderr : stdout;
    if (has_rows(session))
        result = bm_judge(session, base, file, &verdicts);
    result |= keep(session, &verdicts, file);
    if (fflush(stdout) || ferror(stdout))
        result |= bm_error("cannot write standard output: %s", strerror(errno));
    if (session->status)
        tell_failure(session, &verdicts);
    bool failed = verdicts.nr_failed > 0;
    bm_verdicts_clear(&verdicts);
    return session->status ? session->status
           : result        ? BM_EXIT_USAGE
           : failed        ? BM_EXIT_GATE
                           : BM_EXIT_OK;
}

int bm_measure(struct bm_measuring *m, const char *path, const char *self)
{
    struct bm_session session;
    struct bm_run *base = NULL;
    int status = BM_EXIT_USAGE;

    if (!bm_session_init(&session, m, path, self) &&
        !bm_judge_load_base(&session, &base) && !prepare(m))
        status = run(&session, base);
    if (base)
        bm_run_free(base);
    bm_session_clear(&session);
    return status;
}
