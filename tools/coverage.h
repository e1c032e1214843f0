/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * benchmem-report --coverage: which allocation calls of the source were
 * reached, out of all that the programs and libraries of a run hold.
 *
 * The calls come from the tables that the pass leaves in each binary
 * (runtime/abi.h), so the source is not needed, and what was removed by the
 * optimizer or the linker is not among them. Calls that allocate only inside
 * code of others (`via`) are in no table beforehand and are not counted.
 *
 *   1. bm_coverage_read_binary for each file: the calls.
 *   2. bm_coverage_mark for each profile: which of them were reached.
 *   3. bm_coverage_sort, then read sites[0 .. nr_sites).
 *   4. bm_coverage_clear.
 *
 * One call is one site, as everywhere. Only a site in a system header that
 * was inlined is one for each line of the user's that it was inlined into:
 * else all of std::vector would be one call.
 */
#ifndef BENCHMEM_TOOLS_COVERAGE_H
#define BENCHMEM_TOOLS_COVERAGE_H

#include "base/memory.h"
#include "base/output.h"
#include "tools/report.h"

#include <uthash.h>

enum bm_reach {
    BM_REACH_NEVER,
    BM_REACH_OUTSIDE, /* by the process, but by no benchmark that counts */
    BM_REACH_COUNTED,
};

/* "no", "outside" and "yes", in their order; NULL at the end. */
extern const char *const bm_reach_names[];

struct json_t; /* of jansson */

struct bm_coverage_key {
    uint64_t site;  /* its id */
    uint64_t place; /* hash of the line that it is charged to */
};

struct bm_coverage_site {
    UT_hash_handle hh;
    struct bm_coverage_key key;
    struct bm_frame_info frame; /* the line; function and file may be NULL */
    const char *shown;          /* the file's name in tables, never NULL */
    const char *kind;
    const char *callee;            /* may be NULL */
    const char *type;              /* may be NULL */
    const char *size_expr;         /* may be NULL */
    const char *count;             /* likewise, of elements as written */
    struct bm_coverage_site *next; /* private: of the same site id */
    enum bm_reach reach;
    bool elided;          /* of absent ones: the optimizer removed it */
    uint64_t allocations; /* of benchmarks, or of the process without any */
};

/* The lines of one site id. */
struct bm_coverage_lines {
    UT_hash_handle hh;
    uint64_t site;
    struct bm_coverage_site *first;
};

struct bm_coverage {
    struct bm_coverage_site **sites; /* in order after bm_coverage_sort */
    size_t nr_sites;
    size_t room;
    size_t nr_reached;
    struct bm_coverage_site *index;  /* private: by key */
    struct bm_coverage_lines *lines; /* private: by site id */
    struct bm_strvec binaries;       /* that were read */
    size_t nr_benchmarks; /* that count, 0: the processes as a whole do */
    /* Calls of the sources that are in no binary, borrowed; NULL: not asked. */
    const struct bm_coverage *absent;
    struct bm_arena arena;
};

/* A binary of which a profile tells; build_id and start_ns may be unknown. */
struct bm_coverage_binary {
    const char *path;
    const char *build_id;
    bool checked;      /* it must be the file that ran */
    uint64_t start_ns; /* of the process; judges files without a build id */
    bool optional;     /* no error if nothing in it was instrumented */
};

/*
 * Adds the allocation calls of an executable or library. -1 with one line
 * printed if it is gone, damaged, of another build or not instrumented.
 */
int bm_coverage_read_binary(struct bm_coverage *coverage,
                            const struct bm_coverage_binary *binary);

/* The build id of a file in hexadecimal, the caller's to free; NULL: none. */
char *bm_coverage_build_id(const char *path);

/* The site of that key, made if need be; its frame and names are the
 * caller's to fill where kind is NULL. */
struct bm_coverage_site *bm_coverage_site(struct bm_coverage *coverage,
                                          const struct bm_coverage_key *key);

/* The hash of a line that sites are charged to. */
uint64_t bm_coverage_place(const struct bm_frame_info *frame);

