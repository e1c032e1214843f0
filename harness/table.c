/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "table.h"

#include <inttypes.h>

/* Wide enough for "1023.9 KiB", "999.9 ms" and the words above them. */
#define WIDTH 12

void bm_bytes_text(char out[BM_BYTES_SIZE], uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB",
                                        "TiB", "PiB", "EiB"};
    unsigned unit = 0;
    unsigned __int128 tenths = (unsigned __int128)bytes * 10;

    if (bytes < 1024) {
        snprintf(out, BM_BYTES_SIZE, "%" PRIu64 " B", bytes);
        return;
    }
    /* 1023.95 KiB and more round to 1.0 MiB. */
    while ((tenths + ((unsigned __int128)1 << (10 * unit + 9))) >>
           (10 * unit + 10) >= 10240)
        unit++;
    uint64_t rounded =
        (uint64_t)((tenths + ((unsigned __int128)1 << (10 * unit + 9))) >>
                   (10 * unit + 10));
    snprintf(out, BM_BYTES_SIZE, "%" PRIu64 ".%" PRIu64 " %s", rounded / 10,
             rounded % 10, units[unit]);
}

static void time_text(char out[BM_BYTES_SIZE], double ns)
{
    static const char *const units[] = {"us", "ms", "s"};
    unsigned unit = 0;

    if (ns < 999.5) {
        snprintf(out, BM_BYTES_SIZE, "%.0f ns", ns);
        return;
    }
    ns /= 1e3;
    while (ns >= 999.95 && unit < 2) {
        ns /= 1e3;
        unit++;
    }
    snprintf(out, BM_BYTES_SIZE, "%.1f %s", ns, units[unit]);
}

void bm_table_init(struct bm_table *table, const struct bm_cases *cases,
                   enum bm_mode mode)
{
    *table = (struct bm_table){.mode = mode, .id_width = 9}; /* "benchmark" */
    for (size_t i = 0; i < cases->nr; i++) {
        int width = (int)strlen(cases->items[i].id);

        if (cases->items[i].is_selected && width > table->id_width)
            table->id_width = width;
    }
}

static void print_words(const char *const words[4])
{
    for (int i = 0; i < 4 && words[i]; i++)
        printf("  %*s", WIDTH, words[i]);
    putchar('\n');
}

static void print_head(struct bm_table *table, bool is_memory)
{
    static const char *const memory[4] = {"peak", "allocated", "allocations",
                                          "retained"};
    static const char *const times[4] = {"time min", "time mean", "time max"};
    static const char *const rss[4] = {"set-up RSS", "peak RSS",
                                       "max peak RSS"};

    if (table->has_head)
        return;
    table->has_head = true;
    printf("%-*s  passes", table->id_width, "benchmark");
    if (table->mode == BM_MODE_RSS)
        print_words(rss);
    else
        print_words(is_memory ? memory : times);
}

#define LEAST(passes, field) least(&(passes)->items[0].field, (passes)->nr)

/* The smallest of a field of bm_pass, from the first one's on. */
static uint64_t least(const uint64_t *first, size_t nr)
{
    const char *at = (const char *)first;
    uint64_t found = *first;

    for (size_t i = 1; i < nr; i++) {
        const uint64_t *value =
            (const uint64_t *)(at + i * sizeof(struct bm_pass));

        if (*value < found)
            found = *value;
    }
    return found;
}

static void print_memory(const struct bm_passes *passes)
{
    char peak[BM_BYTES_SIZE], allocated[BM_BYTES_SIZE], retained[BM_BYTES_SIZE];
    char allocations[BM_BYTES_SIZE];

    bm_bytes_text(peak, LEAST(passes, result.peak_bytes));
    bm_bytes_text(allocated, LEAST(passes, result.allocated_bytes));
    bm_bytes_text(retained, LEAST(passes, result.retained_bytes));
    snprintf(allocations, sizeof(allocations), "%" PRIu64,
             LEAST(passes, result.allocations));
    print_words((const char *const[4]){peak, allocated, allocations, retained});
}

static void print_time(const struct bm_passes *passes)
{
    char min[BM_BYTES_SIZE], mean[BM_BYTES_SIZE], max[BM_BYTES_SIZE];
    uint64_t sum = 0, most = 0;

    for (size_t i = 0; i < passes->nr; i++) {
        sum += passes->items[i].ns;
        if (passes->items[i].ns > most)
            most = passes->items[i].ns;
    }
    time_text(min, (double)LEAST(passes, ns));
    time_text(mean, (double)sum / (double)passes->nr);
    time_text(max, (double)most);
    print_words((const char *const[4]){min, mean, max, NULL});
}

static void print_rss(const struct bm_passes *passes)
{
    char setup[BM_BYTES_SIZE], peak[BM_BYTES_SIZE], max[BM_BYTES_SIZE];
    uint64_t most = 0;

    for (size_t i = 0; i < passes->nr; i++)
        if (passes->items[i].peak_rss_bytes > most)
            most = passes->items[i].peak_rss_bytes;
    bm_bytes_text(setup, LEAST(passes, setup_peak_rss_bytes));
    bm_bytes_text(peak, LEAST(passes, peak_rss_bytes));
    bm_bytes_text(max, most);
    print_words((const char *const[4]){setup, peak, max, NULL});
}

void bm_table_row(struct bm_table *table, const struct bm_case *c,
                  const struct bm_passes *passes)
{
    bool is_memory = table->mode == BM_MODE_MEMORY && passes->nr &&
                     passes->items[0].is_memory;

    print_head(table, is_memory);
    printf("%-*s  %6zu", table->id_width, c->id, passes->nr);
    if (passes->failure[0])
        printf("  failed: %s\n", passes->failure);
    else if (table->mode == BM_MODE_RSS)
        print_rss(passes);
    else if (is_memory)
        print_memory(passes);
    else
        print_time(passes);
    fflush(stdout);
}
