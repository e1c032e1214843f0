/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/store.h"

#include "base/error.h"
#include "base/str.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Of the tables; another one is a database of another benchmem. */
#define SCHEMA_VERSION "1"

/* %s: the driver's counted_id. */
static const char *const schema[] = {
    "CREATE TABLE IF NOT EXISTS benchmem_schema (version INTEGER NOT NULL)",
    "CREATE TABLE IF NOT EXISTS benchmem_runs (id %s, time TEXT NOT NULL, "
    "label TEXT NOT NULL, branch TEXT, revision TEXT, dirty INTEGER, "
    "program TEXT, machine TEXT, compiler TEXT, flags TEXT, "
    "document TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS benchmem_figures ("
    "run_id BIGINT NOT NULL REFERENCES benchmem_runs (id), "
    "benchmark TEXT NOT NULL, metric TEXT NOT NULL, passes BIGINT NOT NULL, "
    "min BIGINT NOT NULL, max BIGINT NOT NULL, mean DOUBLE PRECISION NOT NULL, "
    "median DOUBLE PRECISION NOT NULL, stddev DOUBLE PRECISION NOT NULL, "
    "PRIMARY KEY (run_id, benchmark, metric))",
    ("CREATE INDEX IF NOT EXISTS benchmem_figures_of ON benchmem_figures "
     "(benchmark, metric)"),
};

static int run(struct bm_store *store, const char *sql,
               const char *const *values, size_t nr_values, bm_store_row *row,
               void *context)
{
    return store->driver->run(store->connection, sql, values, nr_values, row,
                              context);
}

static int run_plain(struct bm_store *store, const char *sql)
{
    return run(store, sql, NULL, 0, NULL, NULL);
}

/* -- opening --------------------------------------------------------------- */

static int keep_version(void *context, const char *const *cells)
{
    snprintf(context, 16, "%s", cells[0] ? cells[0] : "");
    return 0;
}

static int check_version(struct bm_store *store, const char *where)
{
    char version[16] = "";

    if (run(store, "SELECT MAX(version) FROM benchmem_schema", NULL, 0,
            keep_version, version))
        return -1;
    if (!*version)
        return run_plain(store, "INSERT INTO benchmem_schema (version) VALUES "
                                "(" SCHEMA_VERSION ")");
    if (strcmp(version, SCHEMA_VERSION) != 0)
        return bm_error("cannot use %s: its tables are of version %s, this "
                        "benchmem's of " SCHEMA_VERSION,
                        where, version);
    return 0;
}

static int make_tables(struct bm_store *store)
{
    for (size_t i = 0; i < sizeof(schema) / sizeof(schema[0]); i++) {
        const char *id = strstr(schema[i], "%s");
        struct bm_str sql = BM_STR_INIT;

        if (id)
            bm_str_printf(&sql, "%.*s%s%s", (int)(id - schema[i]), schema[i],
                          store->driver->counted_id, id + 2);
        else
            bm_str_puts(&sql, schema[i]);
        int failed = run_plain(store, sql.data);
        bm_str_clear(&sql);
        if (failed)
            return -1;
    }
    return 0;
}

int bm_store_open(struct bm_store *store, const char *where, bool create)
{
    bool is_url = !strncmp(where, "postgres://", 11) ||
                  !strncmp(where, "postgresql://", 13);

    *store = (struct bm_store){
        .driver = is_url ? &bm_store_postgres : &bm_store_sqlite,
    };
    if (!is_url && !create && access(where, F_OK))
        return bm_error("cannot read %s: %s; fill it with benchmem-history "
                        "add RUN",
                        where, strerror(errno));
    if (store->driver->open(&store->connection, where))
        return -1;
    if (!make_tables(store) && !check_version(store, where))
        return 0;
    bm_store_close(store);
    return -1;
}

void bm_store_close(struct bm_store *store)
{
    store->driver->close(store->connection);
    store->connection = NULL;
}

/* -- adding ---------------------------------------------------------------- */

static char *document_of(const struct bm_run *from)
{
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);

    if (!file)
        bm_die("cannot write a run: out of memory");
    bm_run_write_json(from, file);
    if (fclose(file))
        bm_die("cannot write a run: out of memory");
    return text;
}

static const char *now(char text[static 32])
{
    time_t seconds = time(NULL);
    struct tm utc;

    gmtime_r(&seconds, &utc);
    strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &utc);
    return text;
}

static int keep_id(void *context, const char *const *cells)
{
    *(uint64_t *)context = strtoull(cells[0], NULL, 10);
    return 0;
}

static int add_run(struct bm_store *store, const struct bm_run *from,
                   const char *branch, uint64_t *id)
{
    const struct bm_run_about *about = &from->about;
    char *document = document_of(from);
    char text[32];
    const char *dirty = about->dirty == BM_DIRTY_YES  ? "1"
                        : about->dirty == BM_DIRTY_NO ? "0"
                                                      : NULL;
    const char *const values[] = {
        about->time ? about->time : now(text),
        from->label,
        branch,
        about->revision,
        dirty,
        about->program,
        about->machine,
        about->compiler,
        about->flags,
        document,
    };
    int failed =
        run(store,
            "INSERT INTO benchmem_runs (time, label, branch, revision, dirty, "
            "program, machine, compiler, flags, document) VALUES ($1, $2, $3, "
            "$4, CAST($5 AS INTEGER), $6, $7, $8, $9, $10) RETURNING id",
            values, sizeof(values) / sizeof(values[0]), keep_id, id);

    free(document);
    return failed;
}

