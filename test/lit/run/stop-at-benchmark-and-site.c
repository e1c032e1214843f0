// A run stops at the peak of one benchmark or one site, as counted by hand; where it differs, when that one holds as much, and says so.
// RUN: %split && %benchmem-cc -g -O1 s.c -o a && %benchmem-c++ -O1 v.cpp -o v && %benchmem-cc -O1 -pthread t.c -o t && sh whole.sh %benchmem-run
// RUN: if command -v gdb >/dev/null; then %python %inputs/in_gdb.py %benchmem-run --stop-at peak:n=3 ./a >out; has 'SIGTRAP' <out && has 'in take (.*s.c:8' <out && has 'bench_fill (kind=.*"a"' <out; fi
// RUN: if command -v gdb >/dev/null; then %python %inputs/in_gdb.py %benchmem-run --stop-at site:s.c:16:39 ./a >out; has 'SIGTRAP' <out && has 'pair (.*s.c:16' <out; fi
// A benchmark of benchmem.h is found in a profile of a measured run too, whose numbers are others.
// RUN: ulimit -c 0; %benchmem-cc -O1 %examples/suite.c -o suite && %benchmem-run -q --mode memory -o m.bmem ./suite && %benchmem-run -f -o n.bmem --stop-at 'peak:m.bmem:bench_sort[n=1000]' ./suite 2>err </dev/null; test $? = 133 && has 'with 8000 bytes live in the pass' <err
//--- whole.sh
run="$*" program=./a
ulimit -c 0
stops() { # PLACE WORDS TEXT
    $run -f -o n.bmem --stop-at "$1" $program $2 2>err </dev/null
    test $? = 133 && grep -qx "benchmem: stopped at allocation $3" err && return
    echo "$1 $2:"; cat err; exit 1
}
refuses() { # PLACE PATTERN
    $run -f -o n.bmem --stop-at "$1" $program 2>err </dev/null
    test $? = 2 && test $(wc -l <err) = 1 && grep -q -- "--stop-at $2" err && return
    echo "$1:"; cat err; exit 1
}
refuses peak:n=3 'peak:n=3: there is no run of ./a in .benchmem: run it once first'
refuses site:s.c:8 'site:s.c:8: there is no run of ./a in .benchmem'
./a
p=$(echo .benchmem/a.*.bmem)

# By hand: see the numbers in s.c.
stops peak '' '14, with 1070 bytes live'
stops peak:n=3 '' '4, with 30 bytes live in the pass'
stops 'peak:s.c::bench_fill[kind=x\,y\\xff,n=5]' '' '9, with 50 bytes live in the pass'
stops peak:$p:n=3 '' '4, with 30 bytes live in the pass'
stops site:s.c:8 '' '9, with 50 bytes of that site live'
stops site:$p:s.c:8 '' '9, with 50 bytes of that site live'
stops site:s.c:16:16 '' '13, with 30 bytes of that site live'
stops site:s.c:16 '' '14, with 40 bytes of that site live'
grep -q 'warning: --stop-at site:s.c:16: taking column 39 in pair, whose peak is the largest; there are also s.c:16:16 in pair$' err || exit 1

# Another run: later, of other sizes, or never.
stops peak:n=3 later '5, with 30 bytes live in the pass: this run differs, before it was allocation 4'
stops peak:n=3 more '4, with 33 bytes live in the pass: this run differs, no allocation led to 30'
stops site:s.c:8 more '9, with 55 bytes of that site live: this run differs, no allocation led to 50'
$run -f -o n.bmem --stop-at peak:n=3 ./a none 2>err && grep -q './a ended without being stopped' err || exit 1

