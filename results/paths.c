/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Call paths of two runs against each other. Frames are matched as lines are;
 * then a path is the sequence of its frames' numbers, inlined ones included,
 * and paths of equal sequences are one. Frames in system headers are left out,
 * since blocks are charged to what calls them. Only paths to the lines asked
 * for are looked at, so that this costs nothing where little changed.
 */
#include "results/match.h"
#include "results/sites.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

/* A frame below a sequence of frames: the sequence that this makes. */
struct step {
    UT_hash_handle hh;
    struct step_key {
        uint32_t outer;
        uint32_t frame;
    } key;
    uint32_t number;
};

/* A sequence and the line that it leads to. */
struct leaf {
    UT_hash_handle hh;
    struct leaf_key {
        uint32_t sequence;
        uint32_t pair;
    } key;
    int64_t sums[2];
    uint32_t paths[2];
};

/* Numbers of one side's frames and paths. */
struct side {
    const struct bm_digest *digest;
    uint32_t ledger;
    bool *needed;       /* by path */
    uint32_t *sequence; /* by path */
    uint32_t *frame_at; /* by frame: its index in frames plus 1 */
    uint32_t *frames;   /* those needed */
    size_t nr_frames;
    uint32_t *number; /* by index in frames: equal where matched */
};

struct paths {
    const struct bm_sites *sites;
    struct side sides[2];
    bool *wanted; /* by pair */
    struct step *steps;
    struct leaf *leaves;
    struct bm_arena arena;
};

/* -- what is needed -------------------------------------------------------- */

static bool is_wanted(const struct paths *paths, unsigned side,
                      const struct bm_digest_entry *entry)
{
    return paths->wanted[paths->sites->numbers[side][entry->site]];
}

static void need_frames(struct side *side, uint32_t frame)
{
    for (; frame != BM_NO_PATH && !side->frame_at[frame];
         frame = side->digest->frames[frame].inlined_into) {
        side->frames[side->nr_frames++] = frame;
        side->frame_at[frame] = (uint32_t)side->nr_frames;
    }
}

static void need_path(struct side *side, uint32_t path)
{
    for (; path != BM_NO_PATH && !side->needed[path];
         path = side->digest->paths[path].outer) {
        side->needed[path] = true;
        need_frames(side, side->digest->paths[path].frame);
    }
}

static void find_needed(struct paths *paths, unsigned number)
{
    struct side *side = &paths->sides[number];
    const struct bm_digest *digest = side->digest;

    side->needed = bm_xcalloc(digest->nr_paths + 1, sizeof(*side->needed));
    side->sequence = bm_xcalloc(digest->nr_paths + 1, sizeof(*side->sequence));
    side->frame_at = bm_xcalloc(digest->nr_frames + 1, sizeof(*side->frame_at));
    side->frames = bm_xcalloc(digest->nr_frames + 1, sizeof(*side->frames));
    for (size_t i = digest->first[side->ledger];
         i < digest->first[side->ledger + 1]; i++) {
        if (is_wanted(paths, number, &digest->entries[i]))
            need_path(side, digest->entries[i].path);
    }
}

/* -- frames ---------------------------------------------------------------- */

static const struct bm_digest_frame *frame_of(const struct paths *paths,
                                              unsigned side, size_t item)
{
    const struct side *s = &paths->sides[side];

    return &s->digest->frames[s->frames[item]];
}

static struct bm_match_place frame_place(const void *context, unsigned side,
                                         size_t item)
{
    const struct bm_digest_frame *frame = frame_of(context, side, item);

    return (struct bm_match_place){frame->line, frame->column};
}

/* Rounds: in the same file, in one of the same name, in any. */
static void frame_text(const void *context, unsigned side, size_t item,
                       unsigned round, struct bm_str *text)
{
    const struct bm_digest_frame *frame = frame_of(context, side, item);

    bm_str_printf(
        text, "%s\n%s\n%s\n%s", frame->function ? frame->function : "",
        frame->callee ? frame->callee : "", bm_base_name(frame->module),
        round ? "" : bm_base_name(frame->file));
}

