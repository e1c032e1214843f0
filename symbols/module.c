/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "symbols/module.h"

#include "base/str.h"
#include "symbols/debug.h"
#include "symbols/demangle.h"

#include <elfutils/libdwelf.h>
#include <elfutils/libdwfl.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct symbol {
    GElf_Addr low, high; /* high is low where the size is not known */
    const char *name;    /* the module's */
};

struct bm_symbol_module {
    Dwfl *dwfl;
    Dwfl_Module *module;
    GElf_Addr bias; /* of the file's addresses in those of dwfl */
    struct bm_debug *debug;
    Dwarf_Addr debug_bias;
    struct symbol *symbols; /* by low, the best name of each only */
    size_t nr, room;
    enum bm_symbol_source source;
};

static const Dwfl_Callbacks callbacks = {
    .find_elf = dwfl_build_id_find_elf,
    .find_debuginfo = dwfl_standard_find_debuginfo,
    .section_address = dwfl_offline_section_address,
};

/* Of an ELF file's build id, in hexadecimal; false if it has none. */
static bool read_build_id(Elf *elf, struct bm_str *hex)
{
    const void *bytes;
    ssize_t size = dwelf_elf_gnu_build_id(elf, &bytes);

    for (ssize_t i = 0; i < size; i++)
        bm_str_printf(hex, "%02x", ((const unsigned char *)bytes)[i]);
    return size > 0;
}

/* What can be told of the file before it is read further. */
static enum bm_symbol_source examine(int fd, const char *build_id)
{
    Elf *elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    struct bm_str found = BM_STR_INIT;
    enum bm_symbol_source source = BM_SYMBOLS_DYNAMIC;

    if (elf_kind(elf) != ELF_K_ELF)
        source = BM_SYMBOLS_ABSENT;
    else if (read_build_id(elf, &found) != (build_id != NULL) ||
             (build_id && strcmp(found.data, build_id) != 0))
        source = BM_SYMBOLS_OTHER;
    for (Elf_Scn *scn = NULL; source == BM_SYMBOLS_DYNAMIC &&
                              (scn = elf_nextscn(elf, scn)) != NULL;) {
        GElf_Shdr header;
        if (gelf_getshdr(scn, &header) && header.sh_type == SHT_SYMTAB)
            source = BM_SYMBOLS_TABLE;
    }
    bm_str_clear(&found);
    elf_end(elf);
    return source;
}

static void add_symbol(struct bm_symbol_module *m, const char *name,
                       const GElf_Sym *sym, GElf_Addr address)
{
    int type = GELF_ST_TYPE(sym->st_info);

    if (!name || !*name || sym->st_shndx == SHN_UNDEF ||
        (type != STT_FUNC && type != STT_GNU_IFUNC && type != STT_NOTYPE))
        return;
    /* Marks between code and data, and labels within functions. */
    if (type == STT_NOTYPE && (name[0] == '$' || sym->st_size == 0))
        return;
    m->symbols = bm_xgrow(m->symbols, m->nr, &m->room, sizeof(*m->symbols));
    m->symbols[m->nr++] =
        (struct symbol){address, address + sym->st_size, name};
}

/* Global ones come behind local ones in a table, and stay in that order. */
static int compare_symbols(const void *a, const void *b)
{
    const struct symbol *p = a, *q = b;

    if (p->low != q->low)
        return p->low < q->low ? -1 : 1;
    if (p->high != q->high)
        return p->high > q->high ? -1 : 1;
    return strcmp(p->name, q->name);
}

static void read_symbols(struct bm_symbol_module *m)
{
    int count = dwfl_module_getsymtab(m->module);
    size_t kept = 0;

    for (int i = 1; i < count; i++) {
        GElf_Sym sym;
        GElf_Addr address;
        const char *name = dwfl_module_getsym_info(m->module, i, &sym, &address,
                                                   NULL, NULL, NULL);
        add_symbol(m, name, &sym, address);
    }
    if (m->nr)
        qsort(m->symbols, m->nr, sizeof(*m->symbols), compare_symbols);
    for (size_t i = 0; i < m->nr; i++)
        if (!kept || m->symbols[kept - 1].low != m->symbols[i].low)
            m->symbols[kept++] = m->symbols[i];
    m->nr = kept;
}

