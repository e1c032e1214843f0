/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A page for people: facts, titles, tables and sentences, on a terminal or as
 * Markdown. Every text is escaped for where it goes; errors stay in the
 * stream.
 */
#ifndef BENCHMEM_TOOLS_TEXT_PAGE_H
#define BENCHMEM_TOOLS_TEXT_PAGE_H

#include "base/table.h"
#include "base/terminal.h"

#include <stdbool.h>
#include <stdio.h>

struct bm_text_page {
    FILE *file;
    struct bm_terminal terminal;
    bool markdown;
};

void bm_text_page_escaped(const struct bm_text_page *page, const char *text);

/* One line, the name in a column of its own. */
void bm_text_page_fact(const struct bm_text_page *page, const char *name,
                       const char *text);

void bm_text_page_title(const struct bm_text_page *page, const char *title);

/* One line; prefix is ours and written as it is. */
void bm_text_page_sentence(const struct bm_text_page *page, const char *prefix,
                           const char *text, enum bm_tone tone);

void bm_text_page_table(const struct bm_text_page *page,
                        const struct bm_table *table);

#endif
