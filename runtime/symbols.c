/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "symbols.h"

#include <stdint.h>
#include <string.h>

/* Not weak: mold takes a weak reference that nothing else needs for 0. */
extern struct r_debug _r_debug;
extern ElfW(Dyn) _DYNAMIC[] __attribute__((weak, visibility("hidden")));

#define HIDDEN_VERSION 0x8000 /* of .gnu.version: not the default */

/* The tables of one module that a look-up needs. */
struct tables {
    const ElfW(Sym) * symbols;
    const char *strings;
    const uint32_t *gnu_hash; /* one of the two is there */
    const uint32_t *sysv_hash;
    const uint16_t *versions; /* may be NULL */
    ElfW(Addr) base;
};

const struct link_map *bm_modules_first(void)
{
    return _r_debug.r_map;
}

bool bm_module_is_own(const struct link_map *map)
{
    return map->l_ld == _DYNAMIC;
}

/* glibc relocates these pointers in place, other linkers do not. */
static const void *at(const struct link_map *map, ElfW(Addr) pointer)
{
    return (const void *)(pointer < map->l_addr ? pointer + map->l_addr
                                                : pointer);
}

static struct tables read_tables(const struct link_map *map)
{
    struct tables tables = {.base = map->l_addr};

    for (const ElfW(Dyn) *entry = map->l_ld; entry && entry->d_tag != DT_NULL;
         entry++) {
        const void *table = at(map, entry->d_un.d_ptr);

        switch (entry->d_tag) {
        case DT_SYMTAB:
            tables.symbols = table;
            break;
        case DT_STRTAB:
            tables.strings = table;
            break;
        case DT_GNU_HASH:
            tables.gnu_hash = table;
            break;
        case DT_HASH:
            tables.sysv_hash = table;
            break;
        case DT_VERSYM:
            tables.versions = table;
            break;
        }
    }
    return tables;
}

static bool is_wanted(const struct tables *tables, uint32_t i, const char *name)
{
    const ElfW(Sym) *symbol = &tables->symbols[i];

    return symbol->st_shndx != SHN_UNDEF && symbol->st_value != 0 &&
           ELF64_ST_BIND(symbol->st_info) != STB_LOCAL &&
           !(tables->versions && tables->versions[i] & HIDDEN_VERSION) &&
           strcmp(tables->strings + symbol->st_name, name) == 0;
}

/* The hash of .gnu.hash: Bernstein's, h * 33 + c. */
static uint32_t gnu_hash_of(const char *name)
{
    uint32_t hash = 5381;

    for (; *name; name++)
        hash = hash * 33 + (unsigned char)*name;
    return hash;
}

/* Layout: number of buckets, first symbol, words of the filter, its shift. */
static uint32_t find_gnu(const struct tables *tables, const char *name)
{
    const uint32_t *head = tables->gnu_hash;
    const ElfW(Addr) *filter = (const void *)(head + 4);
    const uint32_t *buckets = (const void *)(filter + head[2]);
    const uint32_t *chains = buckets + head[0] - head[1];
    uint32_t hash = gnu_hash_of(name);
    uint32_t bits = sizeof(*filter) * 8;
    ElfW(Addr) word = filter[hash / bits % head[2]];

    if (!(word >> hash % bits & word >> (hash >> head[3]) % bits & 1))
        return 0;
    uint32_t i = head[0] ? buckets[hash % head[0]] : 0;
    for (; i; i = chains[i] & 1 ? 0 : i + 1)
        if ((chains[i] | 1) == (hash | 1) && is_wanted(tables, i, name))
            return i;
    return 0;
}

/* The System V ABI's hash. */
static uint32_t sysv_hash_of(const char *name)
{
    uint32_t hash = 0;

    for (; *name; name++) {
        hash = (hash << 4) + (unsigned char)*name;
        hash = (hash ^ (hash >> 24 & 0xf0)) & 0x0fffffff;
    }
    return hash;
}

/* Layout: number of buckets, of chains, the buckets, the chains. */
static uint32_t find_sysv(const struct tables *tables, const char *name)
{
    const uint32_t *head = tables->sysv_hash;
    const uint32_t *buckets = head + 2;
    const uint32_t *chains = buckets + head[0];
    uint32_t i = head[0] ? buckets[sysv_hash_of(name) % head[0]] : 0;

    while (i && !is_wanted(tables, i, name))
        i = chains[i];
    return i;
}

void *bm_symbol_in(const struct link_map *map, const char *name)
{
    struct tables tables = read_tables(map);
    uint32_t i = 0;

    if (!tables.symbols || !tables.strings)
        return NULL;
    if (tables.gnu_hash)
        i = find_gnu(&tables, name);
    else if (tables.sysv_hash)
        i = find_sysv(&tables, name);
    if (!i)
        return NULL;

    const ElfW(Sym) *symbol = &tables.symbols[i];
    void *address = (void *)(tables.base + symbol->st_value);
    if (ELF64_ST_TYPE(symbol->st_info) == STT_GNU_IFUNC)
        return ((void *(*)(void))address)();
    return address;
}
