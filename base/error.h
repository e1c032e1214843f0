/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a command says when something is wrong: a ladder of four words.
 *
 *   bm_die    the command cannot go on: exit status 2
 *   bm_error  this part failed: returns -1 for the caller to hand on
 *   bm_warn   worth knowing: nothing failed; silent under --quiet
 *   BM_BUG    cannot happen: abort
 *
 * Text is "program: what path: why", lower case, without a full stop, then the
 * fix where one is known: "benchmem-report: cannot read x.bmem: no such file".
 * One line each, on standard error; whatever a terminal would obey in the
 * arguments is shown as \xNN. Only commands use this: libraries return errors.
 */
#ifndef BENCHMEM_BASE_ERROR_H
#define BENCHMEM_BASE_ERROR_H

#include <stdbool.h>

/* Exit statuses of every command. */
enum bm_exit {
    BM_EXIT_OK = 0,
    BM_EXIT_GATE = 1,  /* a gate failed */
    BM_EXIT_USAGE = 2, /* usage, or input that cannot be read */
};

/* Warnings are silent from now on. */
void bm_error_set_quiet(bool quiet);

_Noreturn void bm_die(const char *format, ...)
    __attribute__((format(printf, 1, 2)));

/* Always -1. */
int bm_error(const char *format, ...) __attribute__((format(printf, 1, 2)));

void bm_warn(const char *format, ...) __attribute__((format(printf, 1, 2)));

#define BM_BUG(...) bm_bug(__FILE__, __LINE__, __VA_ARGS__)
_Noreturn void bm_bug(const char *file, int line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
