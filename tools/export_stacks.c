/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Stacks as text. The text of the node that the walk has come to lies at the
 * start of the buffer, or at its end where the innermost frame comes first;
 * that of the next node begins with, or ends in, that of its parent, which is
 * there already.
 */
#include "base/memory.h"
#include "tools/export.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM ((size_t)4 << 10)

void bm_stacks_init(struct bm_stacks *stacks, const struct bm_call_tree *tree,
                    const struct bm_labels *labels, const char *between,
                    bool innermost_first, const uint64_t *totals)
{
    *stacks = (struct bm_stacks){
        .walk = {.tree = tree},
        .labels = labels,
        .totals = totals,
        .between = between,
        .between_size = strlen(between),
        .inwards = innermost_first,
        .buffer = bm_xmalloc(FIRST_ROOM),
        .room = FIRST_ROOM,
    };
    stacks->sizes =
        bm_xgrow(NULL, 0, &stacks->sizes_room, sizeof(*stacks->sizes));
    stacks->sizes[0] = 0;
}

/* The first `used` bytes of text are kept. */
static void make_room(struct bm_stacks *stacks, size_t used, size_t size)
{
    size_t room = stacks->room;
    char *buffer;

    if (size <= room)
        return;
    while (room < size)
        room *= 2;
    buffer = bm_xmalloc(room);
    if (stacks->inwards)
        memcpy(buffer + room - used, stacks->buffer + stacks->room - used,
               used);
    else
        memcpy(buffer, stacks->buffer, used);
    free(stacks->buffer);
    stacks->buffer = buffer;
    stacks->room = room;
}

/* The text of the walk's node, from that of its parent. */
static void put_frame(struct bm_stacks *stacks)
{
    const struct bm_call_walk *walk = &stacks->walk;
    uint32_t place = walk->tree->nodes[walk->node].place;
    size_t size, before = stacks->sizes[walk->depth - 1];
    const char *label = bm_label_of(stacks->labels, place, &size);
    size_t between = walk->depth > 1 ? stacks->between_size : 0;
    size_t after = before + between + size;
    char *at;

    make_room(stacks, before, after);
    at = stacks->inwards ? stacks->buffer + stacks->room - after
                         : stacks->buffer + before;
    if (stacks->inwards) {
        memcpy(at, label, size);
        memcpy(at + size, stacks->between, between);
    } else {
        memcpy(at, stacks->between, between);
        memcpy(at + between, label, size);
    }
    stacks->sizes = bm_xgrow(stacks->sizes, walk->depth, &stacks->sizes_room,
                             sizeof(*stacks->sizes));
    stacks->sizes[walk->depth] = after;
}

bool bm_stacks_next(struct bm_stacks *stacks)
{
    struct bm_call_walk *walk = &stacks->walk;

    while (bm_call_walk_next(walk)) {
        if (stacks->totals && !stacks->totals[walk->node]) {
            walk->skip = true;
            continue;
        }
        put_frame(stacks);
        if (!bm_is_leaf(walk->tree, walk->node))
            continue;
        stacks->leaf = walk->node;
        stacks->size = stacks->sizes[walk->depth];
        stacks->text = stacks->buffer +
                       (stacks->inwards ? stacks->room - stacks->size : 0);
        return true;
    }
    return false;
}

void bm_stacks_clear(struct bm_stacks *stacks)
{
    free(stacks->buffer);
    free(stacks->sizes);
}
