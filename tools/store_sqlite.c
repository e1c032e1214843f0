/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/store.h"

#include "base/error.h"

#include <sqlite3.h>

/* Other writers are waited for: continuous integration runs side by side. */
#define WAIT_MS 10000

/* More columns than any statement of ours. */
#define MAX_COLUMNS 32

static int fail(sqlite3 *db, const char *doing)
{
    return bm_error("cannot %s %s: %s", doing, sqlite3_db_filename(db, "main"),
                    sqlite3_errmsg(db));
}

static int open_file(void **connection, const char *where)
{
    sqlite3 *db = NULL;

    if (sqlite3_open_v2(where, &db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                        NULL)) {
        bm_error("cannot open %s: %s", where, sqlite3_errmsg(db));
        sqlite3_close(db);
        return -1;
    }
    sqlite3_busy_timeout(db, WAIT_MS);
    *connection = db;
    return 0;
}

static int give_row(sqlite3_stmt *statement, bm_store_row *row, void *context)
{
    const char *cells[MAX_COLUMNS] = {NULL};
    int count = sqlite3_column_count(statement);

    for (int i = 0; i < count && i < MAX_COLUMNS; i++)
        cells[i] = (const char *)sqlite3_column_text(statement, i);
    return row ? row(context, cells) : 0;
}

static int run(void *connection, const char *sql, const char *const *values,
               size_t nr_values, bm_store_row *row, void *context)
{
    sqlite3 *db = connection;
    sqlite3_stmt *statement = NULL;
    int state;

    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL))
        return fail(db, "use");
    for (size_t i = 0; i < nr_values; i++) {
        /* $1 and so on count as names here. */
        int at = sqlite3_bind_parameter_index(
            statement, sqlite3_bind_parameter_name(statement, (int)i + 1));
        if (values[i])
            sqlite3_bind_text(statement, at, values[i], -1, SQLITE_STATIC);
    }
    while ((state = sqlite3_step(statement)) == SQLITE_ROW) {
        if (give_row(statement, row, context))
            break;
    }
    sqlite3_finalize(statement);
    if (state != SQLITE_DONE && state != SQLITE_ROW)
        return fail(db, "use");
    return 0;
}

static void close_file(void *connection)
{
    sqlite3_close(connection);
}

const struct bm_store_driver bm_store_sqlite = {
    .counted_id = "INTEGER PRIMARY KEY",
    .open = open_file,
    .run = run,
    .close = close_file,
};
