/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "same_profile.h"

#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

/* Elements of the same place in their arrays, or both NULL. */
#define SAME_PLACE(x, y, array)                                                \
    ((x) ? (y) && (x)-a->array == (y)-b->array : !(y))

#define SAME_BYTES(x, y) (memcmp(&(x), &(y), sizeof(x)) == 0)
#define SAME_FIGURES(x, y) same_figures(&(x), &(y))

static bool same_figures(const struct bm_figures *x, const struct bm_figures *y)
{
    return memcmp(x, y, offsetof(struct bm_figures, access)) == 0 &&
           memcmp(bm_access_of(x), bm_access_of(y), sizeof(*x->access)) == 0;
}

static const char *heads_differ(const struct bm_profile *a,
                                const struct bm_profile *b)
{
    if (!same_text(a->writer, b->writer) ||
        !same_text(a->program, b->program) || !same_text(a->cwd, b->cwd) ||
        !same_text(a->host, b->host) || !same_text(a->options, b->options) ||
        !same_text(a->rank, b->rank) || a->pid != b->pid ||
        a->parent_pid != b->parent_pid || a->start_ns != b->start_ns)
        return "head";
    if (a->end != b->end || a->end_value != b->end_value ||
        a->complete != b->complete || a->flags != b->flags)
        return "state";
    if (!SAME_FIGURES(a->totals, b->totals))
        return "totals";
    if (a->unknown_frees != b->unknown_frees || a->dropped != b->dropped ||
        a->failed_allocations != b->failed_allocations)
        return "counts of threads";
    return NULL;
}

static const char *texts_differ(const struct bm_profile *a,
                                const struct bm_profile *b)
{
    if (a->nr_arguments != b->nr_arguments || a->nr_notes != b->nr_notes ||
        a->nr_threads != b->nr_threads || a->nr_modules != b->nr_modules)
        return "number of arguments, notes, threads or modules";
    for (size_t i = 0; i < a->nr_arguments; i++)
        if (!same_text(a->arguments[i], b->arguments[i]))
            return "argument";
    for (size_t i = 0; i < a->nr_notes; i++)
        if (!same_text(a->notes[i], b->notes[i]))
            return "note";
    for (size_t i = 0; i < a->nr_threads; i++)
        if (a->threads[i].tid != b->threads[i].tid ||
            !same_text(a->threads[i].name, b->threads[i].name))
            return "thread";
    for (size_t i = 0; i < a->nr_modules; i++)
        if (!same_text(a->modules[i].path, b->modules[i].path) ||
            !same_text(a->modules[i].build_id, b->modules[i].build_id) ||
            a->modules[i].bias != b->modules[i].bias ||
            a->modules[i].instrumented != b->modules[i].instrumented ||
            a->modules[i].symbols != b->modules[i].symbols)
            return "module";
    return NULL;
}

static const char *frames_differ(const struct bm_profile *a,
                                 const struct bm_profile *b)
{
    if (a->nr_frames != b->nr_frames)
        return "number of frames";
    for (size_t i = 0; i < a->nr_frames; i++) {
        const struct bm_frame_info *x = &a->frames[i], *y = &b->frames[i];

        if (!same_text(x->function, y->function) ||
            !same_text(x->linkage_name, y->linkage_name) ||
            !same_text(x->file, y->file) || !same_text(x->dir, y->dir) ||
            !same_text(x->callee, y->callee) || !same_text(x->type, y->type) ||
            x->line != y->line || x->column != y->column ||
            x->offset != y->offset || x->flags != y->flags ||
            !SAME_PLACE(x->inlined_into, y->inlined_into, frames) ||
            !SAME_PLACE(x->module, y->module, modules))
            return "frame";
    }
    return NULL;
}

static const char *sites_differ(const struct bm_profile *a,
                                const struct bm_profile *b)
{
    if (a->nr_sites != b->nr_sites || a->nr_paths != b->nr_paths)
        return "number of sites or paths";
    for (size_t i = 0; i < a->nr_sites; i++) {
        const struct bm_site_info *x = &a->sites[i], *y = &b->sites[i];

        if (x->id != y->id || !same_text(x->kind, y->kind) ||
            !same_text(x->callee, y->callee) || !same_text(x->type, y->type) ||
            !same_text(x->size_expr, y->size_expr) ||
            !same_text(x->count, y->count) || x->elided != y->elided ||
            !SAME_PLACE(x->frame, y->frame, frames) ||
            !SAME_PLACE(x->module, y->module, modules))
            return "site";
        if (!SAME_FIGURES(x->figures, y->figures))
            return "figures of a site";
    }
    for (size_t i = 0; i < a->nr_paths; i++) {
        const struct bm_path_info *x = &a->paths[i], *y = &b->paths[i];

        if (!SAME_PLACE(x->outer, y->outer, paths) ||
            !SAME_PLACE(x->frame, y->frame, frames) ||
            !SAME_PLACE(x->site, y->site, sites) || x->other != y->other)
            return "path";
    }
    return NULL;
}

