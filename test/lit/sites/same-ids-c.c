// The calls of C sources have the ids that the build gives them, at each level, with prefix maps, line directives, fortified libc, and names in other folders.
// REQUIRES: tooling
// RUN: mkdir sub && cp %s sub/x.c && cd sub
// RUN: for O in '-O0' '-O1 -g' '-O2 -D_FORTIFY_SOURCE=2' '-O3 -gno-column-info' '-Os -ffile-prefix-map=../sub=mapped' '-O2 -flto'; do rm -rf .benchmem && %benchmem-cc $O -x c ../sub/x.c -o a && ./a && %report --coverage --format json -o c.json -f && %report --elided --format json -o r.json -f && %sites --format json -f -o s.json ../sub/x.c -- $O -x c && %python %inputs/same_sites.py s.json c.json r.json >>out || { echo "$O"; exit 1; }; done
// RUN: test $(wc -l <out) = 6 && head -1 out | has '^23 listed, 23 built, 0 built alone, 0 listed alone$' && %sites --format csv ../sub/x.c -- -ffile-prefix-map=../sub=mapped -x c | has '^mapped/x.c,.*,main,'
#define _GNU_SOURCE
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

void *volatile sink;

struct pair {
    int a, b;
};

#define MAKE(type, n) ((type *)malloc((n) * sizeof(type)))
#define TWO(p, q) (p = malloc(1), q = malloc(2))

__attribute__((malloc)) static void *wrapped(size_t n) { return malloc(n); }
static inline void *in_line(size_t n) { return calloc(n, 8); }
__attribute__((used)) static void *kept(size_t n) { return valloc(n); }
__attribute__((unused)) static void *dropped(size_t n) { return pvalloc(n); }
extern inline __attribute__((gnu_inline)) void *elsewhere(size_t n)
{
    return memalign(64, n);
}

static void replaced(void)
{
    char *zeroed = malloc(64);

    memset(zeroed, 0, 64);
    sink = zeroed;
    sink = realloc(NULL, 30);
    free(malloc(100));
}

static void strings(void)
{
    char *line = NULL, folder[4096];
    size_t room = 0;
    FILE *file = fopen("/dev/null", "r");

    sink = strdup("a"), sink = strndup("abc", 2), sink = wcsdup(L"a");
    sink = realpath("/", NULL);
    sink = getcwd(NULL, 0), sink = getcwd(folder, sizeof(folder));
    if (asprintf(&line, "%d", 4) < 0 || getline(&line, &room, file) > 0)
        abort();
    fclose(file);
}

int main(int argc, char **argv)
{
    void *p, *q;

    (void)argv;
    sink = MAKE(struct pair, 10);
    TWO(p, q);
    sink = p, sink = q;
    if (posix_memalign(&p, 64, 256))
        abort();
    sink = p, sink = wrapped(3), sink = in_line(4);
    sink = argc > 1 ? malloc(5) : aligned_alloc(64, 64);
    sink = reallocarray(sink, 3, 5);
    sink = __builtin_malloc(7);
    sink = __builtin_strdup("b");
    replaced();
    strings();
#line 1000 "made-by-a-generator.y"
    sink = malloc(8);
    return 0;
}
