// Resident peaks are those of fresh processes: as time(1) has them of the same process, whatever started benchmem-run.
// RUN: %benchmem-cc -O2 %s -o a && %benchmem-cc -O2 -DALONE %s -o alone && %python %inputs/resident.py %benchmem-run
// A workload and repetition each have a process of their own, without warm-up, and no block is recorded.
// RUN: %benchmem-run --mode rss --repeats 3 -o r.json ./a >out && has '^resident.c::bench_touch\[mib=96\]' <out && %python %inputs/manifest.py r.json 3
// RUN: has '^### touching$' <r.md && has '^| resident.c::bench.*touch.*mib=8.* | .* | 3 | own |$' <r.md
// The summary is made again from the manifest alone, and both are refused where they exist.
// RUN: cp r.md first.md && %benchmem-run --summarize r.json 2>err; test $? = 2 && has 'r.md: it exists' <err
// RUN: %benchmem-run --summarize r.json -f && cmp r.md first.md && %benchmem-run --summarize r.json -o - | cmp - first.md
// RUN: rm r.md && touch mark && %benchmem-run --mode rss -o r.json ./a 2>err >out; test $? = 2 && has 'r.json: it exists' <err && test ! -s out && test ! r.json -nt mark
// RUN: rm r.json && echo >r.md && %benchmem-run --mode rss -o r.json ./a 2>err; test $? = 2 && has 'r.md: it exists' <err && test ! -e r.json
// RUN: echo '{"schema_version": 2, "measurements": []}' >v.json && %benchmem-run --summarize v.json 2>err; test $? = 2 && has 'schema_version 2' <err && test ! -e v.md
// The preparation runs once, before all.
// RUN: %benchmem-run --mode rss --repeats 2 --prepare 'echo >>prepared' ./a >out && test $(wc -l <prepared) = 1
// RUN: %benchmem-run --mode rss --prepare 'exit 3' ./a 2>err; test $? = 2 && has 'failed with status 3' <err
// In memory mode the manifest has the same entries, with the capture.
// RUN: %benchmem-run --repeats 2 -o m.json ./a >out && %python %inputs/manifest.py m.json 2 && %check m.bmem
// RUN: %benchmem-run --summarize nosuch.json 2>err; test $? = 2 && has 'cannot read nosuch.json: No such file or directory$' <err
// RUN: %benchmem-run --summarize x.json -f ./a 2>err; test $? = 2 && has -- '--summarize runs nothing: leave out ./a' <err
#include <benchmem/benchmem.h>

#include <fcntl.h>
#include <unistd.h>

#define MIB ((size_t)1 << 20)

/* Appends this process's VmHWM, in KiB, to ./said. */
static void say(void)
{
    static char status[8192];
    int in = open("/proc/self/status", O_RDONLY);
    int out = open("said", O_WRONLY | O_CREAT | O_APPEND, 0666);

    if (read(in, status, sizeof(status) - 1) > 0)
        dprintf(out, "%ld\n", atol(strstr(status, "VmHWM:") + 6));
    close(in);
    close(out);
}

static void touch(size_t mib)
{
    char *volatile block = malloc(mib * MIB);

    memset(block, 1, mib * MIB);
    free(block);
    say();
}

#ifdef ALONE

int main(int argc, char **argv)
{
    touch(argc > 1 ? (size_t)atoi(argv[1]) : 16);
    return 0;
}

#else

static void bench_touch(struct benchmem_case *c)
{
    touch((size_t)benchmem_int(c, "mib"));
}
BENCHMEM(bench_touch, .group = "touching", .suite = "standard",
         .params = BENCHMEM_PARAMS(BENCHMEM_INTS("mib", 96, 8)));

#endif