/* The id of a site, as the recorder makes it (docs/metrics.md). */
uint64_t bm_coverage_site_id(const struct bm_frame_info *frame,
                             const char *callee);

/* Marks what a profile reached; benchmark NULL: all that it has. */
void bm_coverage_mark(struct bm_coverage *coverage,
                      const struct bm_profile *profile,
                      const struct bm_benchmark_info *benchmark);

/*
 * Reads an inventory of sources, which benchmem-sites writes as JSON, into
 * `absent`: the calls that are not among those of `coverage`, without those in
 * system headers. Profiles tell which the optimizer removed. -1 with an error
 * printed.
 */
int bm_coverage_read_inventory(struct bm_coverage *absent,
                               const struct bm_coverage *coverage,
                               const struct bm_inputs *inputs,
                               const char *path);

/* "optimized away" or "not in the program". */
const char *bm_coverage_why_absent(const struct bm_coverage_site *site);

/* By file, line and column; also counts what was reached. */
void bm_coverage_sort(struct bm_coverage *coverage);

void bm_coverage_clear(struct bm_coverage *coverage);

/* Rows of a table: the sites of one file, or of one function of it. */
struct bm_coverage_group {
    const char *file;
    const char *function; /* NULL: unknown, or the row is a whole file */
    size_t nr_sites;
    size_t nr_reached;
};

/* By file or by function, in the order of the sites; the caller's to free. */
struct bm_coverage_group *bm_coverage_groups(const struct bm_coverage *coverage,
                                             bool by_function, size_t *nr);

/* The columns that lists of calls begin with in CSV, and their cells. */
#define BM_COVERAGE_CSV_COLUMNS                                                \
    {"FILE", "file", 0}, {"DIR", "dir", 0}, {"LINE", "line", BM_COLUMN_RIGHT}, \
        {"COLUMN", "column", BM_COLUMN_RIGHT}, {"FUNCTION", "function", 0},    \
        {"KIND", "kind", 0}, {"CALLEE", "callee", 0}, {"TYPE", "type", 0},     \
    {                                                                          \
        "SIZE", "size_expr", 0                                                 \
    }
#define BM_COVERAGE_NR_CSV 9
void bm_coverage_csv_cells(struct bm_cell *cell,
                           const struct bm_coverage_site *site);

/* What a site is, into an object that is open. */
struct bm_json;
void bm_coverage_put_source(struct bm_json *json,
                            const struct bm_coverage_site *site);

/* The outputs. */
void bm_coverage_text(const struct bm_coverage *coverage,
                      const struct bm_report *report,
                      const struct bm_inputs *inputs, FILE *file);
void bm_coverage_csv(const struct bm_coverage *coverage, FILE *file);
void bm_coverage_json(const struct bm_coverage *coverage,
                      const struct bm_inputs *inputs, FILE *file);
void bm_coverage_lcov(const struct bm_coverage *coverage, FILE *file);

/*
 * The gates, told on standard error. 0, 1 if one does not hold, -1 after an
 * error. `base` is the coverage before.
 */
int bm_coverage_hold_share(const struct bm_coverage *coverage,
                           const struct bm_report *report);
int bm_coverage_hold_new(const struct bm_coverage *coverage,
                         const struct bm_coverage *base,
                         const struct bm_report *report);

/* Reads what --coverage --format json wrote; -1 with an error printed. */
int bm_coverage_read_json(struct bm_coverage *coverage, const char *path);

/* For both: the JSON of path, if it has an object `key` and "sites"; `what`
 * writes such. NULL with an error printed. */
struct json_t *bm_coverage_load(const char *path, const char *key,
                                const char *what);

/* The site of an object of "sites"; NULL if that has no id. */
struct bm_coverage_site *bm_coverage_site_of(struct bm_coverage *coverage,
                                             const struct json_t *object);

/* The whole command: an exit status. */
int bm_report_coverage(const struct bm_report *report, struct bm_inputs *inputs,
                       struct bm_output *output, bool inputs_failed);

#endif
