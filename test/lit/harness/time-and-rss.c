// With measure=time or rss no block is recorded: passes have their time, or the process's largest resident size before and after, and null for memory.
// RUN: %benchmem-cc -O2 %s -o a && cp %inputs/../harness/inputs/check_measured.py . && for m in time rss; do BENCHMEM_OUTPUT=$m.bmem BENCHMEM_OPTIONS=measure=$m ./a && %check $m.bmem && %report --format json $m.bmem | %python check_measured.py $m || exit 1; done
// RUN: %report time.bmem | has -E '^ *[0-9.]+ (ns|us|ms) .* 2 +time-and-rss.c::bench_touch.mib=4.$'; %report rss.bmem | has -E 'PEAK RSS' ; %report rss.bmem | has 'no block was recorded'
// RUN: for m in time rss; do %report $m.bmem | has -E '^totals +memory was not recorded$' || exit 1; done
// The tables have what was measured alone: other columns are left out, or empty in CSV.
// RUN: %report time.bmem >out && not grep RSS out && %report rss.bmem >out && not grep TIME out
// RUN: %report --by benchmark --format csv time.bmem >out && has -E 'mib=4.,bench_touch,time-and-rss.c,[0-9]*,2,,,,,[0-9]+,,$' out
// RUN: %report --by benchmark --format csv rss.bmem >out && has -E 'mib=4.,bench_touch,time-and-rss.c,[0-9]*,2,,,,,,[0-9]+,[0-9]+$' out
#include <stdlib.h>
#include <string.h>

void *volatile S;

void bench_touch(size_t mib)
{
    S = malloc(mib << 20);
    memset(S, 1, mib << 20);
    free(S);
}

void bench_nothing(void)
{
}

int main(void)
{
    bench_nothing();
    bench_touch(4);
    bench_touch(4);
    bench_touch(64);
}
