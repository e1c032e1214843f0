/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Numbers for frames, sites and modules, with a record in the profile for
 * each, written when it is first met. They are told apart by what they say,
 * not by where they lie: a library that is closed and opened again has the
 * same frames, and nothing refers to one that is gone.
 *
 * All functions can be called on any thread with the guard held. An index of
 * 0 says that there is no room, or that nothing is known.
 */
#ifndef BENCHMEM_RUNTIME_FRAMES_H
#define BENCHMEM_RUNTIME_FRAMES_H

#include "abi.h"

#include <stdbool.h>
#include <stdint.h>

struct bm_intern_entry;
struct bm_thread;

/* Takes what finds no room; written by bm_frames_init. */
#define BM_SITE_OTHER 1u

void bm_frames_init(struct bm_thread *thread);

/* A call of instrumented code with what it was inlined into. */
uint32_t bm_frame_of_call(struct bm_thread *thread,
                          const struct bm_frame *where);

/* A function that was left by one of its jumps; which one is not known. */
uint32_t bm_frame_left(struct bm_thread *thread, const struct bm_scope *scope);

/*
 * A frame of code that benchmem-cc did not compile: its module, or with
 * exact its address too.
 */
uint32_t bm_frame_foreign(struct bm_thread *thread, uintptr_t pc, bool exact);

/* The same, by its address, for instrumented code that the linker made. */
uint32_t bm_frame_linked(struct bm_thread *thread, uintptr_t pc);

/* The site at an instrumented call; callee is NULL to take the call's own. */
uint32_t bm_site_of_call(struct bm_thread *thread, const struct bm_frame *where,
                         enum bm_kind kind, const char *callee);

/* The site of blocks asked for by the module at pc, with no call above. */
uint32_t bm_site_outside(struct bm_thread *thread, uintptr_t pc);

/* The record of a call that the optimizer removed. */
void bm_site_elided(struct bm_thread *thread, const struct bm_frame *where);

/* The entries of indices that this module gave out, for groups.h. */
const struct bm_intern_entry *bm_frame_entry(uint32_t frame);
const struct bm_intern_entry *bm_site_entry(uint32_t site);

/* Whether pc lies in the C or C++ library or the dynamic linker. */
bool bm_frame_is_system(uintptr_t pc);

#endif
