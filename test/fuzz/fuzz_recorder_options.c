/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Any text as BENCHMEM_OPTIONS: what is in effect afterwards is within the
 * bounds of the table, and reads back as it shows itself.
 */
#include "outputs.h"

#include "runtime/options.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_bounds(void)
{
#define BM_OPTION(name, initial, least, most, names, help)                     \
    demand(bm_options.name + 1 > (least) && bm_options.name <= (most),         \
           "options are within their bounds");
#include "runtime/options.inc"
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const struct bm_options initial = {
#define BM_OPTION(name, initial, least, most, names, help) .name = (initial),
#include "runtime/options.inc"
    };
    char complained[64], shown[512], again[512];
    char *text = malloc(size + 1);
    struct bm_line complaint = bm_line_in(complained, sizeof(complained));
    struct bm_line show = bm_line_in(shown, sizeof(shown));
    struct bm_line show_again = bm_line_in(again, sizeof(again));

    demand(text != NULL, "memory");
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    bm_options = initial;
    bm_options_read(text, &complaint);
    check_bounds();
    demand(strlen(complained) == complaint.length, "complaints end");
    bm_options_show(&show);
    demand(!show.cut, "all options are shown");

    bm_options = initial;
    complaint = bm_line_in(complained, sizeof(complained));
    bm_options_read(shown, &complaint);
    demand(!complaint.length, "what is shown is understood");
    bm_options_show(&show_again);
    demand(!strcmp(shown, again), "what is shown reads back the same");
    bm_options = initial;
    free(text);
    return 0;
}
