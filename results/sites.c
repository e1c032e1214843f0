/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "results/sites.h"

#include "results/match.h"

#include <stdlib.h>
#include <string.h>

/* -- which lines are the same ---------------------------------------------- */

const char *bm_base_name(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;

    return slash ? slash + 1 : path ? path : "";
}

/* Without blanks, which formatting changes. */
static void put_normal(struct bm_str *out, const char *text)
{
    for (; text && *text; text++) {
        if (!strchr(" \t\r\n", *text))
            bm_str_putc(out, *text);
    }
    bm_str_putc(out, '\n');
}

static struct bm_match_place site_place(const void *context, unsigned side,
                                        size_t item)
{
    const struct bm_sites *sites = context;
    const struct bm_digest_site *site = &sites->sides[side]->sites[item];

    return (struct bm_match_place){site->line, site->column};
}

/*
 * Rounds: in the same file, in one of the same name elsewhere, in any file;
 * each as it is and then with another type or size. A line that is charged for
 * a site elsewhere is known by that site's function too.
 */
#define NR_ROUNDS 6

static void site_text(const void *context, unsigned side, size_t item,
                      unsigned round, struct bm_str *text)
{
    const struct bm_sites *sites = context;
    const struct bm_digest_site *site = &sites->sides[side]->sites[item];

    put_normal(text, site->function);
    put_normal(text, site->kind);
    put_normal(text, site->callee);
    put_normal(text, site->site_function);
    put_normal(text, site->line ? NULL : bm_base_name(site->module));
    if (round < 4)
        put_normal(text, round < 2 ? site->file : bm_base_name(site->file));
    if (round % 2)
        return;
    put_normal(text, site->type);
    put_normal(text, site->size_expr);
    put_normal(text, site->count);
}

static void number_pairs(struct bm_sites *sites, const uint32_t *match)
{
    const struct bm_digest *base = sites->sides[0], *head = sites->sides[1];
    size_t most = base->nr_sites + head->nr_sites + 1;

    for (unsigned side = 0; side < 2; side++) {
        sites->numbers[side] = bm_xcalloc(sites->sides[side]->nr_sites + 1,
                                          sizeof(*sites->numbers[side]));
        sites->site_in[side] = bm_xcalloc(most, sizeof(*sites->site_in[side]));
        memset(sites->site_in[side], 0xff,
               most * sizeof(*sites->site_in[side]));
    }
    for (uint32_t i = 0; i < head->nr_sites; i++) {
        sites->numbers[1][i] = i;
        sites->site_in[1][i] = i;
    }
    sites->nr_pairs = (uint32_t)head->nr_sites;
    for (uint32_t i = 0; i < base->nr_sites; i++) {
        uint32_t number =
            match[i] == BM_NO_MATCH ? sites->nr_pairs++ : match[i];

        sites->numbers[0][i] = number;
        sites->site_in[0][number] = i;
    }
}

void bm_sites_match(struct bm_sites *sites, const struct bm_digest *base,
                    const struct bm_digest *head)
{
    *sites = (struct bm_sites){.sides = {base, head}};
    const struct bm_match_sides sides = {
        .nr = {base->nr_sites, head->nr_sites},
        .place = site_place,
        .text = site_text,
        .nr_rounds = NR_ROUNDS,
        .context = sites,
    };
    uint32_t *match;

    if (base == head) {
        match = bm_xcalloc(base->nr_sites + 1, sizeof(*match));
        for (uint32_t i = 0; i < base->nr_sites; i++)
            match[i] = i;
    } else {
        match = bm_match(&sides);
    }
    number_pairs(sites, match);
    free(match);
    for (unsigned side = 0; side < 2; side++)
        sites->sums[side] =
            bm_xcalloc(sites->nr_pairs + 1, sizeof(*sites->sums[side]));
    sites->met = bm_xcalloc(sites->nr_pairs + 1, sizeof(*sites->met));
    sites->is_met = bm_xcalloc(sites->nr_pairs + 1, sizeof(*sites->is_met));
}

/* -- figures --------------------------------------------------------------- */

/* Shares of threads can sum to less than nothing for an instant alone. */
static uint64_t figure(int64_t sum, uint64_t passes)
{
    return sum > 0 ? (uint64_t)sum / passes : 0;
}

int64_t bm_site_change(const struct bm_site_row *row)
{
    return (int64_t)(row->head_value - row->base_value);
}

