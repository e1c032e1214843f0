/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/ranking.h"

#include "base/error.h"
#include "profile/figures.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <uthash.h>

const char *const bm_by_names[] = {
    [BM_BY_SITE] = "site",     [BM_BY_FUNCTION] = "function",
    [BM_BY_FILE] = "file",     [BM_BY_TYPE] = "type",
    [BM_BY_MODULE] = "module", [BM_BY_BENCHMARK] = "benchmark",
    [BM_BY_PATH] = "path",     [BM_BY_THREAD] = "thread",
    [BM_BY_CHARGE] = NULL,
};

/* What makes two contributions one row. */
struct key {
    uint32_t major;
    uint32_t minor;
};

struct bm_ranking_index {
    UT_hash_handle hh;
    struct key key;
    size_t row;
};

/* Numbers that stand for no record, and for more than one. */
#define NONE UINT32_MAX
#define SEVERAL (UINT32_MAX - 1)

/* The figures' own, which are the ranking's. */
static void add_access(struct bm_ranking *ranking, struct bm_figures *sum,
                       const struct bm_access *access)
{
    if (!access)
        return;
    if (!sum->access) {
        sum->access = bm_arena_alloc(&ranking->arena, sizeof(*sum->access));
        *sum->access = (struct bm_access){0};
    }
    bm_access_add(sum->access, access);
}

static void add_figures(struct bm_ranking *ranking, struct bm_figures *sum,
                        const struct bm_figures *f)
{
    /* Shares of threads may be below zero: unsigned sums wrap back. */
    sum->allocations += f->allocations;
    sum->frees += f->frees;
    sum->allocated_bytes += f->allocated_bytes;
    sum->freed_bytes += f->freed_bytes;
    sum->at_peak_bytes += f->at_peak_bytes;
    sum->live_bytes += f->live_bytes;
    sum->live_blocks += f->live_blocks;
    sum->temporary += f->temporary;
    sum->inherited_bytes += f->inherited_bytes;
    sum->inherited_blocks += f->inherited_blocks;
    sum->at_peak_blocks += f->at_peak_blocks;
    add_access(ranking, sum, f->access);
}

/* The text that tells one place from another, by the grouping. */
static void describe_frame(struct bm_ranking *ranking,
                           const struct bm_frame_info *frame,
                           struct bm_str *out)
{
    const char *file = bm_names_file(ranking->names, frame);

    if (ranking->by == BM_BY_FILE) {
        bm_str_puts(out, file ? file : "");
        return;
    }
    /* \x1f, the unit separator, is in no name that a compiler takes. */
    bm_str_printf(out, "%s\x1f%s", frame->function ? frame->function : "",
                  file ? file : "");
    if (ranking->by != BM_BY_FUNCTION)
        bm_str_printf(out, "\x1f%" PRIu32 "\x1f%" PRIu32, frame->line,
                      frame->column);
}

static uint32_t number_of_frame(struct bm_ranking *ranking,
                                const struct bm_frame_info *frame)
{
    uint32_t *number =
        &ranking->number_of_frame[frame - ranking->profile->frames];

    if (*number == NONE) {
        struct bm_str text = BM_STR_INIT;
        describe_frame(ranking, frame, &text);
        *number = bm_intern(&ranking->strings, text.data);
        bm_str_clear(&text);
    }
    return *number;
}

/* What parts sites that are charged to one line: kind and type. */
static uint32_t number_of_site(struct bm_ranking *ranking,
                               const struct bm_site_info *site)
{
    uint32_t *number = &ranking->number_of_site[site - ranking->profile->sites];

    if (*number == NONE) {
        struct bm_str text = BM_STR_INIT;
        bm_str_printf(&text, "\x1f%s\x1f%s", site->kind,
                      site->type ? site->type : "");
        *number = bm_intern(&ranking->strings, text.data);
        bm_str_clear(&text);
    }
    return *number;
}

static uint32_t index_of_site(const struct bm_ranking *ranking,
                              const struct bm_site_info *site)
{
    return (uint32_t)(site - ranking->profile->sites);
}

const char *bm_type_of(const struct bm_site_info *site,
                       const struct bm_frame_info *frame)
{
    return site->type || !frame ? site->type : frame->type;
}

