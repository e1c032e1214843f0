/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The lines of the first and the last series against each other, for one
 * metric; worked out when first asked for.
 */
#include "results/join_rows.h"
#include "results/sites.h"

#include <stdlib.h>

uint32_t bm_joined_ledger(const struct bm_joined *joined,
                          const struct bm_joined_row *row, size_t series)
{
    const struct bm_run *run = joined->runs[series];
    const struct bm_run_benchmark *cell = row->cells[series];

    return cell == &run->process ? 0 : 1 + (uint32_t)(cell - run->benchmarks);
}

struct bm_sites *bm_joined_sites(struct bm_joined *joined,
                                 enum bm_measure measure, bool *none)
{
    struct bm_run *runs[2] = {joined->runs[0],
                              joined->runs[joined->nr_series - 1]};
    const struct bm_digest *digests[2];

    *none = false;
    if (joined->sites[measure])
        return joined->sites[measure];
    for (unsigned side = 0; side < 2; side++) {
        digests[side] = bm_run_digest(runs[side], measure, none);
        if (!digests[side])
            return NULL;
    }
    joined->sites[measure] = bm_xcalloc(1, sizeof(struct bm_sites));
    bm_sites_match(joined->sites[measure], digests[0], digests[1]);
    return joined->sites[measure];
}

void bm_joined_sites_free(struct bm_joined *joined)
{
    for (int m = 0; m < BM_NR_MEASURES; m++) {
        if (joined->sites[m])
            bm_sites_clear(joined->sites[m]);
        free(joined->sites[m]);
    }
}
