/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/ranking.h"

#include <stdlib.h>

/* A counting sort: stable, linear. */
void bm_node_order_init(struct bm_node_order *order,
                        const struct bm_profile *profile)
{
    size_t nr = profile->nr_benchmarks + 1;
    size_t *next = bm_xcalloc(nr + 1, sizeof(*next));

    order->first = bm_xcalloc(nr + 1, sizeof(*order->first));
    order->order = bm_xcalloc(profile->nr_nodes, sizeof(*order->order));
    for (size_t i = 0; i < profile->nr_nodes; i++)
        order->first[profile->nodes[i].benchmark + 1]++;
    for (size_t b = 0; b < nr; b++)
        next[b + 1] = order->first[b + 1] += order->first[b];
    for (size_t i = 0; i < profile->nr_nodes; i++) {
        const struct bm_node_info *node = &profile->nodes[i];
        order->order[next[node->benchmark]++] = node;
    }
    free(next);
}

void bm_node_order_clear(struct bm_node_order *order)
{
    free(order->order);
    free(order->first);
    *order = (struct bm_node_order){NULL, NULL};
}
