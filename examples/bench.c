/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The smallest useful program for benchmem: functions called bench_*, and a
 * main that calls them. Nothing of benchmem is included or linked by hand.
 */
#include <stdlib.h>
#include <string.h>

static unsigned next_random(unsigned *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
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

/* Two arrays of n ints at once: the peak grows with n. */
int bench_sort(size_t n)
{
    int *values = malloc(n * sizeof(*values));
    int *scratch = malloc(n * sizeof(*scratch));
    unsigned state = 1;
    int median = 0;

    if (values && scratch) {
        for (size_t i = 0; i < n; i++)
            values[i] = (int)next_random(&state);
        merge_sort(values, scratch, n);
        median = values[n / 2];
    }
    free(scratch);
    free(values);
    return median;
}

/* One buffer after another: a small peak, but a lot is allocated. */
int bench_churn(int rounds)
{
    int sum = 0;

    for (int i = 0; i < rounds; i++) {
        char *volatile buffer = malloc(1024);
        if (!buffer)
            break;
        memset(buffer, i, 1024);
        sum += buffer[i % 1024];
        free(buffer);
    }
    return sum;
}

int main(void)
{
    int check = 0;

    for (size_t n = 100; n <= 10000; n *= 10)
        check ^= bench_sort(n);
    check ^= bench_churn(1000);
    return check == -1;
}
