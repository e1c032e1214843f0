/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The call tree of a profile or of one of its benchmarks: all call paths,
 * merged from the outermost frame on. A node is one box of a flame graph.
 *
 * Bytes and calls belong to leaves alone: a leaf is a site below the frames
 * that lead to it. So the leaves add up to the totals exactly, and what a
 * frame has is what the leaves below it have. Inlined frames are nodes of
 * their own. Foreign frames without a name are one node for each module,
 * unless native frames are asked for.
 *
 *   1. bm_call_tree_init with what is asked for; it dies only without memory.
 *   2. read nodes, places, totals; bm_call_tree_order sorts siblings.
 *      A parent's index is lower than its children's, so one pass from the
 *      last node to the first, or from the first to the last, does most jobs.
 *   3. bm_call_tree_clear.
 *
 * Time and memory are linear in the records of the profile, whatever the
 * depth of its paths: nothing here recurses. Strings live as long as the tree
 * and its profile.
 */
#ifndef BENCHMEM_TOOLS_CALL_TREE_H
#define BENCHMEM_TOOLS_CALL_TREE_H

#include "base/memory.h"
#include "base/str.h"
#include "profile/profile.h"
#include "tools/metric.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum bm_call_flags {
    BM_CALL_INLINED = 1,  /* the function was inlined into its caller */
    BM_CALL_TAIL = 2,     /* the frame was left by a jump */
    BM_CALL_FOREIGN = 4,  /* code that benchmem-cc did not compile */
    BM_CALL_OWN = 8,      /* of benchmem, or of the C library before main */
    BM_CALL_REST = 16,    /* further paths of the site, beyond max_paths */
    BM_CALL_COLUMN = 32,  /* another place is on this line of the function */
    BM_CALL_OUTSIDE = 64, /* no instrumented call above the site */
    BM_CALL_SYSTEM = 128, /* in a system header */
};

/* What a node stands for. Nodes of equal places share one. */
struct bm_call_place {
    const char *function;   /* as shown, never NULL: "main", "[libc.so.6]" */
    const char *file;       /* as shown; may be NULL */
    const char *short_file; /* its shortest end that no other file has */
    const char *module;     /* path, of foreign code and `outside`; or NULL */
    uint32_t line;          /* of the call; 0 is unknown */
    uint32_t column;
    unsigned flags;   /* enum bm_call_flags */
    uint32_t routine; /* number of the function: equal for all its places */
    const struct bm_frame_info *frame; /* the first one merged; may be NULL */
    const struct bm_site_info *site;   /* of a leaf, else NULL */
};

/* Indices of nodes; 0 is the root, and stands for none below it. */
struct bm_call_node {
    uint32_t parent;
    uint32_t first; /* child */
    uint32_t next;  /* sibling */
    uint32_t place; /* of the root: BM_CALL_NO_PLACE */
};
#define BM_CALL_NO_PLACE UINT32_MAX

/* One node record of the profile (site, path and thread) and its leaf. */
struct bm_call_entry {
    uint32_t leaf;
    uint32_t source; /* index in profile->nodes */
};

/*
 * The node records of each benchmark, for many trees of one profile:
 * those of benchmark number b (0: the process) are order[starts[b]] to
 * order[starts[b + 1]].
 */
struct bm_call_sources {
    size_t *starts;
    uint32_t *order;
};

struct bm_call_options {
    const struct bm_call_sources *sources; /* NULL: looked up for this tree */
    bool own;    /* keep frames of benchmem and before main */
    bool native; /* keep foreign frames apart */
    bool fold;   /* a call of a function that is on the path goes back to it */
    bool depth_first; /* nodes are numbered as bm_call_walk comes to them */
    unsigned metrics; /* bits of those whose totals are wanted; 0: all */
};

struct bm_call_tree {
    const struct bm_profile *profile;
    const struct bm_benchmark_info *benchmark; /* NULL: the process */
    struct bm_call_options options;
    struct bm_call_place *places;
    uint32_t nr_places;
    uint32_t nr_routines;
    struct bm_call_node *nodes;
    uint32_t nr_nodes;
    struct bm_call_entry *entries; /* in the order of the profile */
    size_t nr_entries;
    /* By node, with what is below it; NULL for what was not asked for. */
    uint64_t *totals[BM_NR_METRICS];
    bool no_paths; /* some sites were recorded without their paths */
    bool has_rest; /* some paths are beyond max_paths */

    /* private */
    struct bm_call_index *index;
    size_t room;
    struct bm_arena arena;
};

/* benchmark NULL: the whole process. The profile must outlive the tree. */
void bm_call_tree_init(struct bm_call_tree *tree,
                       const struct bm_profile *profile,
                       const struct bm_benchmark_info *benchmark,
                       struct bm_call_options options);

void bm_call_sources_init(struct bm_call_sources *sources,
                          const struct bm_profile *profile);
void bm_call_sources_clear(struct bm_call_sources *sources);

/* Siblings by metric, the largest first; equal ones by name and line. */
void bm_call_tree_order(struct bm_call_tree *tree, enum bm_metric metric);

/* The place of a node; not of the root. */
const struct bm_call_place *bm_call_place_of(const struct bm_call_tree *tree,
                                             uint32_t node);

/* What an entry adds to its leaf: shares are signed, see profile.h. */
int64_t bm_call_entry_value(const struct bm_call_tree *tree,
                            const struct bm_call_entry *entry,
                            enum bm_metric metric);

/*
 * The tree from the root on, parents before children:
 *
 *   struct bm_call_walk walk = {.tree = &tree};
 *   while (bm_call_walk_next(&walk)) ... walk.node, walk.depth (1 below root)
 *
 * Set walk.skip to leave out what is below the node. To walk only what is
 * below a node, let node and top be that node.
 */
struct bm_call_walk {
    const struct bm_call_tree *tree;
    uint32_t node;
    uint32_t top;
    uint32_t depth;
    bool skip;
};
bool bm_call_walk_next(struct bm_call_walk *walk);

/*
 * The node that a leaf is charged to in tables: the innermost one from the leaf
 * up that is not in a system header, or the leaf itself if all of them are.
 */
uint32_t bm_call_charged(const struct bm_call_tree *tree, uint32_t leaf);

/* "function (file:line)" with the short file, as boxes call a place. */
void bm_call_label(const struct bm_call_place *place, struct bm_str *out);

/* True if the profile was recorded with native stacks. */
bool bm_call_is_native(const struct bm_profile *profile);

/* Node below parent for place, made if it is not there. For merging trees. */
uint32_t bm_call_tree_child(struct bm_call_tree *tree, uint32_t parent,
                            uint32_t place);

/*
 * Of bm_call_tree_init alone: numbers the nodes breadth first or, if asked
 * for, depth first, siblings in the order of the profile. So whoever goes
 * through millions of them in that order reads memory in its order.
 */
void bm_call_tree_settle(struct bm_call_tree *tree);

void bm_call_tree_clear(struct bm_call_tree *tree);

#endif
