/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Trees built and torn down by recursion: every depth asks from another
 * frame, every node by another path. argv[1]: how many trees.
 */
#include <stdlib.h>

struct node {
    struct node *left, *right;
};

static struct node *build(unsigned depth)
{
    struct node *node = malloc(sizeof(*node));

    if (!node)
        abort();
    node->left = depth ? build(depth - 1) : NULL;
    node->right = depth ? build(depth - 1) : NULL;
    return node;
}

static void tear_down(struct node *node)
{
    if (!node)
        return;
    tear_down(node->left);
    tear_down(node->right);
    free(node);
}

int main(int argc, char **argv)
{
    unsigned long nr_trees = argc > 1 ? strtoul(argv[1], NULL, 0) : 1;

    for (unsigned long i = 0; i < nr_trees; i++)
        tear_down(build(6));
    return 0;
}
