/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The allocation calls of source files without a build, for commands in C:
 * a compilation database, and what one compilation of it would put into the
 * tables of its object. The parser, the tagger and the texts are those of the
 * plugin, so every call has the id that it has in a binary.
 *
 *   1. bm_database_read, then bm_database_at for 0 .. count - 1.
 *   2. bm_inventory_read for a unit: calls back for each call of it.
 *   3. bm_database_free.
 *
 * Reading a unit works on state of the process (working folder, environment,
 * the one SourceInfo) and may end the process on a fault of Clang's: callers
 * give each unit a process of its own. Nothing is written but, on request,
 * Clang's diagnostics. Reasons (*why) are one line without a full stop, the
 * caller's to free.
 */
#ifndef BENCHMEM_PASS_INVENTORY_H
#define BENCHMEM_PASS_INVENTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One compilation; its strings are the database's. */
struct bm_database_unit {
    const char *folder;       /* as in the database, perhaps relative */
    const char *file;         /* likewise, relative to folder */
    const char *const *words; /* of the command, NULL behind the last */
    size_t nr_words;
};

struct bm_database;

/* NULL with a reason if path is no compilation database. */
struct bm_database *bm_database_read(const char *path, char **why);
size_t bm_database_count(const struct bm_database *database);
struct bm_database_unit bm_database_at(const struct bm_database *database,
                                       size_t i);
void bm_database_free(struct bm_database *database);

/* How to read a unit, in its folder. */
struct bm_inventory_request {
    const char *compiler;     /* path of the clang whose headers are used */
    const char *file;         /* the input that is meant */
    const char *const *words; /* of the command without our own options;
                                 the first tells language and target */
    size_t nr_words;
    const char *const *plugin_args; /* "wrapper=NAME"; NULL behind the last */
    bool add_line_table;            /* the command asks for no line table */
    bool verbose;                   /* diagnostics go to standard error */
};

/* A call, as the tables of an object have it. Texts that are unknown are
   empty; all of them are valid during the callback alone. */
struct bm_inventory_call {
    const char *function;
    const char *linkage_name;
    const char *file;
    const char *dir;
    const char *callee;
    const char *type;
    const char *size_expr;
    const char *count;
    uint32_t line;
    uint32_t column;
    uint16_t kind;  /* enum bm_kind of runtime/abi.h */
    uint16_t flags; /* enum bm_frame_flags */
};

typedef void (*bm_inventory_sink)(void *context,
                                  const struct bm_inventory_call *call);

enum bm_inventory_end {
    BM_INVENTORY_READ,
    BM_INVENTORY_FAILED,   /* it does not compile; no call was told of */
    BM_INVENTORY_LEFT_OUT, /* benchmem-cc would leave it as it is */
};

enum bm_inventory_end
bm_inventory_read(const struct bm_inventory_request *request,
                  bm_inventory_sink sink, void *context, char **why);

#ifdef __cplusplus
}
#endif

#endif
