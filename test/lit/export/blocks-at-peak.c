// Blocks held at the peak are counted: blocks of unlike sizes, the larger ones freed before the peak.
// RUN: %benchmem-cc -O0 %s -o a && %benchmem-run -o p.bmem ./a && %export --format dhat -o p.dhat p.bmem && has -c '"gb":1010,"gbk":11,' <p.dhat
// RUN: %export --format pprof -o p.pb.gz p.bmem && gzip -dc p.pb.gz >p.pb && grep -aq 'inuse_\*: at the peak' p.pb && ! grep -aq 'worked out' p.pb
#include <stdlib.h>

static void *take(size_t n)
{
    return malloc(n);
}

int main(void)
{
    void *blocks[10], *large = take(500);
    free(large);
    for (int i = 0; i < 10; i++)
        blocks[i] = take(1);
    large = take(1000);
    free(large);
    for (int i = 0; i < 10; i++)
        free(blocks[i]);
    return 0;
}
