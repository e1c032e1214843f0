// Which allocation set each peak, by its number in the process: of the program, of a benchmark's largest pass and of each site, as counted by hand.
// RUN: %benchmem-cc -O1 %s -o a && BENCHMEM_OUTPUT=p.bmem ./a && %report --format json --worst allocated p.bmem | %python -c "import json,sys; p = json.load(sys.stdin); b = p['benchmarks'][0]; of = lambda w: [(s['line'], s['peak_bytes'], s['peak_ordinal']) for s in sorted(w['sites'], key=lambda s: s['line'])]; print(p['totals']['peak_ordinal'], of(p), b['peak_ordinal'], of(b))" | %filecheck
// CHECK: 7 {{\[}}(13, 220, 10), (18, 300, 3), (23, 600, 7)] 7 {{\[}}(13, 220, 10), (23, 600, 7)]
// What packs a profile keeps them; of processes put together, whose peak is a sum, there are none.
// RUN: %benchmem-run -o packed.bmem ./a && for f in p packed; do %report --format json $f.bmem | grep -o '"peak_ordinal": [0-9]*' >$f; done && test $(wc -l <p) = 7 && cmp p packed
// RUN: %bindir/benchmem-merge -o m.bmem p.bmem packed.bmem && %report --format json m.bmem | %python -c "import json,sys; p = json.load(sys.stdin); assert not p['totals']['peak_ordinal'] and all(s['peak_ordinal'] is None for s in p['sites']) and p['benchmarks'][0]['peak_ordinal'] == 7"
#include <stdlib.h>

static void *volatile sink;

__attribute__((noinline)) static void *text(size_t size)
{
    return sink = malloc(size);
}

__attribute__((noinline)) static void *table(size_t size)
{
    return sink = malloc(size);
}

__attribute__((noinline)) static void *tree(void *old, size_t size)
{
    return sink = realloc(old, size);
}

static int pass;

void bench_grow(void)
{
    void *a = text(20);          /* 4, 8 */
    void *b = tree(NULL, 100);   /* 5, 9 */
    if (pass++ == 0) {
        b = tree(b, 500);        /* 6 */
        b = tree(b, 600);        /* 7: 620 in the pass, 920 in all */
    } else {
        free(text(200));         /* 10: text holds 220 */
    }
    free(a);
    free(b);
}

int main(void)
{
    void *a = table(100); /* 1 */
    void *b = table(100); /* 2 */
    void *c = table(100); /* 3: 300 */

    bench_grow();
    bench_grow();
    free(a);
    free(b);
    free(c);
    return 0;
}
