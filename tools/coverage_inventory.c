/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Calls of the sources that are in no binary: an inventory of benchmem-sites
 * less what the binaries have.
 */
#include "base/error.h"
#include "tools/coverage.h"

#include <jansson.h>
#include <stdlib.h>

/* Numbers to be looked up. */
struct numbers {
    uint64_t *items;
    size_t nr;
    size_t room;
};

static void add(struct numbers *numbers, uint64_t number)
{
    numbers->items = bm_xgrow(numbers->items, numbers->nr, &numbers->room,
                              sizeof(*numbers->items));
    numbers->items[numbers->nr++] = number;
}

static int compare(const void *a, const void *b)
{
    uint64_t p = *(const uint64_t *)a, q = *(const uint64_t *)b;

    return p < q ? -1 : p > q;
}

static void sort(struct numbers *numbers)
{
    if (numbers->nr)
        qsort(numbers->items, numbers->nr, sizeof(*numbers->items), compare);
}

static bool has(const struct numbers *numbers, uint64_t number)
{
    return numbers->nr && bsearch(&number, numbers->items, numbers->nr,
                                  sizeof(*numbers->items), compare);
}

/*
 * Ids of what is there, and its lines: where the optimizer put calloc into
 * the place of malloc and memset, the id is another.
 */
static struct numbers numbers_of(const struct bm_coverage *coverage)
{
    struct numbers numbers = {0};

    for (size_t i = 0; i < coverage->nr_sites; i++) {
        add(&numbers, coverage->sites[i]->key.site);
        add(&numbers, coverage->sites[i]->key.place);
    }
    sort(&numbers);
    return numbers;
}

static struct numbers elided_of(const struct bm_inputs *inputs)
{
    struct numbers numbers = {0};

    for (size_t i = 0; i < inputs->count; i++) {
        const struct bm_profile *profile = inputs->items[i].profile;

        for (size_t s = 0; s < profile->nr_sites; s++)
            if (profile->sites[s].elided)
                add(&numbers, profile->sites[s].id);
    }
    sort(&numbers);
    return numbers;
}

/* Leaves those in `absent` that are. */
static void drop_known(struct bm_coverage *absent,
                       const struct bm_coverage *coverage,
                       const struct bm_inputs *inputs)
{
    struct numbers known = numbers_of(coverage), elided = elided_of(inputs);
    size_t kept = 0;

    for (size_t i = 0; i < absent->nr_sites; i++) {
        struct bm_coverage_site *site = absent->sites[i];

        if (site->frame.flags & BM_FRAME_IS_SYSTEM ||
            has(&known, site->key.site) || has(&known, site->key.place))
            continue;
        site->elided = has(&elided, site->key.site);
        absent->sites[kept++] = site;
    }
    absent->nr_sites = kept;
    free(known.items);
    free(elided.items);
}

const char *bm_coverage_why_absent(const struct bm_coverage_site *site)
{
    return site->elided ? "optimized away" : "not in the program";
}

int bm_coverage_read_inventory(struct bm_coverage *absent,
                               const struct bm_coverage *coverage,
                               const struct bm_inputs *inputs, const char *path)
{
    json_t *root = bm_coverage_load(path, "units", "benchmem-sites");
    const json_t *sites = json_object_get(root, "sites");
    int result = root ? 0 : -1;

    for (size_t i = 0; !result && i < json_array_size(sites); i++)
        if (!bm_coverage_site_of(absent, json_array_get(sites, i)))
            result =
                bm_error("cannot read %s: site %zu has no \"id\"", path, i);
    json_decref(root);
    if (result)
        return result;
    drop_known(absent, coverage, inputs);
    bm_coverage_sort(absent);
    return 0;
}
