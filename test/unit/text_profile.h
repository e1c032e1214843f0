/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Profiles of a process as they are written down, so that tests of the tools
 * can say their input in a few lines:
 *
 *     option native=1
 *     thread 100 main
 *     module /usr/lib/libfoo.so
 *     block 1 : 2 200 150 100 : main at a.c:9:3 > f at a.c:4:5 = malloc int
 *
 * A block is what one thread (0: none) did at one path: allocations, bytes
 * allocated, bytes at the peak and bytes live at the end, then the frames,
 * the outermost first. The last two may be below zero. A frame may begin with
 * words: `inlined` (into the frame before it), `tail`, `system`. `NAME in 1`
 * is a frame of module 1 (`- in 1`: without a name). What follows = are kind
 * and type of the site; without frames it is `outside`. A kind `rest` stands
 * for further paths of a malloc. `program PATH` names the executable. What is
 * no such line ends the test.
 */
#ifndef BENCHMEM_TEST_TEXT_PROFILE_H
#define BENCHMEM_TEST_TEXT_PROFILE_H

#include "profile/profile.h"

#include <msgpack.h>

/* 0, or the error of the packer's callback. */
int text_profile_pack(msgpack_packer *packer, const char *text);

/* The profile as the reader sees it; the caller frees it. */
struct bm_profile *text_profile_parse(const char *text);

#endif
