/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/export_pprof_stream.h"

#include "base/escape.h"
#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

/* One call as written, and what it is inlined into. No padding: hashed. */
struct location_key {
    uint64_t function;
    uint64_t address;
    uint32_t outer; /* id of a location, 0: none */
    uint32_t mapping;
    uint32_t line;
    uint32_t column;
};

uint8_t *bm_pprof_room(struct bm_pprof *pprof, size_t size)
{
    if (size > pprof->packed_room) {
        free(pprof->packed);
        pprof->packed_room = size + size / 2;
        pprof->packed = bm_xmalloc(pprof->packed_room);
    }
    return pprof->packed;
}

void bm_pprof_put(struct bm_pprof *pprof, const Pprof__Profile *part)
{
    size_t size = pprof__profile__get_packed_size(part);

    pprof__profile__pack(part, bm_pprof_room(pprof, size));
    bm_gzip_write(pprof->gzip, pprof->packed, size);
}

/* ---- strings and modules ---- */

static int64_t put_string(struct bm_pprof *pprof, char *text)
{
    uint32_t number = bm_intern(&pprof->strings, text);

    if (number == pprof->nr_strings) {
        Pprof__Profile part = PPROF__PROFILE__INIT;

        part.n_string_table = 1;
        part.string_table = &text;
        bm_pprof_put(pprof, &part);
        pprof->nr_strings++;
    }
    return number;
}

int64_t bm_pprof_string(struct bm_pprof *pprof, const char *text)
{
    struct bm_str clean = BM_STR_INIT;

    bm_escape_invalid(&clean, text);
    int64_t number = put_string(pprof, clean.data);
    bm_str_clear(&clean);
    return number;
}

static uint64_t mapping_of(const struct bm_pprof *pprof,
                           const struct bm_module *module)
{
    return module ? (uint64_t)(module - pprof->profile->modules) + 1
                  : pprof->only_mapping;
}

/* Names are all that is known, and are complete: nothing is to be looked up. */
static void put_module(struct bm_pprof *pprof, const struct bm_module *module)
{
    Pprof__Mapping mapping = PPROF__MAPPING__INIT, *mappings = &mapping;
    Pprof__Profile part = PPROF__PROFILE__INIT;

    mapping.id = mapping_of(pprof, module);
    mapping.filename = bm_pprof_string(pprof, module->path);
    if (module->build_id)
        mapping.build_id = bm_pprof_string(pprof, module->build_id);
    mapping.has_functions = true;
    mapping.has_filenames = true;
    mapping.has_line_numbers = true;
    mapping.has_inline_frames = true;
    part.n_mapping = 1;
    part.mapping = &mappings;
    bm_pprof_put(pprof, &part);
}

/* The program first: readers take the first for what was run. */
static void put_modules(struct bm_pprof *pprof)
{
    const struct bm_profile *profile = pprof->profile;
    size_t nr_instrumented = 0, program = profile->nr_modules;

    for (size_t i = 0; i < profile->nr_modules; i++) {
        if (profile->modules[i].instrumented)
            pprof->only_mapping = nr_instrumented++ ? 0 : i + 1;
        if (!strcmp(profile->modules[i].path, profile->program))
            program = i;
    }
    if (nr_instrumented != 1)
        pprof->only_mapping = 0;
    if (program < profile->nr_modules)
        put_module(pprof, &profile->modules[program]);
    for (size_t i = 0; i < profile->nr_modules; i++) {
        if (i != program)
            put_module(pprof, &profile->modules[i]);
    }
}

/* ---- functions and locations ---- */

uint64_t bm_pprof_function(struct bm_pprof *pprof,
                           const struct bm_call_place *place)
{
    const struct bm_frame_info *frame = place->frame;
    const char *linkage_name =
        frame && frame->linkage_name ? frame->linkage_name : place->function;
    const char *file = place->file ? place->file : "";
    struct bm_str text = BM_STR_INIT;

    bm_str_printf(&text, "%s\n%s\n%s", place->function, linkage_name, file);
    uint32_t number = bm_intern(&pprof->functions, text.data);
    bm_str_clear(&text);
    if (number == pprof->nr_functions) {
        Pprof__Function function = PPROF__FUNCTION__INIT;
        Pprof__Function *functions = &function;
        Pprof__Profile part = PPROF__PROFILE__INIT;

        function.id = ++pprof->nr_functions;
        function.name = bm_pprof_string(pprof, place->function);
        function.system_name = bm_pprof_string(pprof, linkage_name);
        function.filename = bm_pprof_string(pprof, file);
        part.n_function = 1;
        part.function = &functions;
        bm_pprof_put(pprof, &part);
    }
    return number + 1;
}

/* NULL for id 0. */
static const struct location_key *key_of(const struct bm_pprof *pprof,
                                         uint32_t id)
{
    size_t size;

    return id ? bm_intern_get(&pprof->locations, id - 1, &size) : NULL;
}

/* Writes a location: its line, then those that it is inlined into. */
static void put_location(struct bm_pprof *pprof, uint32_t id)
{
    Pprof__Location out = PPROF__LOCATION__INIT, *locations = &out;
    Pprof__Profile part = PPROF__PROFILE__INIT;
    const struct location_key *key = key_of(pprof, id), *k;
    size_t i = 0;

    out.id = id;
    out.mapping_id = key->mapping;
    out.address = key->address;
    for (k = key; k; k = key_of(pprof, k->outer))
        out.n_line++;
    Pprof__Line *lines = bm_xcalloc(out.n_line, sizeof(*lines));
    out.line = bm_xcalloc(out.n_line, sizeof(*out.line));
    for (k = key; k; k = key_of(pprof, k->outer), i++) {
        pprof__line__init(&lines[i]);
        lines[i].function_id = k->function;
        lines[i].line = k->line;
        lines[i].column = k->column;
        out.line[i] = &lines[i];
    }
    part.n_location = 1;
    part.location = &locations;
    bm_pprof_put(pprof, &part);
    free(out.line);
    free(lines);
}

uint32_t bm_pprof_location(struct bm_pprof *pprof,
                           const struct bm_call_place *place, uint64_t function,
                           uint64_t outer)
{
    const struct bm_frame_info *frame = place->frame;
    const struct bm_module *module = frame         ? frame->module
                                     : place->site ? place->site->module
                                                   : NULL;
    const struct location_key key = {
        .outer = outer,
        .function = function,
        .address = module && frame ? frame->offset : 0,
        .mapping = (uint32_t)mapping_of(pprof, module),
        .line = place->line,
        .column = place->column,
    };
    uint32_t count = pprof->locations.count;
    uint32_t id = bm_intern_bytes(&pprof->locations, &key, sizeof(key)) + 1;

    if (id > count)
        put_location(pprof, id);
    return id;
}

/* ---- the whole ---- */

void bm_pprof_open(struct bm_pprof *pprof, const struct bm_profile *profile,
                   FILE *file)
{
    char empty[] = "";

    *pprof = (struct bm_pprof){
        .profile = profile,
        .strings = BM_INTERN_INIT,
        .functions = BM_INTERN_INIT,
        .locations = BM_INTERN_INIT,
        .arena = BM_ARENA_INIT,
    };
    pprof->gzip = bm_gzip_open(file);
    put_string(pprof, empty);
    put_modules(pprof);
}

void bm_pprof_close(struct bm_pprof *pprof)
{
    bm_gzip_close(pprof->gzip);
    bm_intern_clear(&pprof->locations);
    bm_arena_release(&pprof->arena);
    bm_intern_clear(&pprof->strings);
    bm_intern_clear(&pprof->functions);
    free(pprof->packed);
}
