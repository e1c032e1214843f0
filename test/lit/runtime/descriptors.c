// No descriptor of the recorder stays open, in the program or in a program that it starts.
// RUN: %benchmem-cc -O2 %s -o a && %clang -O2 %s -o plain
// RUN: BENCHMEM_OUTPUT=p.bmem ./a >got </dev/null 2>&1 && ./plain >expected </dev/null 2>&1 && cmp expected got
// RUN: BENCHMEM_OUTPUT=q.bmem ./a <&- >got2 && ./plain <&- >expected2 && cmp expected2 got2
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void *volatile S;

int main(void)
{
    S = malloc(10);
    for (int fd = 0; fd < 100; fd++)
        if (fcntl(fd, F_GETFD) != -1)
            printf("%d open\n", fd);
    fflush(stdout);
    execl("/bin/ls", "ls", "/proc/self/fd", (char *)NULL);
    return 1;
}
