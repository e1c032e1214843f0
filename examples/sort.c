/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Benchmarks defined with the header, without a main: merge sort at three
 * sizes, and a search that allocates nothing. What set-up allocates is no part
 * of the figures; the result is checked after each pass.
 */
#include <benchmem/benchmem.h>

struct input {
    size_t n;
    int *values;
    int found;
};

static void make_values(struct benchmem_case *c)
{
    struct input *input = malloc(sizeof(*input));
    unsigned state = 1;

    if (!input)
        abort();
    input->n = (size_t)benchmem_int(c, "n");
    input->found = -1;
    input->values = malloc(input->n * sizeof(*input->values));
    if (!input->values)
        abort();
    for (size_t i = 0; i < input->n; i++) {
        state = state * 1664525u + 1013904223u;
        input->values[i] = (int)(state >> 8);
    }
    c->data = input;
}

static void free_values(struct benchmem_case *c)
{
    struct input *input = c->data;

    free(input->values);
    free(input);
}

static void merge_sort(int *values, int *scratch, size_t n)
{
    if (n < 2)
        return;
    size_t half = n / 2, i = 0, j = half, k = 0;
    merge_sort(values, scratch, half);
    merge_sort(values + half, scratch, n - half);
    while (i < half && j < n)
        scratch[k++] = values[j] < values[i] ? values[j++] : values[i++];
    memcpy(scratch + k, values + i, (half - i) * sizeof(*values));
    memcpy(values, scratch, (k + half - i) * sizeof(*values));
}

/* One array of n ints beside the values. */
static void bench_sort(struct benchmem_case *c)
{
    struct input *input = c->data;
    int *scratch = malloc(input->n * sizeof(*scratch));

    if (!scratch)
        abort();
    merge_sort(input->values, scratch, input->n);
    free(scratch);
}

static bool is_sorted(struct benchmem_case *c)
{
    const struct input *input = c->data;

    for (size_t i = 1; i < input->n; i++)
        if (input->values[i - 1] > input->values[i])
            return false;
    return true;
}

BENCHMEM(bench_sort,
         .params = BENCHMEM_PARAMS(BENCHMEM_POWERS("n", 100, 10, 3)),
         .setup = make_values, .check = is_sorted, .teardown = free_values);

static void bench_search(struct benchmem_case *c)
{
    struct input *input = c->data;

    for (size_t i = 0; i < input->n; i++)
        if (input->values[i] == input->values[input->n / 2])
            input->found = (int)i;
}

static bool is_found(struct benchmem_case *c)
{
    return ((const struct input *)c->data)->found >= 0;
}

/* The ceiling fails the run as soon as it allocates at all. */
BENCHMEM(bench_search, .params = BENCHMEM_PARAMS(BENCHMEM_INTS("n", 1000)),
         .setup = make_values, .check = is_found, .teardown = free_values,
         .max_allocations = BENCHMEM_NOTHING);
