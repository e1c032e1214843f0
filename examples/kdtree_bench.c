/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Both trees of kdtree.c and kdtree_fixed.c as one benchmark with two
 * parameters: which tree, and how many points. The points are made by the
 * set-up, so the figures are those of the trees alone.
 */
#include <benchmem/benchmem.h>

struct point {
    double at[2];
};

/* The naive tree keeps all points that it was split from, the fixed one 1. */
struct node {
    struct node *left;
    struct node *right;
    size_t nr_points;
    struct point points[];
};

struct input {
    size_t n;
    struct point *points;
    struct node *root;
};

static int by_x(const void *a, const void *b)
{
    const struct point *p = a, *q = b;
    return (p->at[0] > q->at[0]) - (p->at[0] < q->at[0]);
}

static int by_y(const void *a, const void *b)
{
    const struct point *p = a, *q = b;
    return (p->at[1] > q->at[1]) - (p->at[1] < q->at[1]);
}

static struct node *build(struct point *points, size_t n, int depth,
                          bool keeps_all)
{
    if (n == 0)
        return NULL;
    qsort(points, n, sizeof(*points), depth % 2 ? by_y : by_x);

    size_t mid = n / 2, kept = keeps_all ? n : 1;
    struct node *node = malloc(sizeof(*node) + kept * sizeof(*points));
    if (!node)
        abort();
    node->nr_points = kept;
    memcpy(node->points, keeps_all ? points : points + mid,
           kept * sizeof(*points));
    node->left = build(points, mid, depth + 1, keeps_all);
    node->right = build(points + mid + 1, n - mid - 1, depth + 1, keeps_all);
    return node;
}

static size_t count_nodes(const struct node *node)
{
    return node ? 1 + count_nodes(node->left) + count_nodes(node->right) : 0;
}

static void free_nodes(struct node *node)
{
    if (!node)
        return;
    free_nodes(node->left);
    free_nodes(node->right);
    free(node);
}

static void make_points(struct benchmem_case *c)
{
    struct input *input = malloc(sizeof(*input));
    uint64_t state = 42;

    if (!input)
        abort();
    input->root = NULL;
    input->n = (size_t)benchmem_int(c, "n");
    input->points = malloc(input->n * sizeof(*input->points));
    if (!input->points)
        abort();
    for (size_t i = 0; i < 2 * input->n; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        input->points[i / 2].at[i % 2] = (double)(state >> 11) * 0x1p-53;
    }
    c->data = input;
}

static void bench_build(struct benchmem_case *c)
{
    struct input *input = c->data;
    bool keeps_all = strcmp(benchmem_string(c, "tree"), "naive") == 0;

    input->root = build(input->points, input->n, 0, keeps_all);
}

static bool has_all_points(struct benchmem_case *c)
{
    const struct input *input = c->data;

    return count_nodes(input->root) == input->n;
}

static void free_all(struct benchmem_case *c)
{
    struct input *input = c->data;

    free_nodes(input->root);
    free(input->points);
    free(input);
}

BENCHMEM(bench_build,
         .params = BENCHMEM_PARAMS(BENCHMEM_STRINGS("tree", "naive", "fixed"),
                                   BENCHMEM_INTS("n", 1000, 10000)),
         .setup = make_points, .check = has_all_points, .teardown = free_all,
         .suite = "trees");
