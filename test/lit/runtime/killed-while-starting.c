// Killed at any system call, from the first on, a program leaves a profile that can be read, or none; also where files need a name from the start.
// REQUIRES: ptrace
// RUN: %benchmem-cc -O2 %s -o a && %benchmem-cc -O2 -static %s -o static && %plain-cc -DTRACER %s -o tracer
// RUN: for a in ./a ./static './a fork'; do rm -rf d && mkdir d && BENCHMEM_OUTPUT=d/%%p.bmem ./tracer $a >count && test $(cat count) -ge 30 && for p in d/*.bmem; do test -s $p && %check $p >/dev/null || { echo "$a: $p"; exit 1; }; done && ls d | wc -l | has -v '^0$' || exit 1; done
#ifdef TRACER
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs the program up to its stop number `stops`; false once it has ended. */
static int kill_at(char **arguments, int stops)
{
    int status;
    pid_t child = fork();

    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        execv(arguments[0], arguments);
        _exit(127);
    }
    waitpid(child, &status, 0);
    while (stops-- && WIFSTOPPED(status)) {
        ptrace(PTRACE_SYSCALL, child, NULL, NULL);
        waitpid(child, &status, 0);
    }
    if (!WIFSTOPPED(status))
        return 0;
    kill(child, SIGKILL);
    waitpid(child, &status, 0);
    return 1;
}

int main(int argc, char **argv)
{
    int stops = 0;

    if (argc < 2)
        return 1;
    while (kill_at(argv + 1, stops))
        stops++;
    printf("%d\n", stops);
    return 0;
}
#else
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

void *volatile S;

int main(int argc, char **argv)
{
    (void)argv;
    S = malloc(10);
    if (argc > 1 && fork() == 0) {
        S = malloc(20);
        _exit(0);
    }
    while (wait(NULL) > 0)
        ;
    return 0;
}
#endif
