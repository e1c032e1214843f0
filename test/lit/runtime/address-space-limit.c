// Works under a limit of address space, with the same figures and little more than the plain program's.
// RUN: %benchmem-cc -O2 %s -o a && %clang -O2 %s -o plain
// RUN: (ulimit -v 100000; BENCHMEM_OUTPUT=p.bmem ./a >with) && %figures p.bmem | %filecheck
// RUN: (ulimit -v 100000; ./plain >without) && test $(($(cat with) - $(cat without))) -lt 32768
// RUN: (ulimit -v 100000; ulimit -d 50000; BENCHMEM_OUTPUT=q.bmem ./a >with) && %figures q.bmem | %filecheck
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *volatile S;

/* Writes VmPeak in kB to stdout, without stdio's own blocks. */
static int show_peak(void)
{
    char text[4096];
    int fd = open("/proc/self/status", O_RDONLY);
    ssize_t size = read(fd, text, sizeof(text) - 1);

    close(fd);
    if (size <= 0)
        return 1;
    text[size] = 0;
    const char *at = strstr(text, "VmPeak:");
    if (!at)
        return 1;
    at += strcspn(at, "0123456789");
    return write(1, at, strspn(at, "0123456789")) <= 0;
}

int main(void)
{
    // CHECK: totals allocations=1001 frees=1000 allocated=1100000 freed=1000000 peak=101000 live=100000 blocks=1
    void *volatile big = malloc(100000);
    for (int i = 0; i < 1000; i++) {
        S = malloc(1000);
        free(S);
    }
    return !big || show_peak();
}
