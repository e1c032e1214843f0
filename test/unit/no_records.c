/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "no_records.h"

#include <sys/mman.h>

#include "runtime/file.h"
#include "runtime/gauge.h"
#include "runtime/memory.h"

static const char is_single = 1;
const char *bm_single_threaded = &is_single;

unsigned no_records_flags;

void *bm_map(size_t size)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

void bm_unmap(void *memory, size_t size)
{
    munmap(memory, size);
}

void *bm_chunk_get(size_t size)
{
    return bm_map(size);
}

static int take_no_bytes(void *data, const char *bytes, size_t size)
{
    (void)data, (void)bytes, (void)size;
    return 0;
}

msgpack_packer *bm_record_begin(struct bm_thread *thread)
{
    static msgpack_packer packer;

    (void)thread;
    msgpack_packer_init(&packer, NULL, take_no_bytes);
    return &packer;
}

/* Enough for any record that is asked for, over and over. */
uint64_t *bm_file_append_zeros(struct bm_thread *thread, size_t nr_words,
                               size_t alignment)
{
    static uint64_t words[4096];

    (void)thread, (void)alignment;
    return nr_words <= sizeof(words) / sizeof(words[0]) ? words : NULL;
}

size_t bm_file_room(const struct bm_thread *thread)
{
    (void)thread;
    return SIZE_MAX;
}

void bm_file_flag(uint64_t flag)
{
    (void)flag;
    no_records_flags++;
}
