// What streams and lines allocate is counted at the call that made it necessary, and named.
// RUN: %benchmem-cc -O2 %s -o a && printf 'first line\nsecond\n' >in.txt
// RUN: BENCHMEM_OUTPUT=p.bmem ./a in.txt && %figures --callee p.bmem >got && %filecheck --input-file=got
// RUN: %clang -O2 %s -o plain && %witness got ./plain in.txt
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    // CHECK: totals {{.*}} live=0 blocks=0
    // CHECK-NEXT: end status=0
    FILE *in = fopen(argv[argc - 1], "r");
    // CHECK-NEXT: site libc-streams.c:[[@LINE-1]] main via allocations=1 frees=1 allocated=472 {{.*}} live=0 callee=fopen
    char *line = NULL;
    size_t room = 0;
    if (!in || getline(&line, &room, in) != 11)
        return 1;
    free(line);
    fclose(in);

    char *text = NULL;
    size_t size = 0;
    FILE *memory = open_memstream(&text, &size);
    // CHECK-NEXT: site libc-streams.c:[[@LINE-1]] main stdio allocations=2 frees=2 {{.*}} live=0 callee=open_memstream
    if (!memory)
        return 1;
    fclose(memory);
    // CHECK-NEXT: site libc-streams.c:[[@LINE-1]] main via allocations=1 frees=1 allocated=1 {{.*}} callee=fclose
    free(text);

    char *here = getcwd(NULL, 0);
    // CHECK-NEXT: site libc-streams.c:[[@LINE-1]] main string allocations=2 frees=2 {{.*}} live=0 callee=getcwd
    free(here);
    char *real = realpath("/", NULL);
    // CHECK-NEXT: site libc-streams.c:[[@LINE-1]] main string allocations={{[0-9]+}} {{.*}} live=0 callee=realpath
    free(real);
    // glibc's headers inline getline. The stream's buffer is made by the first read; the line has 120 bytes.
    // CHECK-NEXT: site stdio.h:{{[0-9]+}} getline stdio allocations=2 frees=2 allocated=4216 {{.*}} live=0 callee=__getdelim
    // CHECK-NOT: site
    return 0;
}
