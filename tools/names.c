/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/names.h"

#include <inttypes.h>
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

void bm_names_frame(struct bm_names *names, const struct bm_frame_info *frame,
                    struct bm_str *out)
{
    const char *file = bm_names_file(names, frame);

    if (file) {
        bm_str_puts(out, file);
        if (frame->line)
            bm_str_printf(out, ":%" PRIu32, frame->line);
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

void bm_names_site(struct bm_names *names, const struct bm_site_info *site,
                   const struct bm_frame_info *frame, struct bm_str *out)
{
    if (frame)
        bm_names_frame(names, frame, out);
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
    bm_arena_release(&names->arena);
}