const char *bm_site_status(const struct bm_site_row *row)
{
    if (row->base_value == row->head_value)
        return "same";
    if (!row->base_value)
        return "new";
    return row->head_value ? "changed" : "gone";
}

const struct bm_digest_site *bm_site_of(const struct bm_site_row *row)
{
    return row->head ? row->head : row->base;
}

static int compare_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "");
}

static int compare_rows(const void *a, const void *b)
{
    const struct bm_site_row *p = a, *q = b;
    int64_t x = bm_site_change(p), y = bm_site_change(q);

    if (x != y)
        return x > y ? -1 : 1;
    if (p->head_value != q->head_value)
        return p->head_value > q->head_value ? -1 : 1;
    const struct bm_digest_site *s = bm_site_of(p), *t = bm_site_of(q);
    int order = compare_text(s->file, t->file);
    if (!order && s->line != t->line)
        order = s->line < t->line ? -1 : 1;
    if (!order && s->column != t->column)
        order = s->column < t->column ? -1 : 1;
    if (!order)
        order = (p->pair > q->pair) - (p->pair < q->pair);
    return order ? order : (p->path > q->path) - (p->path < q->path);
}

void bm_site_rows_sort(struct bm_site_rows *rows)
{
    if (rows->count > 1)
        qsort(rows->items, rows->count, sizeof(*rows->items), compare_rows);
}

/* Adds up one side's entries of a ledger; returns how many pairs are met. */
static size_t add_side(struct bm_sites *sites, unsigned side, uint32_t ledger,
                       size_t nr_met)
{
    const struct bm_digest *digest = sites->sides[side];

    if (ledger >= digest->nr_ledgers)
        return nr_met;
    for (size_t i = digest->first[ledger]; i < digest->first[ledger + 1]; i++) {
        uint32_t pair = sites->numbers[side][digest->entries[i].site];

        if (!sites->is_met[pair])
            sites->met[nr_met++] = pair;
        sites->is_met[pair] = true;
        sites->sums[side][pair] += digest->entries[i].value;
    }
    return nr_met;
}

static const struct bm_digest_site *side_of(const struct bm_sites *sites,
                                            unsigned side, uint32_t pair)
{
    uint32_t site = sites->site_in[side][pair];

    return site == BM_NO_PATH ? NULL : &sites->sides[side]->sites[site];
}

void bm_sites_compare(struct bm_sites *sites, uint32_t base_ledger,
                      uint32_t head_ledger, struct bm_site_rows *rows)
{
    size_t nr_met = add_side(sites, 0, base_ledger, 0);

    nr_met = add_side(sites, 1, head_ledger, nr_met);
    *rows = (struct bm_site_rows){
        .items = bm_xcalloc(nr_met + 1, sizeof(*rows->items)),
    };
    for (size_t i = 0; i < nr_met; i++) {
        uint32_t pair = sites->met[i];
        struct bm_site_row row = {
            .base = side_of(sites, 0, pair),
            .head = side_of(sites, 1, pair),
            .pair = pair,
            .base_value = figure(sites->sums[0][pair],
                                 sites->sides[0]->passes[base_ledger]),
            .head_value = figure(sites->sums[1][pair],
                                 sites->sides[1]->passes[head_ledger]),
            .path = BM_NO_PATH,
        };

        sites->is_met[pair] = false;
        sites->sums[0][pair] = sites->sums[1][pair] = 0;
        if (row.base_value || row.head_value)
            rows->items[rows->count++] = row;
    }
    bm_site_rows_sort(rows);
}

/* -- names ----------------------------------------------------------------- */

void bm_site_name(const struct bm_digest_site *site, struct bm_str *out)
{
    if (!site->file) {
        bm_str_printf(out, "(outside) %s",
                      site->module ? site->module : "unknown");
        return;
    }
    bm_str_puts(out, site->file);
    if (site->line)
        bm_str_printf(out, ":%u", site->line);
    if (site->function)
        bm_str_printf(out, " %s", site->function);
}

void bm_sites_clear(struct bm_sites *sites)
{
    for (unsigned side = 0; side < 2; side++) {
        free(sites->numbers[side]);
        free(sites->site_in[side]);
        free(sites->sums[side]);
    }
    free(sites->met);
    free(sites->is_met);
    *sites = (struct bm_sites){.nr_pairs = 0};
}
