/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Benchmarks of four kinds, in the header's terms:
 *
 *     benchmem-cc -O2 suite.c -o suite
 *     benchmem-run --mode memory,time ./suite
 *     benchmem-run --mode rss --suite standard --repeats 3 -o rss.json ./suite
 *
 * sort      one copy of its input: the peak is the input's size
 * churn     a small peak and many bytes: blocks that live for a moment
 * build_up  fifty calls in one pass that each leave a block behind
 * kdtree    a tree whose nodes each keep the list that they were split from,
 *           and the same tree without that mistake
 */
#include <benchmem/benchmem.h>

/* Different at each call and the same in each run. */
static uint32_t next_number(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* ---- sort ---- */

static int compare_longs(const void *left, const void *right)
{
    int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;

    return (a > b) - (a < b);
}

static void set_up_input(struct benchmem_case *c)
{
    size_t n = (size_t)benchmem_int(c, "n");
    int64_t *input = malloc(n * sizeof(*input));
    uint32_t state = 1;

    for (size_t i = 0; input && i < n; i++)
        input[i] = next_number(&state);
    c->data = input;
}

static void tear_down_input(struct benchmem_case *c)
{
    free(c->data);
}

/* Shell's method: it needs no memory of its own, unlike libc's qsort. */
static void sort_in_place(int64_t *items, size_t n)
{
    for (size_t gap = n / 2; gap > 0; gap /= 2)
        for (size_t i = gap; i < n; i++) {
            int64_t item = items[i];
            size_t at = i;

            for (; at >= gap && compare_longs(&items[at - gap], &item) > 0;
                 at -= gap)
                items[at] = items[at - gap];
            items[at] = item;
        }
}

static void bench_sort(struct benchmem_case *c)
{
    size_t n = (size_t)benchmem_int(c, "n");
    int64_t *copy = malloc(n * sizeof(*copy));

    if (!copy)
        return;
    memcpy(copy, c->data, n * sizeof(*copy));
    sort_in_place(copy, n);
    benchmem_keep(copy);
    free(copy);
}
BENCHMEM(bench_sort, .setup = set_up_input, .teardown = tear_down_input,
         .suite = "standard",
         .params = BENCHMEM_PARAMS(BENCHMEM_POWERS("n", 1000, 10, 3)));

/* ---- churn ---- */

static void bench_churn(struct benchmem_case *c)
{
    (void)c;
    for (int i = 0; i < 10000; i++) {
        void *block = malloc(1024);

        benchmem_keep(block);
        free(block);
    }
}
BENCHMEM(bench_churn, .suite = "standard");

/* ---- build-up ---- */

struct link {
    struct link *next;
    char text[1024 - sizeof(struct link *)];
};

static struct link *chain;

static void bench_build_up(struct benchmem_case *c)
{
    struct link *link = malloc(sizeof(*link));

    (void)c;
    if (!link)
        return;
    link->next = chain;
    chain = link;
}

static void tear_down_chain(struct benchmem_case *c)
{
    (void)c;
    while (chain) {
        struct link *next = chain->next;

        free(chain);
        chain = next;
    }
}
BENCHMEM(bench_build_up, .calls = 50, .teardown = tear_down_chain,
         .suite = "standard");

/* ---- k-d tree ---- */

struct point {
    uint32_t at[2];
};

struct node {
    struct point point;
    struct point *region; /* the mistake: the list this node was split from */
    struct node *left, *right;
};

static _Thread_local int axis;

static int compare_points(const void *left, const void *right)
{
    uint32_t a = ((const struct point *)left)->at[axis];
    uint32_t b = ((const struct point *)right)->at[axis];

    return (a > b) - (a < b);
}

static struct node *build(const struct point *points, size_t n, int depth,
                          bool keeps)
{
    struct node *node;
    struct point *ordered;

    if (n == 0)
        return NULL;
    node = malloc(sizeof(*node));
    ordered = malloc(n * sizeof(*ordered));
    if (!node || !ordered)
        exit(1);
    memcpy(ordered, points, n * sizeof(*ordered));
    axis = depth % 2;
    qsort(ordered, n, sizeof(*ordered), compare_points);
    node->point = ordered[n / 2];
    node->left = build(ordered, n / 2, depth + 1, keeps);
    node->right = build(ordered + n / 2 + 1, n - n / 2 - 1, depth + 1, keeps);
    node->region = keeps ? ordered : NULL;
    if (!keeps)
        free(ordered);
    return node;
}

static void destroy(struct node *node)
{
    if (!node)
        return;
    destroy(node->left);
    destroy(node->right);
    free(node->region);
    free(node);
}

static void set_up_points(struct benchmem_case *c)
{
    size_t n = (size_t)benchmem_int(c, "n");
    struct point *points = malloc(n * sizeof(*points));
    uint32_t state = 7;

    for (size_t i = 0; points && i < n; i++)
        points[i] = (struct point){{next_number(&state), next_number(&state)}};
    c->data = points;
}

static void bench_kdtree_naive(struct benchmem_case *c)
{
    struct node *root = build(c->data, (size_t)benchmem_int(c, "n"), 0, true);

    benchmem_keep(root);
    destroy(root);
}

static void bench_kdtree_fixed(struct benchmem_case *c)
{
    struct node *root = build(c->data, (size_t)benchmem_int(c, "n"), 0, false);

    benchmem_keep(root);
    destroy(root);
}

#define SIZES BENCHMEM_PARAMS(BENCHMEM_POWERS("n", 1024, 2, 3))
BENCHMEM(bench_kdtree_naive, .setup = set_up_points,
         .teardown = tear_down_input, .params = SIZES, .group = "k-d tree");
BENCHMEM(bench_kdtree_fixed, .setup = set_up_points,
         .teardown = tear_down_input, .params = SIZES, .group = "k-d tree");
