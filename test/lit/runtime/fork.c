// A forked child has a profile of its own, with what it was born with apart; the parent's excludes the child.
// RUN: %benchmem-cc -O2 %s -o a && mkdir d && BENCHMEM_OUTPUT=d/p.bmem ./a && ls d | wc -l | has -x 2
// RUN: %figures d/p.bmem | %filecheck --check-prefix=PARENT
// RUN: %figures d/p.[0-9]*.bmem | %filecheck --check-prefix=CHILD
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

void *volatile S;

int main(void)
{
    S = malloc(1000);
    pid_t child = fork();
    if (child == 0) {
        S = malloc(500);
        exit(0);
    }
    waitpid(child, NULL, 0);
    free(S);
    S = malloc(64);
    return 0;
}
// PARENT: totals allocations=2 frees=1 allocated=1064 freed=1000 peak=1000 live=64 blocks=1
// PARENT-NEXT: end status=0
// PARENT-NEXT: site fork.c:13 main malloc allocations=1 frees=1 allocated=1000 peak=1000 at_peak=1000 live=0
// PARENT-NEXT: site fork.c:21 main malloc allocations=1 frees=0 allocated=64 peak=64 at_peak=0 live=64
// CHILD: totals allocations=1 frees=0 allocated=500 freed=0 peak=1500 live=1500 blocks=2 inherited_bytes=1000 inherited_blocks=1
// CHILD-NEXT: end status=0
// CHILD-NEXT: site fork.c:13 main malloc allocations=0 frees=0 allocated=0 peak=1000 at_peak=1000 live=1000
// CHILD-NEXT: site fork.c:16 main malloc allocations=1 frees=0 allocated=500 peak=500 at_peak=500 live=500
