/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const char *bm_load_error_text(int error)
{
#ifdef __GLIBC__
    const char *text = strerrordesc_np(error);

    return text ? text : "cannot be read";
#else
    return strerror(error); /* of musl: static, for every thread */
#endif
}

static void init_tables(struct bm_load *load)
{
    load->modules = BM_TABLE_OF(struct bm_module);
    load->frames = BM_TABLE_OF(struct bm_frame_info);
    load->sites = BM_TABLE_OF(struct bm_site_info);
    load->paths = BM_TABLE_OF(struct bm_path_info);
    load->threads = BM_TABLE_OF(struct bm_thread_info);
    load->benchmarks = BM_TABLE_OF(struct bm_raw_benchmark);
    load->nodes.row_size = sizeof(struct bm_node_info);
    load->raw_nodes.row_size = sizeof(struct bm_raw_node);
    load->marks.row_size = sizeof(struct bm_raw_mark);
    load->params.row_size = sizeof(struct bm_raw_param);
    load->passes.row_size = sizeof(struct bm_raw_pass);
    load->more_passes.row_size = sizeof(struct bm_raw_passes);
    bm_declared_init(load);
    bm_timeline_init(load);
    bm_saves_init(load);
    bm_access_init(load);
    load->processes = BM_TABLE_OF(struct bm_raw_process);
    load->process_marks.row_size = sizeof(struct bm_raw_process_mark);
    load->process_arguments.row_size = sizeof(struct bm_raw_argument);
    load->arguments.row_size = sizeof(const char *);
    load->notes.row_size = sizeof(const char *);
}

static bool has_note(const struct bm_load *load, const char *sentence)
{
    const char **notes = load->notes.rows;

    for (size_t i = 0; i < load->notes.nr; i++)
        if (strcmp(notes[i], sentence) == 0)
            return true;
    return false;
}

/* Each flag has its sentence among the notes. */
static bool explain_flags(struct bm_load *load)
{
    static const struct {
        unsigned flag;
        const char *sentence;
    } flags[] = {
#define BM_FLAG(value, name, sentence) {value, sentence},
#include "schema.inc"
    };

    for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++) {
        const char **note;

        if (!(load->profile->flags & flags[i].flag) ||
            has_note(load, flags[i].sentence))
            continue;
        note = bm_rows_add(&load->notes);
        if (!note)
            return bm_load_fail_memory(load);
        *note = flags[i].sentence;
    }
    return true;
}

bool bm_is_complete(enum bm_end end, unsigned flags)
{
    /* What these say takes nothing away. */
    const unsigned harmless = BM_STATE_IN_FLIGHT | BM_STATE_MERGED |
                              BM_STATE_RUNS | BM_STATE_SLACK | BM_STATE_UNSAVED;

    return end != BM_END_UNKNOWN && (flags & ~harmless) == 0;
}

/* Several processes are complete if each is. */
static void judge(struct bm_profile *p)
{
    p->complete = bm_is_complete(p->end, p->flags);
    for (size_t i = 0; i < p->nr_processes; i++)
        p->complete &= p->processes[i].complete;
}

/* The rows become the profile's, so that bm_profile_free finds them. */
static void hand_over(struct bm_load *load)
{
    struct bm_profile *p = load->profile;

#define HAND_OVER(field, rows_)                                                \
    p->field = (rows_).rows;                                                   \
    p->nr_##field = (rows_).nr
    HAND_OVER(arguments, load->arguments);
    HAND_OVER(notes, load->notes);
    HAND_OVER(modules, load->modules.rows);
    HAND_OVER(frames, load->frames.rows);
    HAND_OVER(sites, load->sites.rows);
    HAND_OVER(paths, load->paths.rows);
    HAND_OVER(threads, load->threads.rows);
    HAND_OVER(nodes, load->nodes);
    HAND_OVER(pools, load->pools);
    bm_timeline_sort(load);
    HAND_OVER(moments, load->moments);
    HAND_OVER(groupings, load->groupings);
#undef HAND_OVER
}

static void release(struct bm_load *load)
{
    bm_table_release(&load->modules);
    bm_table_release(&load->frames);
    bm_table_release(&load->sites);
    bm_table_release(&load->paths);
    bm_table_release(&load->threads);
    bm_table_release(&load->benchmarks);
    free(load->benchmarks.rows.rows);
    bm_table_release(&load->processes);
    free(load->processes.rows.rows);
    free(load->process_marks.rows);
    free(load->process_arguments.rows);
    free(load->raw_nodes.rows);
    free(load->marks.rows);
    free(load->params.rows);
    free(load->passes.rows);
    free(load->more_passes.rows);
    free(load->savings.rows);
    bm_declared_clear(load);
    bm_access_clear(load);
    free(load->arena->recent);
    load->arena->recent = NULL;
}

static bool load_all(struct bm_load *load, const char *path)
{
    load->profile->path = bm_arena_text(load->arena, path, strlen(path));
    if (!load->profile->path)
        return bm_load_fail_memory(load);
    if (!bm_load_records(load))
        return false;
    bm_load_early_nodes(load);
    return bm_load_link(load) && bm_access_join(load) &&
           bm_load_figures(load) && bm_access_sum(load) &&
           bm_load_benchmarks(load) && bm_load_processes(load) &&
           bm_load_saves(load) && explain_flags(load);
}

/* Takes the source over, and closes it. */
static struct bm_profile *read_source(const struct bm_source *source,
                                      const char *path,
                                      struct bm_profile_error *error)
{
    struct bm_loaded *loaded = calloc(1, sizeof(*loaded));
    struct bm_load load = {.source = *source, .error = error};
    bool ok = false;

    if (loaded) {
        load.profile = &loaded->profile;
        load.arena = &loaded->arena;
        init_tables(&load);
        ok = load_all(&load, path);
        hand_over(&load);
        judge(load.profile);
        release(&load);
    } else {
        bm_load_fail_memory(&load);
    }
    bm_source_close(&load.source);
    if (ok)
        return &loaded->profile;
    if (loaded)
        bm_profile_free(&loaded->profile);
    return NULL;
}

struct bm_profile *bm_profile_read(const char *path,
                                   struct bm_profile_error *error)
{
    struct bm_source source;
    int fault = bm_source_open(&source, path);

    *error = (struct bm_profile_error){0};
    if (fault) {
        bm_source_close(&source);
        error->why = bm_load_error_text(fault);
        return NULL;
    }
    return read_source(&source, path, error);
}

struct bm_profile *bm_profile_parse(const void *data, size_t size,
                                    const char *name,
                                    struct bm_profile_error *error)
{
    struct bm_source source;

    *error = (struct bm_profile_error){0};
    bm_source_open_bytes(&source, data, size);
    return read_source(&source, name, error);
}

void bm_profile_free(struct bm_profile *profile)
{
    struct bm_loaded *loaded = (struct bm_loaded *)profile;

    if (!profile)
        return;
    bm_arena_clear(&loaded->arena);
    free(profile->arguments);
    free(profile->notes);
    free(profile->modules);
    free(profile->frames);
    free(profile->sites);
    free(profile->paths);
    free(profile->threads);
    free(profile->nodes);
    free(profile->pools);
    free(profile->moments);
    free(profile->savings);
    free(profile->groupings);
    free(profile->benchmarks);
    free(profile->processes);
    free(loaded);
}
