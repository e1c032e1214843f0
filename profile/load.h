/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A profile on its way into memory, in four steps: bm_load_records
 * (records.c, load.c) reads records into rows, where the indices of other
 * records stand in for pointers; bm_load_link (link.c) puts the pointers;
 * bm_load_figures (figures.c) and bm_load_benchmarks (benchmarks.c) work out
 * what the counters mean. Of the reader only.
 *
 * The first error stays in load->error; each step then returns false.
 */
#ifndef BENCHMEM_PROFILE_LOAD_H
#define BENCHMEM_PROFILE_LOAD_H

#include "arena.h"
#include "profile.h"
#include "records.h"
#include "source.h"
#include "table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the caller gets: the profile first, so that its address is enough. */
struct bm_loaded {
    struct bm_profile profile;
    struct bm_arena arena;
};

struct bm_raw_benchmark {
    const char *name;
    const struct bm_frame_info *frame; /* an index until linked */
    uint64_t peak, peak_pass, nr_passes, peak_ordinal, saves;
    uint32_t number; /* from 1, of the benchmark that it is part of */
};

/* Words of a node, and what it has of struct bm_node_rest; see nodes.c. */
struct bm_raw_node {
    uint64_t pass, seen, live, before_blocks;
    struct bm_node_rest *rest;
};

struct bm_raw_mark {
    size_t benchmark; /* index, 0 for the process */
    uint64_t site;    /* index */
    uint64_t peak, peak_ordinal;
};

struct bm_raw_param {
    size_t benchmark;
    struct bm_param_info param;
};

struct bm_raw_pass {
    size_t benchmark;
    uint64_t serial;
    struct bm_pass_info pass;
};

struct bm_raw_passes {
    size_t benchmark;
    uint64_t count;
    struct bm_range peak, allocated, allocations, retained, time;
    enum bm_measured measured;
};

struct bm_raw_process {
    struct bm_process_info info; /* but for arguments and sites */
    uint64_t first_thread;       /* index */
    uint64_t nr_threads;
};

struct bm_raw_process_mark {
    uint64_t process; /* index */
    uint64_t site;    /* index */
    uint64_t peak;
};

struct bm_raw_argument {
    uint64_t process; /* index */
    const char *text;
};

/* Of the node of that site, path and thread; see access.c. */
struct bm_raw_access {
    uint64_t site, path, thread; /* indices */
    struct bm_access access;
};

struct bm_load {
    struct bm_profile *profile;
    struct bm_arena *arena;
    struct bm_source source;
    struct bm_profile_error *error;
    size_t at;        /* offset of the record being read */
    size_t max_index; /* that a file of this size can need */

    struct bm_table modules, frames, sites, paths, threads;
    struct bm_table benchmarks; /* of struct bm_raw_benchmark */
    struct bm_rows raw_nodes; /* of nodes by the index in figures.rest */
    struct bm_rows nodes, marks, params, passes, more_passes;
    struct bm_rows declared, labels, failures; /* rows of declared.c */
    struct bm_rows arguments, notes, pools;
    struct bm_rows moments;            /* of timeline.c */
    struct bm_rows savings, groupings; /* of saves.c */
    struct bm_rows accesses;           /* of access.c */
    struct bm_table processes;         /* of struct bm_raw_process */
    struct bm_rows process_marks, process_arguments;
    struct bm_raw_benchmark process; /* its ledger */
    bool has_head, has_state, has_ledger;
    size_t nr_early_nodes; /* those of the process before its ledger end here */
};

/*
 * Rows by the benchmark that they belong to: those of benchmark number b
 * (from 0) are order[starts[b]] to order[starts[b + 1]], in file order.
 */
struct bm_groups {
    uint32_t *starts;
    uint32_t *order;
};

bool bm_load_records(struct bm_load *load);
bool bm_load_record(struct bm_load *load, const msgpack_object *object);
bool bm_load_link(struct bm_load *load);
bool bm_load_figures(struct bm_load *load);
bool bm_load_benchmarks(struct bm_load *load);
bool bm_load_processes(struct bm_load *load);

/* Keeps the first fault. Always false, for `return`. */
bool bm_load_fail(struct bm_load *load, const char *why);
bool bm_load_fail_memory(struct bm_load *load);
bool bm_load_fail_type(struct bm_load *load);

/*
 * What functions that load one record are made of. Texts are copied into the
 * profile's arena, and rows are the load's; false or NULL after a fault, which
 * is kept. A text that is nil becomes NULL, or, where the reader promises a
 * string, otherwise.
 */
bool bm_load_keep(struct bm_load *load, const char **out, struct bm_text text);
bool bm_load_keep_some(struct bm_load *load, const char **out,
                       struct bm_text text, const char *otherwise);

/* The row of an index from 1; again: whether it was there, filled or not. */
void *bm_load_put(struct bm_load *load, struct bm_table *table, uint64_t index,
                  bool *again);
void *bm_load_add(struct bm_load *load, struct bm_rows *rows);

/* The index of another record in the place of its pointer, until linked. */
void *bm_load_reference(const struct bm_load *load, uint64_t index);

