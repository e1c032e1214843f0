// A program that may make no more system calls than read, write and exit keeps its figures.
// RUN: %benchmem-cc -O2 %s -o a && (BENCHMEM_OUTPUT=p.bmem ./a || test $? = 4) && %figures p.bmem | %filecheck
#include <linux/seccomp.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

void *volatile S;

int main(void)
{
    S = malloc(1000); // glibc's heap has room for what follows
    // CHECK: site sandboxed.c:[[@LINE-1]] main malloc allocations=1 frees=1 allocated=1000 {{.*}}
    free(S);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT, 0, 0, 0))
        return 1;
    S = malloc(100);
    // CHECK-NEXT: site sandboxed.c:[[@LINE-1]] main malloc allocations=1 frees=0 allocated=100 {{.*}}
    syscall(SYS_exit, 4);
    return 1;
}
