// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the programs of host-undisturbed-*.c have in common: they do the way
// that their first argument names, out of a table, and allocate meanwhile.
//
//     static const struct way ways[] = {{"print", print}, ...};
//     WAYS(ways)
#ifndef HOST_H
#define HOST_H

#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char **args;
static void *volatile S;

static inline int churn(int rounds)
{
    void *blocks[100] = {0};

    for (int i = 0; i < rounds; i++) {
        free(blocks[i % 100]);
        blocks[i % 100] = malloc((size_t)(i % 500 + 1));
        if (!blocks[i % 100])
            return 1;
    }
    for (int i = 0; i < 100; i++)
        free(blocks[i]);
    return 0;
}

#define DEPTH(n, inner)                                                        \
    __attribute__((noinline)) static int depth##n(int x)                       \
    {                                                                          \
        S = malloc((size_t)x);                                                 \
        return inner + (S != NULL);                                            \
    }
DEPTH(0, 0)
DEPTH(1, depth0(x + 1) + depth0(x + 2))
DEPTH(2, depth1(x + 1) + depth1(x + 2))
DEPTH(3, depth2(x + 1) + depth2(x + 2))
DEPTH(4, depth3(x + 1) + depth3(x + 2))
DEPTH(5, depth4(x + 1) + depth4(x + 2))
DEPTH(6, depth5(x + 1) + depth5(x + 2))
DEPTH(7, depth6(x + 1) + depth6(x + 2))

/* More paths than a profile's first piece has room for. */
static inline int grow(void)
{
    return printf("%d %d\n", depth7(1), churn(20000)) < 0 ? 3 : 0;
}

static inline int say_status(pid_t child)
{
    int status = 0;

    if (waitpid(child, &status, 0) != child)
        return 9;
    printf("child: %d\n", status);
    return 0;
}

/* For threads. */
static volatile int is_over;
static inline void *busy(void *unused)
{
    while (!is_over)
        churn(100);
    return unused;
}

struct way {
    const char *name;
    int (*run)(void);
};

#define WAYS(ways)                                                             \
    int main(int argc, char **argv)                                            \
    {                                                                          \
        if (argc < 2 || argv[1] == NULL)                                       \
            return printf("no arguments\n") < 0 || churn(10);                  \
        args = argv;                                                           \
        for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)              \
            if (!strcmp(argv[1], ways[i].name))                                \
                return ways[i].run();                                          \
        return 99;                                                             \
    }

#endif
