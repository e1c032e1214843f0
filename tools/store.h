/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Runs kept in a database: SQLite in a file, or PostgreSQL at a URL
 * (postgres://, postgresql://), with the same tables and the same statements.
 * docs/history.md describes the tables for people who query them.
 *
 * Functions print their errors and return -1. Strings of rows are valid
 * during the call alone. One thread.
 */
#ifndef BENCHMEM_TOOLS_STORE_H
#define BENCHMEM_TOOLS_STORE_H

#include "results/results.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One row of an answer; cells are NULL where the database has NULL. Nonzero
   ends the statement. */
typedef int bm_store_row(void *context, const char *const *cells);

/* What differs between databases. Values are text, or NULL. */
struct bm_store_driver {
    /* How a number that the database counts up is declared. */
    const char *counted_id;
    int (*open)(void **connection, const char *where);
    /* One statement with $1, $2, ... for its values. row may be NULL. */
    int (*run)(void *connection, const char *sql, const char *const *values,
               size_t nr_values, bm_store_row *row, void *context);
    void (*close)(void *connection);
};

extern const struct bm_store_driver bm_store_sqlite;
extern const struct bm_store_driver bm_store_postgres;

struct bm_store {
    const struct bm_store_driver *driver;
    void *connection;
};

/*
 * Opens what `where` names, making the tables if they are not there. create
 * false: a file that does not exist is an error.
 */
int bm_store_open(struct bm_store *store, const char *where, bool create);
void bm_store_close(struct bm_store *store);

/* All of it or nothing. branch may be NULL. *id is the number of the run. */
int bm_store_add(struct bm_store *store, const struct bm_run *run,
                 const char *branch, uint64_t *id);

/* Each benchmark's id, by name. */
int bm_store_benchmarks(struct bm_store *store, bm_store_row *row,
                        void *context);

/*
 * Each run, the oldest first: id, time, branch, revision, label, machine,
 * compiler, flags, number of benchmarks. branch NULL: of every branch.
 */
int bm_store_runs(struct bm_store *store, const char *branch, bm_store_row *row,
                  void *context);

/*
 * One benchmark over the runs that have it, the oldest first: id, time,
 * branch, revision, label, machine, compiler, flags, metric, minimum, maximum,
 * mean, median, standard deviation, number of passes. A row for each metric.
 */
int bm_store_series(struct bm_store *store, const char *benchmark,
                    const char *branch, bm_store_row *row, void *context);

/*
 * The newest runs first: id, machine, compiler, flags, and the whole run as
 * the JSON of a saved one.
 */
int bm_store_documents(struct bm_store *store, const char *branch,
                       bm_store_row *row, void *context);

#endif
