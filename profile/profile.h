/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Reads a profile into memory, for tools and for programs of others
 * (installed as <benchmem/profile.h>, -lbenchmem_profile).
 *
 * bm_profile_read reads a file once, checks it as it goes and returns one
 * struct bm_profile that owns everything reachable from it, until
 * bm_profile_free. It trusts nothing: no allocation from an unchecked length,
 * no recursion, time and memory linear in the size of the file, and the
 * offset of the first fault in its error. It never writes to the file: a
 * profile whose program still runs, or was killed, reads as it stands, and
 * one that was cut reads up to there (BM_STATE_CUT).
 *
 * Indices in the records are those of the arrays here: index 1 is element 0,
 * but for gaps that a kill left and sites that came twice, which are closed.
 * An outer path and the frame that one is inlined into come before it.
 * Strings are UTF-8, terminated, never NULL where not said so. Not
 * thread-safe; different profiles can be read on different threads.
 *
 * What each number means is in docs/metrics.md.
 */
#ifndef BENCHMEM_PROFILE_H
#define BENCHMEM_PROFILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * What became of the bytes of blocks, in a program built with
 * --benchmem-access: of those that were followed to their end (freed, or live
 * as the process exited). All but the first three are of blocks that only
 * code built so has seen.
 */
struct bm_access {
    uint64_t blocks;
    uint64_t bytes;
    uint64_t escaped_bytes; /* of blocks that other code saw: not judged */
    uint64_t untouched_bytes; /* neither written nor read */
    uint64_t never_written_bytes;
    uint64_t never_read_bytes; /* written and not read */
    uint64_t idle_bytes;       /* of blocks that were kept long after use */
    uint64_t reached_bytes;    /* up to the last byte written or read */
};

/* Counts are calls or blocks, sizes are bytes as requested from malloc. */
struct bm_figures {
    uint64_t allocations;
    uint64_t frees;
    uint64_t allocated_bytes;
    uint64_t freed_bytes;
    uint64_t peak_bytes;    /* own high-water mark; 0 where only at_peak is known */
    uint64_t at_peak_bytes; /* held at the peak of the process or benchmark */
    uint64_t live_bytes;    /* at the end; of a benchmark: left by its passes */
    uint64_t live_blocks;
    uint64_t temporary;
    uint64_t inherited_bytes;
    uint64_t inherited_blocks;
    uint64_t at_peak_blocks; /* that at_peak_bytes is made of */
    /*
     * Number, counted over the whole process from 1, of the allocation that
     * set peak_bytes; 0 where that is not known, as for a sum of processes.
     */
    uint64_t peak_ordinal;
    uint64_t saves_bytes; /* of a site, if bm_profile_saving knows it, else 0 */
    /*
     * Of the process. NULL where nothing was followed, as in a benchmark: read
     * it with bm_access_of. The owner of the figures owns it too.
     */
    struct bm_access *access;
};

/* Never NULL: all 0 where nothing was followed. */
const struct bm_access *bm_access_of(const struct bm_figures *figures);

enum bm_end {
    BM_END_UNKNOWN,
    BM_END_STATUS,
    BM_END_SIGNAL,
    BM_END_EXEC,
};

/*
 * Bits of bm_profile.flags, each with its sentence of schema.inc in
 * bm_profile.notes. CUT and IN_FLIGHT are set by the reader.
 */
enum bm_state_flags {
    BM_STATE_LATE = 1,       /* the recorder came late: only sites are counted */
    BM_STATE_STOPPED = 2,    /* recording ended before the process did */
    BM_STATE_FILE_FULL = 4,  /* the file could not grow: sites beyond share one entry */
    BM_STATE_PATHS_FULL = 8, /* max_paths was reached */
    BM_STATE_CUT = 16,       /* the file ends inside a record */
    BM_STATE_IN_FLIGHT = 32, /* read or ended within calls; nothing is missing */
    BM_STATE_MERGED = 64,    /* of several processes: sums, peak is an upper bound */
    BM_STATE_SLACK = 256,    /* the peak is known to within slack=BYTES */
    BM_STATE_UNSAVED = 512,  /* saves=1 was given up */
    BM_STATE_ACCESS_LOST = 1024, /* from some moment on no access was followed */
    BM_STATE_RUNS = 128,     /* of several runs: the process is the first of them */
};

/*
 * Where the names of a module's foreign frames come from. The recorder writes
 * addresses; names are looked up once the process has ended, and kept.
 */
