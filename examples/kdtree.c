/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Builds a 2-d tree, with a classic mistake: every node keeps the whole
 * list of points that it was split from, so that the finished tree holds
 * O(n log n) points instead of n. kdtree_fixed.c is the cure.
 *
 * Prints a checksum of the tree, which is the same for both.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct point {
    double at[2];
};

struct node {
    struct node *left;
    struct node *right;
    size_t nr_points;
    struct point points[]; /* sorted; the middle one is the node's own */
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

static struct node *build_kdtree(struct point *points, size_t n, int depth)
{
    if (n == 0)
        return NULL;
    qsort(points, n, sizeof(*points), depth % 2 ? by_y : by_x);

    struct node *node = malloc(sizeof(*node) + n * sizeof(*points));
    if (!node)
        abort();
    size_t mid = n / 2;
    node->nr_points = n;
    memcpy(node->points, points, n * sizeof(*points));
    node->left = build_kdtree(points, mid, depth + 1);
    node->right = build_kdtree(points + mid + 1, n - mid - 1, depth + 1);
    return node;
}

static void free_kdtree(struct node *node)
{
    if (!node)
        return;
    free_kdtree(node->left);
    free_kdtree(node->right);
    free(node);
}

static uint64_t checksum(const struct node *node, uint64_t sum)
{
    if (!node)
        return sum * 31 + 1;
    uint64_t bits[2];
    memcpy(bits, &node->points[node->nr_points / 2], sizeof(bits));
    sum = (sum ^ bits[0]) * 1099511628211u;
    sum = (sum ^ bits[1]) * 1099511628211u;
    return checksum(node->right, checksum(node->left, sum));
}

static struct point *make_points(size_t n)
{
    struct point *points = malloc(n * sizeof(*points));
    uint64_t state = 42;

    if (!points)
        abort();
    for (size_t i = 0; i < 2 * n; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        points[i / 2].at[i % 2] = (double)(state >> 11) * 0x1p-53;
    }
    return points;
}

uint64_t bench_build_kdtree(size_t n)
{
    struct point *points = make_points(n);
    struct node *root = build_kdtree(points, n, 0);
    uint64_t sum = checksum(root, 0);

    free_kdtree(root);
    free(points);
    return sum;
}

int main(void)
{
    static const size_t sizes[] = {10000, 50000};

    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        uint64_t sum = bench_build_kdtree(sizes[i]);
        printf("%zu %016llx\n", sizes[i], (unsigned long long)sum);
    }
    return 0;
}
