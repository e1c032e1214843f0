/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What a forked child takes over from its parent's profile: the records that
 * say what sites, frames and modules are, so that their numbers go on meaning
 * the same (paths.c does so for paths). The map is still the parent's, who goes
 * on writing: only what was appended before the fork is looked at, which never
 * changes.
 */
#include "file.h"

#include "slab.h"
#include "sys.h"
#include "threads.h"

#include "../profile/records.h"

#include <string.h>

static struct bm_slab *parent_slabs;
static bool is_orphan;

/* A byte sequence that is read from the front. */
struct view {
    const unsigned char *at, *end;
};

static uint64_t take(struct view *view, size_t size)
{
    uint64_t value = 0;

    if ((size_t)(view->end - view->at) < size) {
        view->at = view->end;
        return 0;
    }
    while (size--)
        value = value << 8 | *view->at++;
    return value;
}

static void skip(struct view *view, uint64_t size)
{
    if ((uint64_t)(view->end - view->at) < size)
        size = (uint64_t)(view->end - view->at);
    view->at += size;
}

/* One msgpack object that is no container (specification, "Formats"). */
static void skip_scalar(struct view *view)
{
    unsigned tag = (unsigned)take(view, 1);

    if (tag >= 0xa0 && tag <= 0xbf)
        skip(view, tag & 31);
    else if (tag >= 0xc4 && tag <= 0xc6) /* bin 8, 16, 32 */
        skip(view, take(view, (size_t)1 << (tag - 0xc4)));
    else if (tag >= 0xcc && tag <= 0xcf) /* uint 8 ... 64 */
        skip(view, (uint64_t)1 << (tag - 0xcc));
    else if (tag >= 0xd9 && tag <= 0xdb) /* str 8, 16, 32 */
        skip(view, take(view, (size_t)1 << (tag - 0xd9)));
}

/* Skips one record; its tag, or 0 if it is none. */
static unsigned skip_record(struct view *view)
{
    const unsigned char *start = view->at;

    if ((*start & 0xf0) != 0x90) { /* fixarray: no record has 16 elements */
        skip_scalar(view);
        return 0;
    }
    unsigned nr_elements = (unsigned)take(view, 1) & 15;
    unsigned tag = view->at < view->end ? *view->at : 0;
    while (nr_elements--)
        skip_scalar(view);
    return tag;
}

static bool is_inherited(unsigned tag)
{
    return tag == BM_TAG_module || tag == BM_TAG_frame || tag == BM_TAG_site;
}

static void copy_record(struct bm_thread *thread, const unsigned char *start,
                        const unsigned char *end)
{
    if (!bm_record_begin(thread))
        return;
    thread->part.packer.callback(&thread->part, (const char *)start,
                                 (size_t)(end - start));
    bm_file_append(thread, 0);
}

static void copy_slab(struct bm_thread *thread, const struct bm_slab *slab)
{
    struct view view = {(const unsigned char *)slab->base,
                        (const unsigned char *)slab->base + slab->used};

    while (view.at < view.end) {
        const unsigned char *start = view.at;

        if (is_inherited(skip_record(&view)))
            copy_record(thread, start, view.at);
    }
}

void bm_file_begin_fork(void)
{
    parent_slabs = bm_slabs_first();
    bm_slabs_forget();
    bm_file_set_state(NULL);
}

void bm_file_inherit(struct bm_thread *thread)
{
    for (struct bm_slab *slab = parent_slabs; slab; slab = slab->next) {
        copy_slab(thread, slab);
        bm_sys_munmap(slab->base, slab->size);
    }
    parent_slabs = NULL;
    is_orphan = false;
}

/* A private copy in place of the map, without a moment of neither. */
static void orphan_slab(const struct bm_slab *slab)
{
    void *copy = bm_sys_mmap(NULL, slab->size, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (bm_sys_failed(copy))
        return;
    memcpy(copy, slab->base, slab->used);
    bm_syscall(SYS_mremap, (long)copy, (long)slab->size, (long)slab->size,
               MREMAP_MAYMOVE | MREMAP_FIXED, (long)slab->base, 0);
}

void bm_file_orphan(void)
{
    if (is_orphan)
        return;
    is_orphan = true;
    for (struct bm_slab *slab = bm_slabs_first(); slab; slab = slab->next)
        orphan_slab(slab);
}