static const char *label_of(struct bm_ranking *ranking,
                            const struct bm_site_info *site,
                            const struct bm_frame_info *frame)
{
    switch (ranking->by) {
    case BM_BY_TYPE:
        return bm_type_of(site, frame);
    case BM_BY_MODULE:
        return bm_names_module(ranking->profile, site, frame);
    case BM_BY_FUNCTION:
    case BM_BY_FILE:
        if (!frame)
            return bm_arena_printf(&ranking->arena, "(outside)%s%s",
                                   site->module ? " " : "",
                                   site->module ? site->module->path : "");
        if (ranking->by == BM_BY_FUNCTION)
            return frame->function;
        return bm_names_file(ranking->names, frame);
    default:
        return NULL;
    }
}

static struct key key_of(struct bm_ranking *ranking,
                         const struct bm_site_info *site,
                         const struct bm_frame_info *frame,
                         const struct bm_node_info *node, const char *label)
{
    switch (ranking->by) {
    case BM_BY_SITE:
        /* What is not charged elsewhere is a row of its own. */
        if (frame == site->frame)
            return (struct key){NONE, index_of_site(ranking, site)};
        return (struct key){number_of_frame(ranking, frame),
                            number_of_site(ranking, site)};
    case BM_BY_CHARGE:
        return (struct key){frame ? number_of_frame(ranking, frame) : NONE,
                            index_of_site(ranking, site)};
    case BM_BY_PATH: /* where only sites were counted */
        return (struct key){NONE, index_of_site(ranking, site)};
    case BM_BY_THREAD:
        if (!node->thread)
            return (struct key){NONE, NONE};
        return (struct key){
            (uint32_t)(node->thread - ranking->profile->threads), 0};
    case BM_BY_FUNCTION:
    case BM_BY_FILE:
        if (frame)
            return (struct key){number_of_frame(ranking, frame), 0};
        break;
    default:
        break;
    }
    return (struct key){label ? bm_intern(&ranking->strings, label) : NONE, 1};
}

static struct bm_row *new_row(struct bm_ranking *ranking)
{
    ranking->rows = bm_xgrow(ranking->rows, ranking->nr_rows, &ranking->room,
                             sizeof(*ranking->rows));
    struct bm_row *row = &ranking->rows[ranking->nr_rows];
    *row = (struct bm_row){.order = (uint32_t)ranking->nr_rows++};
    return row;
}

static struct bm_row *row_of(struct bm_ranking *ranking, struct key key)
{
    struct bm_ranking_index *entry;

    HASH_FIND(hh, ranking->index, &key, sizeof(key), entry);
    if (entry)
        return &ranking->rows[entry->row];

    struct bm_row *row = new_row(ranking);
    entry = bm_arena_alloc(&ranking->arena, sizeof(*entry));
    entry->key = key;
    entry->row = row->order;
    HASH_ADD(hh, ranking->index, key, sizeof(key), entry);
    return row;
}

static struct bm_row *row_of_path(struct bm_ranking *ranking,
                                  const struct bm_path_info *path)
{
    uint32_t *number = &ranking->row_of_path[path - ranking->profile->paths];

    if (*number != NONE)
        return &ranking->rows[*number];
    struct bm_row *row = new_row(ranking);
    *number = (uint32_t)row->order;
    return row;
}

/* Keeps track of which rows are one site and all of it. */
static void note_site(struct bm_ranking *ranking, struct bm_row *row,
                      const struct bm_site_info *site)
{
    uint32_t *row_of_site =
        &ranking->row_of_site[site - ranking->profile->sites];

    if (row->site != site)
        row->mixed = true;
    if (*row_of_site == NONE)
        *row_of_site = (uint32_t)row->order;
    else if (*row_of_site != row->order)
        *row_of_site = SEVERAL;
}

/* The frame that is charged. */
static const struct bm_frame_info *frame_of(const struct bm_ranking *ranking,
                                            const struct bm_site_info *site,
                                            const struct bm_path_info *path)
{
    return bm_charge_frame(ranking->by == BM_BY_TYPE ? ranking->types
                                                     : ranking->charge,
                           site, path);
}

struct bm_row *bm_ranking_find(struct bm_ranking *ranking,
                               const struct bm_site_info *site,
                               const struct bm_path_info *path,
                               const struct bm_node_info *node)
{
    const struct bm_frame_info *frame = frame_of(ranking, site, path);
    struct key key =
        key_of(ranking, site, frame, node, label_of(ranking, site, frame));
    struct bm_ranking_index *entry;

    HASH_FIND(hh, ranking->index, &key, sizeof(key), entry);
    return entry ? &ranking->rows[entry->row] : NULL;
}

