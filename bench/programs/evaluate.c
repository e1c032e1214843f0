/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A recursive-descent evaluator whose values are blocks, over random
 * expressions: as many call paths as the nesting has forms.
 *
 *   evaluate LEVELS EXPRESSIONS ROUNDS
 *
 * LEVELS is how deep parentheses nest. In each of ROUNDS, all of EXPRESSIONS
 * texts are evaluated once.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct value {
    uint64_t number;
    char unit[8];
};

static uint64_t random_state = 1;

static uint64_t draw(uint64_t below)
{
    /* Knuth's MMIX generator; the high bits are the good ones. */
    random_state = random_state * UINT64_C(6364136223846793005) +
                   UINT64_C(1442695040888963407);
    return (random_state >> 33) % below;
}

static void *need(void *block)
{
    if (!block)
        abort();
    return block;
}

/* ---- evaluating ---- */

static struct value *parse_sum(const char **at);

static struct value *new_value(uint64_t number)
{
    struct value *value = need(malloc(sizeof(*value)));

    value->number = number;
    memcpy(value->unit, "byte", 5);
    return value;
}

static struct value *parse_name(const char **at)
{
    const char *start = *at;

    while (isalpha((unsigned char)**at))
        ++*at;
    char *name = need(strndup(start, (size_t)(*at - start)));
    uint64_t hash = 5381;

    for (const char *p = name; *p; p++)
        hash = hash * 33 + (unsigned char)*p;
    free(name);
    return new_value(hash);
}

/* mix(a, b), of two expressions. */
static struct value *parse_call(const char **at)
{
    struct value *first, *second, *mixed;

    *at += 2;
    first = parse_sum(at);
    ++*at;
    second = parse_sum(at);
    ++*at;
    mixed = new_value(first->number * 31 ^ second->number);
    free(first);
    free(second);
    return mixed;
}

static struct value *parse_primary(const char **at)
{
    struct value *inner;
    uint64_t number = 0;

    if (**at == '$')
        return parse_call(at);
    if (**at == '(') {
        ++*at;
        inner = parse_sum(at);
        ++*at;
        return inner;
    }
    if (isalpha((unsigned char)**at))
        return parse_name(at);
    while (isdigit((unsigned char)**at))
        number = number * 10 + (uint64_t)(*(*at)++ - '0');
    return new_value(number);
}

static struct value *parse_sign(const char **at)
{
    struct value *value, *negative;

    if (**at != '-')
        return parse_primary(at);
    ++*at;
    value = parse_primary(at);
    negative = new_value(-value->number);
    free(value);
    return negative;
}

static struct value *combine(struct value *a, struct value *b, uint64_t number)
{
    free(a);
    free(b);
    return new_value(number);
}

static struct value *parse_product(const char **at)
{
    struct value *left = parse_sign(at), *right;

    for (;;)
        switch (**at) {
        case '*':
            ++*at;
            right = parse_sign(at);
            left = combine(left, right, left->number * right->number);
            break;
        case '/':
            ++*at;
            right = parse_sign(at);
            left = combine(left, right, left->number / (right->number | 1));
            break;
        default:
            return left;
        }
}

static struct value *parse_sum(const char **at)
{
    struct value *left = parse_product(at), *right;

    for (;;)
        switch (**at) {
        case '+':
            ++*at;
            right = parse_product(at);
            left = combine(left, right, left->number + right->number);
            break;
        case '~':
            ++*at;
            right = parse_product(at);
            left = combine(left, right, left->number - right->number);
            break;
        default:
            return left;
        }
}

/* ---- making texts ---- */

struct text {
    char *data;
    size_t size, room;
};

static void put(struct text *text, const char *more)
{
    size_t size = strlen(more);

    while (text->size + size >= text->room) {
        text->room = text->room ? text->room * 2 : 64;
        text->data = need(realloc(text->data, text->room));
    }
    memcpy(text->data + text->size, more, size + 1);
    text->size += size;
}

static void make_sum(struct text *text, unsigned levels);

static void make_primary(struct text *text, unsigned levels)
{
    static const char *const names[] = {"alpha", "beta", "gamma", "delta"};
    char number[16];

    if (draw(4) == 0)
        put(text, "-");
    if (levels == 0 || draw(8) == 0) {
        snprintf(number, sizeof(number), "%u", (unsigned)draw(1000));
        put(text, draw(3) ? number : names[draw(4)]);
    } else if (draw(3) == 0) {
        put(text, "$(");
        make_sum(text, levels - 1);
        put(text, ",");
        make_sum(text, levels - 1);
        put(text, ")");
    } else {
        put(text, "(");
        make_sum(text, levels - 1);
        put(text, ")");
    }
}

static void make_product(struct text *text, unsigned levels)
{
    make_primary(text, levels);
    if (draw(2)) {
        put(text, draw(2) ? "*" : "/");
        make_primary(text, levels);
    }
}

static void make_sum(struct text *text, unsigned levels)
{
    make_product(text, levels);
    if (draw(2)) {
        put(text, draw(2) ? "+" : "~");
        make_product(text, levels);
    }
}

int main(int argc, char **argv)
{
    if (argc != 4)
        return 2;
    unsigned levels = (unsigned)strtoul(argv[1], NULL, 0);
    size_t nr = strtoul(argv[2], NULL, 0), rounds = strtoul(argv[3], NULL, 0);
    struct text *texts = need(calloc(nr + 1, sizeof(*texts)));
    uint64_t sum = 0;

    for (size_t i = 0; i < nr; i++)
        make_sum(&texts[i], levels);
    for (size_t round = 0; round < rounds; round++)
        for (size_t i = 0; i < nr; i++) {
            const char *at = texts[i].data;
            struct value *value = parse_sum(&at);

            sum = sum * 31 + value->number;
            free(value);
        }
    for (size_t i = 0; i < nr; i++)
        free(texts[i].data);
    free(texts);
    printf("%016" PRIx64 "\n", sum);
    return 0;
}
