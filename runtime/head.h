/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The records that say what was run: head, command line, state; and notes,
 * sentences on what the profile lacks. Written through the starting thread's
 * part. None of it is an error: what has no room is left out.
 */
#ifndef BENCHMEM_RUNTIME_HEAD_H
#define BENCHMEM_RUNTIME_HEAD_H

#include <stdbool.h>
#include <stdint.h>

struct bm_thread;
struct bm_launch;

/* False if not even the head has room. parent_pid: see the field table. */
bool bm_head_write(struct bm_thread *thread, const struct bm_launch *launch,
                   uint32_t parent_pid);

/* The command line; what has no room is noted. */
void bm_head_write_arguments(struct bm_thread *thread,
                             const struct bm_launch *launch);

/* False if there was no room. */
bool bm_note(struct bm_thread *thread, const char *sentence);

/* Notes of which one is enough. */
enum bm_note_kind {
    BM_NOTE_BENCHMARKS, /* more than BM_MAX_BENCHMARKS */
    BM_NOTE_LATE,       /* malloc is not ours */
    BM_NOTE_MEASURE,    /* no block is recorded */
    BM_NOTE_THREADS,    /* more than BM_MAX_NAMED_THREADS */
    BM_NR_NOTES,
};
void bm_note_once(struct bm_thread *thread, enum bm_note_kind kind);

/* In a forked child: its profile has no notes yet. */
void bm_notes_after_fork(void);

#endif
