// A child that shares its parent's memory, or is replaced at once, leaves the parent's profile alone.
// RUN: %benchmem-cc -O2 %s -o a && mkdir d && BENCHMEM_OUTPUT=d/p.bmem ./a && ls d | wc -l | has -x 1
// RUN: %figures d/p.bmem | %filecheck
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

void *volatile S;
extern char **environ;

int main(void)
{
    char *arguments[] = {"true", NULL};
    pid_t child;
    int status;

    // CHECK: totals allocations=3 frees=0 allocated=24 freed=0 peak=24 live=24 blocks=3
    // CHECK-NEXT: end status=0
    S = malloc(7);
    // CHECK-NEXT: site vfork-and-spawn.c:[[@LINE-1]] main malloc allocations=1 frees=0 allocated=7 {{.*}}
    child = vfork();
    if (child == 0)
        _exit(127);
    waitpid(child, &status, 0);
    if (WEXITSTATUS(status) != 127)
        return 1;
    S = malloc(8);
    // CHECK-NEXT: site vfork-and-spawn.c:[[@LINE-1]] main malloc allocations=1 frees=0 allocated=8 {{.*}}
    child = vfork();
    if (child == 0) {
        execv("/bin/true", arguments);
        _exit(126);
    }
    waitpid(child, &status, 0);
    if (status || posix_spawn(&child, "/bin/true", NULL, NULL, arguments, environ))
        return 2;
    waitpid(child, &status, 0);
    S = malloc(9);
    // CHECK-NEXT: site vfork-and-spawn.c:[[@LINE-1]] main malloc allocations=1 frees=0 allocated=9 {{.*}}
    return status;
}
