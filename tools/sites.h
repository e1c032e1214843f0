/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The parts of benchmem-sites, which lists the allocation calls of source
 * files without a build. sites.c reads options; sites_units.c says which
 * compilations there are, sites_read.c reads them, each in a process of its
 * own; sites_write.c writes what was found.
 *
 *   1. bm_source_units_find: the compilations.
 *   2. bm_survey_read: their calls, one for each id, in order.
 *   3. bm_survey_write.
 *   4. bm_survey_clear, bm_source_units_clear.
 */
#ifndef BENCHMEM_TOOLS_SITES_H
#define BENCHMEM_TOOLS_SITES_H

#include "base/command.h"
#include "base/memory.h"
#include "base/strvec.h"
#include "pass/inventory/inventory.h"
#include "tools/coverage.h"

/* Rows of the output. */
enum bm_survey_by {
    BM_SURVEY_BY_SITE,
    BM_SURVEY_BY_FILE,
    BM_SURVEY_BY_FUNCTION,
    BM_SURVEY_BY_TYPE,
};

/* Names of the ways, in their order; NULL at the end. */
extern const char *const bm_survey_by_names[];

struct bm_survey_options {
    struct bm_common common;
    const char *database;     /* file or folder, NULL: to be found */
    struct bm_strvec sources; /* these alone, if there are any */
    char **flags;             /* behind "--", NULL: no such */
    uint64_t jobs;            /* compilations at a time, 0: one a processor */
    enum bm_survey_by by;
    bool system; /* list those in system headers one by one */
};

/* One compilation. */
struct bm_source_unit {
    const char *folder; /* absolute */
    const char *file;   /* as given, relative to folder */
    const char *const *words;
    size_t nr_words;
};

struct bm_source_units {
    struct bm_source_unit *items;
    size_t count;
    char *path;                   /* of the database, NULL: flags were given */
    const char *note;             /* how it was found, or NULL */
    struct bm_database *database; /* private */
    struct bm_arena arena;        /* private */
    size_t room;                  /* private */
};

/* -1 with an error printed. Same commands for the same file are one unit. */
int bm_source_units_find(struct bm_source_units *units,
                         const struct bm_survey_options *options);
void bm_source_units_clear(struct bm_source_units *units);

struct bm_survey {
    struct bm_coverage sites; /* nothing of them is reached */
    size_t nr_read;
    size_t nr_left_out; /* benchmem-cc would not record them */
    size_t nr_failed;   /* they do not compile: told on standard error */
};

/*
 * Reads all units, several at a time. What is found does not depend on how
 * many. -1 with an error printed if that cannot be done at all.
 */
int bm_survey_read(struct bm_survey *survey,
                   const struct bm_source_units *units,
                   const struct bm_survey_options *options);
void bm_survey_clear(struct bm_survey *survey);

void bm_survey_write(const struct bm_survey *survey,
                     const struct bm_source_units *units,
                     const struct bm_survey_options *options, FILE *file);

#endif
