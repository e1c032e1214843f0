/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A run: one execution of a suite of benchmarks, whatever it was kept as. All
 * commands that hold runs side by side (compare, plot, history, gates) work
 * on this model and never on files.
 *
 * What bm_run_load takes, in this order:
 *   - a file: a profile, a saved run, or what benchmem-report --format json
 *     wrote;
 *   - a folder: its *.bmem together are one run; of a folder .benchmem, or one
 *     that has .benchmem in it, the newest run;
 *   - a name: NAME.json or NAME.bmem of the nearest .benchmem upwards; `last`
 * is the one saved last, or else the newest run there.
 *
 * A run owns everything reachable from it until bm_run_free. Profiles that
 * lie beside a saved run are read only when asked for, by bm_run_profiles.
 * Functions print their errors (base/error) and return NULL or -1. Files are
 * not trusted, no more than profiles are.
 *
 *   1. run = bm_run_load("baseline", &fault);
 *   2. for each run->benchmarks[i], series[BM_MEASURE_PEAK] and its statistics
 *   3. bm_run_free(run)
 *
 * Which benchmarks of several runs belong together: results/join.h. Which
 * sites: results/sites.h. Limits: results/gate.h. The files that bm_run_save
 * writes: docs/saved-runs.md.
 */
#ifndef BENCHMEM_RESULTS_RESULTS_H
#define BENCHMEM_RESULTS_RESULTS_H

#include "base/memory.h"
#include "base/strvec.h"
#include "profile/profile.h"
#include "results/measure.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct bm_run_benchmark {
    const char *id;    /* FILE::NAME[PARAMS]; NULL for the whole process */
    const char *name;  /* of the function; of the process: "(process)" */
    const char *file;  /* FILE of the id; may be NULL */
    const char *path;  /* as compiled; may be NULL */
    uint32_t line;     /* 0: unknown */
    const char *group; /* may be NULL */
    const char *suite; /* may be NULL */
    const struct bm_param_info *params; /* text: as in the id */
    size_t nr_params;
    const struct bm_param_info *extra; /* labels and numbers, as params */
    size_t nr_extra;
    struct bm_series series[BM_NR_MEASURES];
};

/* One name and value of a run's environment. */
struct bm_run_setting {
    const char *name;
    const char *value;
};

/* Where a run comes from; every string may be NULL. */
struct bm_run_about {
    const char *time;     /* ISO 8601, UTC */
    const char *revision; /* of the source */
    enum { BM_DIRTY_UNKNOWN, BM_DIRTY_NO, BM_DIRTY_YES } dirty;
    const char *compiler;
    const char *flags;
    const char *machine;
    const char *program;
    const struct bm_run_setting *environment;
    size_t nr_environment;
};

struct bm_digest;

struct bm_run {
    const char *label;  /* for tables: what it was saved as, or a file's stem */
    const char *source; /* path of the file or folder it was read from */
    struct bm_run_about about;
    struct bm_run_benchmark *benchmarks;
    size_t nr_benchmarks;
    struct bm_run_benchmark process;
    bool has_process; /* false where several profiles make the run */

    /* private */
    struct bm_strvec files; /* its profiles, to be read when asked for */
    struct bm_profile **profiles;
    size_t nr_profiles;
    struct bm_digest *digests[BM_NR_MEASURES]; /* made so far */
    struct bm_run_entry *by_id;                /* benchmarks here */
    struct bm_run_entry *in_files;             /* benchmarks of the profiles */
    size_t room;
    struct bm_arena arena;
};

enum bm_run_fault {
    BM_RUN_FAULT_MISSING = 1, /* no such file, folder or saved run */
    BM_RUN_FAULT_UNREADABLE,
};

/* fault may be NULL. */
struct bm_run *bm_run_load(const char *what, enum bm_run_fault *fault);

/* The run that a profile holds. It owns the profile from here on. */
struct bm_run *bm_run_of_profile(struct bm_profile *profile);

/* The same without owning: the profile is used for the call alone. */
struct bm_run *bm_run_from(const struct bm_profile *profile);

void bm_run_free(struct bm_run *run);

/* Another label, copied. */
void bm_run_set_label(struct bm_run *run, const char *label);

/*
 * The profiles of a run, read now if they were not yet: *count of them, which
 * is 0 for a run that was saved without any. NULL and an error printed where
 * one cannot be read.
 */
struct bm_profile *const *bm_run_profiles(struct bm_run *run, size_t *count);

/* Frees the profiles that were read; they are read again when asked for. */
void bm_run_release(struct bm_run *run);

/*
 * The profile that has this benchmark of the run and, in *info, the benchmark
 * there (NULL for the process). NULL without an error if there is none.
 * bm_run_profiles must have succeeded.
 */
const struct bm_profile *
bm_run_find_profile(const struct bm_run *run,
                    const struct bm_run_benchmark *benchmark,
                    const struct bm_benchmark_info **info);

/*
 * Saves as NAME: FOLDER/NAME.json, and its profiles in their small form as
 * FOLDER/NAME.bmem (NAME.1.bmem, NAME.2.bmem of several); FOLDER/last says
 * NAME from then on. folder NULL is the nearest .benchmem upwards, or one made
 * here. Nothing is replaced without force; each file appears whole or not at
 * all. -1 after an error.
 */
int bm_run_save(struct bm_run *run, const char *folder, const char *name,
                bool force);

/* The run alone as a saved one's JSON, for places that keep no profiles. Errors
   stay in the stream. */
void bm_run_write_json(const struct bm_run *run, FILE *file);

/* False with the reason in *why: empty, reserved ("last"), has a '/' or so. */
bool bm_run_valid_name(const char *name, const char **why);

/* A parameter or extra of the benchmark by name; NULL if there is none. */
const struct bm_param_info *bm_run_value(const struct bm_param_info *values,
                                         size_t count, const char *name);

#endif
