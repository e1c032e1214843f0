/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Which line, function and type a key's blocks count for, as numbers, with
 * saves=1. The line and function are those that reports charge by default: of
 * the innermost frame outside system headers and foreign code. The type is the
 * site's, or that which a wrapper's caller gives it. results/charge.c says the
 * same of a profile; where the two differ (names that are looked up after
 * the run), a report finds that a group is none of its rows and shows no
 * figure.
 *
 * Frames and sites are noted as they are first met, by frames.c; all they
 * say is kept as numbers. Two groups are never one where a report has two
 * rows: texts are told apart by 128 bits of hash. Any thread, guard held. What
 * finds no room has number 0.
 */
#ifndef BENCHMEM_RUNTIME_GROUPS_H
#define BENCHMEM_RUNTIME_GROUPS_H

#include "intern.h"

#include "../profile/profile.h"
#include "../profile/records.h"

#include <stdint.h>

/* `entry` is that of a frame or site on its way into its table. */
void bm_groups_note_frame(struct bm_intern_entry *entry,
                          const struct bm_record_frame *frame);
void bm_groups_note_site(struct bm_intern_entry *entry,
                         const struct bm_record_site *site);

/* The numbers of a key's groups; that of BM_SAVED_SITE is its site's. */
struct bm_groups {
    uint32_t of[BM_NR_SAVED];
};
struct bm_groups bm_groups_of(uint32_t key);

#endif
