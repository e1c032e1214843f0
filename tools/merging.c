/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/merging_state.h"

#include "base/memory.h"

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
    uint32_t key =
        bm_intern_bytes(&merger->keys, merger->key.data, merger->key.size);

    if (key == merger->nr_entries) {
        merger->entries =
            bm_xgrow(merger->entries, merger->nr_entries, &merger->entry_room,
                     sizeof(*merger->entries));
        merger->entries[merger->nr_entries++].number = 0;
    }
    return &merger->entries[key];
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

/* Written last, like sites: what several say of it is put together. */
static void map_modules(struct bm_merger *merger, const struct bm_profile *p)
{
    bool fresh;

    for (size_t i = 0; i < p->nr_modules; i++) {
        const struct bm_module *info = &p->modules[i];

        begin_key(merger, 'm');
        add_text(&merger->key, info->path);
        add_text(&merger->key, info->build_id);
        merger->modules[i] = number_of(merger, &merger->nr_modules, &fresh);
        if (fresh) {
            merger->merged_modules =
                bm_xgrow(merger->merged_modules, merger->nr_modules - 1,
                         &merger->module_room, sizeof(*merger->merged_modules));
            merger->merged_modules[merger->nr_modules - 1] =
                (struct bm_merged_module){info, info->symbols};
        }
        struct bm_merged_module *module =
            &merger->merged_modules[merger->modules[i] - 1];
        if (info->symbols > module->symbols)
            module->symbols = info->symbols;
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
            bm_put_frame(&merger->sink, frame,
                         &(struct bm_numbers){.index = merger->frames[i],
                                              .outer = inlined,
                                              .module = module});
    }
}

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
            bm_put_path(&merger->sink, path,
                        &(struct bm_numbers){.index = merger->paths[i],
                                             .outer = outer,
                                             .frame = frame,
                                             .site = site});
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

/* ---- modules and sites, once all are known ---- */

static void put_modules(struct bm_merger *merger)
{
    for (size_t i = 0; i < merger->nr_modules; i++) {
        struct bm_module module = *merger->merged_modules[i].info;

        module.symbols = merger->merged_modules[i].symbols;
        bm_put_module(&merger->sink, &module,
                      &(struct bm_numbers){.index = i + 1});
    }
}

static void put_sites(struct bm_merger *merger)
{
    for (size_t i = 0; i < merger->nr_sites; i++) {
        const struct bm_merged_site *site = &merger->merged_sites[i];
        const struct bm_numbers numbers = {
            .index = i + 1,
            .site = i + 1,
            .frame = site->frame,
            .module = site->module,
        };

        bm_put_site(&merger->sink, site->info, site->elided, &numbers);
        if (site->peak)
            bm_put_mark(&merger->sink, site->peak, site->peak_ordinal,
                        &numbers);
    }
}

/* ---- the whole ---- */

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
    if (counted && merger->kind == BM_MERGING_RUNS)
        bm_put_moments(&merger->sink, p); /* of several there is no sum */
    bm_merger_put_nodes(merger, p, counted);
    bm_merger_put_savings(merger, p, counted);
    unmap_profile(merger);
}

int bm_merging_write(const struct bm_profile *const *profiles, size_t nr,
                     enum bm_merging kind, const char *who, int fd)
{
    struct bm_merger merger = {
        .kind = kind, .keys = BM_INTERN_INIT, .key = BM_STR_INIT};

    if (bm_sink_open(&merger.sink, fd))
        return -1;
    bm_merger_put_head(&merger, profiles, nr, who);
    for (size_t i = 0; i < nr; i++)
        put_profile(&merger, profiles[i],
                    kind == BM_MERGING_PROCESSES || i == 0);
    put_modules(&merger);
    put_sites(&merger);
    free(merger.merged_modules);
    free(merger.merged_sites);
    bm_intern_clear(&merger.keys);
    free(merger.entries);
    bm_str_clear(&merger.key);
    return bm_sink_close(&merger.sink);
}
