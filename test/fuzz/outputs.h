/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What must hold of anything that the tools write, whatever the profile:
 * for the fuzz targets of the outputs. A rule that does not hold aborts, with
 * one line that says which.
 */
#ifndef BENCHMEM_TEST_FUZZ_OUTPUTS_H
#define BENCHMEM_TEST_FUZZ_OUTPUTS_H

#include "profile/profile.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

void demand(bool holds, const char *what);

/* What write puts into its stream, terminated; the caller frees it. */
char *written(void (*write)(FILE *file, void *context), void *context,
              size_t *size);

/* The profile in the input, or NULL: most inputs are none. */
struct bm_profile *parse_input(const uint8_t *data, size_t size);

/* A number below `below` that depends on every byte of the input. */
unsigned choose(const uint8_t *data, size_t size, unsigned below);

/*
 * For people: UTF-8 without control characters but line ends, and without
 * those that turn the direction of writing.
 */
void demand_plain(const char *text, size_t size, const char *what);

/* One JSON document. */
void demand_json(const char *text, size_t size, const char *what);

/* One JSON document a line. */
void demand_json_lines(const char *text, size_t size, const char *what);

/*
 * RFC 4180: every record of a part (parts are divided by empty lines) has as
 * many fields as its first; no field is a formula.
 */
void demand_csv(const char *text, size_t size, const char *what);

/* Elements of the names that our pictures have, and characters of XML. */
void demand_svg(const char *text, size_t size);

#endif
