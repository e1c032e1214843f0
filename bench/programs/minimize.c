/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Minimizes a sum of products by expand, irredundant and reduce, as
 * two-level logic minimizers do: covers of cubes that are split by a variable
 * and put together again, recursively, each cube a block of its own.
 *
 *   minimize [FUNCTIONS [VARIABLES [CUBES]]]
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_VARIABLES 64

/* Bit v of zero: the cube holds points where v is 0; of one: where it is 1. */
struct cube {
    uint64_t zero, one;
};

/* A set of cubes, which it owns. */
struct cover {
    size_t nr, room;
    struct cube **cubes;
};

static unsigned nr_variables;
static uint64_t all;
static uint64_t random_state;

static void *need(void *block)
{
    if (!block)
        abort();
    return block;
}

static struct cube *new_cube(uint64_t zero, uint64_t one)
{
    struct cube *cube = need(malloc(sizeof(*cube)));

    *cube = (struct cube){zero, one};
    return cube;
}

static struct cover *new_cover(size_t room)
{
    struct cover *cover = need(malloc(sizeof(*cover)));

    *cover = (struct cover){0, room ? room : 1, NULL};
    cover->cubes = need(malloc(cover->room * sizeof(*cover->cubes)));
    return cover;
}

static void add(struct cover *cover, struct cube *cube)
{
    if (cover->nr == cover->room) {
        cover->room *= 2;
        cover->cubes =
            need(realloc(cover->cubes, cover->room * sizeof(*cover->cubes)));
    }
    cover->cubes[cover->nr++] = cube;
}

static void free_cover(struct cover *cover)
{
    for (size_t i = 0; i < cover->nr; i++)
        free(cover->cubes[i]);
    free(cover->cubes);
    free(cover);
}

static bool is_empty(uint64_t zero, uint64_t one)
{
    return (zero | one) != all;
}

static bool is_universe(const struct cube *cube)
{
    return cube->zero == all && cube->one == all;
}

static bool meet(const struct cube *a, const struct cube *b)
{
    return !is_empty(a->zero & b->zero, a->one & b->one);
}

static bool contains(const struct cube *outer, const struct cube *inner)
{
    return !(inner->zero & ~outer->zero) && !(inner->one & ~outer->one);
}

/* What of the cover lies in `in`, seen from within it; leaves out `but`. */
static struct cover *cofactor(const struct cover *cover, const struct cube *in,
                              const struct cube *but)
{
    struct cover *part = new_cover(cover->nr);

    for (size_t i = 0; i < cover->nr; i++) {
        const struct cube *cube = cover->cubes[i];

        if (cube != but && meet(cube, in))
            add(part, new_cube(cube->zero | (all & ~in->zero),
                               cube->one | (all & ~in->one)));
    }
    return part;
}

/* The variable that most cubes depend on; nr_variables if none does. */
static unsigned choose(const struct cover *cover)
{
    unsigned uses[MOST_VARIABLES] = {0}, best = nr_variables;

    for (size_t i = 0; i < cover->nr; i++) {
        uint64_t bound = ~(cover->cubes[i]->zero & cover->cubes[i]->one) & all;

        for (; bound; bound &= bound - 1)
            uses[__builtin_ctzll(bound)]++;
    }
    for (unsigned v = 0; v < nr_variables; v++)
        if (uses[v] && (best == nr_variables || uses[v] > uses[best]))
            best = v;
    return best;
}

static struct cube *half(unsigned variable, bool one)
{
    uint64_t bit = UINT64_C(1) << variable;

    return one ? new_cube(all & ~bit, all) : new_cube(all, all & ~bit);
}

static bool has_universe(const struct cover *cover)
{
    for (size_t i = 0; i < cover->nr; i++)
        if (is_universe(cover->cubes[i]))
            return true;
    return false;
}

static bool is_tautology(const struct cover *cover)
{
    unsigned variable = choose(cover);
    bool yes = true;

    if (cover->nr == 0 || has_universe(cover) || variable == nr_variables)
        return cover->nr > 0;
    for (int one = 0; yes && one < 2; one++) {
        struct cube *side = half(variable, one);
        struct cover *part = cofactor(cover, side, NULL);

        yes = is_tautology(part);
        free_cover(part);
        free(side);
    }
    return yes;
}

/* Moves the cubes of `from` that no cube of `to` contains. */
static void move_into(struct cover *to, struct cover *from)
{
    for (size_t i = 0; i < from->nr; i++) {
        bool is_there = false;

        for (size_t k = 0; k < to->nr && !is_there; k++)
            is_there = contains(to->cubes[k], from->cubes[i]);
        if (is_there)
            free(from->cubes[i]);
        else
            add(to, from->cubes[i]);
    }
    from->nr = 0;
    free_cover(from);
}

static struct cover *complement_of_cube(const struct cube *cube)
{
    struct cover *rest = new_cover(4);

    for (unsigned v = 0; v < nr_variables; v++) {
        uint64_t bit = UINT64_C(1) << v;

        if (!(cube->zero & bit))
            add(rest, new_cube(all, all & ~bit));
        else if (!(cube->one & bit))
            add(rest, new_cube(all & ~bit, all));
    }
    return rest;
}

