/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/text_page.h"

#include "base/escape.h"
#include "base/str.h"

void bm_text_page_escaped(const struct bm_text_page *page, const char *text)
{
    struct bm_str out = BM_STR_INIT;

    if (page->markdown)
        bm_escape_markdown(&out, text);
    else
        bm_escape_terminal(&out, text);
    fputs(out.data, page->file);
    bm_str_clear(&out);
}

void bm_text_page_fact(const struct bm_text_page *page, const char *name,
                       const char *text)
{
    if (page->markdown)
        fprintf(page->file, "- **%s**: ", name);
    else
        fprintf(page->file, "%s%-9s%s ",
                bm_tone_begin(&page->terminal, BM_TONE_STRONG), name,
                bm_tone_end(&page->terminal, BM_TONE_STRONG));
    bm_text_page_escaped(page, text);
    fputc('\n', page->file);
}

void bm_text_page_title(const struct bm_text_page *page, const char *title)
{
    if (page->markdown)
        fputs("\n### ", page->file);
    else
        fprintf(page->file, "\n%s",
                bm_tone_begin(&page->terminal, BM_TONE_STRONG));
    bm_text_page_escaped(page, title);
    if (!page->markdown)
        fputs(bm_tone_end(&page->terminal, BM_TONE_STRONG), page->file);
    fputs(page->markdown ? "\n\n" : "\n", page->file);
}

void bm_text_page_sentence(const struct bm_text_page *page, const char *prefix,
                           const char *text, enum bm_tone tone)
{
    if (page->markdown)
        fputc('\n', page->file);
    else
        fputs(bm_tone_begin(&page->terminal, tone), page->file);
    fputs(prefix, page->file);
    bm_text_page_escaped(page, text);
    if (!page->markdown)
        fputs(bm_tone_end(&page->terminal, tone), page->file);
    fputc('\n', page->file);
}

void bm_text_page_table(const struct bm_text_page *page,
                        const struct bm_table *table)
{
    bm_table_write(table, page->file,
                   page->markdown ? BM_FORMAT_MD : BM_FORMAT_TABLE,
                   &page->terminal);
}
