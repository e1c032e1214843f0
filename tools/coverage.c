/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/coverage.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static void hash_text(XXH64_state_t *state, const char *text)
{
    if (text)
        XXH64_update(state, text, strlen(text));
    XXH64_update(state, "", 1);
}

uint64_t bm_coverage_site_id(const struct bm_frame_info *frame,
                             const char *callee)
{
    uint32_t place[2] = {frame->line, frame->column};
    XXH64_state_t state;

    XXH64_reset(&state, 0);
    hash_text(&state, frame->file);
    XXH64_update(&state, place, sizeof(place));
    hash_text(&state, frame->function);
    hash_text(&state, callee);
    return XXH64_digest(&state);
}

uint64_t bm_coverage_place(const struct bm_frame_info *frame)
{
    return bm_coverage_site_id(frame, NULL);
}

static struct bm_coverage_lines *lines_of(struct bm_coverage *coverage,
                                          uint64_t id)
{
    struct bm_coverage_lines *lines;

    HASH_FIND(hh, coverage->lines, &id, sizeof(id), lines);
    return lines;
}

static void add_line(struct bm_coverage *coverage,
                     struct bm_coverage_site *site)
{
    struct bm_coverage_lines *lines = lines_of(coverage, site->key.site);

    if (!lines) {
        lines = bm_arena_alloc(&coverage->arena, sizeof(*lines));
        lines->site = site->key.site;
        HASH_ADD(hh, coverage->lines, site, sizeof(lines->site), lines);
    }
    site->next = lines->first;
    lines->first = site;
}

struct bm_coverage_site *bm_coverage_site(struct bm_coverage *coverage,
                                          const struct bm_coverage_key *key)
{
    struct bm_coverage_site *site;

    HASH_FIND(hh, coverage->index, key, sizeof(*key), site);
    if (site)
        return site;
    site = bm_arena_alloc(&coverage->arena, sizeof(*site));
    site->key = *key;
    HASH_ADD(hh, coverage->index, key, sizeof(site->key), site);
    coverage->sites =
        bm_xgrow(coverage->sites, coverage->nr_sites, &coverage->room,
                 sizeof(struct bm_coverage_site *));
    coverage->sites[coverage->nr_sites++] = site;
    add_line(coverage, site);
    return site;
}

/* -- what was reached ------------------------------------------------------ */

static void reach(struct bm_coverage_site *site, enum bm_reach how,
                  uint64_t allocations)
{
    if (how > site->reach)
        site->reach = how;
    if (how == BM_REACH_COUNTED)
        site->allocations += allocations;
}

/* As the tables of binaries have it: by the calls that were inlined alone. */
static const struct bm_frame_info *charged(const struct bm_frame_info *own)
{
    const struct bm_frame_info *frame = own;

    while (frame && frame->flags & BM_FRAME_IS_SYSTEM)
        frame = frame->inlined_into;
    return frame ? frame : own;
}

/* Where only sites were counted, every line of a site counts as reached. */
static void reach_everywhere(struct bm_coverage *coverage, uint64_t id,
                             enum bm_reach how, uint64_t allocations)
{
    struct bm_coverage_lines *lines = lines_of(coverage, id);
    struct bm_coverage_site *site = lines ? lines->first : NULL;

    for (; site; site = site->next)
        reach(site, how, allocations);
}

static void mark_node(struct bm_coverage *coverage,
                      const struct bm_node_info *node, enum bm_reach how)
{
    const struct bm_site_info *info = node->site;
    const struct bm_path_info *path = node->path;
    bool inlining = path && !path->other && path->site == info;
    struct bm_coverage_site *site = NULL;

    if (!node->figures.allocations || !info->frame)
        return;
    if (inlining || !(info->frame->flags & BM_FRAME_IS_SYSTEM)) {
        const struct bm_frame_info *frame =
            charged(inlining ? path->frame : info->frame);
        struct bm_coverage_key key = {info->id, bm_coverage_place(frame)};

        HASH_FIND(hh, coverage->index, &key, sizeof(key), site);
    }
    if (site)
        reach(site, how, node->figures.allocations);
    else
        reach_everywhere(coverage, info->id, how, node->figures.allocations);
}

void bm_coverage_mark(struct bm_coverage *coverage,
                      const struct bm_profile *profile,
                      const struct bm_benchmark_info *benchmark)
{
    for (size_t i = 0; i < profile->nr_nodes; i++) {
        const struct bm_node_info *node = &profile->nodes[i];
        bool counts =
            benchmark
                ? node->benchmark &&
                      &profile->benchmarks[node->benchmark - 1] == benchmark
            : coverage->nr_benchmarks ? node->benchmark != 0
                                      : !node->benchmark;

        mark_node(coverage, node, counts ? BM_REACH_COUNTED : BM_REACH_OUTSIDE);
    }
}

