/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Records of many paths or nodes, which the recorder fills in as they come.
 * Each becomes what a record of its own would have made of it.
 */
#include "load.h"

/* A path whose words have been read so far. */
struct reading {
    uint64_t index; /* its own */
    uint64_t frame; /* 0: none was told */
};

static bool load_path_word(struct bm_load *load, struct reading *reading,
                           uint64_t word)
{
    enum bm_path_kind kind =
        (enum bm_path_kind)(word >> BM_NODE_KEY_BITS & 255);
    struct bm_record_path path = {
        .index = reading->index,
        .outer = word & BM_NODE_KEY_MASK,
        .frame = reading->frame,
    };
    uint64_t value = word >> 32;

    switch (kind) {
    case BM_PATH_INDEX:
        reading->index = value;
        return true;
    case BM_PATH_SITE_FRAME:
        reading->frame = value;
        return true;
    case BM_PATH_FRAME:
        path.frame = value;
        break;
    case BM_PATH_OTHERS:
        path.flags = 1;
        path.site = value;
        break;
    case BM_PATH_SITE:
        path.site = value;
        break;
    case BM_PATH_BOTH:
        path.site = value & BM_PATH_BOTH_MAX;
        path.frame = value >> 16;
        break;
    default:
        return bm_load_fail(load, "damaged: a path is of no known kind");
    }
    reading->index++;
    reading->frame = 0;
    return bm_load_one_path(load, &path);
}

bool bm_load_paths(struct bm_load *load, const msgpack_object *object)
{
    BM_LOAD_UNPACK(paths, r);
    struct reading reading = {.index = r.first};

    for (size_t i = 0; i < r.paths.nr_words; i++) {
        uint64_t word = bm_words_get(r.paths, i);

        if (word == 0)
            break;
        if (!load_path_word(load, &reading, word))
            return false;
    }
    return true;
}

/* A node's words as those of a record of its own. */
static void tally_of(struct bm_words words, uint64_t *tally)
{
#define WORD(name) bm_words_get(words, BM_NODE_##name)
    const uint64_t values[BM_NR_WORDS_tally] = {
        [BM_TALLY_allocations] = WORD(allocations),
        [BM_TALLY_frees] = WORD(frees) + WORD(inherited_blocks),
        [BM_TALLY_allocated] = WORD(allocated),
        [BM_TALLY_freed] = WORD(freed) + WORD(inherited_bytes),
        [BM_TALLY_live] = WORD(live),
        [BM_TALLY_at_peak] = WORD(at_peak),
        [BM_TALLY_seen] = WORD(seen),
        [BM_TALLY_pass] = WORD(pass),
        [BM_TALLY_temporary] = WORD(temporary),
        [BM_TALLY_inherited_blocks] = WORD(inherited_blocks),
        [BM_TALLY_inherited_bytes] = WORD(inherited_bytes),
        [BM_TALLY_at_peak_blocks] =
            (uint64_t)((int64_t)WORD(key) >> BM_NODE_KEY_BITS),
        [BM_TALLY_before_blocks] = WORD(before_blocks),
    };

    for (size_t i = 0; i < BM_NR_WORDS_tally; i++)
        tally[i] = htole64(values[i]);
#undef WORD
}

bool bm_load_nodes(struct bm_load *load, const msgpack_object *object)
{
    uint64_t tally[BM_NR_WORDS_tally];

    BM_LOAD_UNPACK(nodes, r);
    if (r.stride == 0 || r.stride > r.nodes.nr_words)
        return true;
    for (size_t at = 0; r.nodes.nr_words - at >= r.stride; at += r.stride) {
        struct bm_words words = {
            (const char *)r.nodes.data + at * sizeof(uint64_t),
            (size_t)r.stride,
        };
        uint64_t key = bm_words_get(words, BM_NODE_key) & BM_NODE_KEY_MASK;
        struct bm_record_node node = {
            .benchmark = r.benchmark,
            .site = r.paths ? 0 : key,
            .path = r.paths ? key : 0,
            .thread = r.thread,
            .node = {tally, BM_NR_WORDS_tally},
        };

        if (key == 0)
            continue;
        tally_of(words, tally);
        if (!bm_load_one_node(load, &node))
            return false;
    }
    return true;
}
