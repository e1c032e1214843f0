/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "load.h"

#include <stdlib.h>

/* ---- sites that came twice ---- */

static size_t slots_for(size_t nr)
{
    size_t slots = 16;

    while (slots < 2 * nr)
        slots *= 2;
    return slots;
}

static void *find(const struct bm_table *table, const void *index)
{
    return bm_table_find(table, bm_index_of_pointer(index));
}

/* Two records of one site: `outside` sites differ by their module. */
static bool is_same_site(const struct bm_load *load,
                         const struct bm_site_info *a,
                         const struct bm_site_info *b)
{
    return a->id == b->id &&
           find(&load->modules, a->module) == find(&load->modules, b->module);
}

/*
 * same[i] is the number from 1 of the first site with the id of site i, 0 if
 * i is the first. Id 0 means none.
 */
static size_t find_same(const struct bm_load *load, uint32_t *same,
                        uint32_t *slots, size_t nr_slots)
{
    const struct bm_table *table = &load->sites;
    struct bm_site_info *sites = table->rows.rows;
    const unsigned char *taken = table->taken.rows;
    size_t found = 0;

    for (size_t i = 0; i < table->rows.nr; i++) {
        size_t slot = sites[i].id * UINT64_C(0x9e3779b97f4a7c15) >> 32;

        if (!taken[i] || sites[i].id == 0)
            continue;
        slot &= nr_slots - 1;
        while (slots[slot] &&
               !is_same_site(load, &sites[slots[slot] - 1], &sites[i]))
            slot = (slot + 1) & (nr_slots - 1);
        if (!slots[slot]) {
            slots[slot] = (uint32_t)i + 1;
            continue;
        }
        same[i] = slots[slot];
        sites[same[i] - 1].elided &= sites[i].elided;
        found++;
    }
    return found;
}

static bool settle_sites(struct bm_load *load)
{
    size_t nr = load->sites.rows.nr;
    size_t nr_slots = slots_for(nr);
    uint32_t *same = calloc(nr + 1, sizeof(*same));
    uint32_t *slots = calloc(nr_slots, sizeof(*slots));
    bool ok = same && slots;

    if (ok) {
        size_t found = find_same(load, same, slots, nr_slots);

        ok = bm_table_settle(&load->sites, found ? same : NULL);
    }
    free(same);
    free(slots);
    return ok;
}

/* ---- what a kill left without its record ---- */

/* The frame of a path, or of the site that it ends at. */
static const struct bm_frame_info *frame_of(const struct bm_load *load,
                                            uint64_t frame, uint64_t site)
{
    const struct bm_frame_info *found = bm_table_find(&load->frames, frame);
    const struct bm_site_info *end = bm_table_find(&load->sites, site);

    if (found || !end)
        return found;
    return bm_table_find(&load->frames, bm_index_of_pointer(end->frame));
}

static bool has_lost_frames(const struct bm_load *load)
{
    const struct bm_path_info *paths = load->paths.rows.rows;

    for (size_t i = 0; i < load->paths.rows.nr; i++)
        if (!frame_of(load, bm_index_of_pointer(paths[i].frame),
                      bm_index_of_pointer(paths[i].site)))
            return true;
    return false;
}

static bool is_lost(const struct bm_table *table, const void *index)
{
    return !find(table, index);
}

static bool has_lost_sites(const struct bm_load *load)
{
    const struct bm_node_info *nodes = load->nodes.rows;
    const struct bm_path_info *paths = load->paths.rows.rows;

    for (size_t i = 0; i < load->nodes.nr; i++)
        if (is_lost(&load->sites, nodes[i].site))
            return true;
    for (size_t i = 0; i < load->paths.rows.nr; i++)
        if (paths[i].site && is_lost(&load->sites, paths[i].site))
            return true;
    return false;
}

/* Stand-ins, added before anything points into the rows. */
static bool add_stand_ins(struct bm_load *load, bool frame, bool site)
{
    struct bm_site_info *lost;

    if (frame && !bm_rows_add(&load->frames.rows))
        return false;
    if (!site)
        return true;
    lost = bm_rows_add(&load->sites.rows);
    if (lost)
        lost->kind = "outside";
    return lost;
}

