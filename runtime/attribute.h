/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Who asked for a block: turns the caller of a hook into a key, a small
 * number that stands for one site with its call path (or for the site alone
 * where only sites are recorded). Keys index the nodes of the ledgers and are
 * what the block table keeps for each block.
 *
 * Called from the hooks with the guard held, on any thread. Never allocates
 * from the process's heap, takes no lock, makes no system call but mmap (and
 * only where something new is met). Failure is never an error: what finds
 * no room shares the site's "other paths" key, or key BM_KEY_OTHER.
 */
#ifndef BENCHMEM_RUNTIME_ATTRIBUTE_H
#define BENCHMEM_RUNTIME_ATTRIBUTE_H

#include "abi.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bm_thread;

#define BM_KEY_NONE 0u  /* no block */
#define BM_KEY_OTHER 1u /* site 1: everything that found no room, `outside` */
#define BM_KEY_MAX ((1u << 24) - 2) /* one more has 24 bits, but no block */

/* The instrumented or foreign code that called a hook or malloc. */
struct bm_caller {
    uintptr_t pc;           /* return address */
    uintptr_t sp;           /* stack pointer once the hook has returned */
    uintptr_t fp;           /* frame pointer register of the caller */
    struct bm_stamp *stamp; /* that a hook was handed, or NULL */
};

/*
 * To be expanded in the hook itself, which must be compiled with a frame
 * pointer and not be inlined.
 */
#define BM_CALLER_HERE(caller)                                                 \
    do {                                                                       \
        const uintptr_t *frame_ = __builtin_frame_address(0);                  \
        (caller)->fp = frame_[0];                                              \
        (caller)->pc = frame_[1];                                              \
        (caller)->sp = (uintptr_t)(frame_ + 2);                                \
        (caller)->stamp = NULL;                                                \
    } while (0)

/* Per thread; part of struct bm_thread, all zero at first. */
struct bm_stack_cache;
struct bm_site_cache;
#define BM_MAX_BRACKETS 8
struct bm_attribution {
    struct bm_stack_cache *stack; /* each mapped when first needed */
    struct bm_site_cache *sites;
    struct {
        struct bm_use *use; /* NULL: none */
        uintptr_t pc, sp;   /* of the frame that the jump will return to */
    } noted;
    struct {
        struct bm_use *use;
        uintptr_t sp; /* of the function that made the call */
    } brackets[BM_MAX_BRACKETS];
    uint32_t nr_brackets;
};

/*
 * Once, before any other call, with the profile open. full_paths: else keys
 * are sites. native: foreign frames are recorded one by one.
 */
void bm_attribute_init(struct bm_thread *thread, bool full_paths,
                       uint32_t max_paths, bool native);

/*
 * The key of an allocation. use is the hook's argument or NULL where malloc
 * was reached without one; kind is that of the function called.
 */
uint32_t bm_attribute(struct bm_thread *thread, const struct bm_caller *caller,
                      struct bm_use *use, enum bm_kind kind);

/* The same of a hook, where whole paths are recorded. */
uint32_t bm_attribute_hook(struct bm_thread *thread,
                           const struct bm_caller *caller, struct bm_use *use);

/* The same where the path above the calling function is known. */
uint32_t bm_attribute_below(struct bm_thread *thread, uint32_t path,
                            struct bm_use *use);

/*
 * What __benchmem_note, _push and _pop say; caller is theirs. A bracket
 * beyond the deepest kept is left out: its blocks go to the next one outward.
 */
void bm_attribute_note(struct bm_thread *thread, const struct bm_caller *caller,
                       struct bm_use *use);
/* A note whose jump will return to caller. */
void bm_attribute_return_to(struct bm_thread *thread,
                            const struct bm_caller *caller, struct bm_use *use);
void bm_attribute_push(struct bm_thread *thread, const struct bm_caller *caller,
                       struct bm_use *use);
void bm_attribute_pop(struct bm_thread *thread, const struct bm_caller *caller,
                      struct bm_use *use);

/* Index of the site of a key, as in the profile's site records. */
uint32_t bm_key_site(uint32_t key);

/* Index of the path record of a key, 0 where only sites are recorded. */
uint32_t bm_key_path(uint32_t key);

/*
 * Index of a frame record, for a benchmark's definition. Writes the record
 * through thread's part of the profile when first met.
 */
uint32_t bm_frame_index(struct bm_thread *thread, const struct bm_frame *frame);

/*
 * The instrumented tables of one executable or library, told by the copy of
 * the runtime in it. The image must stay valid until it is removed, which
 * its destructor does. Elided sites are written to the profile at once.
 */
struct bm_image {
    const struct bm_call *calls, *calls_end;
    const struct bm_elided *elided, *elided_end;
    const char *path;      /* may be NULL */
    struct bm_image *next; /* the recorder's */
    bool linked;           /* some of its machine code is the linker's */
};
void bm_image_add(struct bm_thread *thread, struct bm_image *image);
void bm_image_remove(struct bm_image *image);

/* Code was unmapped: return addresses may mean something else from now on. */
void bm_attribute_code_changed(void);

/* The thread has noticed (bm_record_renew): what it kept by address is gone. */
void bm_attribute_renew(struct bm_thread *thread);

/*
 * The outermost stack address that the caller's stack is seen to reach, for
 * bounds. At least caller->sp.
 */
uintptr_t bm_stack_top(struct bm_thread *thread,
                       const struct bm_caller *caller);

/*
 * Records of sites, frames, paths and modules are written once, when first
 * met: a forked child's profile begins as a copy of its parent's.
 */

#endif