struct bm_figures *bm_ranking_own(struct bm_ranking *ranking,
                                  struct bm_row *row)
{
    if (!row->own_figures) {
        struct bm_figures *copy =
            bm_arena_alloc(&ranking->arena, sizeof(*copy));

        *copy = bm_row_figures(row);
        const struct bm_access *access = copy->access;
        copy->access = NULL;
        add_access(ranking, copy, access);
        row->figures = copy;
        row->own_figures = true;
    }
    return (struct bm_figures *)row->figures;
}

struct bm_figures bm_row_figures(const struct bm_row *row)
{
    return row->figures ? *row->figures : bm_node_figures(row->node);
}

/* Of a site's own figures, or, where these are NULL, of a node's. */
static void add(struct bm_ranking *ranking, const struct bm_site_info *site,
                const struct bm_node_info *node,
                const struct bm_figures *figures)
{
    const struct bm_path_info *path = node ? node->path : NULL;
    const struct bm_frame_info *frame = frame_of(ranking, site, path);
    const char *label = label_of(ranking, site, frame);
    struct bm_row *row =
        ranking->by == BM_BY_PATH && node->path
            ? row_of_path(ranking, node->path)
            : row_of(ranking, key_of(ranking, site, frame, node, label));

    if (row->site) {
        const struct bm_figures more =
            figures ? *figures : bm_node_figures(node);

        add_figures(ranking, bm_ranking_own(ranking, row), &more);
    } else {
        row->figures = figures;
        row->label = label;
        row->site = site;
        row->frame = frame;
        row->node = node;
        /* What a site saves is a row's only where it is all of the row. */
        if (figures && figures->saves_bytes)
            bm_ranking_own(ranking, row)->saves_bytes = 0;
    }
    note_site(ranking, row, site);
}

bool bm_is_active(const struct bm_site_info *site,
                  const struct bm_figures *figures)
{
    return !site->elided &&
           (figures->allocations || figures->frees || figures->live_blocks ||
            figures->at_peak_bytes || figures->inherited_blocks);
}

bool bm_is_active_node(const struct bm_node_info *node)
{
    const struct bm_node_figures *figures = &node->figures;

    return !node->site->elided &&
           (figures->allocations || figures->frees ||
            bm_node_live_blocks(node) || figures->at_peak_bytes ||
            (figures->rest && figures->rest->inherited_blocks));
}

/*
 * Paths and threads are in the nodes only; so is where sites are charged, and
 * the types that callers of wrappers know.
 */
static bool needs_nodes(const struct bm_ranking *ranking,
                        const struct bm_site_info *site)
{
    switch (ranking->by) {
    case BM_BY_PATH:
    case BM_BY_THREAD:
        return true;
    case BM_BY_TYPE:
        return !site->type && bm_charge_moves(ranking->types, site);
    default:
        return bm_charge_moves(ranking->charge, site);
    }
}

static void add_sites(struct bm_ranking *ranking)
{
    const struct bm_profile *profile = ranking->profile;
    const struct bm_benchmark_info *benchmark = ranking->benchmark;
    size_t nr_sites = benchmark ? benchmark->nr_sites : profile->nr_sites;

    for (size_t i = 0; i < nr_sites; i++) {
        const struct bm_site_info *site =
            benchmark ? benchmark->sites[i].site : &profile->sites[i];
        const struct bm_figures *figures =
            benchmark ? &benchmark->sites[i].figures : &site->figures;

        if (bm_is_active(site, figures) && !needs_nodes(ranking, site))
            add(ranking, site, NULL, figures);
    }
}

static void add_nodes(struct bm_ranking *ranking)
{
    const struct bm_profile *profile = ranking->profile;
    const struct bm_node_order *nodes = ranking->nodes;
    size_t number = ranking->benchmark
                        ? (size_t)(ranking->benchmark - profile->benchmarks) + 1
                        : 0;

    for (size_t i = nodes->first[number]; i < nodes->first[number + 1]; i++) {
        const struct bm_node_info *node = nodes->order[i];

        if (bm_is_active_node(node) && needs_nodes(ranking, node->site))
            add(ranking, node->site, node, NULL);
    }
}

/*
 * A row's own high-water mark is known only where it is a site's. Sums of
 * marks mean nothing.
 */
