/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * One measured run of benchmem-run: what was asked, the program, and what was
 * found out so far. Each mode adds to it (memory.c, timing.c, resident.c);
 * then it is shown, kept and judged.
 *
 * A figure belongs to the mode that took it: series of results/ that another
 * mode measures stay empty, and are shown as such.
 */
#ifndef BENCHMEM_MEASURE_SESSION_H
#define BENCHMEM_MEASURE_SESSION_H

#include "measure/options.h"
#include "measure/target.h"
#include "profile/profile.h"
#include "results/results.h"

#include <jansson.h>

/* One workload, measured once: an entry of the manifest. Strings are owned. */
struct bm_measurement {
    char *workload;
    char *group; /* may be NULL */
    char *suite; /* names with commas, may be NULL */
    enum bm_mode mode;
    unsigned repetition; /* from 1 */
    uint64_t pid;
    uint64_t start_ns;   /* since 1970, of its process */
    bool shared_process; /* others ran in it: its peak may be theirs */
    bool has_setup;
    uint64_t setup_peak_rss_bytes;
    uint64_t peak_rss_bytes;
    uint64_t high_water_bytes; /* in memory mode: allocations of the pass */
    uint64_t time_ns;
};

/* A site whose figures were not the same in all repetitions. */
struct bm_difference {
    char *benchmark; /* id, NULL: the process */
    char *site;      /* "parser.c:88 parse" */
    uint64_t id;
    struct bm_series allocations, bytes, peak; /* by repetition */
};

struct bm_session {
    struct bm_measuring *m;
    struct bm_target target;
    char *profile;  /* where the profile of memory goes; NULL: not taken */
    char *manifest; /* NULL: none was asked for */
    char *summary;
    struct bm_run *run;
    struct bm_profile *memory; /* of run, or NULL */
    struct bm_measurement *entries;
    size_t nr_entries;
    size_t entries_room;
    struct bm_difference *differences;
    size_t nr_differences;
    size_t differences_room;
    struct bm_strvec seen; /* ids of the program's own benchmarks */
    struct bm_strvec seen_suites;
    int status; /* of the first process that failed, else 0 */
};

/* Settles outputs and says what stands in the way. -1: nothing may run. */
int bm_session_init(struct bm_session *session, struct bm_measuring *m,
                    const char *path, const char *self);
void bm_session_clear(struct bm_session *session);

/* Each -1 after an error that ends all; a failed program is in status. */
int bm_measure_memory(struct bm_session *session);
int bm_measure_time(struct bm_session *session);
int bm_measure_rss(struct bm_session *session);

/* ---- for the modes ---- */

/* How often, for a program that runs its benchmarks itself. */
struct bm_rounds {
    uint64_t warmups;
    uint64_t least;
    uint64_t most;
    double max_seconds; /* 0: no limit; then `most` */
};

struct bm_rounds bm_session_rounds(const struct bm_session *session,
                                   enum bm_mode mode);

/* Of the monotonic clock, to hold rounds to their time. */
double bm_session_seconds(void);

/* Words for the harness's main that follow from the options; owned. */
struct bm_strvec bm_session_arguments(const struct bm_session *session,
                                      enum bm_mode mode);

/* Where the program's standard output goes: not among our own data. */
int bm_session_stdout(const struct bm_session *session);

/* Notes how a process ended; true if it failed, after a line for a signal. */
bool bm_session_failed(struct bm_session *session,
                       const struct bm_child *child);

/* Whether the options leave a benchmark of the program's own in. */
bool bm_session_wants(struct bm_session *session, const char *id,
                      const char *suite);

/*
 * Once such a program has run: -1 after a list of what there is, where an
 * option names a workload or suite that there is not, or no benchmark fits.
 */
int bm_session_check_names(const struct bm_session *session);

/* A new entry, empty but for what is given; valid until the next one. */
struct bm_measurement *bm_session_add(struct bm_session *session,
                                      const char *workload, enum bm_mode mode,
                                      const struct bm_launch *launch,
                                      unsigned repetition);

/* The profile of a launch's first process, and then those of its others. */
struct bm_profile **bm_session_read(const struct bm_launch *launch,
                                    size_t *count);

/*
 * What the harness's main lists of the benchmarks that the options select, to
 * be put away with json_decref; NULL with the program's failure in status, or
 * after an error.
 */
json_t *bm_session_list(struct bm_session *session);

/*
 * Where benchmarks of that main ran in processes of their own: gives those of
 * the profiles their places in the run, in the order that they are declared
 * in. Their figures are added afterwards.
 */
void bm_session_order(struct bm_session *session,
                      struct bm_profile *const *profiles, size_t count);

/* "memory: run 2 of 5" on a terminal, gone with NULL. */
void bm_progress(const struct bm_session *session, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void bm_progress_end(const struct bm_session *session);

#endif