/* -- order ----------------------------------------------------------------- */

static int compare_texts(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

static int compare_sites(const void *a, const void *b)
{
    const struct bm_coverage_site *p = *(struct bm_coverage_site *const *)a;
    const struct bm_coverage_site *q = *(struct bm_coverage_site *const *)b;
    int order = compare_texts(p->frame.file, q->frame.file);

    if (!order && p->frame.file && p->frame.file[0] != '/')
        order = compare_texts(p->frame.dir, q->frame.dir);
    if (!order && p->frame.line != q->frame.line)
        order = p->frame.line < q->frame.line ? -1 : 1;
    if (!order && p->frame.column != q->frame.column)
        order = p->frame.column < q->frame.column ? -1 : 1;
    if (!order)
        order = compare_texts(p->frame.function, q->frame.function);
    if (!order && p->key.site != q->key.site)
        order = p->key.site < q->key.site ? -1 : 1;
    if (!order && p->key.place != q->key.place)
        order = p->key.place < q->key.place ? -1 : 1;
    return order;
}

/* Two files of one name in two folders are told apart by the folders. */
static void name_files(struct bm_coverage *coverage, size_t first, size_t end)
{
    struct bm_coverage_site **sites = coverage->sites;
    const char *file = sites[first]->frame.file;
    bool several =
        file && file[0] != '/' &&
        compare_texts(sites[first]->frame.dir, sites[end - 1]->frame.dir) != 0;

    for (size_t i = first; i < end; i++) {
        const char *dir = sites[i]->frame.dir;

        if (!file)
            sites[i]->shown = "(unknown)";
        else if (!several || !dir)
            sites[i]->shown = file;
        else if (i > first && sites[i - 1]->frame.dir &&
                 !strcmp(sites[i - 1]->frame.dir, dir))
            sites[i]->shown = sites[i - 1]->shown;
        else
            sites[i]->shown =
                bm_arena_printf(&coverage->arena, "%s/%s", dir, file);
    }
}

void bm_coverage_sort(struct bm_coverage *coverage)
{
    struct bm_coverage_site **sites = coverage->sites;
    size_t first = 0;

    if (coverage->nr_sites)
        qsort(sites, coverage->nr_sites, sizeof(struct bm_coverage_site *),
              compare_sites);
    coverage->nr_reached = 0;
    for (size_t i = 0; i < coverage->nr_sites; i++) {
        coverage->nr_reached += sites[i]->reach == BM_REACH_COUNTED;
        if (i + 1 < coverage->nr_sites &&
            !compare_texts(sites[i]->frame.file, sites[i + 1]->frame.file))
            continue;
        name_files(coverage, first, i + 1);
        first = i + 1;
    }
}

void bm_coverage_clear(struct bm_coverage *coverage)
{
    HASH_CLEAR(hh, coverage->index);
    HASH_CLEAR(hh, coverage->lines);
    free(coverage->sites);
    bm_strvec_clear(&coverage->binaries);
    bm_arena_release(&coverage->arena);
}

/* -- groups ---------------------------------------------------------------- */

static int compare_groups(const void *a, const void *b)
{
    const struct bm_coverage_group *p = a, *q = b;
    int order = strcmp(p->file, q->file);

    return order ? order : compare_texts(p->function, q->function);
}

static bool same_group(const struct bm_coverage_group *a,
                       const struct bm_coverage_group *b)
{
    return !strcmp(a->file, b->file) &&
           !compare_texts(a->function, b->function);
}

struct bm_coverage_group *bm_coverage_groups(const struct bm_coverage *coverage,
                                             bool by_function, size_t *nr)
{
    struct bm_coverage_group *groups =
        bm_xcalloc(coverage->nr_sites + 1, sizeof(*groups));
    size_t kept = 0;

    for (size_t i = 0; i < coverage->nr_sites; i++) {
        const struct bm_coverage_site *site = coverage->sites[i];

        groups[i] = (struct bm_coverage_group){
            .file = site->shown,
            .function = by_function ? site->frame.function : NULL,
            .nr_sites = 1,
            .nr_reached = site->reach == BM_REACH_COUNTED,
        };
    }
    qsort(groups, coverage->nr_sites, sizeof(*groups), compare_groups);
    for (size_t i = 0; i < coverage->nr_sites; i++) {
        if (kept && same_group(&groups[kept - 1], &groups[i])) {
            groups[kept - 1].nr_sites++;
            groups[kept - 1].nr_reached += groups[i].nr_reached;
        } else
            groups[kept++] = groups[i];
    }
    *nr = kept;
    return groups;
}
