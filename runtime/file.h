/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The profile while the program runs: a file mapped shared, valid msgpack at
 * every instant (profile/schema.inc says how).
 *
 * It is begun in memory and becomes a file once it has its head, so that no
 * one ever finds an empty one.
 *
 * Each thread appends to a part of its own, so that no lock is needed. A
 * record is packed into the thread's buffer, then bm_file_append puts it in
 * place and publishes it by one store.
 * Growing opens the file anew by its absolute path and closes it again;
 * where that fails (chroot, sandbox, disk full), the room that is left is
 * used up, then appending fails for ever and the state says so.
 *
 * Every byte of the file is reserved before it is mapped, so that a full
 * disk is an error of a call here and never a signal in the program.
 */
#ifndef BENCHMEM_RUNTIME_FILE_H
#define BENCHMEM_RUNTIME_FILE_H

#include <msgpack.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bm_thread;
struct bm_slab;

#define BM_RECORD_MAX 32768 /* a longer record is refused */

/* A thread's part of the file; the thread's alone. All zero at first. */
struct bm_part {
    char *next; /* where its next record goes, 8-byte aligned */
    char *end;  /* of the slab */
    char *last; /* the record appended last; NULL: none to take back */
    struct bm_slab *slab; /* the one it writes to */
    size_t slab_size;     /* of the slab to come */
    size_t grown;         /* by so many bytes, all slabs together */
    char *buffer;         /* BM_RECORD_MAX bytes, mapped when first needed */
    size_t packed;        /* bytes of it in use */
    bool refused;         /* the record became too long */
    bool last_resort;     /* may use the room kept for `other` nodes */
    msgpack_packer packer;
};

/*
 * Begins a record in the thread's buffer (never on its stack, which may be
 * small): the packer for bm_pack_NAME. One record at a time. Never allocates.
 * NULL if the buffer cannot be had.
 */
msgpack_packer *bm_record_begin(struct bm_thread *thread);

/*
 * Appends the record packed since bm_record_begin. nr_words is the length of
 * its last field if that is `bin` words to be updated in place, else 0; the
 * words are then 16-byte aligned, and their address in the map is returned.
 * Without words, any non-NULL pointer. NULL if there is no room.
 */
uint64_t *bm_file_append(struct bm_thread *thread, size_t nr_words);

/*
 * The same for a record whose last field was packed without its words
 * (struct bm_words with NULL): nr_words of 0 take their place. The first is
 * on a boundary of `alignment` bytes, a power of two of at least 8.
 */
uint64_t *bm_file_append_zeros(struct bm_thread *thread, size_t nr_words,
                               size_t alignment);

/* Bytes that can be appended without growing, but for the last resort. */
size_t bm_file_room(const struct bm_thread *thread);

/* Takes the record appended last out again, once. It must have no words. */
void bm_file_take_back(struct bm_thread *thread);

/* Begins a profile in memory that no one sees. False if there is none. */
bool bm_file_begin(struct bm_thread *thread);

/*
 * Once, after head and state were appended: moves all there is into a new
 * file, where it goes on. 0, or the kernel's error, with everything as it
 * was: -EEXIST if there is something of that name. path is copied; it should
 * be absolute.
 */
int bm_file_settle(struct bm_thread *thread, const char *path);

/*
 * In a forked child, before anything is stored: the parent's file is held
 * by its reader's view alone. What was appended before the fork is kept for
 * bm_file_inherit; then nothing of the parent's file is mapped any more.
 *
 * bm_file_orphan only puts private memory in place of the map, for a child
 * that is forked in the middle of an event.
 */
void bm_file_begin_fork(void);
void bm_file_inherit(struct bm_thread *thread);
void bm_file_orphan(void);

/* Marks the profile as lacking something: enum bm_state_flags. */
void bm_file_flag(uint64_t flag);

/* The words of the state record, once it is written; for file.c's flags. */
void bm_file_set_state(uint64_t *words);
uint64_t *bm_file_state(void);

#endif
