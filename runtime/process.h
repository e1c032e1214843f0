/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * How the process ends, as far as it can be known from inside: exit, _exit
 * and the return from main, with their status, and exec. A signal is known to
 * the parent alone.
 *
 * Ending makes no system call of its own, since a sandboxed program may not
 * make any, except where the caller may be a child in this memory (after
 * vfork, or on a stack of its own), which must leave no trace. Any thread, in
 * signal handlers too; before the recorder has started nothing happens.
 */
#ifndef BENCHMEM_RUNTIME_PROCESS_H
#define BENCHMEM_RUNTIME_PROCESS_H

#include <stdbool.h>

struct bm_thread;

/* From a constructor: libc may allocate to remember the handler. */
void bm_process_watch_exit(void);

/* frame: an address on the caller's stack. */
void bm_process_exits(int status, const void *frame);

/* The same, for another copy; may_be_child: what the copy knows. */
void bm_process_note_exit(int status, const void *frame, bool may_be_child);

/* From now on there may be children in this memory. Finds bm_next. */
void bm_process_shares_memory(void);

/*
 * Around exec: becomes notes it, with the name as given (NULL: a descriptor),
 * stays takes that back. A child in this memory leaves no trace.
 */
struct bm_exec {
    struct bm_thread *thread; /* NULL: nothing was noted */
    bool has_note;
};
void bm_process_becomes(struct bm_exec *exec, const char *name);
void bm_process_stays(const struct bm_exec *exec);

/* The same, for other copies. */
void bm_process_note_becomes(struct bm_exec *exec, const char *name);
void bm_process_note_stays(const struct bm_exec *exec);

#endif
