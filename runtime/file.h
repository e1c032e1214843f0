/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The profile while the program runs: a file mapped shared, valid msgpack at
 * every instant (profile/schema.inc says how).
 *
 * Each thread appends to a part of its own, so that no lock is needed. A
 * record is packed into the thread's buffer, then bm_file_append puts it in
 * place and publishes it by one store.
 * Growing opens the file anew by its absolute path and closes it again;
 * where that fails (chroot, sandbox, disk full), the room that is left is
 * used up, then appending fails for ever and the state says so.
 */
#ifndef BENCHMEM_RUNTIME_FILE_H
#define BENCHMEM_RUNTIME_FILE_H

#include <msgpack.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bm_thread;

#define BM_RECORD_MAX 32768 /* a longer record is refused */

/*
 * Begins a record in the thread's buffer (never on its stack, which may be
 * small): the packer for bm_pack_NAME. One record at a time. Never allocates.
 * NULL if the buffer cannot be had.
 */
msgpack_packer *bm_record_begin(struct bm_thread *thread);

/*
 * Appends the record packed since bm_record_begin. nr_words is the length of
 * its last field if that is `bin` words to be updated in place, else 0; the
 * words are then 8-byte aligned, and their address in the map is returned.
 * Without words, any non-NULL pointer. NULL if there is no room.
 */
uint64_t *bm_file_append(struct bm_thread *thread, size_t nr_words);

#endif
