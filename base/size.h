/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Sizes and figures as people read and write them. The one rule:
 *
 * Below 1024 bytes the number is exact ("1000 B"). From there on it is shown
 * in the largest of KiB, MiB, GiB, TiB, PiB, EiB that leaves at least 1.0,
 * with one decimal, rounded half up ("1.0 KiB", "22.5 MiB"; 1048575 bytes
 * are "1.0 MiB"). JSON and CSV always hold exact numbers of bytes.
 *
 * A size is written as a number, which may have decimals, and a unit:
 * none or B for bytes; KiB MiB GiB TiB PiB EiB for powers of 1024;
 * kB MB GB TB PB EB for powers of 1000; k K M G T P E alone as the powers
 * of 1024. Letters may be of either case, and a space may stand before them.
 */
#ifndef BENCHMEM_BASE_SIZE_H
#define BENCHMEM_BASE_SIZE_H

#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

/* Appends bytes by the rule above. */
void bm_size_print(struct bm_str *out, uint64_t bytes);

/* The same with its sign, "+1.0 KiB", "-12 B", "0 B". */
void bm_size_print_change(struct bm_str *out, int64_t bytes);

/* All of text as bytes, rounded down; false if it is no size or too large. */
bool bm_size_parse(const char *text, uint64_t *bytes);

/* part out of whole with one decimal, "95.2"; "-" where whole is 0. */
void bm_percent_print(struct bm_str *out, uint64_t part, uint64_t whole);

/* All of text as a decimal number without sign; false if it is none. */
bool bm_count_parse(const char *text, uint64_t *count);

#endif