enum bm_symbol_source {
    BM_SYMBOLS_UNTRIED, /* not looked up yet, or nothing to look up */
    BM_SYMBOLS_DEBUG,   /* debug information: files, lines, inlined calls */
    BM_SYMBOLS_TABLE,   /* the symbol table: names alone */
    BM_SYMBOLS_DYNAMIC, /* it is stripped: dynamic symbols, or the nearest one */
    BM_SYMBOLS_NONE,    /* it has no symbol at all */
    BM_SYMBOLS_ABSENT,  /* the file could not be read */
    BM_SYMBOLS_OTHER,   /* another build of it lies there: not looked at */
};

struct bm_module {
    const char *path;
    const char *build_id; /* hexadecimal, may be NULL */
    uint64_t bias;
    bool instrumented;
    enum bm_symbol_source symbols;
};

enum bm_frame_bits {
    BM_FRAME_IS_TAIL = 1,
    BM_FRAME_IS_INDIRECT = 2,
    BM_FRAME_IS_WRAPPER = 4,
    BM_FRAME_IS_SYSTEM = 8,
    /*
     * Compiled by benchmem-cc, its machine code made by the linker: told by
     * its address in its module, like a foreign frame.
     */
    BM_FRAME_IS_LINKED = 16,
    BM_FRAME_IS_ACCESS = 32, /* of code built with --benchmem-access */
};

struct bm_frame_info {
    const char *function;     /* may be NULL */
    const char *linkage_name; /* may be NULL */
    const char *file;         /* may be NULL */
    const char *dir;          /* may be NULL */
    uint32_t line;
    uint32_t column;
    const char *callee;                       /* may be NULL */
    const struct bm_frame_info *inlined_into; /* may be NULL */
    const struct bm_module *module;           /* of a foreign frame, else NULL */
    uint64_t offset;
    unsigned flags;   /* enum bm_frame_bits */
    const char *type; /* that a wrapper is called for; may be NULL */
};

struct bm_site_info {
    uint64_t id;
    const struct bm_frame_info *frame; /* NULL for `outside` */
    const char *kind;
    const char *callee;    /* may be NULL */
    const char *type;      /* may be NULL */
    const char *size_expr; /* may be NULL */
    const char *count;     /* may be NULL */
    const struct bm_module *module; /* of an `outside` site, else NULL */
    bool elided;
    struct bm_figures figures; /* of the whole process; all 0 if elided */
};

struct bm_path_info {
    const struct bm_path_info *outer; /* NULL at the outermost frame */
    const struct bm_frame_info *frame; /* never NULL, perhaps with nothing known */
    const struct bm_site_info *site; /* where the path ends at one, else NULL */
    bool other; /* stands for further paths of its site */
};

struct bm_process_info;

struct bm_thread_info {
    uint64_t tid;
    const char *name; /* may be NULL */
    const struct bm_process_info *process; /* of several, else NULL */
};

/* What few nodes have. */
struct bm_node_rest {
    uint64_t inherited_bytes;
    uint64_t inherited_blocks;
    struct bm_access *access; /* may be NULL */
};

/*
 * What one thread did at one site and path, as in struct bm_figures, without
 * what is 0 in any node or follows from the others (see bm_node_figures): a
 * profile may have millions of them. at_peak_bytes, what is live and their
 * blocks are shares, as two's complement: added up over the nodes of a site or
 * of a path they give its figure, while one alone, read as signed, can stand
 * for less than nothing: a thread may have freed what another allocated.
 */
struct bm_node_figures {
    uint64_t allocations;
    uint64_t frees;
    uint64_t allocated_bytes;
    uint64_t freed_bytes;
    uint64_t at_peak_bytes;
    uint64_t at_peak_blocks;
    uint64_t temporary;
    struct bm_node_rest *rest; /* NULL: all 0 */
};

struct bm_node_info {
    size_t benchmark; /* index in benchmarks plus 1, 0 for the process */
    const struct bm_site_info *site;
    const struct bm_path_info *path; /* NULL where only sites were counted */
    const struct bm_thread_info *thread; /* may be NULL */
    struct bm_node_figures figures;
};

static inline uint64_t bm_node_live_bytes(const struct bm_node_info *node)
{
    return (node->figures.rest ? node->figures.rest->inherited_bytes : 0) +
           node->figures.allocated_bytes - node->figures.freed_bytes;
}

static inline uint64_t bm_node_live_blocks(const struct bm_node_info *node)
{
    return (node->figures.rest ? node->figures.rest->inherited_blocks : 0) +
           node->figures.allocations - node->figures.frees;
}

/* All of a node's figures; peak_bytes, which is of sites, is 0. */
struct bm_figures bm_node_figures(const struct bm_node_info *node);

enum bm_param_kind {
    BM_VALUE_SIGNED,
    BM_VALUE_UNSIGNED,
    BM_VALUE_DOUBLE,
    BM_VALUE_BOOL,
    BM_VALUE_STRING,
};

