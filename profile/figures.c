/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The figures of the process. A profile is taken as it lies in memory when
 * the process ends or is read: a thread may be in the middle of a call, with
 * one of its words written and the next one not. What is derived here is
 * consistent all the same: `live` comes from what was allocated and freed,
 * and where the ledger has counted other calls than the nodes, the peak is
 * that of the calls which the nodes show.
 */
#include "figures.h"
#include "load.h"

#include <string.h>

struct sums {
    uint64_t live;
    uint64_t at_peak;
};

static struct sums add_up(struct bm_load *load)
{
    struct bm_site_info *sites = load->sites.rows.rows;
    struct bm_node_info *nodes = load->nodes.rows;
    struct sums sums = {0};

    for (size_t i = 0; i < load->sites.rows.nr; i++)
        sites[i].figures = (struct bm_figures){0};
    for (size_t i = 0; i < load->nodes.nr; i++) {
        if (nodes[i].benchmark)
            continue;
        bm_figures_add_node(&sites[nodes[i].site - sites].figures, &nodes[i]);
        sums.live += bm_node_live_bytes(&nodes[i]);
        sums.at_peak += nodes[i].figures.at_peak_bytes;
    }
    return sums;
}

static bool is_negative(uint64_t sum)
{
    return (int64_t)sum < 0;
}

bool bm_figures_any_negative(const struct bm_figures *figures)
{
    return is_negative(figures->live_bytes) ||
           is_negative(figures->live_blocks) ||
           is_negative(figures->at_peak_bytes) ||
           is_negative(figures->at_peak_blocks);
}

static bool any_negative(const struct bm_load *load)
{
    const struct bm_site_info *sites = load->sites.rows.rows;

    for (size_t i = 0; i < load->sites.rows.nr; i++)
        if (bm_figures_any_negative(&sites[i].figures))
            return true;
    return false;
}

/* Takes back what is missing in sum from *taken; what was taken. */
static uint64_t take_back(uint64_t sum, uint64_t *taken)
{
    uint64_t missing = is_negative(sum) ? 0 - sum : 0;

    if (missing > *taken)
        missing = *taken;
    *taken -= missing;
    return missing;
}

void bm_forget_early_frees(struct bm_node_info *node, struct bm_figures *site)
{
    struct bm_node_figures *figures = &node->figures;

    site->live_blocks += take_back(site->live_blocks, &figures->frees);
    site->live_bytes += take_back(site->live_bytes, &figures->freed_bytes);
    if (is_negative(site->at_peak_bytes)) {
        figures->at_peak_bytes -= site->at_peak_bytes;
        site->at_peak_bytes = 0;
    }
    if (is_negative(site->at_peak_blocks)) {
        figures->at_peak_blocks -= site->at_peak_blocks;
        site->at_peak_blocks = 0;
    }
}

static void forget_early_frees(struct bm_load *load)
{
    struct bm_site_info *sites = load->sites.rows.rows;
    struct bm_node_info *nodes = load->nodes.rows;

    for (size_t i = 0; i < load->nodes.nr; i++)
        if (nodes[i].benchmark == 0)
            bm_forget_early_frees(&nodes[i],
                                  &sites[nodes[i].site - sites].figures);
}

struct bm_figures bm_node_figures(const struct bm_node_info *node)
{
    struct bm_figures figures = {0};

    bm_figures_add_node(&figures, node);
    if (node->figures.rest)
        figures.access = node->figures.rest->access;
    return figures;
}

bool bm_node_is_idle(const struct bm_node_info *node)
{
    static const struct bm_node_figures none;

    return memcmp(&node->figures, &none, sizeof(none)) == 0;
}

/* A node that had nothing but early frees has done nothing yet. */
void bm_load_drop_idle(struct bm_load *load)
{
    struct bm_node_info *nodes = load->nodes.rows;
    size_t nr = 0;

    for (size_t i = 0; i < load->nodes.nr; i++)
        if (!bm_node_is_idle(&nodes[i]))
            nodes[nr++] = nodes[i];
    load->nodes.nr = nr;
}

/* The end is the moment of the peak. */
static void peak_is_now(struct bm_load *load)
{
    struct bm_node_info *nodes = load->nodes.rows;

    for (size_t i = 0; i < load->nodes.nr; i++) {
        if (nodes[i].benchmark)
            continue;
        nodes[i].figures.at_peak_bytes = bm_node_live_bytes(&nodes[i]);
        nodes[i].figures.at_peak_blocks = bm_node_live_blocks(&nodes[i]);
    }
}

static void raise_site_peaks(struct bm_load *load)
{
    struct bm_site_info *sites = load->sites.rows.rows;
    const struct bm_raw_mark *marks = load->marks.rows;
    uint64_t peak = load->process.peak;

    for (size_t i = 0; i < load->marks.nr; i++) {
        struct bm_site_info *site = bm_table_find(&load->sites, marks[i].site);

        if (site && marks[i].benchmark == 0)
            bm_figures_mark(&site->figures, marks[i].peak,
                            marks[i].peak_ordinal, peak);
    }
    for (size_t i = 0; i < load->sites.rows.nr; i++)
        bm_figures_mark(&sites[i].figures, sites[i].figures.live_bytes, 0,
                        peak);
}

/*
 * A node is updated behind the ledger's peak or before it. So where a call was
 * under way (or a part of the file is lost) the peak may have moved without
 * the nodes. With slack, a thread's last batch of calls may be missing from
 * the ledger for ever.
 */
static void settle_peak(struct bm_load *load, struct sums sums, bool in_flight)
{
    struct bm_raw_benchmark *process = &load->process;
    uint64_t set = process->peak;

    in_flight |= process->peak != sums.at_peak;
    process->peak = sums.at_peak;
    if (sums.live > process->peak) {
        process->peak = sums.live;
        peak_is_now(load);
        add_up(load);
    }
    if (process->peak != set)
        process->peak_ordinal = 0;
    if (in_flight && load->has_ledger &&
        !(load->profile->flags & (BM_STATE_CUT | BM_STATE_SLACK)))
        load->profile->flags |= BM_STATE_IN_FLIGHT;
}

bool bm_load_figures(struct bm_load *load)
{
    struct bm_figures *totals = &load->profile->totals;
    const struct bm_site_info *sites = load->sites.rows.rows;
    struct sums sums;
    bool in_flight;

    sums = add_up(load);
    in_flight = any_negative(load);
    if (in_flight) {
        forget_early_frees(load);
        bm_load_drop_idle(load);
        sums = add_up(load);
    }
    settle_peak(load, sums, in_flight);
    raise_site_peaks(load);
    for (size_t i = 0; i < load->sites.rows.nr; i++)
        bm_figures_add(totals, &sites[i].figures);
    totals->peak_bytes = load->process.peak;
    totals->peak_ordinal = load->process.peak_ordinal;
    return true;
}
