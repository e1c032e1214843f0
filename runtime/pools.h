/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Pools that the program annotates with benchmem.h: what they handed out of
 * memory that they hold. No heap and in no total; each has a record of its
 * own. Any thread, guard held.
 */
#ifndef BENCHMEM_RUNTIME_POOLS_H
#define BENCHMEM_RUNTIME_POOLS_H

#include <stdint.h>

struct bm_thread;
struct benchmem_pool;

/* given is UINT64_MAX where everything came back. */
void bm_pool_change(struct bm_thread *thread, struct benchmem_pool *pool,
                    uint64_t taken, uint64_t given);

/* In a forked child: none has a record yet. */
void bm_pools_after_fork(void);

#endif
