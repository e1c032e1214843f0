/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Factors a number by Pollard's rho on arbitrary-precision integers, each
 * of which is a fresh block of its own: many tiny, short-lived blocks from
 * few lines, as number-theory and interpreter programs make them.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Immutable: every operation gives a new one. Least digit first. */
struct number {
    unsigned nr_digits;
    uint32_t digits[];
};

static struct number *make(unsigned nr_digits)
{
    size_t size = sizeof(struct number) + nr_digits * sizeof(uint32_t);
    struct number *made = malloc(size);

    if (!made)
        abort();
    made->nr_digits = nr_digits;
    return made;
}

static struct number *trim(struct number *value)
{
    while (value->nr_digits && !value->digits[value->nr_digits - 1])
        value->nr_digits--;
    return value;
}

static struct number *from_u64(uint64_t value)
{
    struct number *made = make(2);

    made->digits[0] = (uint32_t)value;
    made->digits[1] = (uint32_t)(value >> 32);
    return trim(made);
}

static int compare(const struct number *a, const struct number *b)
{
    if (a->nr_digits != b->nr_digits)
        return a->nr_digits < b->nr_digits ? -1 : 1;
    for (unsigned i = a->nr_digits; i-- > 0;)
        if (a->digits[i] != b->digits[i])
            return a->digits[i] < b->digits[i] ? -1 : 1;
    return 0;
}

static struct number *add_small(const struct number *a, uint32_t carry)
{
    struct number *sum = make(a->nr_digits + 1);

    for (unsigned i = 0; i < a->nr_digits; i++) {
        uint64_t digit = (uint64_t)a->digits[i] + carry;
        sum->digits[i] = (uint32_t)digit;
        carry = (uint32_t)(digit >> 32);
    }
    sum->digits[a->nr_digits] = carry;
    return trim(sum);
}

/* a - b, which must not be negative. */
static struct number *subtract(const struct number *a, const struct number *b)
{
    struct number *rest = make(a->nr_digits);
    int64_t borrow = 0;

    for (unsigned i = 0; i < a->nr_digits; i++) {
        int64_t digit = (int64_t)a->digits[i] - borrow;
        digit -= i < b->nr_digits ? b->digits[i] : 0;
        borrow = digit < 0;
        rest->digits[i] = (uint32_t)digit;
    }
    return trim(rest);
}

static struct number *multiply(const struct number *a, const struct number *b)
{
    struct number *product = make(a->nr_digits + b->nr_digits);

    memset(product->digits, 0, product->nr_digits * sizeof(uint32_t));
    for (unsigned i = 0; i < a->nr_digits; i++) {
        uint64_t carry = 0;
        for (unsigned j = 0; j < b->nr_digits; j++) {
            carry += (uint64_t)a->digits[i] * b->digits[j];
            carry += product->digits[i + j];
            product->digits[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        product->digits[i + b->nr_digits] = (uint32_t)carry;
    }
    return trim(product);
}

static struct number *double_plus(const struct number *a, unsigned bit)
{
    struct number *twice = make(a->nr_digits + 1);

    for (unsigned i = 0; i < a->nr_digits; i++) {
        twice->digits[i] = a->digits[i] << 1 | bit;
        bit = a->digits[i] >> 31;
    }
    twice->digits[a->nr_digits] = bit;
    return trim(twice);
}

/* a mod m, bit by bit: slow arithmetic, many numbers. */
static struct number *modulo(const struct number *a, const struct number *m)
{
    struct number *rest = make(0);

    for (unsigned i = a->nr_digits * 32; i-- > 0;) {
        unsigned bit = a->digits[i / 32] >> (i % 32) & 1;
        struct number *next = double_plus(rest, bit);
        free(rest);
        rest = next;
        if (compare(rest, m) >= 0) {
            next = subtract(rest, m);
            free(rest);
            rest = next;
        }
    }
    return rest;
}

static struct number *copy(const struct number *a)
{
    return add_small(a, 0);
}

static struct number *gcd(const struct number *first,
                          const struct number *second)
{
    struct number *a = copy(first), *b = copy(second);

    while (b->nr_digits) {
        struct number *rest = modulo(a, b);
        free(a);
        a = b;
        b = rest;
    }
    free(b);
    return a;
}

/* x * x + 1 mod n; frees x. */
static struct number *step(struct number *x, const struct number *n)
{
    struct number *square = multiply(x, x);
    struct number *more = add_small(square, 1);
    struct number *next = modulo(more, n);

    free(x);
    free(square);
    free(more);
    return next;
}

static struct number *factor(const struct number *n)
{
    struct number *slow = from_u64(2), *fast = from_u64(2), *found = NULL;

    while (!found || (found->nr_digits == 1 && found->digits[0] == 1)) {
        free(found);
        slow = step(slow, n);
        fast = step(step(fast, n), n);
        int order = compare(slow, fast);
        struct number *distance =
            order < 0 ? subtract(fast, slow) : subtract(slow, fast);
        found = gcd(distance, n);
        free(distance);
    }
    free(slow);
    free(fast);
    return found;
}

int main(int argc, char **argv)
{
    /* Two primes of 32 bits by default: some ten thousand steps. */
    uint64_t value =
        argc > 1 ? strtoull(argv[1], NULL, 0) : UINT64_C(4294967291) * 4294967279;
    struct number *n = from_u64(value);
    struct number *found = factor(n);

    for (unsigned i = found->nr_digits; i-- > 0;)
        printf("%08x", found->digits[i]);
    printf("\n");
    free(found);
    free(n);
    return 0;
}