static bool same_nodes(const struct bm_node_info *x,
                       const struct bm_node_info *y)
{
    const struct bm_figures of_x = bm_node_figures(x);
    const struct bm_figures of_y = bm_node_figures(y);

    return same_figures(&of_x, &of_y);
}

static const char *nodes_differ(const struct bm_profile *a,
                                const struct bm_profile *b)
{
    if (a->nr_nodes != b->nr_nodes)
        return "number of nodes";
    for (size_t i = 0; i < a->nr_nodes; i++) {
        const struct bm_node_info *x = &a->nodes[i], *y = &b->nodes[i];

        if (x->benchmark != y->benchmark || !same_nodes(x, y) ||
            !SAME_PLACE(x->site, y->site, sites) ||
            !SAME_PLACE(x->path, y->path, paths) ||
            !SAME_PLACE(x->thread, y->thread, threads))
            return "node";
    }
    return NULL;
}

static bool value_differs(const struct bm_param_info *p,
                          const struct bm_param_info *q)
{
    return !same_text(p->name, q->name) || p->kind != q->kind ||
           !same_text(p->text, q->text) ||
           (p->kind == BM_VALUE_STRING ? !same_text(p->value.s, q->value.s)
                                       : p->value.u != q->value.u);
}

static bool params_differ(const struct bm_benchmark_info *x,
                          const struct bm_benchmark_info *y)
{
    for (size_t i = 0; i < x->nr_params; i++)
        if (value_differs(&x->params[i], &y->params[i]))
            return true;
    return false;
}

static bool passes_differ(const struct bm_benchmark_info *x,
                          const struct bm_benchmark_info *y)
{
    for (size_t i = 0; i < x->nr_passes; i++) {
        const struct bm_pass_info *p = &x->passes[i], *q = &y->passes[i];

        if (p->peak_bytes != q->peak_bytes ||
            p->allocated_bytes != q->allocated_bytes ||
            p->allocations != q->allocations ||
            p->retained_bytes != q->retained_bytes || p->open != q->open ||
            p->measured != q->measured || p->time_ns != q->time_ns ||
            p->setup_peak_rss_bytes != q->setup_peak_rss_bytes ||
            p->peak_rss_bytes != q->peak_rss_bytes ||
            p->began_bytes != q->began_bytes ||
            p->ended_bytes != q->ended_bytes)
            return true;
    }
    return x->nr_more_passes != y->nr_more_passes ||
           !SAME_BYTES(x->more_peak, y->more_peak) ||
           !SAME_BYTES(x->more_allocated, y->more_allocated) ||
           !SAME_BYTES(x->more_allocations, y->more_allocations) ||
           !SAME_BYTES(x->more_retained, y->more_retained) ||
           !SAME_BYTES(x->more_time, y->more_time);
}

static bool declared_differ(const struct bm_benchmark_info *x,
                            const struct bm_benchmark_info *y)
{
    const struct bm_declared_info *p = &x->declared, *q = &y->declared;

    if (!same_text(p->group, q->group) || !same_text(p->suite, q->suite) ||
        p->calls != q->calls || p->flags != q->flags ||
        p->max_peak_bytes != q->max_peak_bytes ||
        p->max_allocated_bytes != q->max_allocated_bytes ||
        p->max_allocations != q->max_allocations ||
        x->nr_labels != y->nr_labels || x->nr_failures != y->nr_failures)
        return true;
    for (size_t i = 0; i < x->nr_labels; i++)
        if (value_differs(&x->labels[i], &y->labels[i]))
            return true;
    for (size_t i = 0; i < x->nr_failures; i++)
        if (!same_text(x->failures[i], y->failures[i]))
            return true;
    return false;
}