refuses peak:fill 'peak:fill: several fit: s.c::bench_fill\[kind=a,n=3\], s.c::bench_fill\[kind=x\\,y\\\\xff,n=5\]; name one$'
refuses peak:other 'peak:other: no such benchmark in .*; there are s.c::bench_fill\[kind=a,n=3\], .*, s.c::bench_idle$'
refuses peak:idle "peak:idle: s.c::bench_idle held nothing in $p$"
refuses site:s.c:9 "site:s.c:9: in $p, no site there; in that file are s.c:45:"
refuses site:t.c:8 "site:t.c:8: in $p, no site in such a file; there are s.c:45:"
refuses site:s.c 'site:s.c: a site is site:FILE:LINE'
refuses site:8 'site:8: a site is site:FILE:LINE'
refuses site:$p "site:$p: of which line? Name it, as in --stop-at site:$p:FILE:LINE\$"

# What is no profile, such as the program, is no other benchmark's name.
: >fill
refuses peak:fill 'peak:fill: several fit: s.c::bench_fill'
head -c 100 $p >fill
$run -f -o n.bmem --stop-at peak:fill ./a 2>err; test $? = 2 && grep -q 'cannot read fill: ' err || exit 1
rm fill

# Blocks of a header of the system's are their caller's, where no other has some.
program=./v
./v
stops site:v.cpp:8 '' '[0-9]*, with 20 bytes of that site live'
refuses site:v.cpp:10 'site:v.cpp:10: in .*, other lines call it too, so stop where it allocates: .*new_allocator.h:'
refuses site:v.cpp:1 'site:v.cpp:1: in .*, no site there; in that file are v.cpp:8:[0-9]* in main$'

# While there are two threads, blocks that came and went count at each event.
program=./t
./t
stops site:t.c:8 '' '[0-9]*, with 1400 bytes of that site live'
stops peak '' '[0-9]*, with [0-9]* bytes live'
//--- t.c
#include <pthread.h>
#include <stdlib.h>

static void *volatile sink;

__attribute__((noinline)) static void *take(size_t size)
{
    return sink = malloc(size);
}

static void *work(void *unused)
{
    void *blocks[10];

    for (int i = 0; i < 10; i++)
        blocks[i] = take(100); /* 1000 */
    for (int i = 0; i < 5; i++)
        free(blocks[i]); /* 500 */
    blocks[0] = take(300);
    blocks[1] = take(600); /* 1400 */
    for (int i = 0; i < 10; i++)
        if (i < 2 || i > 4)
            free(blocks[i]);
    return unused;
}

int main(void)
{
    pthread_t thread;

    return pthread_create(&thread, NULL, work, NULL) ||
           pthread_join(thread, NULL);
}
//--- v.cpp
#include <map>
#include <vector>

static void *volatile sink;

int main(int argc, char **)
{
    std::vector<char> bytes(20 * argc); /* 20 bytes, the only ones of char */
    std::vector<int> few(argc), more(2 * argc); /* 4 and 8 bytes */
    std::vector<int> most(3 * argc);

    sink = bytes.data();
    sink = few.data();
    sink = more.data();
    sink = most.data();
    return 0;
}
//--- s.c
#include <stdlib.h>
#include <string.h>

static void *volatile sink;

__attribute__((noinline)) static void *take(size_t size)
{
    return sink = malloc(size);
}

static size_t size = 10;

__attribute__((noinline)) static void pair(void)
{
    void *a, *b;
    sink = a = malloc(30), sink = b = malloc(size * 4); /* 13, 14: 70, 1070 in all */
    free(a);
    free(b);
}

void bench_fill(const char *kind, int n)
{
    void *blocks[5];

    for (int i = 0; i < n; i++)
        blocks[i] = take(size);
    for (int i = 0; i < n; i++)
        free(blocks[i]);
    sink = (void *)kind;
}

void bench_idle(void)
{
    sink = NULL;
}

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";

    if (!strcmp(how, "more"))
        size = 11;
    if (!strcmp(how, "later"))
        free(take(1));
    void *kept = malloc(1000); /* 1 */

    sink = kept;
    if (!strcmp(how, "none"))
        return 0;
    bench_fill("a", 3);           /* 2 to 4: 30 */
    bench_fill("x,y\xff", 5);     /* 5 to 9: 50 */
    bench_fill("a", 3);           /* 10 to 12: 30 again */
    bench_idle();
    pair();
    free(kept);
    return 0;
}