static void take_own_peak(struct bm_ranking *ranking,
                          const struct bm_site_info *site,
                          const struct bm_figures *own)
{
    uint32_t number = ranking->row_of_site[site - ranking->profile->sites];

    if (number == NONE || number == SEVERAL || ranking->rows[number].mixed)
        return;
    struct bm_row *row = &ranking->rows[number];
    row->own_peak = true;
    /* Else they are the site's, or a node's of one that has no peak. */
    if (row->figures ? row->figures->peak_bytes != own->peak_bytes ||
                           row->figures->peak_ordinal != own->peak_ordinal
                     : own->peak_bytes || own->peak_ordinal) {
        struct bm_figures *f = bm_ranking_own(ranking, row);

        f->peak_bytes = own->peak_bytes;
        f->peak_ordinal = own->peak_ordinal;
    }
}

static void take_own_peaks(struct bm_ranking *ranking)
{
    const struct bm_profile *profile = ranking->profile;
    const struct bm_benchmark_info *benchmark = ranking->benchmark;

    if (benchmark) {
        for (size_t i = 0; i < benchmark->nr_sites; i++)
            take_own_peak(ranking, benchmark->sites[i].site,
                          &benchmark->sites[i].figures);
        return;
    }
    for (size_t i = 0; i < profile->nr_sites; i++)
        take_own_peak(ranking, &profile->sites[i], &profile->sites[i].figures);
}

/* What a thread freed of others' is owed, not held. */
static void settle_shares(struct bm_ranking *ranking)
{
    for (size_t i = 0; i < ranking->nr_rows; i++) {
        struct bm_row *row = &ranking->rows[i];
        const struct bm_figures f = bm_row_figures(row);

        row->owes_at_peak = (int64_t)f.at_peak_bytes < 0;
        row->owes_live =
            (int64_t)f.live_bytes < 0 || (int64_t)f.live_blocks < 0;
        if (row->owes_at_peak)
            bm_ranking_own(ranking, row)->at_peak_bytes = 0;
        if (row->owes_live) {
            bm_ranking_own(ranking, row)->live_bytes = 0;
            bm_ranking_own(ranking, row)->live_blocks = 0;
        }
    }
}

void bm_ranking_init(struct bm_ranking *ranking, enum bm_by by,
                     const struct bm_ranking_source *source,
                     const struct bm_benchmark_info *benchmark)
{
    const struct bm_profile *profile = source->profile;

    if (by == BM_BY_BENCHMARK)
        BM_BUG("benchmarks are not gathered from sites");
    size_t nr_paths = by == BM_BY_PATH ? profile->nr_paths : 0;
    *ranking = (struct bm_ranking){
        .by = by,
        .totals = benchmark ? benchmark->figures : profile->totals,
        .has_access = !benchmark && profile->has_access,
        .profile = profile,
        .benchmark = benchmark,
        .charge = source->charge,
        .types = source->types,
        .nodes = source->nodes,
        .names = source->names,
        .strings = BM_INTERN_INIT,
        .number_of_frame = bm_xmalloc(profile->nr_frames * sizeof(uint32_t)),
        .number_of_site = bm_xmalloc(profile->nr_sites * sizeof(uint32_t)),
        .row_of_site = bm_xmalloc(profile->nr_sites * sizeof(uint32_t)),
        .row_of_path = bm_xmalloc(nr_paths * sizeof(uint32_t)),
        .arena = BM_ARENA_INIT,
    };
    memset(ranking->row_of_path, 0xff, nr_paths * sizeof(uint32_t));
    memset(ranking->row_of_site, 0xff, profile->nr_sites * sizeof(uint32_t));
    memset(ranking->number_of_frame, 0xff,
           profile->nr_frames * sizeof(uint32_t));
    memset(ranking->number_of_site, 0xff, profile->nr_sites * sizeof(uint32_t));
    add_sites(ranking);
    add_nodes(ranking);
    take_own_peaks(ranking);
    settle_shares(ranking);
    bm_ranking_take_saves(ranking);
}

struct bm_figures bm_ranking_sum(struct bm_ranking *ranking, size_t first)
{
    struct bm_figures sum = {0};

    for (size_t i = first; i < ranking->nr_rows; i++) {
        const struct bm_figures f = bm_row_figures(&ranking->rows[i]);

        add_figures(ranking, &sum, &f);
    }
    return sum;
}

void bm_ranking_clear(struct bm_ranking *ranking)
{
    HASH_CLEAR(hh, ranking->index);
    bm_intern_clear(&ranking->strings);
    bm_arena_release(&ranking->arena);
    free(ranking->rows);
    free(ranking->number_of_frame);
    free(ranking->number_of_site);
    free(ranking->row_of_site);
    free(ranking->row_of_path);
    ranking->rows = NULL;
    ranking->nr_rows = 0;
}
