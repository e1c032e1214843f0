/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "measure/session.h"

#include "base/error.h"
#include "base/locate.h"
#include "base/memory.h"
#include "driver/run_profile.h"
#include "measure/outputs.h"
#include "results/make.h"

#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <jansson.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* As the harness's main has it, where it is asked for as many as it takes. */
#define LEAST_ROUNDS 2
#define MOST_ROUNDS 10

int bm_session_init(struct bm_session *session, struct bm_measuring *m,
                    const char *path, const char *self)
{
    *session = (struct bm_session){
        .m = m, .seen = BM_STRVEC_INIT, .seen_suites = BM_STRVEC_INIT};
    if (bm_outputs_settle(session) ||
        bm_target_init(&session->target, path, m->program, self))
        return -1;
    session->run = bm_run_new(path, m->save);
    return 0;
}

void bm_session_clear(struct bm_session *session)
{
    for (size_t i = 0; i < session->nr_entries; i++) {
        free(session->entries[i].workload);
        free(session->entries[i].group);
        free(session->entries[i].suite);
    }
    for (size_t i = 0; i < session->nr_differences; i++) {
        struct bm_difference *difference = &session->differences[i];

        free(difference->benchmark);
        free(difference->site);
        free((void *)difference->allocations.values);
        free((void *)difference->bytes.values);
        free((void *)difference->peak.values);
    }
    free(session->entries);
    free(session->differences);
    free(session->profile);
    free(session->manifest);
    free(session->summary);
    if (session->run)
        bm_run_free(session->run);
    bm_strvec_clear(&session->seen);
    bm_strvec_clear(&session->seen_suites);
    bm_target_clear(&session->target);
}

/* ---- what the options come down to ---- */

struct bm_rounds bm_session_rounds(const struct bm_session *session,
                                   enum bm_mode mode)
{
    const struct bm_measuring *m = session->m;
    struct bm_rounds rounds = {.least = 1, .most = 1};

    if (m->repeats) {
        rounds.least = rounds.most = m->repeats;
    } else if (m->max_time) {
        rounds.least = LEAST_ROUNDS;
        rounds.most = MOST_ROUNDS;
        rounds.max_seconds = m->max_seconds;
    }
    if (m->warmup >= 0)
        rounds.warmups = (uint64_t)m->warmup;
    else if (mode == BM_MODE_TIME && rounds.most > 1)
        rounds.warmups = 1;
    if (mode == BM_MODE_RSS)
        rounds.warmups = 0;
    return rounds;
}

double bm_session_seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static void push_each(struct bm_strvec *words, const char *option,
                      const struct bm_strvec *values)
{
    for (size_t i = 0; i < values->count; i++) {
        bm_strvec_push(words, option);
        bm_strvec_push(words, values->items[i]);
    }
}

struct bm_strvec bm_session_arguments(const struct bm_session *session,
                                      enum bm_mode mode)
{
    const struct bm_measuring *m = session->m;
    struct bm_strvec words = BM_STRVEC_INIT;

    bm_strvec_push(&words, "--quiet");
    bm_strvec_push(&words, "--mode");
    bm_strvec_push(&words, bm_mode_names[mode]);
    push_each(&words, "--filter", &m->filters);
    push_each(&words, "--suite", &m->suites);
    push_each(&words, "--workload", &m->workloads);
    if (m->repeats) {
        bm_strvec_push(&words, "--repeats");
        bm_strvec_pushf(&words, "%" PRIu64, m->repeats);
    }
    if (m->warmup >= 0) {
        bm_strvec_push(&words, "--warmup");
        bm_strvec_pushf(&words, "%d", m->warmup);
    }
    if (m->max_time) {
        bm_strvec_push(&words, "--max-time");
        bm_strvec_push(&words, m->max_time);
    }
    return words;
}

int bm_session_stdout(const struct bm_session *session)
{
    return session->m->common.format == BM_FORMAT_TABLE ? -1 : STDERR_FILENO;
}