static void number_frames(struct paths *paths)
{
    struct side *base = &paths->sides[0], *head = &paths->sides[1];
    const struct bm_match_sides sides = {
        .nr = {base->nr_frames, head->nr_frames},
        .place = frame_place,
        .text = frame_text,
        .nr_rounds = 3,
        .context = paths,
    };
    uint32_t next = (uint32_t)head->nr_frames;

    head->number = bm_xcalloc(head->nr_frames + 1, sizeof(*head->number));
    for (uint32_t i = 0; i < head->nr_frames; i++)
        head->number[i] = i;
    base->number = bm_match(&sides);
    for (size_t i = 0; i < base->nr_frames; i++) {
        if (base->number[i] == BM_NO_MATCH)
            base->number[i] = next++;
    }
}

/* -- sequences ------------------------------------------------------------- */

/* 0 is the empty sequence. */
static uint32_t step_down(struct paths *paths, uint32_t outer, uint32_t frame)
{
    const struct step_key key = {outer, frame};
    struct step *step;

    HASH_FIND(hh, paths->steps, &key, sizeof(key), step);
    if (!step) {
        step = bm_arena_alloc(&paths->arena, sizeof(*step));
        step->key = key;
        step->number = HASH_COUNT(paths->steps) + 1;
        HASH_ADD(hh, paths->steps, key, sizeof(key), step);
    }
    return step->number;
}

/* The frames that one return address stands for, the outermost first. */
static uint32_t step_into(struct paths *paths, const struct side *side,
                          uint32_t sequence, uint32_t frame)
{
    const struct bm_digest_frame *frames = side->digest->frames;
    uint32_t depth = 0;

    for (uint32_t f = frame; f != BM_NO_PATH; f = frames[f].inlined_into)
        depth++;
    for (; depth > 0; depth--) {
        uint32_t f = frame;

        for (uint32_t i = 1; i < depth; i++)
            f = frames[f].inlined_into;
        sequence =
            step_down(paths, sequence, side->number[side->frame_at[f] - 1]);
    }
    return sequence;
}

static void number_paths(struct paths *paths, struct side *side)
{
    const struct bm_digest *digest = side->digest;

    for (size_t i = 0; i < digest->nr_paths; i++) {
        const struct bm_digest_path *path = &digest->paths[i];

        if (side->needed[i])
            side->sequence[i] = step_into(
                paths, side,
                path->outer == BM_NO_PATH ? 0 : side->sequence[path->outer],
                path->frame);
    }
}

/* -- rows ------------------------------------------------------------------ */

static void add_leaves(struct paths *paths, unsigned number)
{
    const struct side *side = &paths->sides[number];
    const struct bm_digest *digest = side->digest;

    for (size_t i = digest->first[side->ledger];
         i < digest->first[side->ledger + 1]; i++) {
        const struct bm_digest_entry *entry = &digest->entries[i];
        struct leaf *leaf;

        if (!is_wanted(paths, number, entry))
            continue;
        const struct leaf_key key = {
            entry->path == BM_NO_PATH ? 0 : side->sequence[entry->path],
            paths->sites->numbers[number][entry->site]};
        HASH_FIND(hh, paths->leaves, &key, sizeof(key), leaf);
        if (!leaf) {
            leaf = bm_arena_alloc(&paths->arena, sizeof(*leaf));
            leaf->key = key;
            leaf->paths[0] = leaf->paths[1] = BM_NO_PATH;
            HASH_ADD(hh, paths->leaves, key, sizeof(key), leaf);
        }
        leaf->sums[number] += entry->value;
        leaf->paths[number] = entry->path;
    }
}

static uint64_t figure(const struct side *side, int64_t sum)
{
    return sum > 0 ? (uint64_t)sum / side->digest->passes[side->ledger] : 0;
}

