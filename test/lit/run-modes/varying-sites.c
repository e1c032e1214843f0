// Sites that are not the same in all repetitions are named, and only they; where all is the same, nothing is said.
// RUN: %benchmem-cc -O2 %s -o a && %benchmem-run --repeats 4 ./a >out && has '^Sites that were not the same in all repetitions$' <out && has '^ *1, 0  *500 B, 0 B  *varying-sites.c:16 bench_varies  *varying-sites.c::bench_varies$' <out && test "$(has 'varying-sites.c:20' <out; echo $?)" = 1
// RUN: %benchmem-run --repeats 4 --filter steady ./a | test "$(has 'not the same'; echo $?)" = 1
// Of runs of a program, by run.
// RUN: %benchmem-cc -O2 -DPROGRAM %s -o p && %benchmem-run --repeats 3 ./p >out && has '^ *0, 1, 2  *0 B, 7 B, 14 B  *0 B, 7 B, 7 B  *varying-sites.c:44 bench_file  *varying-sites.c::bench_file$' <out && test $(grep -c 'varying-sites.c:' out) = 2
// RUN: %benchmem-run --repeats 3 --format json ./a 2>err | %python -c 'import json,sys; (v,)=json.load(sys.stdin)["varying_sites"]; assert v["allocations"] == [1, 0] and v["allocated_bytes"] == [500, 0] and v["at_peak_bytes"] == [] and v["site"] == "varying-sites.c:16 bench_varies", v'
#ifndef PROGRAM

#include <benchmem/benchmem.h>

static int pass;

static void bench_varies(struct benchmem_case *c)
{
    if (pass++ == 0) {
        void *volatile once = malloc(500);
        free(once);
    }
    (void)c;
    void *volatile always = malloc(100);
    free(always);
}
BENCHMEM(bench_varies);

static void bench_steady(struct benchmem_case *c)
{
    void *volatile block = malloc(10);
    (void)c;
    free(block);
}
BENCHMEM(bench_steady);

#else

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((noinline)) void bench_file(void)
{
    char name[] = "x0";

    for (; access(name, F_OK) == 0; name[1]++) {
        void *volatile block = malloc(7);
        free(block);
    }
    close(creat(name, 0600));
}

int main(void)
{
    bench_file();
    return 0;
}

#endif
