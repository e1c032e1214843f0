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

/*
 * Stand-ins for frames and sites that have no record. Each has its room
 * behind the rows before anything points into them, and becomes a row only
 * where one is missing.
 */
struct linking {
    struct bm_load *load;
    struct bm_frame_info *lost_frame;
    struct bm_site_info *lost_site;
    bool frame_used, site_used;
};

static void *room_behind(struct bm_rows *rows)
{
    void *row = bm_rows_add(rows);

    if (row)
        rows->nr--;
    return row;
}

static bool reserve_stand_ins(struct linking *linking)
{
    struct bm_load *load = linking->load;

    linking->lost_frame = room_behind(&load->frames.rows);
    linking->lost_site = room_behind(&load->sites.rows);
    if (!linking->lost_frame || !linking->lost_site)
        return false;
    linking->lost_site->kind = "outside";
    return true;
}

static void keep_stand_ins(struct linking *linking)
{
    linking->load->frames.rows.nr += linking->frame_used;
    linking->load->sites.rows.nr += linking->site_used;
}

static const struct bm_site_info *site_of(struct linking *linking,
                                          const struct bm_site_info *index)
{
    const struct bm_site_info *site = find(&linking->load->sites, index);

    if (site)
        return site;
    linking->site_used = true;
    return linking->lost_site;
}

/* The frame of a path, or of the site that it ends at. */
static const struct bm_frame_info *frame_of(struct linking *linking,
                                            const struct bm_path_info *path)
{
    const struct bm_load *load = linking->load;
    const struct bm_frame_info *found = find(&load->frames, path->frame);
    const struct bm_site_info *end;

    if (found)
        return found;
    end = find(&load->sites, path->site);
    if (end)
        found = find(&load->frames, end->frame);
    if (found)
        return found;
    linking->frame_used = true;
    return linking->lost_frame;
}

/* ---- pointers ---- */

/* After paths, which look into sites that are not linked yet. */
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

static void link_paths(struct linking *linking)
{
    struct bm_load *load = linking->load;
    struct bm_path_info *paths = load->paths.rows.rows;

    for (size_t i = 0; i < load->paths.rows.nr; i++) {
        paths[i].frame = frame_of(linking, &paths[i]);
        paths[i].outer = find(&load->paths, paths[i].outer);
        if (paths[i].site)
            paths[i].site = site_of(linking, paths[i].site);
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

/* That of its path, which is linked, where it has none of its own. */
static const struct bm_site_info *site_of_node(struct linking *linking,
                                               const struct bm_node_info *node)
{
    const struct bm_path_info *path = node->path;

    return !node->site && path && path->site ? path->site
                                             : site_of(linking, node->site);
}

static void link_nodes(struct linking *linking)
{
    struct bm_load *load = linking->load;
    struct bm_node_info *nodes = load->nodes.rows;
    size_t nr = 0;

    for (size_t i = 0; i < load->nodes.nr; i++) {
        if (!is_wanted(load, &nodes[i]))
            continue;
        if (nr != i)
            nodes[nr] = nodes[i];
        nodes[nr].path = find(&load->paths, nodes[nr].path);
        nodes[nr].site = site_of_node(linking, &nodes[nr]);
        nodes[nr].thread = find(&load->threads, nodes[nr].thread);
        nr++;
    }
    load->nodes.nr = nr;
    bm_rows_trim(&load->nodes, 0);
}

static void link_benchmarks(struct bm_load *load)
{
    struct bm_raw_benchmark *benchmarks = load->benchmarks.rows.rows;

    for (size_t i = 0; i < load->benchmarks.rows.nr; i++)
        benchmarks[i].frame = find(&load->frames, benchmarks[i].frame);
}

static bool settle_tables(struct bm_load *load)
{
    return bm_table_settle(&load->modules, NULL) &&
           bm_table_settle(&load->frames, NULL) && settle_sites(load) &&
           bm_table_settle(&load->paths, NULL) &&
           bm_table_settle(&load->threads, NULL) &&
           bm_table_settle(&load->benchmarks, NULL) &&
           bm_table_settle(&load->processes, NULL);
}

bool bm_load_link(struct bm_load *load)
{
    struct linking linking = {.load = load};

    if (!settle_tables(load) || !reserve_stand_ins(&linking))
        return bm_load_fail_memory(load);
    link_paths(&linking);
    link_frames(load);
    link_nodes(&linking);
    link_benchmarks(load);
    keep_stand_ins(&linking);
    return true;
}