static void collect(const struct paths *paths, struct bm_site_rows *rows)
{
    const struct bm_sites *sites = paths->sites;

    rows->items =
        bm_xcalloc(HASH_COUNT(paths->leaves) + 1, sizeof(*rows->items));
    rows->count = 0;
    for (const struct leaf *leaf = paths->leaves; leaf; leaf = leaf->hh.next) {
        uint32_t pair = leaf->key.pair;
        struct bm_site_row *row = &rows->items[rows->count];
        const uint32_t in[2] = {sites->site_in[0][pair],
                                sites->site_in[1][pair]};

        *row = (struct bm_site_row){
            .base = in[0] == BM_NO_PATH ? NULL : &sites->sides[0]->sites[in[0]],
            .head = in[1] == BM_NO_PATH ? NULL : &sites->sides[1]->sites[in[1]],
            .pair = pair,
            .base_value = figure(&paths->sides[0], leaf->sums[0]),
            .head_value = figure(&paths->sides[1], leaf->sums[1]),
            .side = leaf->paths[1] != BM_NO_PATH,
        };
        row->path = leaf->paths[row->side];
        rows->count += row->base_value || row->head_value;
    }
    bm_site_rows_sort(rows);
}

void bm_sites_paths(const struct bm_sites *sites, uint32_t base_ledger,
                    uint32_t head_ledger, const struct bm_site_row *lines,
                    size_t nr_lines, struct bm_site_rows *rows)
{
    struct paths paths = {
        .sites = sites,
        .sides = {{.digest = sites->sides[0], .ledger = base_ledger},
                  {.digest = sites->sides[1], .ledger = head_ledger}},
        .wanted = bm_xcalloc(sites->nr_pairs + 1, sizeof(*paths.wanted)),
        .arena = BM_ARENA_INIT,
    };

    for (size_t i = 0; i < nr_lines; i++)
        paths.wanted[lines[i].pair] = true;
    find_needed(&paths, 0);
    find_needed(&paths, 1);
    number_frames(&paths);
    for (unsigned side = 0; side < 2; side++) {
        number_paths(&paths, &paths.sides[side]);
        add_leaves(&paths, side);
    }
    collect(&paths, rows);

    HASH_CLEAR(hh, paths.steps);
    HASH_CLEAR(hh, paths.leaves);
    bm_arena_release(&paths.arena);
    free(paths.wanted);
    for (unsigned side = 0; side < 2; side++) {
        free(paths.sides[side].needed);
        free(paths.sides[side].sequence);
        free(paths.sides[side].frame_at);
        free(paths.sides[side].frames);
        free(paths.sides[side].number);
    }
}

/* -- names ----------------------------------------------------------------- */

static void put_frame(const struct bm_digest_frame *frame, struct bm_str *out)
{
    if (frame->function)
        bm_str_puts(out, frame->function);
    else
        bm_str_printf(out, "[%s]", bm_base_name(frame->module));
    if (frame->file)
        bm_str_printf(out, " %s:%u", frame->file, frame->line);
}

void bm_site_path(const struct bm_sites *sites, const struct bm_site_row *row,
                  struct bm_str *out)
{
    const struct bm_digest *digest = sites->sides[row->side];
    uint32_t *frames = NULL;
    size_t count = 0, room = 0;

    for (uint32_t p = row->path; p != BM_NO_PATH; p = digest->paths[p].outer) {
        for (uint32_t f = digest->paths[p].frame; f != BM_NO_PATH;
             f = digest->frames[f].inlined_into) {
            if (digest->frames[f].system)
                continue;
            frames = bm_xgrow(frames, count, &room, sizeof(*frames));
            frames[count++] = f;
        }
    }
    for (size_t i = count; i-- > 0;) {
        put_frame(&digest->frames[frames[i]], out);
        if (i)
            bm_str_putc(out, '\n');
    }
    if (!count)
        bm_site_name(bm_site_of(row), out);
    free(frames);
}
