/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What became of the bytes of blocks. A record belongs to the node of the
 * process with its site, path and thread, whose figures take it over. Blocks
 * that no code built with --benchmem-access asked for are not judged: what
 * asked for them also uses them, unseen. They count as escaped.
 */
#include "figures.h"
#include "load.h"

#include <stdlib.h>
#include <string.h>

void bm_access_init(struct bm_load *load)
{
    load->accesses.row_size = sizeof(struct bm_raw_access);
}

void bm_access_clear(struct bm_load *load)
{
    free(load->accesses.rows);
}

bool bm_load_access(struct bm_load *load, const msgpack_object *object)
{
#define WORD(name) bm_words_get(r.access, BM_ACCESS_##name)
    struct bm_raw_access *raw;

    BM_LOAD_UNPACK(access, r);
    raw = bm_load_add(load, &load->accesses);
    if (!raw)
        return false;
    *raw = (struct bm_raw_access){
        .site = r.site,
        .path = r.path,
        .thread = r.thread,
        .access =
            {
                .blocks = WORD(blocks),
                .bytes = WORD(bytes),
                .escaped_bytes = WORD(escaped),
                .untouched_bytes = WORD(untouched),
                .never_written_bytes = WORD(never_written),
                .never_read_bytes = WORD(never_read),
                .idle_bytes = WORD(idle),
                .reached_bytes = WORD(reached),
            },
    };
    return true;
#undef WORD
}

void bm_access_put(const struct bm_access *access, uint64_t *words)
{
    words[BM_ACCESS_blocks] = access->blocks;
    words[BM_ACCESS_bytes] = access->bytes;
    words[BM_ACCESS_escaped] = access->escaped_bytes;
    words[BM_ACCESS_untouched] = access->untouched_bytes;
    words[BM_ACCESS_never_written] = access->never_written_bytes;
    words[BM_ACCESS_never_read] = access->never_read_bytes;
    words[BM_ACCESS_idle] = access->idle_bytes;
    words[BM_ACCESS_reached] = access->reached_bytes;
}

/* From indices to addresses of what they mean, which nodes have as well. */
static void resolve(const struct bm_load *load, struct bm_raw_access *raw)
{
    raw->site = (uintptr_t)bm_table_find(&load->sites, raw->site);
    raw->path = (uintptr_t)bm_table_find(&load->paths, raw->path);
    raw->thread = (uintptr_t)bm_table_find(&load->threads, raw->thread);
}

static int compare(const void *left, const void *right)
{
    const struct bm_raw_access *a = left, *b = right;

    if (a->site != b->site)
        return a->site < b->site ? -1 : 1;
    if (a->path != b->path)
        return a->path < b->path ? -1 : 1;
    return (a->thread > b->thread) - (a->thread < b->thread);
}

static bool is_judged(const struct bm_site_info *site)
{
    static const char *const foreign[] = {"stdio", "via", "outside"};

    for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++)
        if (strcmp(site->kind, foreign[i]) == 0)
            return false;
    return site->frame && site->frame->flags & BM_FRAME_IS_ACCESS;
}

static uint64_t at_most(uint64_t value, uint64_t limit)
{
    return value < limit ? value : limit;
}

/*
 * A running program, or one that was killed, is read between two words: each
 * is at most what those before it allow.
 */
static void settle(struct bm_access *a)
{
    uint64_t judged;

    a->escaped_bytes = at_most(a->escaped_bytes, a->bytes);
    judged = a->bytes - a->escaped_bytes;
    a->never_written_bytes = at_most(a->never_written_bytes, judged);
    a->untouched_bytes = at_most(a->untouched_bytes, a->never_written_bytes);
    a->never_read_bytes =
        at_most(a->never_read_bytes, judged - a->never_written_bytes);
    a->idle_bytes = at_most(a->idle_bytes, judged);
    a->reached_bytes = at_most(a->reached_bytes, judged);
}

/* All rows of one key, each once. */
static void take_over(struct bm_access *access, const struct bm_site_info *site,
                      struct bm_raw_access *first,
                      const struct bm_raw_access *end)
{
    const struct bm_raw_access key = *first;

    for (; first < end && compare(first, &key) == 0; first++) {
        bm_access_add(access, &first->access);
        first->access = (struct bm_access){0};
    }
    settle(access);
    if (!is_judged(site))
        *access = (struct bm_access){
            .blocks = access->blocks,
            .bytes = access->bytes,
            .escaped_bytes = access->bytes,
        };
}

/* The first of the sorted rows that is not below key. */
static size_t lower_bound(const struct bm_raw_access *rows, size_t nr,
                          const struct bm_raw_access *key)
{
    size_t low = 0;

    while (low < nr) {
        size_t middle = low + (nr - low) / 2;

        if (compare(&rows[middle], key) < 0)
            low = middle + 1;
        else
            nr = middle;
    }
    return low;
}

/* What is there already, or an empty one. */
static struct bm_access *access_for(struct bm_load *load,
                                    struct bm_access **access)
{
    if (*access)
        return *access;
    *access = bm_arena_take(load->arena, sizeof(**access));
    if (!*access) {
        bm_load_fail_memory(load);
        return NULL;
    }
    **access = (struct bm_access){0};
    return *access;
}

bool bm_access_join(struct bm_load *load)
{
    struct bm_raw_access *rows = load->accesses.rows;
    size_t nr = load->accesses.nr;
    struct bm_node_info *nodes = load->nodes.rows;

    load->profile->has_access =
        nr > 0 || load->profile->flags & BM_STATE_ACCESS_LOST;
    for (size_t i = 0; i < nr; i++)
        resolve(load, &rows[i]);
    if (nr > 1)
        qsort(rows, nr, sizeof(*rows), compare);
    for (size_t i = 0; nr && i < load->nodes.nr; i++) {
        const struct bm_raw_access key = {.site = (uintptr_t)nodes[i].site,
                                          .path = (uintptr_t)nodes[i].path,
                                          .thread = (uintptr_t)nodes[i].thread};
        size_t at = lower_bound(rows, nr, &key);

        if (nodes[i].benchmark || at == nr || compare(&rows[at], &key) != 0)
            continue;
        struct bm_node_rest *rest = bm_node_rest_for(load, &nodes[i]);
        if (!rest || !access_for(load, &rest->access))
            return false;
        take_over(rest->access, nodes[i].site, &rows[at], rows + nr);
    }
    return true;
}

bool bm_access_sum(struct bm_load *load)
{
    struct bm_site_info *sites = load->sites.rows.rows;
    const struct bm_node_info *nodes = load->nodes.rows;
    struct bm_figures *totals = &load->profile->totals;

    for (size_t i = 0; load->accesses.nr > 0 && i < load->nodes.nr; i++) {
        const struct bm_node_rest *rest = nodes[i].figures.rest;
        struct bm_figures *site = &sites[nodes[i].site - sites].figures;

        if (nodes[i].benchmark || !rest || !rest->access)
            continue;
        if (!access_for(load, &site->access) ||
            !access_for(load, &totals->access))
            return false;
        bm_access_add(site->access, rest->access);
        bm_access_add(totals->access, rest->access);
    }
    return true;
}

const struct bm_access *bm_access_of(const struct bm_figures *figures)
{
    static const struct bm_access none;

    return figures->access ? figures->access : &none;
}