static const char *benchmarks_differ(const struct bm_profile *a,
                                     const struct bm_profile *b)
{
    if (a->nr_benchmarks != b->nr_benchmarks)
        return "number of benchmarks";
    for (size_t i = 0; i < a->nr_benchmarks; i++) {
        const struct bm_benchmark_info *x = &a->benchmarks[i];
        const struct bm_benchmark_info *y = &b->benchmarks[i];

        if (!same_text(x->id, y->id) || !same_text(x->name, y->name) ||
            !same_text(x->file, y->file) ||
            !same_text(x->params_text, y->params_text) ||
            x->nr_params != y->nr_params || x->nr_passes != y->nr_passes ||
            x->nr_sites != y->nr_sites ||
            !SAME_PLACE(x->frame, y->frame, frames))
            return "benchmark";
        if (params_differ(x, y))
            return "parameter";
        if (passes_differ(x, y))
            return "pass";
        if (declared_differ(x, y))
            return "what a benchmark says of itself";
        if (!SAME_FIGURES(x->figures, y->figures))
            return "figures of a benchmark";
        for (size_t s = 0; s < x->nr_sites; s++)
            if (!SAME_PLACE(x->sites[s].site, y->sites[s].site, sites) ||
                !SAME_FIGURES(x->sites[s].figures, y->sites[s].figures))
                return "site of a benchmark";
    }
    return NULL;
}

static const char *pools_differ(const struct bm_profile *a,
                                const struct bm_profile *b)
{
    if (a->nr_pools != b->nr_pools || a->nr_moments != b->nr_moments)
        return "number of pools or moments";
    for (size_t i = 0; i < a->nr_pools; i++) {
        struct bm_pool_info x = a->pools[i], y = b->pools[i];

        if (!same_text(x.name, y.name))
            return "name of a pool";
        x.name = y.name = NULL;
        if (!SAME_BYTES(x, y))
            return "pool";
    }
    for (size_t i = 0; i < a->nr_moments; i++)
        if (!SAME_BYTES(a->moments[i], b->moments[i]))
            return "moment";
    return NULL;
}

static const char *saves_differ(const struct bm_profile *a,
                                const struct bm_profile *b)
{
    if (a->nr_savings != b->nr_savings || a->nr_groupings != b->nr_groupings)
        return "number of savings";
    for (size_t i = 0; i < a->nr_savings; i++)
        if (a->savings[i].benchmark != b->savings[i].benchmark ||
            a->savings[i].level != b->savings[i].level ||
            a->savings[i].of != b->savings[i].of ||
            a->savings[i].saves_bytes != b->savings[i].saves_bytes)
            return "a saving";
    for (size_t i = 0; i < a->nr_groupings; i++) {
        const struct bm_grouping_info *x = &a->groupings[i];
        const struct bm_grouping_info *y = &b->groupings[i];

        if (x->site - a->sites != y->site - b->sites ||
            !SAME_PLACE(x->path, y->path, paths) || !SAME_BYTES(x->of, y->of))
            return "a grouping";
    }
    return NULL;
}

const char *profiles_differ(const struct bm_profile *a,
                            const struct bm_profile *b)
{
    const char *differs = heads_differ(a, b);

    if (!differs)
        differs = texts_differ(a, b);
    if (!differs)
        differs = frames_differ(a, b);
    if (!differs)
        differs = sites_differ(a, b);
    if (!differs)
        differs = nodes_differ(a, b);
    if (!differs)
        differs = benchmarks_differ(a, b);
    if (!differs)
        differs = pools_differ(a, b);
    if (!differs)
        differs = saves_differ(a, b);
    return differs;
}

/* The whole file, or MAP_FAILED. */
static void *map_file(int fd, size_t *size)
{
    struct stat status;

    if (fstat(fd, &status) < 0)
        return MAP_FAILED;
    *size = (size_t)status.st_size;
    return mmap(NULL, *size, PROT_READ, MAP_PRIVATE, fd, 0);
}

const char *small_form_differs(const struct bm_profile *profile)
{
    const char *differs = "cannot write the small form";
    struct bm_profile *again = NULL;
    struct bm_profile_error error;
    void *bytes = MAP_FAILED;
    size_t size = 0;
    int fd = memfd_create("small form", MFD_CLOEXEC);

    if (fd < 0 || bm_profile_write(profile, fd) < 0)
        goto out;
    bytes = map_file(fd, &size);
    if (bytes == MAP_FAILED)
        goto out;
    differs = "cannot read the small form";
    again = bm_profile_parse(bytes, size, profile->path, &error);
    if (again)
        differs = profiles_differ(profile, again);
out:
    bm_profile_free(again);
    if (bytes != MAP_FAILED)
        munmap(bytes, size);
    if (fd >= 0)
        close(fd);
    return differs;
}
