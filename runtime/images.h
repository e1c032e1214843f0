/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The tables of instrumented code in this copy's own executable or library,
 * told to the process's recorder by a constructor that runs before those of
 * the program, and taken back by a destructor that runs after them.
 */
#ifndef BENCHMEM_RUNTIME_IMAGES_H
#define BENCHMEM_RUNTIME_IMAGES_H

struct bm_thread;

/* As the recorder starts: adds the tables of its own module. */
void bm_images_start(struct bm_thread *thread);

#endif