static bool report(struct bm_symbol_module *m, const char *path)
{
    m->dwfl = dwfl_begin(&callbacks);
    if (!m->dwfl)
        return false;
    dwfl_report_begin(m->dwfl);
    m->module = dwfl_report_offline(m->dwfl, path, path, -1);
    dwfl_report_end(m->dwfl, NULL, NULL);
    return m->module && dwfl_module_getelf(m->module, &m->bias);
}

static struct bm_symbol_module *read_module(const char *path,
                                            enum bm_symbol_source *source)
{
    struct bm_symbol_module *m = bm_xcalloc(1, sizeof(*m));

    if (!report(m, path)) {
        *source = BM_SYMBOLS_ABSENT;
        bm_module_close(m);
        return NULL;
    }
    Dwarf *dwarf = dwfl_module_getdwarf(m->module, &m->debug_bias);
    m->debug = dwarf ? bm_debug_open(dwarf) : NULL;
    if (m->debug)
        *source = BM_SYMBOLS_DEBUG;
    read_symbols(m);
    if (!m->nr && !m->debug)
        *source = BM_SYMBOLS_NONE;
    m->source = *source;
    return m;
}

static char *path_of(const struct bm_module *module, const char *cwd)
{
    struct bm_str path = BM_STR_INIT;

    if (module->path[0] != '/')
        bm_str_printf(&path, "%s/", cwd);
    bm_str_puts(&path, module->path);
    return bm_str_detach(&path);
}

struct bm_symbol_module *bm_module_open(const struct bm_module *module,
                                        const char *cwd,
                                        enum bm_symbol_source *source)
{
    char *path = path_of(module, cwd);
    struct bm_symbol_module *m = NULL;

    /* libdwfl would ask servers for what it does not find. */
    unsetenv("DEBUGINFOD_URLS");
    elf_version(EV_CURRENT);
    *source = BM_SYMBOLS_ABSENT;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd >= 0) {
        *source = examine(fd, module->build_id);
        close(fd);
    }
    if (*source == BM_SYMBOLS_DYNAMIC || *source == BM_SYMBOLS_TABLE)
        m = read_module(path, source);
    free(path);
    return m;
}

/* The last symbol at or before an address. */
static const struct symbol *find_symbol(const struct bm_symbol_module *m,
                                        GElf_Addr address)
{
    size_t low = 0, high = m->nr;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (m->symbols[middle].low <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low ? &m->symbols[low - 1] : NULL;
}

static unsigned place_of_symbol(const struct bm_symbol_module *m,
                                GElf_Addr address, struct bm_arena *arena,
                                struct bm_symbol_place *place)
{
    const struct symbol *symbol = find_symbol(m, address);

    if (!symbol)
        return 0;
    const char *plain = bm_demangle(arena, symbol->name);
    const char *shown = plain ? plain : symbol->name;
    *place = (struct bm_symbol_place){0};
    if (address < symbol->high || symbol->high == symbol->low) {
        place->function = bm_arena_strdup(arena, shown);
        if (plain)
            place->linkage_name = bm_arena_strdup(arena, symbol->name);
    } else {
        place->function = bm_arena_printf(arena, "near %s", shown);
    }
    return 1;
}

unsigned bm_module_places(struct bm_symbol_module *module, uint64_t offset,
                          struct bm_arena *arena,
                          struct bm_symbol_place *places)
{
    GElf_Addr address = offset + module->bias;
    unsigned nr = 0;

    if (module->debug)
        nr = bm_debug_places(module->debug, address - module->debug_bias, arena,
                             places);
    return nr ? nr : place_of_symbol(module, address, arena, places);
}

void bm_module_close(struct bm_symbol_module *module)
{
    if (!module)
        return;
    bm_debug_close(module->debug);
    dwfl_end(module->dwfl);
    free(module->symbols);
    free(module);
}
