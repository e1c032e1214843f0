// Four ranks that fork twice each become one profile: sums where sums are true, every process with its own peak.
// RUN: %benchmem-cc -O2 %s -o a && for r in 2 0 3 1; do PMI_RANK=$r BENCHMEM_OUTPUT=job/rank.%%r.bmem ./a || exit 1; done
// RUN: %bindir/benchmem-merge -o all.bmem job >said && has -x 'all.bmem: 12 processes' <said && %check all.bmem
// RUN: %report --format json job >parts.json && %report --format json all.bmem >all.json && %python %inputs/sums.py parts.json all.json
// RUN: %report all.bmem >text && grep '^totals .*12 processes, upper bound of the peak .* (sum of their peaks)' text && ! grep '^totals *peak' text && has 'AT PEAKS' <text
// RUN: %report --top 0 all.bmem | grep -c ' status 0 .* a$' | has -x 12
// RUN: %report --format csv all.bmem >/dev/null && %flamegraph --report stats all.bmem >stats && has 'held at the peaks of the processes, an upper bound' <stats && %bindir/benchmem-export --format folded all.bmem -o all.folded && test -s all.folded
// A merged profile can be merged again, in any grouping.
// RUN: %bindir/benchmem-merge -q -o left.bmem job/rank.[01].*bmem && %bindir/benchmem-merge -o right.bmem job/rank.[23].*bmem
// RUN: %bindir/benchmem-merge -o both.bmem right.bmem left.bmem && %check both.bmem && %report --format json both.bmem >both.json && %python %inputs/sums.py parts.json both.json
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static void *keep[64];

static void work(int n)
{
    for (int i = 0; i < n; i++)
        keep[i] = malloc(1000 + (size_t)n);
    for (int i = 0; i < n; i += 2)
        free(keep[i]);
}

int main(void)
{
    const char *rank = getenv("PMI_RANK");

    work(10 + atoi(rank ? rank : "0"));
    for (int child = 0; child < 2; child++)
        if (fork() == 0) {
            work(5 + child);
            exit(0);
        }
    while (wait(NULL) > 0)
        ;
    return 0;
}
