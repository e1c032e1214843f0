/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/names.h"

#include "tools/intern.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* A file without a folder in its name, and whether one folder has it. */
struct bm_names_file {
    UT_hash_handle hh;
    const char *dir;
    bool ambiguous;
    const char *file;
};

static bool has_folder(const char *file)
{
    return strchr(file, '/') != NULL;
}

static void learn(struct bm_names *names, const struct bm_frame_info *frame)
{
    struct bm_names_file *entry;
    size_t size = strlen(frame->file);

    HASH_FIND(hh, names->files, frame->file, size, entry);
    if (entry) {
        /* Strings of one profile are mostly the same pointers. */
        if (entry->dir != frame->dir && strcmp(entry->dir, frame->dir) != 0)
            entry->ambiguous = true;
        return;
    }
    entry = bm_arena_alloc(&names->arena, sizeof(*entry));
    entry->file = frame->file;
    entry->dir = frame->dir;
    HASH_ADD_KEYPTR(hh, names->files, entry->file, size, entry);
}

void bm_names_init(struct bm_names *names, const struct bm_profile *profile)
{
    const char *file = NULL, *dir = NULL;

    *names = (struct bm_names){.profile = profile, .arena = BM_ARENA_INIT};
    for (size_t i = 0; i < profile->nr_frames; i++) {
        const struct bm_frame_info *frame = &profile->frames[i];

        /* Frames of one file come together. */
        if (!frame->file || !frame->dir ||
            (frame->file == file && frame->dir == dir))
            continue;
        file = frame->file;
        dir = frame->dir;
        if (!has_folder(file))
            learn(names, frame);
    }
}

const char *bm_names_file(struct bm_names *names,
                          const struct bm_frame_info *frame)
{
    struct bm_names_file *entry = NULL;

    if (!frame || !frame->file)
        return NULL;
    if (!names->files || !frame->dir || has_folder(frame->file))
        return frame->file;
    HASH_FIND(hh, names->files, frame->file, strlen(frame->file), entry);
    if (!entry || !entry->ambiguous)
        return frame->file;
    return bm_arena_printf(&names->arena, "%s/%s", frame->dir, frame->file);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash && slash[1] ? slash + 1 : path;
}

/* The lines that sites are on: numbers of file and line, and what is there. */
struct bm_names_lines {
    struct bm_intern files;
    struct bm_intern lines;
    const char *file; /* that files gave last, as sites of one come together */
    uint32_t file_number;
    uint32_t *columns; /* by line: of the first site */
    bool *several;     /* by line: another one has another column */
};

static uint32_t number_of_line(struct bm_names_lines *lines,
                               const struct bm_frame_info *frame)
{
    uint32_t key[2];

    if (frame->file != lines->file) {
        lines->file = frame->file;
        lines->file_number = bm_intern(&lines->files, frame->file);
    }
    key[0] = lines->file_number;
    key[1] = frame->line;
    return bm_intern_bytes(&lines->lines, key, sizeof(key));
}

static void learn_lines(struct bm_names *names)
{
    const struct bm_profile *profile = names->profile;
    struct bm_names_lines *lines =
        bm_arena_alloc(&names->arena, sizeof(*lines));

    *lines = (struct bm_names_lines){
        .files = BM_INTERN_INIT,
        .lines = BM_INTERN_INIT,
        .columns = bm_xcalloc(profile->nr_sites, sizeof(uint32_t)),
        .several = bm_xcalloc(profile->nr_sites, sizeof(bool)),
    };
    for (size_t i = 0; i < profile->nr_sites; i++) {
        const struct bm_frame_info *frame = profile->sites[i].frame;

        if (!frame || !frame->file || profile->sites[i].elided)
            continue;
        uint32_t count = lines->lines.count;
        uint32_t number = number_of_line(lines, frame);
        if (number == count)
            lines->columns[number] = frame->column;
        else if (lines->columns[number] != frame->column)
            lines->several[number] = true;
    }
    names->lines = lines;
}

/* Whether the line does not tell the site of a frame from others. */
static bool needs_column(struct bm_names *names,
                         const struct bm_site_info *site,
                         const struct bm_frame_info *frame)
{
    if (!site || frame != site->frame || !frame->file || !frame->line ||
        !frame->column || site->elided)
        return false;
    if (!names->lines)
        learn_lines(names);
    return names->lines->several[number_of_line(names->lines, frame)];
}

static void put_frame(struct bm_names *names, const struct bm_frame_info *frame,
                      bool column, struct bm_str *out)
{
    const char *file = bm_names_file(names, frame);

    if (file) {
        bm_str_puts(out, file);
        if (frame->line)
            bm_str_printf(out, ":%" PRIu32, frame->line);
        if (column)
            bm_str_printf(out, ":%" PRIu32, frame->column);
        if (frame->function) {
            bm_str_putc(out, ' ');
            bm_str_puts(out, frame->function);
        }
        return;
    }
    if (frame->module)
        bm_str_puts(out, base_name(frame->module->path));
    if (frame->function)
        bm_str_printf(out, "%s%s", frame->module ? " " : "", frame->function);
    else if (frame->module && frame->offset)
        bm_str_printf(out, "+0x%" PRIx64, frame->offset);
    else if (!frame->module)
        bm_str_puts(out, "(unknown)");
}

void bm_names_frame(struct bm_names *names, const struct bm_frame_info *frame,
                    struct bm_str *out)
{
    put_frame(names, frame, false, out);
}

void bm_names_site(struct bm_names *names, const struct bm_site_info *site,
                   const struct bm_frame_info *frame, struct bm_str *out)
{
    if (frame)
        put_frame(names, frame, needs_column(names, site, frame), out);
    else if (site->module)
        bm_str_printf(out, "(outside) %s", site->module->path);
    else
        bm_str_puts(out, "(outside)");
}

const char *bm_names_module(const struct bm_profile *profile,
                            const struct bm_site_info *site,
                            const struct bm_frame_info *frame)
{
    const char *only = NULL;

    if (site && site->module)
        return site->module->path;
    if (frame && frame->module)
        return frame->module->path;
    if (!frame)
        return NULL;
    /* Frames of instrumented code need not say it where there is no choice. */
    for (size_t i = 0; i < profile->nr_modules; i++) {
        if (!profile->modules[i].instrumented)
            continue;
        if (only)
            return NULL;
        only = profile->modules[i].path;
    }
    return only;
}

void bm_names_clear(struct bm_names *names)
{
    HASH_CLEAR(hh, names->files);
    if (names->lines) {
        bm_intern_clear(&names->lines->files);
        bm_intern_clear(&names->lines->lines);
        free(names->lines->columns);
        free(names->lines->several);
        names->lines = NULL;
    }
    bm_arena_release(&names->arena);
}