static struct cover *complement(const struct cover *cover)
{
    struct cover *whole = new_cover(cover->nr + 1);
    unsigned variable;

    if (cover->nr == 0)
        add(whole, new_cube(all, all));
    if (cover->nr == 0 || has_universe(cover))
        return whole;
    if (cover->nr == 1) {
        free_cover(whole);
        return complement_of_cube(cover->cubes[0]);
    }
    variable = choose(cover);
    for (int one = 0; one < 2; one++) {
        struct cube *side = half(variable, one);
        struct cover *part = cofactor(cover, side, NULL);
        struct cover *rest = complement(part);

        for (size_t i = 0; i < rest->nr; i++) {
            rest->cubes[i]->zero &= side->zero;
            rest->cubes[i]->one &= side->one;
        }
        move_into(whole, rest);
        free_cover(part);
        free(side);
    }
    return whole;
}

static bool hits(const struct cover *off, const struct cube *cube)
{
    for (size_t i = 0; i < off->nr; i++)
        if (meet(off->cubes[i], cube))
            return true;
    return false;
}

/* Lets each cube grow as far as the off-set allows. */
static struct cover *expand(struct cover *on, const struct cover *off)
{
    struct cover *grown = new_cover(on->nr);

    for (size_t i = 0; i < on->nr; i++) {
        struct cover *single = new_cover(1);
        struct cube *cube = on->cubes[i];

        for (unsigned v = 0; v < nr_variables; v++) {
            uint64_t bit = UINT64_C(1) << v;
            struct cube *wider = new_cube(cube->zero | bit, cube->one | bit);

            if (!hits(off, wider))
                *cube = *wider;
            free(wider);
        }
        add(single, cube);
        move_into(grown, single);
    }
    on->nr = 0;
    free_cover(on);
    return grown;
}

/* Drops cubes that the others cover. */
static void make_irredundant(struct cover *on)
{
    for (size_t i = on->nr; i-- > 0;) {
        struct cover *others = cofactor(on, on->cubes[i], on->cubes[i]);

        if (is_tautology(others)) {
            free(on->cubes[i]);
            on->cubes[i] = on->cubes[--on->nr];
        }
        free_cover(others);
    }
}

/* Shrinks each cube to what only it covers, so that it can grow elsewhere. */
static void reduce(struct cover *on)
{
    for (size_t i = 0; i < on->nr; i++) {
        struct cover *others = cofactor(on, on->cubes[i], on->cubes[i]);
        struct cover *alone = complement(others);
        struct cube needed = {0, 0};

        for (size_t k = 0; k < alone->nr; k++) {
            needed.zero |= alone->cubes[k]->zero;
            needed.one |= alone->cubes[k]->one;
        }
        if (alone->nr) {
            on->cubes[i]->zero &= needed.zero;
            on->cubes[i]->one &= needed.one;
        }
        free_cover(alone);
        free_cover(others);
    }
}

static unsigned nr_literals(const struct cover *cover)
{
    unsigned nr = 0;

    for (size_t i = 0; i < cover->nr; i++)
        nr += (unsigned)__builtin_popcountll(
            ~(cover->cubes[i]->zero & cover->cubes[i]->one) & all);
    return nr;
}

static uint64_t draw(void)
{
    /* Knuth's MMIX generator; the high bits are the good ones. */
    random_state = random_state * UINT64_C(6364136223846793005) +
                   UINT64_C(1442695040888963407);
    return random_state >> 32;
}

static struct cover *make_function(size_t nr_cubes)
{
    struct cover *on = new_cover(nr_cubes);

    for (size_t i = 0; i < nr_cubes; i++) {
        struct cube *cube = new_cube(all, all);

        for (unsigned v = 0; v < nr_variables; v++)
            switch (draw() % 3) {
            case 0:
                cube->zero &= ~(UINT64_C(1) << v);
                break;
            case 1:
                cube->one &= ~(UINT64_C(1) << v);
                break;
            }
        add(on, cube);
    }
    return on;
}

static void minimize(size_t nr_cubes)
{
    struct cover *on = make_function(nr_cubes);
    struct cover *off = complement(on);
    unsigned best, literals = nr_literals(on);

    printf("%zu cubes, %u literals, off-set %zu:", on->nr, literals, off->nr);
    do {
        best = literals;
        on = expand(on, off);
        make_irredundant(on);
        literals = nr_literals(on);
        printf(" %zu, %u;", on->nr, literals);
        reduce(on);
    } while (literals < best);
    printf("\n");
    free_cover(on);
    free_cover(off);
}

int main(int argc, char **argv)
{
    unsigned long nr = argc > 1 ? strtoul(argv[1], NULL, 0) : 10;
    size_t nr_cubes = argc > 3 ? strtoul(argv[3], NULL, 0) : 100;

    nr_variables = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 0) : 12;
    if (nr_variables < 1 || nr_variables >= MOST_VARIABLES)
        return 2;
    all = (UINT64_C(1) << nr_variables) - 1;
    for (unsigned long i = 1; i <= nr; i++) {
        random_state = i;
        minimize(nr_cubes);
    }
    return 0;
}
