/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A small profile that has one of everything that a report can meet. All
 * figures of the process (live = allocated - freed):
 *
 *   site                              calls frees allocated freed at peak  peak
 *   kdtree.c:42 build     malloc         10     4     12000  4000   10000 11000
 *   util.c:7 xmalloc      malloc          5     5      5000  5000    4000  4000
 *   new_allocator.h:137   new, via fill   2     2      3000  3000    3000  4000
 *                         of thread 2,
 *                         via grow        1     0      1000     0    1000
 *   (outside) libplain.so                 1     0      1500     0    1500  1500
 *   main.cpp:30 read_line via getline     1     1       120   120       0   120
 *   total                                20    12     22620 12120   19500
 *   main.cpp:50 gone      malloc          optimized away
 *
 * xmalloc returns what it allocates and is called by main.cpp:20 load.
 * bench_sort[n=100] had two passes (peaks 800 and 900), bench_sort[n=1000]
 * one (8000), both of kdtree.c:42.
 */
#ifndef BENCHMEM_TEST_REPORT_SAMPLE_H
#define BENCHMEM_TEST_REPORT_SAMPLE_H

#include "build_profile.h"

/* The file's bytes; builder_clear when done. */
void sample_build(struct builder *b);

/* The profile; fails the test if it cannot be read. */
struct bm_profile *sample_profile(void);

/* Thread 2 frees 600 of the 1000 bytes that thread 1 allocated. */
struct bm_profile *sample_of_two_threads(void);

/* Nothing but a site that was optimized away. */
struct bm_profile *sample_without_allocations(void);

/*
 * Still running or killed; 500 of its 1000 bytes are of libc, 400 of no known
 * module, 100 of its own; max_paths was reached.
 */
struct bm_profile *sample_of_a_killed_program(void);

#endif
