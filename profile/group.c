/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "load.h"

#include <stdlib.h>

/* The group of a row, from 1; 0 if it belongs to no benchmark. */
static size_t group_of(const struct bm_load *load, const void *row,
                       const uint32_t *numbers)
{
    const struct bm_raw_benchmark *raw = load->benchmarks.rows.rows;
    const struct bm_raw_benchmark *found;
    size_t benchmark = *(const size_t *)row;

    found = bm_table_find(&load->benchmarks, benchmark);
    if (!found || !found->name)
        return 0;
    return numbers ? numbers[found - raw] : (size_t)(found - raw) + 1;
}

bool bm_load_group(struct bm_load *load, const struct bm_rows *rows,
                   const uint32_t *numbers, size_t nr_numbers,
                   struct bm_groups *groups)
{
    uint32_t *starts = calloc(nr_numbers + 2, sizeof(*starts));
    uint32_t *order = calloc(rows->nr + 1, sizeof(*order));

    *groups = (struct bm_groups){starts, order};
    if (!starts || !order || rows->nr > UINT32_MAX)
        return bm_load_fail_memory(load);
    for (size_t i = 0; i < rows->nr; i++) {
        const char *row = (const char *)rows->rows + i * rows->row_size;

        starts[group_of(load, row, numbers) + 1]++;
    }
    starts[1] = 0; /* rows of no benchmark take no room */
    for (size_t i = 2; i < nr_numbers + 2; i++)
        starts[i] += starts[i - 1];
    for (size_t i = 0; i < rows->nr; i++) {
        const char *row = (const char *)rows->rows + i * rows->row_size;
        size_t group = group_of(load, row, numbers);

        if (group)
            order[starts[group]++] = (uint32_t)i;
    }
    /* Each start has moved to its end, so that group 1 begins at starts[0]. */
    return true;
}

void bm_groups_clear(struct bm_groups *groups)
{
    free(groups->starts);
    free(groups->order);
    *groups = (struct bm_groups){0};
}
