/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * HTML pages that the build made of tools/web/, and their slots. A page holds
 * <!--benchmem:NAME--> for each slot; bm_page_write puts in what the caller
 * writes. Pages hold their script and style and need nothing else: what goes
 * into a slot is data or escaped text, never code.
 *
 * A build without npm has empty pages: bm_page_check dies with the fix.
 */
#ifndef BENCHMEM_TOOLS_PAGE_H
#define BENCHMEM_TOOLS_PAGE_H

#include <stdio.h>

struct bm_page {
    const char *begin;
    const char *end; /* not before begin, or NULL: left out of this build */
};

extern const struct bm_page bm_page_flamegraph;
extern const struct bm_page bm_page_plot;

/* No page but a script for Node, made in the same way: draws plots as SVG. */
extern const struct bm_page bm_page_render;

struct bm_slot {
    const char *name; /* NULL ends a list */
    void (*write)(FILE *file, const void *context);
    const void *context;
};

/* alternative: what can be done instead, for the message. */
void bm_page_check(const struct bm_page *page, const char *alternative);

/* Errors stay in the stream. A slot that the page has not is a bug. */
void bm_page_write(const struct bm_page *page, const struct bm_slot *slots,
                   FILE *file);

/*
 * A stream for JSON in a script element of type application/json: it writes
 * into file each < as \u003c, so that nothing in it can end the element. Close
 * it before file is used again; its errors are those of file.
 */
FILE *bm_page_open_json(FILE *file);

#endif
