/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "symbols/debug.h"

#include "symbols/demangle.h"

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

struct range {
    Dwarf_Addr low, high;
    Dwarf_Off unit; /* offset of its DIE */
};

struct bm_debug {
    Dwarf *dwarf;
    struct range *ranges; /* by low */
    size_t nr, room;
};

static int compare_ranges(const void *a, const void *b)
{
    const struct range *p = a, *q = b;

    return p->low < q->low ? -1 : p->low > q->low;
}

static void add_ranges(struct bm_debug *debug, Dwarf_Die *unit)
{
    Dwarf_Addr base, low, high;
    ptrdiff_t at = 0;

    while ((at = dwarf_ranges(unit, at, &base, &low, &high)) > 0) {
        /* What the linker dropped starts at 0. */
        if (!low || low >= high)
            continue;
        debug->ranges = bm_xgrow(debug->ranges, debug->nr, &debug->room,
                                 sizeof(*debug->ranges));
        debug->ranges[debug->nr++] =
            (struct range){low, high, dwarf_dieoffset(unit)};
    }
}

struct bm_debug *bm_debug_open(Dwarf *dwarf)
{
    struct bm_debug *debug = bm_xcalloc(1, sizeof(*debug));
    Dwarf_CU *unit = NULL;
    Dwarf_Die die, split;
    uint8_t type;

    debug->dwarf = dwarf;
    while (dwarf_get_units(dwarf, unit, &unit, NULL, &type, &die, &split) == 0)
        if (type == DW_UT_compile || type == DW_UT_skeleton)
            add_ranges(debug, &die);
    if (!debug->nr) {
        bm_debug_close(debug);
        return NULL;
    }
    qsort(debug->ranges, debug->nr, sizeof(*debug->ranges), compare_ranges);
    return debug;
}

static bool find_unit(const struct bm_debug *debug, Dwarf_Addr address,
                      Dwarf_Die *unit)
{
    size_t low = 0, high = debug->nr;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (debug->ranges[middle].low <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && address < debug->ranges[low - 1].high &&
           dwarf_offdie(debug->dwarf, debug->ranges[low - 1].unit, unit);
}

static const char *text_attribute(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;

    return dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));
}

static uint32_t number_attribute(Dwarf_Die *die, unsigned name)
{
    Dwarf_Attribute attribute;
    Dwarf_Word value;

    if (!dwarf_attr(die, name, &attribute) ||
        dwarf_formudata(&attribute, &value))
        return 0;
    return value <= UINT32_MAX ? (uint32_t)value : 0;
}

static const char *keep(struct bm_arena *arena, const char *text)
{
    return text ? bm_arena_strdup(arena, text) : NULL;
}

static void name_function(Dwarf_Die *die, struct bm_arena *arena,
                          struct bm_symbol_place *place)
{
    const char *mangled = text_attribute(die, DW_AT_linkage_name);

    if (!mangled)
        mangled = text_attribute(die, DW_AT_MIPS_linkage_name);
    place->function = mangled ? bm_demangle(arena, mangled) : NULL;
    if (place->function)
        place->linkage_name = keep(arena, mangled);
    else
        place->function = keep(arena, text_attribute(die, DW_AT_name));
}

static void set_line(Dwarf_Die *unit, Dwarf_Addr address,
                     struct bm_arena *arena, struct bm_symbol_place *place)
{
    Dwarf_Line *line = dwarf_getsrc_die(unit, address);
    int number;

    if (!line)
        return;
    place->file = keep(arena, dwarf_linesrc(line, NULL, NULL));
    if (dwarf_lineno(line, &number) == 0 && number > 0)
        place->line = (uint32_t)number;
    if (dwarf_linecol(line, &number) == 0 && number > 0)
        place->column = (uint32_t)number;
}

/* The line of the call that was inlined: it is its caller's place. */
static void set_call_line(Dwarf_Die *unit, Dwarf_Die *inlined,
                          struct bm_arena *arena,
                          struct bm_symbol_place *caller)
{
    Dwarf_Files *files;
    size_t nr;
    uint32_t file = number_attribute(inlined, DW_AT_call_file);

    if (dwarf_getsrcfiles(unit, &files, &nr) == 0 && file < nr)
        caller->file = keep(arena, dwarf_filesrc(files, file, NULL, NULL));
    caller->line = number_attribute(inlined, DW_AT_call_line);
    caller->column = number_attribute(inlined, DW_AT_call_column);
}

/* libdw puts the folder in front of files that were named without one. */
static void set_folder(struct bm_symbol_place *place, const char *dir)
{
    size_t size = dir ? strlen(dir) : 0;

    place->dir = dir;
    if (size && place->file && !strncmp(place->file, dir, size) &&
        place->file[size] == '/')
        place->file += size + 1;
}

/* The functions at an address, the outermost first: each in the one before. */
struct functions {
    Dwarf_Die dies[BM_SYMBOL_MAX_INLINED];
    unsigned nr;
};

/* Whether functions with code can be inside. */
static bool holds_functions(int tag)
{
    return tag == DW_TAG_namespace || tag == DW_TAG_module ||
           tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
           tag == DW_TAG_union_type;
}

/*
 * The child of a DIE that goes on to the address; false if none does. (What
 * dwarf_getscopes is for; it finds nothing where link-time optimization
 * inlined a function of another unit.)
 */
static bool next_at(Dwarf_Die *die, Dwarf_Addr address, Dwarf_Die *found)
{
    Dwarf_Die child, deeper;
    int left = dwarf_child(die, &child);

    for (; left == 0; left = dwarf_siblingof(&child, &child)) {
        int tag = dwarf_tag(&child);

        if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine ||
            tag == DW_TAG_lexical_block || tag == DW_TAG_try_block ||
            tag == DW_TAG_catch_block) {
            if (dwarf_haspc(&child, address) <= 0)
                continue;
        } else if (!holds_functions(tag) ||
                   !next_at(&child, address, &deeper)) {
            continue;
        } else {
            child = deeper;
        }
        *found = child;
        return true;
    }
    return false;
}

static void find_functions(Dwarf_Die unit, Dwarf_Addr address,
                           struct functions *functions)
{
    Dwarf_Die die = unit, next;

    functions->nr = 0;
    while (functions->nr < BM_SYMBOL_MAX_INLINED &&
           next_at(&die, address, &next)) {
        int tag = dwarf_tag(&next);
        if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine)
            functions->dies[functions->nr++] = next;
        die = next;
    }
}

unsigned bm_debug_places(const struct bm_debug *debug, Dwarf_Addr address,
                         struct bm_arena *arena, struct bm_symbol_place *places)
{
    struct functions functions;
    Dwarf_Die unit;

    if (!find_unit(debug, address, &unit))
        return 0;
    find_functions(unit, address, &functions);
    const char *dir = keep(arena, text_attribute(&unit, DW_AT_comp_dir));
    for (unsigned i = 0; i < functions.nr; i++) {
        Dwarf_Die *die = &functions.dies[functions.nr - 1 - i];

        places[i] = (struct bm_symbol_place){0};
        name_function(die, arena, &places[i]);
        if (i == 0)
            set_line(&unit, address, arena, &places[i]);
        else
            set_call_line(&unit, &functions.dies[functions.nr - i], arena,
                          &places[i]);
        set_folder(&places[i], dir);
    }
    return functions.nr;
}

void bm_debug_close(struct bm_debug *debug)
{
    if (!debug)
        return;
    free(debug->ranges);
    free(debug);
}