static int add_figure(struct bm_store *store, const char *run_id,
                      const struct bm_run_benchmark *benchmark,
                      enum bm_measure measure)
{
    static const enum bm_stat stats[] = {BM_STAT_MIN, BM_STAT_MAX, BM_STAT_MEAN,
                                         BM_STAT_MEDIAN, BM_STAT_STDDEV};
    enum { NR_STATS = sizeof(stats) / sizeof(stats[0]) };
    const struct bm_series *series = &benchmark->series[measure];
    struct bm_str texts[NR_STATS + 1];
    const char *values[4 + NR_STATS] = {
        run_id,
        benchmark->id ? benchmark->id : benchmark->name,
        bm_measure_info(measure)->name,
    };

    for (size_t i = 0; i < NR_STATS; i++) {
        long double value = 0;

        texts[i] = (struct bm_str)BM_STR_INIT;
        bm_series_stat(series, stats[i], &value);
        bm_value_print_exact(&texts[i], value);
        values[4 + i] = texts[i].data;
    }
    texts[NR_STATS] = (struct bm_str)BM_STR_INIT;
    bm_str_printf(&texts[NR_STATS], "%" PRIu64,
                  series->nr_values + series->nr_more);
    values[3] = texts[NR_STATS].data;
    int failed = run(store,
                     "INSERT INTO benchmem_figures (run_id, benchmark, metric, "
                     "passes, min, max, mean, median, stddev) VALUES "
                     "($1, $2, $3, $4, $5, $6, $7, $8, $9)",
                     values, 4 + NR_STATS, NULL, NULL);
    for (size_t i = 0; i <= NR_STATS; i++)
        bm_str_clear(&texts[i]);
    return failed;
}

static int add_figures(struct bm_store *store, const char *run_id,
                       const struct bm_run_benchmark *benchmark)
{
    for (int m = 0; m < BM_NR_MEASURES; m++) {
        if (bm_series_present(&benchmark->series[m]) &&
            add_figure(store, run_id, benchmark, (enum bm_measure)m))
            return -1;
    }
    return 0;
}

static int add_all(struct bm_store *store, const struct bm_run *from,
                   const char *branch, uint64_t *id)
{
    char run_id[24];

    if (add_run(store, from, branch, id))
        return -1;
    snprintf(run_id, sizeof(run_id), "%" PRIu64, *id);
    if (from->has_process && add_figures(store, run_id, &from->process))
        return -1;
    for (size_t i = 0; i < from->nr_benchmarks; i++) {
        if (add_figures(store, run_id, &from->benchmarks[i]))
            return -1;
    }
    return 0;
}

int bm_store_add(struct bm_store *store, const struct bm_run *from,
                 const char *branch, uint64_t *id)
{
    if (run_plain(store, "BEGIN"))
        return -1;
    if (add_all(store, from, branch, id)) {
        run_plain(store, "ROLLBACK");
        return -1;
    }
    return run_plain(store, "COMMIT");
}

/* -- asking ---------------------------------------------------------------- */

/* Both databases want to know what a NULL is. */
#define OF_BRANCH(n)                                                           \
    "(CAST($" n " AS TEXT) IS NULL OR r.branch = CAST($" n " AS TEXT))"

int bm_store_benchmarks(struct bm_store *store, bm_store_row *row,
                        void *context)
{
    return run(store,
               "SELECT DISTINCT benchmark FROM benchmem_figures ORDER BY "
               "benchmark",
               NULL, 0, row, context);
}

int bm_store_runs(struct bm_store *store, const char *branch, bm_store_row *row,
                  void *context)
{
    return run(
        store,
        "SELECT r.id, r.time, r.branch, r.revision, r.label, r.machine, "
        "r.compiler, r.flags, (SELECT COUNT(DISTINCT f.benchmark) FROM "
        "benchmem_figures f WHERE f.run_id = r.id AND "
        "f.benchmark <> '(process)') "
        "FROM benchmem_runs r WHERE " OF_BRANCH("1") " ORDER BY r.time, r.id",
        &branch, 1, row, context);
}

int bm_store_series(struct bm_store *store, const char *benchmark,
                    const char *branch, bm_store_row *row, void *context)
{
    const char *const values[] = {benchmark, branch};

    return run(
        store,
        "SELECT r.id, r.time, r.branch, r.revision, r.label, r.machine, "
        "r.compiler, r.flags, f.metric, f.min, f.max, f.mean, f.median, "
        "f.stddev, f.passes FROM benchmem_figures f "
        "JOIN benchmem_runs r ON r.id = f.run_id "
        "WHERE f.benchmark = $1 AND " OF_BRANCH("2") " ORDER BY r.time, r.id",
        values, 2, row, context);
}

int bm_store_documents(struct bm_store *store, const char *branch,
                       bm_store_row *row, void *context)
{
    return run(store,
               "SELECT r.id, r.machine, r.compiler, r.flags, r.document FROM "
               "benchmem_runs r WHERE " OF_BRANCH(
                   "1") " ORDER BY r.time DESC, r.id DESC",
               &branch, 1, row, context);
}
