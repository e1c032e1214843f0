/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The lines of the first and the last series against each other, for one
 * metric; worked out when first asked for.
 */
#include "results/join_rows.h"
#include "results/sites.h"

#include <stdlib.h>

struct bm_joined_sites {
    struct bm_digest *digests[2]; /* the second is NULL where it is the first */
    struct bm_sites sites;
};

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
    struct bm_run *base = joined->runs[0];
    struct bm_run *head = joined->runs[joined->nr_series - 1];
    struct bm_joined_sites *made = joined->sites[measure];

    *none = false;
    if (made)
        return &made->sites;
    made = bm_xcalloc(1, sizeof(*made));
    made->digests[0] = bm_digest_new(base, measure, none);
    if (made->digests[0] && head != base)
        made->digests[1] = bm_digest_new(head, measure, none);
    if (!made->digests[0] || (head != base && !made->digests[1])) {
        bm_digest_free(made->digests[0]);
        free(made);
        return NULL;
    }
    bm_sites_match(&made->sites, made->digests[0],
                   made->digests[1] ? made->digests[1] : made->digests[0]);
    joined->sites[measure] = made;
    return &made->sites;
}

void bm_joined_sites_free(struct bm_joined_sites *made)
{
    if (!made)
        return;
    bm_sites_clear(&made->sites);
    bm_digest_free(made->digests[0]);
    bm_digest_free(made->digests[1]);
    free(made);
}
