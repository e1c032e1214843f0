/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/export.h"

#include <stddef.h>

const struct bm_export_format *const bm_export_formats[] = {
    &bm_export_pprof, &bm_export_folded, &bm_export_speedscope,
    &bm_export_dhat,  &bm_export_massif, &bm_export_callgrind,
    &bm_export_csv,   &bm_export_ndjson, NULL,
};
