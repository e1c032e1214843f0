/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What code built with --benchmem-access refers to (access_view.c), where
 * there is no recorder (aside.c): a map that never has a region.
 */
#include "abi.h"

static struct bm_access_map no_map;

#define ENTRY __attribute__((visibility("hidden")))

ENTRY extern struct bm_access_map *__benchmem_access_view;
struct bm_access_map *__benchmem_access_view = &no_map;

#define IGNORE(name, ...)                                                      \
    ENTRY void name(__VA_ARGS__);                                              \
    void name(__VA_ARGS__)                                                     \
    {                                                                          \
    }

IGNORE(__benchmem_access_mark, void)
IGNORE(__benchmem_access_range, void)
IGNORE(__benchmem_access_string, void)
IGNORE(__benchmem_access_lanes, void)
IGNORE(__benchmem_access_escape, void)
