/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/page.h"

#include "base/error.h"

#include <string.h>

#define SLOT_BEGIN "<!--benchmem:"
#define SLOT_END "-->"

void bm_page_check(const struct bm_page *page, const char *alternative)
{
    if (!page->end)
        bm_die("no HTML pages: this benchmem was built without npm; %s, or "
               "build it again where npm is installed",
               alternative);
}

static const struct bm_slot *find_slot(const struct bm_slot *slots,
                                       const char *name, size_t size)
{
    for (; slots->name; slots++) {
        if (strlen(slots->name) == size && !memcmp(slots->name, name, size))
            return slots;
    }
    BM_BUG("the page has a slot %.*s that is not filled", (int)size, name);
}

void bm_page_write(const struct bm_page *page, const struct bm_slot *slots,
                   FILE *file)
{
    const char *p = page->begin;

    for (;;) {
        const char *slot =
            memmem(p, (size_t)(page->end - p), SLOT_BEGIN, strlen(SLOT_BEGIN));
        if (!slot)
            break;
        fwrite(p, 1, (size_t)(slot - p), file);
        slot += strlen(SLOT_BEGIN);
        const char *end = memmem(slot, (size_t)(page->end - slot), SLOT_END,
                                 strlen(SLOT_END));
        if (!end)
            BM_BUG("a slot of the page does not end");
        const struct bm_slot *filler =
            find_slot(slots, slot, (size_t)(end - slot));
        filler->write(file, filler->context);
        p = end + strlen(SLOT_END);
    }
    fwrite(p, 1, (size_t)(page->end - p), file);
}

static ssize_t write_json(void *cookie, const char *json, size_t size)
{
    FILE *file = cookie;
    const char *end = json + size;

    for (const char *p = json; p < end;) {
        const char *stop = memchr(p, '<', (size_t)(end - p));
        size_t run = (size_t)((stop ? stop : end) - p);

        fwrite(p, 1, run, file);
        p += run;
        if (stop) {
            fputs("\\u003c", file);
            p++;
        }
    }
    return (ssize_t)size;
}

FILE *bm_page_open_json(FILE *file)
{
    FILE *json =
        fopencookie(file, "w", (cookie_io_functions_t){.write = write_json});

    if (!json)
        bm_die("cannot write the page: out of memory");
    return json;
}
