/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/merging_state.h"

#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is the same in several profiles ---- */

static void add_text(struct bm_str *key, const char *text)
{
    bm_str_putc(key, text ? 's' : 'n');
    bm_str_puts(key, text ? text : "");
    bm_str_putc(key, '\0');
}

static void add_number(struct bm_str *key, uint64_t number)
{
    bm_str_add(key, (const char *)&number, sizeof(number));
}

static void begin_key(struct bm_merger *merger, char kind)
{
    bm_str_truncate(&merger->key, 0);
    bm_str_putc(&merger->key, kind);
}

/* What merger->key says; number 0 if it is new. */
static struct bm_merged_entry *entry_of(struct bm_merger *merger)
{
    struct bm_merged_entry *entry;

    HASH_FIND(hh, merger->entries, merger->key.data, merger->key.size, entry);
    if (entry)
        return entry;
    entry = bm_arena_alloc(&merger->arena, sizeof(*entry) + merger->key.size);
    memcpy(entry->key, merger->key.data, merger->key.size);
    entry->number = 0;
    HASH_ADD_KEYPTR(hh, merger->entries, entry->key, merger->key.size, entry);
    return entry;
}

/* The number from 1 of what merger->key says; *fresh: it is a new one. */
static uint64_t number_of(struct bm_merger *merger, uint64_t *count,
                          bool *fresh)
{
    struct bm_merged_entry *entry = entry_of(merger);

    *fresh = !entry->number;
    if (*fresh)
        entry->number = ++*count;
    return entry->number;
}

struct bm_merged_entry *bm_merger_entry(struct bm_merger *merger, char kind,
                                        const uint64_t *numbers, size_t nr)
{
    begin_key(merger, kind);
    for (size_t i = 0; i < nr; i++)
        add_number(&merger->key, numbers[i]);
    return entry_of(merger);
}

static uint64_t mapped(const uint64_t *map, const void *pointer,
                       const void *array, size_t size)
{
    if (!pointer)
        return 0;
    return map[(size_t)((const char *)pointer - (const char *)array) / size];
}
#define MAPPED(map, pointer, array)                                            \
    mapped(map, pointer, array, sizeof(*(array)))

static void map_modules(struct bm_merger *merger, const struct bm_profile *p)
{
    bool fresh;

    for (size_t i = 0; i < p->nr_modules; i++) {
        const struct bm_module *module = &p->modules[i];

        begin_key(merger, 'm');
        add_text(&merger->key, module->path);
        add_text(&merger->key, module->build_id);
        merger->modules[i] = number_of(merger, &merger->nr_modules, &fresh);
        if (fresh)
            BM_PUT(merger, module, .index = merger->modules[i],
                   .path = bm_put_text(module->path),
                   .build_id = bm_put_text(module->build_id),
                   .bias = module->bias, .instrumented = module->instrumented);
    }
}

static void map_frames(struct bm_merger *merger, const struct bm_profile *p)
{
    bool fresh;

    for (size_t i = 0; i < p->nr_frames; i++) {
        const struct bm_frame_info *frame = &p->frames[i];
        uint64_t inlined =
            MAPPED(merger->frames, frame->inlined_into, p->frames);
        uint64_t module = MAPPED(merger->modules, frame->module, p->modules);

        begin_key(merger, 'f');
        add_text(&merger->key, frame->function);
        add_text(&merger->key, frame->linkage_name);
        add_text(&merger->key, frame->file);
        add_text(&merger->key, frame->dir);
        add_text(&merger->key, frame->callee);
        add_text(&merger->key, frame->type);
        add_number(&merger->key, frame->line);
        add_number(&merger->key, frame->column);
        add_number(&merger->key, frame->flags);
        add_number(&merger->key, frame->offset);
        add_number(&merger->key, inlined);
        add_number(&merger->key, module);
        merger->frames[i] = number_of(merger, &merger->nr_frames, &fresh);
        if (fresh)
            BM_PUT(merger, frame, .index = merger->frames[i],
                   .function = bm_put_text(frame->function),
                   .linkage_name = bm_put_text(frame->linkage_name),
                   .file = bm_put_text(frame->file),
                   .dir = bm_put_text(frame->dir), .line = frame->line,
                   .column = frame->column, .inlined_into = inlined,
                   .callee = bm_put_text(frame->callee), .flags = frame->flags,
                   .module = module, .offset = frame->offset,
                   .type = bm_put_text(frame->type));
    }
}

/* Written last: what several say of it is put together. */
static void map_sites(struct bm_merger *merger, const struct bm_profile *p,
                      bool counted)
{
    bool fresh;

    for (size_t i = 0; i < p->nr_sites; i++) {
        const struct bm_site_info *info = &p->sites[i];
        uint64_t module = MAPPED(merger->modules, info->module, p->modules);
        uint64_t frame = MAPPED(merger->frames, info->frame, p->frames);

        begin_key(merger, 's');
        add_number(&merger->key, info->id);
        add_number(&merger->key, module);
        add_number(&merger->key, info->id ? 0 : frame); /* 0: no id */
        merger->sites[i] = number_of(merger, &merger->nr_sites, &fresh);
        if (fresh) {
            merger->merged_sites =
                bm_xgrow(merger->merged_sites, merger->nr_sites - 1,
                         &merger->site_room, sizeof(*merger->merged_sites));
            merger->merged_sites[merger->nr_sites - 1] =
                (struct bm_merged_site){info, frame, module, 0, 0, true};
        }
        struct bm_merged_site *site =
            &merger->merged_sites[merger->sites[i] - 1];
        site->elided &= info->elided;
        if (!counted)
            continue;
        site->peak += info->figures.peak_bytes;
        if (merger->kind == BM_MERGING_RUNS)
            site->peak_ordinal = info->figures.peak_ordinal;
    }
}