/* One that cannot exist is dropped with the others that do not. */
size_t bm_load_benchmark_index(const struct bm_load *load, uint64_t index);

/* The fields of the record `object`, or a return with the fault. */
#define BM_LOAD_UNPACK(name, r)                                                \
    struct bm_record_##name r;                                                 \
    if (!bm_unpack_##name(object, &r))                                         \
    return bm_load_fail_type(load)

#define BM_LOAD_WORD(words, LIST, name) bm_words_get(words, BM_##LIST##_##name)

/* declared.c: its rows, and its part of bm_load_record. */
void bm_declared_init(struct bm_load *load);
void bm_declared_clear(struct bm_load *load);
bool bm_load_declared(struct bm_load *load, const msgpack_object *object);
bool bm_load_label(struct bm_load *load, const msgpack_object *object);
bool bm_load_failure(struct bm_load *load, const msgpack_object *object);
bool bm_load_pool(struct bm_load *load, const msgpack_object *object);

/* blocks.c: its part of it, made of records of one (load.c). */
bool bm_load_nodes(struct bm_load *load, const msgpack_object *object);
bool bm_load_paths(struct bm_load *load, const msgpack_object *object);
bool bm_load_one_path(struct bm_load *load, const struct bm_record_path *r);
bool bm_load_one_node(struct bm_load *load, const struct bm_record_node *r);

/* passes.c, processes.c: their parts of it. */
bool bm_load_pass(struct bm_load *load, const msgpack_object *object);
bool bm_load_passes(struct bm_load *load, const msgpack_object *object);
bool bm_load_process(struct bm_load *load, const msgpack_object *object);
bool bm_load_process_mark(struct bm_load *load, const msgpack_object *object);

/* timeline.c: as declared.c, and the moments in order once all were read. */
void bm_timeline_init(struct bm_load *load);
bool bm_load_moment(struct bm_load *load, const msgpack_object *object);
void bm_timeline_sort(struct bm_load *load);

/* saves.c: the same, and what they mean once all figures are there. */
void bm_saves_init(struct bm_load *load);
bool bm_load_saving(struct bm_load *load, const msgpack_object *object);
bool bm_load_grouping(struct bm_load *load, const msgpack_object *object);
bool bm_load_saves(struct bm_load *load);

/*
 * access.c: the same; once all is linked, rows' figures into nodes; and, once
 * sites have their figures, those of nodes into sites and totals.
 */
void bm_access_init(struct bm_load *load);
void bm_access_clear(struct bm_load *load);
bool bm_load_access(struct bm_load *load, const msgpack_object *object);
bool bm_access_join(struct bm_load *load);
bool bm_access_sum(struct bm_load *load);

/* Whether nothing is missing, by how the process ended and its flags. */
bool bm_is_complete(enum bm_end end, unsigned flags);

/*
 * What the raw benchmarks (bm_load.benchmarks) are called, and which of them
 * are one: numbers[i] is 1 plus the place of raw benchmark i among infos.
 */
struct bm_named {
    struct bm_benchmark_info *infos; /* zeroed but for what names them */
    size_t nr;
    uint32_t *numbers;
};

/* benchmark_ids.c: fills in named, whose arrays are the caller's to free. */
bool bm_load_ids(struct bm_load *load, struct bm_named *named);

/*
 * Groups rows that begin with the index of a benchmark; numbers NULL: by the
 * raw benchmarks themselves. Rows without one are left out.
 */
bool bm_load_group(struct bm_load *load, const struct bm_rows *rows,
                   const uint32_t *numbers, size_t nr_numbers,
                   struct bm_groups *groups);
void bm_groups_clear(struct bm_groups *groups);

/*
 * nodes.c: its part of bm_load_record; what becomes of nodes of the process
 * that came before its ledger; and the rest of a node, empty if it had none,
 * NULL without memory.
 */
bool bm_load_node(struct bm_load *load, const msgpack_object *object);
void bm_load_early_nodes(struct bm_load *load);
struct bm_node_rest *bm_node_rest_for(struct bm_load *load,
                                      struct bm_node_info *node);

/* Drops nodes whose figures are all 0. */
void bm_load_drop_idle(struct bm_load *load);

/* The system's words for an errno, static. */
const char *bm_load_error_text(int error);

/*
 * An index kept in the place of a pointer until bm_load_link. Indices are
 * below load->max_index, so they fit.
 */
static inline void *bm_index_as_pointer(uint64_t index)
{
    return (void *)(uintptr_t)index;
}

static inline uint64_t bm_index_of_pointer(const void *pointer)
{
    return (uintptr_t)pointer;
}

/*
 * What is kept of a node until its ledger is known: for nodes of benchmarks,
 * and for those of the process until bm_load_early_nodes.
 */
static inline struct bm_raw_node *
bm_raw_node_of(const struct bm_load *load, const struct bm_node_info *node)
{
    struct bm_raw_node *rows = load->raw_nodes.rows;

    return &rows[bm_index_of_pointer(node->figures.rest) - 1];
}

#endif