static bool fits(const char *pattern, const char *id)
{
    if (!strpbrk(pattern, "*?"))
        return strstr(id, pattern) != NULL;
    /* Ids hold brackets, which are to be themselves. */
    struct bm_str quoted = BM_STR_INIT;
    for (; *pattern; pattern++) {
        if (*pattern == '[' || *pattern == '\\')
            bm_str_putc(&quoted, '\\');
        bm_str_putc(&quoted, *pattern);
    }
    bool result = fnmatch(quoted.data, id, 0) == 0;
    bm_str_clear(&quoted);
    return result;
}

static bool holds(const char *list, const char *name)
{
    size_t size = strlen(name);

    for (; list; list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL)
        if (strncmp(list, name, size) == 0 &&
            (list[size] == ',' || list[size] == '\0'))
            return true;
    return false;
}

static bool is_among(const struct bm_strvec *items, const char *item)
{
    for (size_t i = 0; i < items->count; i++)
        if (strcmp(items->items[i], item) == 0)
            return true;
    return false;
}

static void see(struct bm_session *session, const char *id, const char *suite)
{
    if (!is_among(&session->seen, id))
        bm_strvec_push(&session->seen, id);
    while (suite && *suite) {
        size_t size = strcspn(suite, ",");
        char *name = bm_xstrdup(suite);

        name[size] = '\0';
        if (size && !is_among(&session->seen_suites, name))
            bm_strvec_push(&session->seen_suites, name);
        free(name);
        suite += size + (suite[size] == ',');
    }
}

bool bm_session_wants(struct bm_session *session, const char *id,
                      const char *suite)
{
    const struct bm_measuring *m = session->m;
    bool filtered = !m->filters.count, in_suite = !m->suites.count;
    bool named = !m->workloads.count || is_among(&m->workloads, id);

    see(session, id, suite);
    for (size_t i = 0; i < m->filters.count; i++)
        filtered |= fits(m->filters.items[i], id);
    for (size_t i = 0; i < m->suites.count; i++)
        in_suite |= holds(suite, m->suites.items[i]);
    return filtered && in_suite && named;
}

static int complain(const char *what, const char *name,
                    const struct bm_strvec *there)
{
    bm_error("no %s %s; there %s", what, name,
             there->count ? "are:" : "is none");
    for (size_t i = 0; i < there->count; i++)
        fprintf(stderr, "  %s\n", there->items[i]);
    return -1;
}

int bm_session_check_names(const struct bm_session *session)
{
    const struct bm_measuring *m = session->m;

    for (size_t i = 0; i < m->workloads.count; i++)
        if (!is_among(&session->seen, m->workloads.items[i]))
            return complain("workload", m->workloads.items[i], &session->seen);
    for (size_t i = 0; i < m->suites.count; i++)
        if (!is_among(&session->seen_suites, m->suites.items[i]))
            return complain("suite", m->suites.items[i], &session->seen_suites);
    for (size_t i = 0; i < m->filters.count; i++) {
        bool any = false;

        for (size_t id = 0; id < session->seen.count; id++)
            any |= fits(m->filters.items[i], session->seen.items[id]);
        if (!any)
            return complain("benchmark fits", m->filters.items[i],
                            &session->seen);
    }
    return 0;
}

/* ---- what came of a launch ---- */

bool bm_session_failed(struct bm_session *session, const struct bm_child *child)
{
    int status = bm_process_shell_status(&child->end);

    if (child->end.signal)
        bm_error("%s: killed by signal %d: %s", session->target.argv[0],
                 child->end.signal, strsignal(child->end.signal));
    if (status && !session->status)
        session->status = status;
    return status != 0;
}

struct bm_measurement *bm_session_add(struct bm_session *session,
                                      const char *workload, enum bm_mode mode,
                                      const struct bm_launch *launch,
                                      unsigned repetition)
{
    session->entries =
        bm_xgrow(session->entries, session->nr_entries, &session->entries_room,
                 sizeof(*session->entries));
    struct bm_measurement *entry = &session->entries[session->nr_entries++];
    *entry = (struct bm_measurement){
        .workload = bm_xstrdup(workload),
        .mode = mode,
        .repetition = repetition,
        .pid = (uint64_t)launch->child.pid,
        .start_ns = launch->start_ns,
    };
    return entry;
}

