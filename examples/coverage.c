/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Coverage that can be counted by hand. Eight calls allocate:
 *
 *   list_new   malloc, malloc    reached by bench_push
 *   list_push  realloc           reached by bench_push
 *   list_copy  malloc, malloc    reached by main alone, outside benchmarks
 *   list_join  malloc            never reached
 *   list_name  strdup, malloc    strdup by bench_push, malloc never
 *
 * So the benchmark reaches 4 of 8. list_gone is in no binary: the compiler
 * removes it, since nobody calls it.
 */
#include <stdlib.h>
#include <string.h>

/* What is inlined can be removed where it is, and then is no longer counted. */
#define NOINLINE __attribute__((noinline))

struct list {
    long *items;
    size_t count, room;
    char *name;
};

NOINLINE struct list *list_new(void)
{
    struct list *list = malloc(sizeof(*list));

    if (!list)
        abort();
    *list = (struct list){.items = malloc(4 * sizeof(long)), .room = 4};
    return list;
}

NOINLINE void list_push(struct list *list, long item)
{
    if (list->count == list->room) {
        long *items =
            realloc(list->items, 2 * list->room * sizeof(*list->items));

        if (!items)
            abort();
        list->items = items;
        list->room *= 2;
    }
    list->items[list->count++] = item;
}

NOINLINE struct list *list_copy(const struct list *list)
{
    struct list *copy = malloc(sizeof(*copy));

    if (!copy)
        abort();
    *copy = *list;
    copy->items = malloc(list->room * sizeof(long));
    if (!copy->items)
        abort();
    memcpy(copy->items, list->items, list->count * sizeof(long));
    copy->name = NULL;
    return copy;
}

NOINLINE long *list_join(const struct list *a, const struct list *b)
{
    long *items = malloc((a->count + b->count) * sizeof(*items));

    if (!items)
        abort();
    memcpy(items, a->items, a->count * sizeof(long));
    memcpy(items + a->count, b->items, b->count * sizeof(long));
    return items;
}

NOINLINE void list_name(struct list *list, const char *name)
{
    if (*name) {
        list->name = strdup(name);
        return;
    }
    list->name = malloc(1);
    if (list->name)
        *list->name = '\0';
}

__attribute__((unused)) static struct list *list_gone(void)
{
    return calloc(1, sizeof(struct list));
}

void list_free(struct list *list)
{
    free(list->items);
    free(list->name);
    free(list);
}

void bench_push(long count)
{
    struct list *list = list_new();

    list_name(list, "numbers");
    for (long i = 0; i < count; i++)
        list_push(list, i);
    list_free(list);
}

int main(void)
{
    struct list *list = list_new();

    bench_push(100);
    bench_push(1000);
    list_free(list_copy(list));
    list_free(list);
    return 0;
}