struct bm_param_info {
    const char *name;
    enum bm_param_kind kind;
    union {
        int64_t i;
        uint64_t u;
        double d;
        const char *s; /* may be NULL */
    } value;
    const char *text; /* as in the benchmark's id */
};

/* What the recorder measured of a pass, as its option `measure` said. */
enum bm_measured {
    BM_MEASURED_MEMORY,
    BM_MEASURED_TIME,
    BM_MEASURED_RSS,
};

/* Figures of what was not measured are 0 and mean nothing. */
struct bm_pass_info {
    uint64_t peak_bytes;
    uint64_t allocated_bytes;
    uint64_t allocations;
    uint64_t retained_bytes;
    uint64_t time_ns;
    uint64_t setup_peak_rss_bytes; /* of the process before it; 0: not told */
    uint64_t peak_rss_bytes;       /* and through its end */
    uint64_t began_bytes; /* allocated by the process until then; timeline=1 */
    uint64_t ended_bytes;
    enum bm_measured measured;
    bool open; /* the process ended inside */
};

/* Bits of bm_declared_info.flags: which ceilings there are, and more. */
enum bm_declared_flags {
    BM_DECLARED_ISOLATE = 1,
    BM_DECLARED_NATIVE = 2,
    BM_DECLARED_MAX_PEAK = 4,
    BM_DECLARED_MAX_ALLOCATED = 8,
    BM_DECLARED_MAX_ALLOCATIONS = 16,
};

/* What a benchmark of benchmem.h declares; all 0 but calls of another. */
struct bm_declared_info {
    const char *group; /* may be NULL */
    const char *suite; /* names with commas between them, may be NULL */
    uint64_t calls;    /* in each pass */
    unsigned flags;
    uint64_t max_peak_bytes;
    uint64_t max_allocated_bytes;
    uint64_t max_allocations;
};

struct bm_range {
    uint64_t min, max, sum;
};

/* One site's figures within the passes of one benchmark, or in one process. */
struct bm_bench_site {
    const struct bm_site_info *site;
    struct bm_figures figures;
};

struct bm_benchmark_info {
    const char *id;   /* FILE::NAME[PARAMS] */
    const char *name;
    const char *params_text; /* "n=100,kind=tree", empty without parameters */
    const struct bm_frame_info *frame;
    const char *file; /* the shortest path suffix that is unique here */
    struct bm_param_info *params;
    size_t nr_params;
    struct bm_pass_info *passes; /* the first 1,000; then an open one, if any */
    size_t nr_passes;
    uint64_t nr_more_passes; /* beyond them, in more_* */
    struct bm_range more_peak, more_allocated, more_allocations, more_retained;
    struct bm_range more_time;         /* nanoseconds */
    enum bm_measured more_measured;
    struct bm_declared_info declared;
    struct bm_param_info *labels; /* text is empty */
    size_t nr_labels;
    const char **failures; /* why passes failed, in order */
    size_t nr_failures;
    struct bm_bench_site *sites;
    size_t nr_sites;
    struct bm_figures figures; /* of all passes; peak_bytes of the largest */
};

/*
 * A stretch of the course of live bytes over allocated bytes, which is
 * recorded with timeline=1: up to allocated_bytes, from the stretch before.
 */
struct bm_moment_info {
    uint64_t allocated_bytes;
    uint64_t live_bytes; /* the largest in it, after an allocation */
};

/* A pool that the program annotates: no heap, in no total. */
struct bm_pool_info {
    const char *name;
    uint64_t takes;  /* pieces handed out */
    uint64_t gives;  /* pieces that came back one by one */
    uint64_t resets; /* times that all came back */
    uint64_t taken_bytes;
    uint64_t given_bytes;
    uint64_t live_bytes;
    uint64_t peak_bytes;
};

/*
 * One process of a profile that was put together from several: of a merged
 * one (BM_STATE_MERGED), whose figures are the sums of these, or a run of a
 * profile of several runs (BM_STATE_RUNS). Its peak is its own, and true.
 */
struct bm_process_info {
    const char *program;
    const char *cwd;
    const char *host; /* may be NULL */
    const char *rank; /* may be NULL */
    uint64_t pid;
    uint64_t parent_pid;
    uint64_t start_ns;
    const char **arguments;
    size_t nr_arguments;
    enum bm_end end;
    uint64_t end_value;
    unsigned flags;
    bool complete;
    bool counted; /* its nodes and sites are here: not of later runs */
    struct bm_figures totals;
    uint64_t unknown_frees;
    uint64_t failed_allocations;
    uint64_t dropped;
    struct bm_bench_site *sites; /* what it did at each, own peaks included */
    size_t nr_sites;
};