struct bm_profile **bm_session_read(const struct bm_launch *launch,
                                    size_t *count)
{
    struct bm_profile **profiles =
        bm_xcalloc(launch->profiles.count + 1, sizeof(*profiles));

    *count = 0;
    for (size_t i = 0; i < launch->profiles.count; i++) {
        struct bm_profile *profile = bm_run_read(launch->profiles.items[i]);

        if (!profile)
            continue;
        if (profile->pid == (uint64_t)launch->child.pid)
            bm_run_set_end(profile, &launch->child.end);
        profiles[(*count)++] = profile;
        /* The first process comes first; others as they started. */
        for (size_t at = *count - 1; at > 0; at--) {
            bool is_first = profile->pid == (uint64_t)launch->child.pid;

            if (profiles[at - 1]->pid == (uint64_t)launch->child.pid ||
                (!is_first && profiles[at - 1]->start_ns <= profile->start_ns))
                break;
            profiles[at] = profiles[at - 1];
            profiles[at - 1] = profile;
        }
    }
    return profiles;
}

/* ---- what the harness's main has ---- */

json_t *bm_session_list(struct bm_session *session)
{
    struct bm_strvec arguments = BM_STRVEC_INIT;
    const struct bm_measuring *m = session->m;
    struct bm_str text = BM_STR_INIT;
    struct bm_process_end end;
    json_t *list = NULL;
    const struct {
        const char *option;
        const struct bm_strvec *values;
    } lists[] = {{"--filter", &m->filters},
                 {"--suite", &m->suites},
                 {"--workload", &m->workloads}};

    for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
        for (size_t v = 0; v < lists[i].values->count; v++) {
            bm_strvec_push(&arguments, lists[i].option);
            bm_strvec_push(&arguments, lists[i].values->items[v]);
        }
    if (!bm_target_list(&session->target, &arguments, &text, &end)) {
        session->status = bm_process_shell_status(&end);
        if (!session->status)
            list = json_loadb(text.data, text.size, 0, NULL);
        if (!session->status && !json_is_object(list))
            bm_error("cannot read what %s --list says",
                     session->target.argv[0]);
    }
    bm_str_clear(&text);
    bm_strvec_clear(&arguments);
    return list;
}

/* One of the profiles knows it. */
static bool have_benchmark(struct bm_profile *const *profiles, size_t count,
                           const char *id)
{
    for (size_t i = 0; i < count; i++)
        for (size_t b = 0; b < profiles[i]->nr_benchmarks; b++)
            if (!strcmp(profiles[i]->benchmarks[b].id, id))
                return true;
    return false;
}

void bm_session_order(struct bm_session *session,
                      struct bm_profile *const *profiles, size_t count)
{
    json_t *list = session->target.has_main ? bm_session_list(session) : NULL;
    json_t *items = json_object_get(list, "benchmarks");

    for (size_t i = 0; i < json_array_size(items); i++) {
        json_t *item = json_array_get(items, i);
        const char *id = json_string_value(json_object_get(item, "id"));

        if (id && have_benchmark(profiles, count, id))
            bm_run_take(session->run, id);
    }
    json_decref(list);
}

/* ---- progress ---- */

static bool shows_progress(const struct bm_session *session)
{
    return isatty(STDERR_FILENO) && !session->m->common.quiet;
}

void bm_progress(const struct bm_session *session, const char *format, ...)
{
    va_list args;

    if (!shows_progress(session))
        return;
    fputs("\r\033[K", stderr);
    va_start(args, format);
    vfprintf(stderr, format, args);
    va_end(args);
    fflush(stderr);
}

void bm_progress_end(const struct bm_session *session)
{
    if (shows_progress(session)) {
        fputs("\r\033[K", stderr);
        fflush(stderr);
    }
}
