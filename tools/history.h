/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The parts of benchmem-history. history_options.c reads the command line,
 * history.c adds runs and holds one against a stored one, history_tables.c
 * shows what there is. tools/store.h keeps it.
 */
#ifndef BENCHMEM_TOOLS_HISTORY_H
#define BENCHMEM_TOOLS_HISTORY_H

#include "base/command.h"
#include "base/strvec.h"
#include "tools/store.h"

enum bm_history_action {
    BM_HISTORY_ADD,
    BM_HISTORY_LIST,
    BM_HISTORY_SHOW,
    BM_HISTORY_COMPARE,
};

struct bm_history_options {
    struct bm_common common;
    enum bm_history_action action;
    bool any_action;
    struct bm_strvec args;   /* behind the action */
    struct bm_strvec passed; /* to benchmem-compare */
    const char *database;    /* NULL: that of .benchmem */
    const char *branch;
    const char *revision;
    bool measures[BM_NR_MEASURES]; /* of --columns; none: what there is */
    bool any_measure;
    enum bm_stat stat;
    uint64_t last; /* rows, 0: all */
    bool unlike;
};

extern const struct bm_command bm_history_command;

/* Which build a figure comes from; strings may be NULL. */
struct bm_history_build {
    const char *machine;
    const char *compiler;
    const char *flags;
};

/* Figures of builds that are not alike say nothing about the source. */
bool bm_history_alike(const struct bm_history_build *a,
                      const struct bm_history_build *b);

/* -1 after an error. */
int bm_history_list(const struct bm_history_options *options,
                    struct bm_store *store);
int bm_history_show(const struct bm_history_options *options,
                    struct bm_store *store);

#endif