static void map_paths(struct bm_merger *merger, const struct bm_profile *p)
{
    bool fresh;

    for (size_t i = 0; i < p->nr_paths; i++) {
        const struct bm_path_info *path = &p->paths[i];
        uint64_t outer = MAPPED(merger->paths, path->outer, p->paths);
        uint64_t frame = MAPPED(merger->frames, path->frame, p->frames);
        uint64_t site = MAPPED(merger->sites, path->site, p->sites);

        begin_key(merger, 'p');
        add_number(&merger->key, outer);
        add_number(&merger->key, frame);
        add_number(&merger->key, site);
        add_number(&merger->key, path->other);
        merger->paths[i] = number_of(merger, &merger->nr_paths, &fresh);
        if (fresh)
            BM_PUT(merger, path, .index = merger->paths[i], .outer = outer,
                   .frame = frame, .site = site, .flags = path->other);
    }
}

static void map_profile(struct bm_merger *merger, const struct bm_profile *p,
                        bool counted)
{
    merger->modules = bm_xcalloc(p->nr_modules + 1, sizeof(uint64_t));
    merger->frames = bm_xcalloc(p->nr_frames + 1, sizeof(uint64_t));
    merger->sites = bm_xcalloc(p->nr_sites + 1, sizeof(uint64_t));
    merger->paths = bm_xcalloc(p->nr_paths + 1, sizeof(uint64_t));
    map_modules(merger, p);
    map_frames(merger, p);
    map_sites(merger, p, counted);
    map_paths(merger, p);
}

static void unmap_profile(struct bm_merger *merger)
{
    free(merger->modules);
    free(merger->frames);
    free(merger->sites);
    free(merger->paths);
}

/* ---- sites, once all are known ---- */

static void put_sites(struct bm_merger *merger)
{
    for (size_t i = 0; i < merger->nr_sites; i++) {
        const struct bm_merged_site *site = &merger->merged_sites[i];
        const struct bm_site_info *info = site->info;
        uint64_t mark[BM_NR_WORDS_mark] = {
            [BM_MARK_peak] = site->peak,
            [BM_MARK_peak_ordinal] = site->peak_ordinal,
        };

        BM_PUT(merger, site, .index = i + 1, .id = info->id,
               .frame = site->frame, .kind = bm_put_text(info->kind),
               .callee = bm_put_text(info->callee),
               .type = bm_put_text(info->type),
               .size_expr = bm_put_text(info->size_expr),
               .count = bm_put_text(info->count), .elided = site->elided,
               .module = site->module);
        if (site->peak)
            BM_PUT(merger, mark, .site = i + 1, .mark = BM_PUT_WORDS(mark));
    }
}

/* ---- the whole ---- */

static int write_to_file(void *data, const char *bytes, size_t size)
{
    struct bm_merger *merger = data;

    if (size && fwrite(bytes, size, 1, merger->file) != 1 && !merger->error)
        merger->error = errno;
    return merger->error;
}

void bm_merger_check(struct bm_merger *merger, int error)
{
    if (error && !merger->error)
        merger->error = EOVERFLOW; /* a text beyond what msgpack can hold */
}

const char *bm_merging_refuses(const struct bm_profile *profile,
                               enum bm_merging kind)
{
    if (profile->flags & BM_STATE_RUNS && kind == BM_MERGING_PROCESSES)
        return "it is of several runs, whose figures are no sums";
    if (profile->flags & BM_STATE_MERGED && kind == BM_MERGING_RUNS)
        return "it is of several processes, and no single run";
    return NULL;
}

static void put_profile(struct bm_merger *merger, const struct bm_profile *p,
                        bool counted)
{
    map_profile(merger, p, counted);
    bm_merger_put_threads(merger, p, counted);
    bm_merger_put_processes(merger, p, counted);
    bm_merger_put_benchmarks(merger, p);
    bm_merger_put_nodes(merger, p, counted);
    bm_merger_put_savings(merger, p, counted);
    unmap_profile(merger);
}

int bm_merging_write(const struct bm_profile *const *profiles, size_t nr,
                     enum bm_merging kind, const char *who, int fd)
{
    struct bm_merger merger = {.kind = kind, .key = BM_STR_INIT};

    int copy = dup(fd);
    merger.file = copy < 0 ? NULL : fdopen(copy, "wb");
    if (!merger.file) {
        if (copy >= 0)
            close(copy);
        return -1;
    }
    msgpack_packer_init(&merger.packer, &merger, write_to_file);
    bm_merger_put_head(&merger, profiles, nr, who);
    for (size_t i = 0; i < nr; i++)
        put_profile(&merger, profiles[i],
                    kind == BM_MERGING_PROCESSES || i == 0);
    put_sites(&merger);
    if (fclose(merger.file) && !merger.error)
        merger.error = errno;
    free(merger.merged_sites);
    HASH_CLEAR(hh, merger.entries);
    bm_arena_release(&merger.arena);
    bm_str_clear(&merger.key);
    errno = merger.error;
    return merger.error ? -1 : 0;
}
