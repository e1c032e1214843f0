/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Strings that came from a profile or a command line, made safe for where
 * they go. Nothing of them is trusted: names hold whatever the compiled
 * program's author, or the author of a damaged file, put there.
 *
 * Every function appends to out and never fails. Input is taken as UTF-8;
 * bytes that are not are shown as \xNN, so that output is valid UTF-8 always.
 */
#ifndef BENCHMEM_BASE_ESCAPE_H
#define BENCHMEM_BASE_ESCAPE_H

#include "base/str.h"

/*
 * For a terminal, and where XML's characters are wanted: control characters
 * (also C1 and line ends), characters that turn the direction of writing, bad
 * bytes, U+FFFE and U+FFFF become \xNN, byte by byte.
 */
void bm_escape_terminal(struct bm_str *out, const char *text);

/* Only bad bytes become \xNN; for formats that escape the rest themselves. */
void bm_escape_invalid(struct bm_str *out, const char *text);

/*
 * One field of RFC 4180, quoted where needed, control characters as on a
 * terminal. A text that a spreadsheet would run as a formula (it begins with
 * = + - @ tab or return) gets a ' in front.
 */
void bm_escape_csv(struct bm_str *out, const char *text);

/* Text of a Markdown table's cell: shown as it is, never as markup or HTML. */
void bm_escape_markdown(struct bm_str *out, const char *text);

/* Text of an HTML element or of a quoted attribute. */
void bm_escape_html(struct bm_str *out, const char *text);

#endif
