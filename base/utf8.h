/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * UTF-8 as a terminal shows it. Widths come from wcwidth, so bm_utf8_init must
 * have been called (bm_command_parse does): it sets the character type to
 * C.UTF-8 whatever the user's locale is, since everything that the commands
 * read and write is UTF-8.
 */
#ifndef BENCHMEM_BASE_UTF8_H
#define BENCHMEM_BASE_UTF8_H

#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void bm_utf8_init(void);

/*
 * Decodes the character at s (terminated) into *code. Its length in bytes; 0
 * where s is no valid UTF-8 (overlong, surrogate, beyond U+10FFFF, cut).
 */
size_t bm_utf8_decode(const char *s, uint32_t *code);

bool bm_utf8_valid(const char *s);

/* Columns of a terminal; an invalid byte or a control character counts 1. */
size_t bm_utf8_width(const char *s);

/*
 * Appends text, shortened to at most width columns: an ellipsis stands for
 * what is left out of its middle (so that both ends of a path stay), or of
 * its end. The ellipsis is one column; width 0 appends nothing.
 */
void bm_utf8_shorten_middle(struct bm_str *out, const char *text, size_t width);
void bm_utf8_shorten_end(struct bm_str *out, const char *text, size_t width);

#endif
