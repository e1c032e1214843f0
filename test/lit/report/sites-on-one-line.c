// Two allocation calls on one line are told apart by their columns; others have none.
// RUN: %benchmem-cc -O1 %s -o t && BENCHMEM_OUTPUT=p.bmem ./t && %report p.bmem >out && %filecheck-part --input-file=out
#include <stdlib.h>

void *volatile keep[3];

int main(void)
{
    keep[0] = malloc(300), keep[1] = malloc(200);
    keep[2] = malloc(100);
    return 0;
}

// CHECK: 300 B{{.*}}sites-on-one-line.c:9:15 main
// CHECK: 200 B{{.*}}sites-on-one-line.c:9:38 main
// CHECK: 100 B{{.*}}sites-on-one-line.c:10 main