/* ---- pointers ---- */

static void link_frames(struct bm_load *load)
{
    struct bm_frame_info *frames = load->frames.rows.rows;
    struct bm_site_info *sites = load->sites.rows.rows;

    for (size_t i = 0; i < load->frames.rows.nr; i++) {
        frames[i].inlined_into = find(&load->frames, frames[i].inlined_into);
        frames[i].module = find(&load->modules, frames[i].module);
    }
    for (size_t i = 0; i < load->sites.rows.nr; i++) {
        sites[i].frame = find(&load->frames, sites[i].frame);
        sites[i].module = find(&load->modules, sites[i].module);
    }
}

static void link_paths(struct bm_load *load, const struct bm_frame_info *lost,
                       const struct bm_site_info *lost_site)
{
    struct bm_path_info *paths = load->paths.rows.rows;

    for (size_t i = 0; i < load->paths.rows.nr; i++) {
        const struct bm_frame_info *frame =
            frame_of(load, bm_index_of_pointer(paths[i].frame),
                     bm_index_of_pointer(paths[i].site));

        paths[i].frame = frame ? frame : lost;
        paths[i].outer = find(&load->paths, paths[i].outer);
        if (paths[i].site && is_lost(&load->sites, paths[i].site))
            paths[i].site = lost_site;
        else
            paths[i].site = find(&load->sites, paths[i].site);
    }
}

/* Those of a benchmark whose record is lost count in the process alone. */
static bool is_wanted(const struct bm_load *load,
                      const struct bm_node_info *node)
{
    const struct bm_raw_benchmark *benchmark;

    if (node->benchmark == 0)
        return true;
    benchmark = bm_table_find(&load->benchmarks, node->benchmark);
    return benchmark && benchmark->name;
}

static void link_nodes(struct bm_load *load, const struct bm_site_info *lost)
{
    struct bm_node_info *nodes = load->nodes.rows;
    size_t nr = 0;

    for (size_t i = 0; i < load->nodes.nr; i++) {
        const struct bm_site_info *site = find(&load->sites, nodes[i].site);

        if (!is_wanted(load, &nodes[i]))
            continue;
        nodes[nr] = nodes[i];
        nodes[nr].site = site ? site : lost;
        nodes[nr].path = find(&load->paths, nodes[i].path);
        nodes[nr].thread = find(&load->threads, nodes[i].thread);
        nr++;
    }
    load->nodes.nr = nr;
    bm_rows_trim(&load->nodes);
}

static void link_benchmarks(struct bm_load *load)
{
    struct bm_raw_benchmark *benchmarks = load->benchmarks.rows.rows;

    for (size_t i = 0; i < load->benchmarks.rows.nr; i++)
        benchmarks[i].frame = find(&load->frames, benchmarks[i].frame);
}

static void *last_row(const struct bm_rows *rows)
{
    return rows->nr ? (char *)rows->rows + (rows->nr - 1) * rows->row_size
                    : NULL;
}

bool bm_load_link(struct bm_load *load)
{
    const struct bm_frame_info *lost_frame;
    const struct bm_site_info *lost_site;
    bool frame, site;

    if (!bm_table_settle(&load->modules, NULL) ||
        !bm_table_settle(&load->frames, NULL) || !settle_sites(load) ||
        !bm_table_settle(&load->paths, NULL) ||
        !bm_table_settle(&load->threads, NULL) ||
        !bm_table_settle(&load->benchmarks, NULL) ||
        !bm_table_settle(&load->processes, NULL))
        return bm_load_fail_memory(load);
    frame = has_lost_frames(load);
    site = has_lost_sites(load);
    if (!add_stand_ins(load, frame, site))
        return bm_load_fail_memory(load);
    lost_frame = frame ? last_row(&load->frames.rows) : NULL;
    lost_site = site ? last_row(&load->sites.rows) : NULL;
    link_paths(load, lost_frame, lost_site);
    link_frames(load);
    link_nodes(load, lost_site);
    link_benchmarks(load);
    return true;
}