/*
 * With saves=1: how far the peak of the process or of a benchmark falls if a
 * site, line, function or type had held nothing at any time. Lines are those
 * that sites in system headers are charged to, functions and types as
 * benchmem-report groups by default; which blocks a group has is told by the
 * groupings.
 */
enum bm_saved_level {
    BM_SAVED_SITE,
    BM_SAVED_LINE,
    BM_SAVED_FUNCTION,
    BM_SAVED_TYPE,
    BM_NR_SAVED,
};

struct bm_saving_info {
    size_t benchmark; /* index in benchmarks plus 1, 0 for the process */
    enum bm_saved_level level;
    uint64_t of; /* index in sites plus 1, else number of the group */
    uint64_t saves_bytes;
};

/* The numbers of the groups of a site's and path's blocks; 0: not known. */
struct bm_grouping_info {
    const struct bm_site_info *site;
    const struct bm_path_info *path; /* NULL where only sites are counted */
    uint64_t of[BM_NR_SAVED];        /* line 0: the site itself */
};

#define BM_NR_SIZES 64

struct bm_profile {
    const char *path; /* of the file read */
    bool has_access;  /* some code was built with --benchmem-access */
    unsigned schema_version;
    const char *writer;
    const char *program;
    const char *cwd;
    const char *host;    /* may be NULL */
    const char *options; /* may be NULL */
    const char *rank;    /* may be NULL */
    uint64_t pid;
    uint64_t parent_pid;
    uint64_t start_ns;
    const char **arguments;
    size_t nr_arguments;
    const char **notes;
    size_t nr_notes;

    enum bm_end end;
    uint64_t end_value;
    bool complete; /* status or signal is known and nothing is missing */
    unsigned flags;

    struct bm_figures totals;
    uint64_t unknown_frees;
    uint64_t failed_allocations;
    uint64_t dropped;
    /*
     * Allocations by size: [0] of no bytes, [n] of 2^(n-1) to below 2^n. All 0
     * in a profile of a recorder that did not count them.
     */
    uint64_t sizes[BM_NR_SIZES];

    struct bm_module *modules;
    size_t nr_modules;
    struct bm_frame_info *frames;
    size_t nr_frames;
    struct bm_site_info *sites;
    size_t nr_sites;
    struct bm_path_info *paths;
    size_t nr_paths;
    struct bm_thread_info *threads;
    size_t nr_threads;
    struct bm_benchmark_info *benchmarks;
    size_t nr_benchmarks;
    struct bm_node_info *nodes;
    size_t nr_nodes;
    struct bm_pool_info *pools;
    size_t nr_pools;
    struct bm_moment_info *moments; /* in order; none without timeline=1 */
    size_t nr_moments;
    struct bm_saving_info *savings; /* sorted; none without saves=1 */
    size_t nr_savings;
    struct bm_grouping_info *groupings;
    size_t nr_groupings;
    struct bm_process_info *processes; /* none but of several processes or runs */
    size_t nr_processes;
};

/*
 * Where and why a file could not be read; why is valid until the thread's
 * next call.
 */
struct bm_profile_error {
    uint64_t offset; /* in bytes */
    const char *why; /* NULL: no fault */
};

/* NULL on any fault, which *error then tells. path is copied. */
struct bm_profile *bm_profile_read(const char *path, struct bm_profile_error *error);

/* The same for bytes in memory, borrowed for the call; name stands for the path. */
struct bm_profile *bm_profile_parse(const void *data, size_t size, const char *name,
                                    struct bm_profile_error *error);

void bm_profile_free(struct bm_profile *profile);

/*
 * Writes the profile in its small form to a file descriptor: the same
 * schema, threads kept, no unused room. 0, or -1 with errno set. What it
 * writes reads back equal. A profile of other origin than bm_profile_read
 * must have its pointers within its own arrays, and in their order.
 */
int bm_profile_write(const struct bm_profile *profile, int fd);

/* Whether saves were recorded, of the process (0) or of a benchmark. */
bool bm_profile_has_savings(const struct bm_profile *profile, size_t benchmark);

/*
 * What is known of that saving, NULL: nothing. benchmark and of as in struct
 * bm_saving_info.
 */
const struct bm_saving_info *bm_profile_saving(const struct bm_profile *profile,
                                               size_t benchmark,
                                               enum bm_saved_level level,
                                               uint64_t of);

/* NULL if every identity of docs/metrics.md holds, else the one that does not. */
const char *bm_profile_check(const struct bm_profile *profile);

#ifdef __cplusplus
}
#endif

#endif
