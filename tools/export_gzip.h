/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A gzip stream into a file: one member, as not every reader knows several.
 * export_gzip_isal.c makes it where ISA-L is, else export_gzip_zlib.c.
 *
 *   1. bm_gzip_open; dies without memory.
 *   2. bm_gzip_write, as often as needed, from one thread.
 *   3. bm_gzip_close writes the rest. The file is the caller's, and nobody
 *      else's in between. Errors of writing stay in it.
 */
#ifndef BENCHMEM_TOOLS_EXPORT_GZIP_H
#define BENCHMEM_TOOLS_EXPORT_GZIP_H

#include <stddef.h>
#include <stdio.h>

struct bm_gzip *bm_gzip_open(FILE *file);
void bm_gzip_write(struct bm_gzip *gzip, const void *data, size_t size);
void bm_gzip_close(struct bm_gzip *gzip);

#endif
