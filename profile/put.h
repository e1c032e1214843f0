/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a profile in memory holds, as records: each thing with all that the
 * format keeps of it. Both who writes one profile and who merges several put
 * it through here, so that no field is known to one of them alone. They differ
 * in the numbers by which records refer to each other, and name those.
 *
 * Nothing here fails or keeps what it was given: see sink.h.
 */
#ifndef BENCHMEM_PROFILE_PUT_H
#define BENCHMEM_PROFILE_PUT_H

#include "profile.h"
#include "sink.h"

/*
 * Numbers from 1 in the file that is written, 0 for none: of the thing itself
 * (index), and of what it refers to.
 */
struct bm_numbers {
    uint64_t index;
    uint64_t benchmark, module, frame, site, path, thread;
    uint64_t outer; /* path, or the frame that it is inlined into */
};

void bm_put_module(struct bm_sink *sink, const struct bm_module *module,
                   const struct bm_numbers *numbers);

/* Refers to module and outer. */
void bm_put_frame(struct bm_sink *sink, const struct bm_frame_info *frame,
                  const struct bm_numbers *numbers);

/* Refers to module and frame. elided is as told, not as in site. */
void bm_put_site(struct bm_sink *sink, const struct bm_site_info *site,
                 bool elided, const struct bm_numbers *numbers);

/* Refers to outer, frame and site. */
void bm_put_path(struct bm_sink *sink, const struct bm_path_info *path,
                 const struct bm_numbers *numbers);

/* What a benchmark's site, or without one the process's, held at the most. */
void bm_put_mark(struct bm_sink *sink, uint64_t peak_bytes,
                 uint64_t peak_ordinal, const struct bm_numbers *numbers);

void bm_put_thread(struct bm_sink *sink, const struct bm_thread_info *thread,
                   uint64_t index);

/* What was counted by thread, once for all threads of a profile. */
void bm_put_thread_counts(struct bm_sink *sink, const struct bm_profile *p);

/* With its arguments. Its threads are numbered one behind the other. */
void bm_put_process(struct bm_sink *sink, const struct bm_process_info *info,
                    uint64_t index, uint64_t first_thread, uint64_t nr_threads);

/* What sites of one process held at the most, where nodes don't tell it. */
void bm_put_process_mark(struct bm_sink *sink, const struct bm_figures *figures,
                         uint64_t process, uint64_t site);

/*
 * With its params, ledger, passes and what it says of itself; refers to frame.
 * Passes are numbered on from *nr_passes. saves: its savings are known.
 */
void bm_put_benchmark(struct bm_sink *sink,
                      const struct bm_benchmark_info *info, bool saves,
                      uint64_t *nr_passes, const struct bm_numbers *numbers);

void bm_put_pools(struct bm_sink *sink, const struct bm_profile *p);
void bm_put_moments(struct bm_sink *sink, const struct bm_profile *p);

/*
 * What of is numbered, of a benchmark or the process whose peak that is. No
 * interval is left open: what all else held is told by `others`.
 */
void bm_put_saving(struct bm_sink *sink, const struct bm_saving_info *info,
                   uint64_t of, uint64_t peak_bytes,
                   const struct bm_numbers *numbers);

/*
 * With what became of its bytes. peak_bytes is the ledger's, so that at_peak
 * holds whatever the pass was. Refers to all but module, frame and outer.
 */
void bm_put_node(struct bm_sink *sink, const struct bm_node_info *node,
                 uint64_t peak_bytes, const struct bm_numbers *numbers);

#endif
