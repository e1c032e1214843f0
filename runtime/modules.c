/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "modules.h"

#include "calls.h"
#include "file.h"
#include "intern.h"

#include "../profile/records.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

extern int _dl_find_object(void *, struct dl_find_object *)
    __attribute__((weak));

static struct bm_intern modules = {.max = 1u << 14, .nr_heads = 1u << 8};

#define MAX_BUILD_ID 32

struct module {
    struct bm_thread *thread;
    const char *path;
    char build_id[2 * MAX_BUILD_ID + 1];
    uint64_t bias;
    bool instrumented;
};

static bool publish(void *context, uint32_t index,
                    struct bm_intern_entry *entry)
{
    const struct module *module = context;
    struct bm_record_module record = {
        .index = index,
        .path = {module->path, strlen(module->path)},
        .bias = module->bias,
        .instrumented = module->instrumented,
    };
    (void)entry;
    if (module->build_id[0])
        record.build_id =
            (struct bm_text){module->build_id, strlen(module->build_id)};
    msgpack_packer *packer = bm_record_begin(module->thread);
    return packer && bm_pack_module(packer, &record) == 0 &&
           bm_file_append(module->thread, 0) != NULL;
}

static void put_hex(char *to, const unsigned char *from, size_t size)
{
    static const char digits[] = "0123456789abcdef";
    for (size_t i = 0; i < size; i++) {
        *to++ = digits[from[i] >> 4];
        *to++ = digits[from[i] & 15];
    }
    *to = '\0';
}

/* NT_GNU_BUILD_ID among the notes of one segment. */
static bool find_build_id(const char *at, const char *end, char *build_id)
{
    while (end - at >= (ptrdiff_t)sizeof(ElfW(Nhdr))) {
        const ElfW(Nhdr) *note = (const void *)at;
        const char *name = at + sizeof(*note);
        const char *data = name + ((note->n_namesz + 3u) & ~3u);
        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
            memcmp(name, "GNU", 4) == 0 && note->n_descsz <= MAX_BUILD_ID) {
            put_hex(build_id, (const unsigned char *)data, note->n_descsz);
            return true;
        }
        at = data + ((note->n_descsz + 3u) & ~3u);
    }
    return false;
}

/* Reads the mapped ELF header, which starts the first segment of a module. */
static void read_header(const void *start, uint64_t bias, char *build_id)
{
    const ElfW(Ehdr) *header = start;
    if (memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
        return;
    const ElfW(Phdr) *segment =
        (const void *)((const char *)start + header->e_phoff);
    for (unsigned i = 0; i < header->e_phnum; i++, segment++) {
        const char *at = (const char *)(bias + segment->p_vaddr);
        if (segment->p_type == PT_NOTE &&
            find_build_id(at, at + segment->p_memsz, build_id))
            return;
    }
}

/* The executable has no name in the link map. */
static const char *executable_path(void)
{
    static char path[PATH_MAX];
    static _Atomic bool known;
    /* Racing threads write the same bytes. Acquire pairs with the release. */
    if (!atomic_load_explicit(&known, memory_order_acquire)) {
        int saved = errno;
        ssize_t size = readlink("/proc/self/exe", path, sizeof(path) - 1);
        if (size <= 0)
            memcpy(path, "(executable)", sizeof("(executable)"));
        errno = saved;
        atomic_store_explicit(&known, true, memory_order_release);
    }
    return path;
}

static bool find_object(uintptr_t address, struct dl_find_object *object)
{
    return _dl_find_object && _dl_find_object((void *)address, object) == 0;
}

static struct bm_module_place meet(struct bm_thread *thread, uintptr_t address,
                                   bool instrumented)
{
    struct bm_module_place place = {0};
    struct module module = {.thread = thread};
    struct dl_find_object object;
    if (!find_object(address, &object))
        return place;

    const struct link_map *map = object.dlfo_link_map;
    module.bias = map ? map->l_addr : 0;
    module.path =
        map && map->l_name && map->l_name[0] ? map->l_name : executable_path();
    place.offset = address - module.bias;

    struct bm_intern_key key = {XXH64(module.path, strlen(module.path), 0), 0};
    place.index = bm_intern_find(&modules, key);
    if (place.index)
        return place;
    read_header(object.dlfo_map_start, module.bias, module.build_id);
    /* A link-time-optimized module has sites and no table of calls. */
    module.instrumented = instrumented || bm_calls_is_linked(address) ||
                          bm_calls_within((uintptr_t)object.dlfo_map_start,
                                          (uintptr_t)object.dlfo_map_end);
    place.index = bm_intern_add(&modules, key, publish, &module);
    return place;
}

struct bm_module_place bm_module_of(struct bm_thread *thread, uintptr_t address)
{
    return meet(thread, address, false);
}

void bm_module_meet_instrumented(struct bm_thread *thread, uintptr_t address)
{
    meet(thread, address, true);
}

bool bm_module_is_system(uintptr_t address)
{
    static const char *const names[] = {
        "ld-linux",   "ld-musl",    "libc.",           "libc-",
        "libpthread", "libstdc++.", "libc++",          "libm.",
        "libdl.",     "libgcc_s.",  "libbenchmem_rt.",
    };
    struct dl_find_object object;
    if (!find_object(address, &object) || !object.dlfo_link_map ||
        !object.dlfo_link_map->l_name)
        return false;
    const char *path = object.dlfo_link_map->l_name;
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}
