/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A profile whose every text tries to be more than text in one of the places
 * that the tools write to: HTML, script elements, SVG, Markdown, CSV,
 * JSON, terminals, and the line formats of other tools. Its identities hold.
 *
 * For each text there is a site (in a function, a file and a folder of that
 * name, of that type, kind and callee) that was given one block, a module, a
 * path, a thread and a benchmark with a parameter of that name and value;
 * command line, notes, program, host and rank are made of them too.
 */
#ifndef BENCHMEM_TEST_HOSTILE_H
#define BENCHMEM_TEST_HOSTILE_H

#include "profile/profile.h"

#include <msgpack.h>
#include <stddef.h>

/* Texts that are not for what they will be put into. Ended by NULL. */
extern const char *const hostile_texts[];

size_t nr_hostile_texts(void);

/* Bytes of the block of the text with that index: all differ. */
uint64_t hostile_size(size_t index);

/* 0, or the error of the packer's callback. */
int hostile_pack(msgpack_packer *packer);

/* The profile as the reader sees it; the caller frees it. */
struct bm_profile *hostile_parse(void);

#endif
