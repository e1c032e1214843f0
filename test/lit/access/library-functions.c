// What functions of the C library read and write counts as the program's own.
// RUN: %benchmem-cc -O2 -fno-builtin --benchmem-access %s -o a && echo hello-world > in && BENCHMEM_OUTPUT=p.bmem ./a < in
// RUN: %figures --access p.bmem | %filecheck
// RUN: %benchmem-cc -O0 -D_FORTIFY_SOURCE=0 --benchmem-access %s -o a && BENCHMEM_OUTPUT=p.bmem ./a < in
// RUN: %figures --access p.bmem | %filecheck
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

char *volatile S;

static char *held(void *block)
{
    S = block;
    return S;
}

static int compare(const void *a, const void *b)
{
    return *(const char *)a - *(const char *)b;
}

int main(void)
{
    char *p = held(malloc(100));
    // CHECK: access {{.*}}:[[@LINE-1]] blocks=1 bytes=100 unseen=0 untouched=94 never_written=94 never_read=0 idle=0 reached=6
    strcpy(p, "hello");
    int sum = (int)strlen(p);
    free(p);

    p = held(malloc(100));
    // CHECK-NEXT: access {{.*}}:[[@LINE-1]] blocks=1 bytes=100 unseen=0 untouched=80 never_written=80 never_read=15 {{.*}}
    memset(p, 1, 20);
    sum += memcmp(p, p + 5, 0) + (memchr(p, 1, 5) != NULL);
    free(p);

    // 12 characters and the end, cut to 10; and 3 with the end.
    p = held(malloc(100));
    // CHECK-NEXT: access {{.*}}:[[@LINE-1]] blocks=1 bytes=100 unseen=0 untouched=86 never_written=86 never_read=14 {{.*}}
    snprintf(p, 10, "%s", "123456789012");
    sprintf(p + 50, "%d", 123);
    free(p);

    // What a format reads.
    p = held(malloc(100));
    // CHECK-NEXT: access {{.*}}:[[@LINE-1]] blocks=1 bytes=100 unseen=0 untouched=50 never_written=50 never_read=46 {{.*}}
    memset(p, 'x', 50);
    p[3] = 0;
    char line[200];
    sum += snprintf(line, sizeof(line), "%d %5s %p\n", 5, p, (void *)(p + 70));
    free(p);

    // The result says how much was read.
    p = held(malloc(100));
    // CHECK-NEXT: access {{.*}}:[[@LINE-1]] blocks=1 bytes=100 unseen=0 untouched=88 never_written=88 never_read=0 idle=0 reached=12
    sum += (int)read(0, p, 100);
    sum += (int)write(open("/dev/null", O_WRONLY), p, 12);
    sum += read(-1, p + 50, 50) < 0;
    free(p);

    p = held(strdup("hello"));
    // CHECK-NEXT: access {{.*}}:[[@LINE-1]] blocks=1 bytes=6 unseen=0 untouched=0 never_written=0 never_read=6 {{.*}}
    free(p);

    p = held(malloc(100));
    // CHECK-NEXT: access {{.*}}:[[@LINE-1]] blocks=1 bytes=100 unseen=0 untouched=90 never_written=90 never_read=0 {{.*}}
    memcpy(p, "9876543210", 10);
    qsort(p, 10, 1, compare);
    free(p);
    return sum == 12345;
    // CHECK-NOT: access
}
