/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The options of clang that the driver knows, and the kinds of input that
 * clang tells apart by their name or by -x: three sorted tables, looked up by
 * word. Pure: no state, no environment, no files.
 */
#ifndef BENCHMEM_DRIVER_OPTIONS_H
#define BENCHMEM_DRIVER_OPTIONS_H

#include <stddef.h>

/* What a whole command line asks for; the last option of a kind wins. */
enum bm_scan_flags {
    BM_SCAN_INFO = 1 << 0,       /* prints something, makes nothing */
    BM_SCAN_PREPROCESS = 1 << 1, /* ends after the preprocessor */
    BM_SCAN_CHECK = 1 << 2,      /* ends before code is made */
    BM_SCAN_ASSEMBLY = 1 << 3,   /* -S */
    BM_SCAN_OBJECT = 1 << 4,     /* -c */
    BM_SCAN_DEBUG = 1 << 5,      /* debug information goes into the object */
    BM_SCAN_SHARED = 1 << 6,
    BM_SCAN_STATIC = 1 << 7,  /* -static and -static-pie */
    BM_SCAN_PARTIAL = 1 << 8, /* -r: the output is linked again */
    BM_SCAN_NO_LIBC = 1 << 9, /* the linker is not given libc by clang ... */
    BM_SCAN_LIBC = 1 << 10,   /* ... but by an -lc of the command line */
    BM_SCAN_FREESTANDING = 1 << 11,
    BM_SCAN_OTHER_WIDTH = 1 << 12,  /* -m32 and kin */
    BM_SCAN_OTHER_TARGET = 1 << 13, /* --target= another machine or system */
    BM_SCAN_OFFLOAD = 1 << 14,      /* the same source for a GPU too */
    BM_SCAN_FOREIGN = 1 << 15,      /* clang as another tool: -cc1, clang-cl */
    BM_SCAN_OFF = 1 << 16,          /* --benchmem-off */
    BM_SCAN_SHOW = 1 << 17,
    BM_SCAN_HELP = 1 << 18,
    BM_SCAN_VERSION = 1 << 19,
    BM_SCAN_ELSEWHERE = 1 << 20,  /* inputs are not where they are named */
    BM_SCAN_CXX = 1 << 21,        /* the C++ library is linked */
    BM_SCAN_STATIC_CXX = 1 << 22, /* as an archive */
    BM_SCAN_MUSL = 1 << 23,       /* --target= names this libc */
    BM_SCAN_VERBOSE = 1 << 24,    /* -v: search paths are printed */
};

enum bm_form {
    BM_FORM_WHOLE,
    BM_FORM_JOINED,
    BM_FORM_VALUE,
    BM_FORM_EITHER,
    BM_FORM_BOTH,
};

/* Options whose value decides. */
enum bm_handler {
    BM_HANDLER_NONE,
    BM_HANDLER_BENCHMEM,
    BM_HANDLER_END,
    BM_HANDLER_LANGUAGE,
    BM_HANDLER_LIBRARY,
    BM_HANDLER_LINKER,
    BM_HANDLER_MODE,
    BM_HANDLER_NO_SANITIZE,
    BM_HANDLER_QUOTING,
    BM_HANDLER_SANITIZE,
    BM_HANDLER_TARGET,
};

struct bm_option {
    const char *name;
    enum bm_form form;
    unsigned nr_values; /* further words */
    unsigned sets;      /* enum bm_scan_flags */
    unsigned clears;
    enum bm_handler handler;
};

extern const struct bm_option bm_options[];
extern const size_t bm_nr_options;

/* The option with the longest name that word begins with, or NULL. */
const struct bm_option *bm_option_find(const char *word);

/* What clang does with an input. */
enum bm_input {
    BM_INPUT_LINKER, /* hands it to the linker */
    BM_INPUT_CODE,   /* compiles it, C family */
    BM_INPUT_OTHER,  /* makes an object of it in another way: .s, .ll */
    BM_INPUT_HEADER, /* precompiles it */
};

struct bm_input_kind {
    const char *name;
    enum bm_input input;
};

extern const struct bm_input_kind bm_extensions[];
extern const size_t bm_nr_extensions;
extern const struct bm_input_kind bm_languages[];
extern const size_t bm_nr_languages;

/* By the extension of path; "-" is code, since it needs an -x or -E. */
enum bm_input bm_input_of_path(const char *path);

/* By the name that -x was given. */
enum bm_input bm_input_of_language(const char *language);

#endif
