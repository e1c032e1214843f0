/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Whether to colour and how wide to be, decided once for each output stream.
 */
#ifndef BENCHMEM_BASE_TERMINAL_H
#define BENCHMEM_BASE_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>

enum bm_color {
    BM_COLOR_AUTO,
    BM_COLOR_ALWAYS,
    BM_COLOR_NEVER,
};

struct bm_terminal {
    bool color;
    size_t width; /* columns, 0: do not shorten */
};

/*
 * For descriptor fd. Colour: `always` and `never` decide; else no colour if
 * NO_COLOR is set and not empty, colour if CLICOLOR_FORCE is set and neither
 * empty nor 0, no colour if TERM is unset or "dumb", else colour if fd is a
 * terminal. Width: COLUMNS if it is a number above 0, else the terminal's,
 * else not limited.
 */
struct bm_terminal bm_terminal_of(int fd, enum bm_color color);

/* What a cell or a line means; shown by colour only where there is colour. */
enum bm_tone {
    BM_TONE_NORMAL,
    BM_TONE_STRONG, /* headings */
    BM_TONE_FAINT,  /* what is summed up */
    BM_TONE_GOOD,
    BM_TONE_BAD,
    BM_TONE_NOTICE, /* hints */
    BM_NR_TONES
};

/* The escape sequence that begins tone, "" without colour or for normal. */
const char *bm_tone_begin(const struct bm_terminal *terminal,
                          enum bm_tone tone);

/* The one that ends it. */
const char *bm_tone_end(const struct bm_terminal *terminal, enum bm_tone tone);

#endif
