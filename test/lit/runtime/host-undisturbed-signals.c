// A recorded program does what the plain one does, however signals stop, trace, interrupt and end it.
// RUN: %clang -O2 -pthread -I%inputs %s -o plain && %benchmem-cc -O2 -pthread -I%inputs %s -o recorded && %python %inputs/same_behaviour.py %s plain recorded
// RUN: %clang -O2 -pthread -static -I%inputs %s -o plainstatic && %benchmem-cc -O2 -pthread -static -I%inputs %s -o static && %python %inputs/same_behaviour.py %s plainstatic static
// RUN: test $(find . -name '*.bmem' -size +0 | wc -l) -gt 40 && test -z "$(find . -name '*.bmem' -size 0)"
//
// CASE: terminated | $X wait & until test -e up; do sleep 0.05; done; kill $!; wait $!
// CASE: hangup-ignored | trap '' HUP; $X hangup
// CASE: abort | $X abort
// CASE: segv | $X segv
// CASE: no-core | ulimit -c 0; $X segv
// CASE: segv-on-other-stack | $X altstack
// CASE: timer | $X timer
// CASE: stopped | $X stopped
// CASE: traced | $X traced
// CASE: exit-in-handler | $X handlerexit
// CASE: jump-out-of-handler | $X handlerjump
#include "host.h"
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/time.h>

static int wait_for_signal(void)
{
    churn(1000);
    close(open("up", O_CREAT | O_WRONLY, 0666));
    for (;;) {
        churn(1000);
        usleep(1000);
    }
}

static int hangup(void)
{
    raise(SIGHUP);
    return churn(10);
}

static int by_abort(void)
{
    S = malloc(3);
    abort();
}

static int segv(void)
{
    S = malloc(3);
    *(volatile int *)S = raise(SIGSEGV);
    return 1;
}

static void on_altstack(int number)
{
    static const char text[] = "handler\n";

    (void)number;
    S = malloc(100);
    free(S);
    _exit(write(1, text, sizeof(text) - 1) == sizeof(text) - 1 ? 6 : 7);
}

__attribute__((noinline)) static int overflow(int depth)
{
    char filler[4096];

    memset(filler, depth, sizeof(filler));
    S = filler;
    return overflow(depth + 1) + filler[depth & 4095];
}

static int altstack(void)
{
    stack_t stack = {.ss_sp = malloc(65536), .ss_size = 65536};
    struct sigaction action = {.sa_handler = on_altstack,
                               .sa_flags = SA_ONSTACK};

    sigaltstack(&stack, NULL);
    sigaction(SIGSEGV, &action, NULL);
    return overflow(0);
}

static volatile sig_atomic_t ticks;
static void on_tick(int number)
{
    (void)number;
    ticks++;
}

static int timer(void)
{
    struct itimerval often = {{0, 200}, {0, 200}}, never = {{0, 0}, {0, 0}};

    signal(SIGALRM, on_tick);
    setitimer(ITIMER_REAL, &often, NULL);
    while (ticks < 500)
        if (churn(2000))
            return 1;
    setitimer(ITIMER_REAL, &never, NULL);
    puts("500 ticks");
    return 0;
}

static int stopped(void)
{
    int status;
    pid_t child = fork();

    if (child == 0) {
        churn(100);
        raise(SIGSTOP);
        _exit(churn(100) ? 1 : 12);
    }
    waitpid(child, &status, WUNTRACED);
    printf("stopped: %d\n", WIFSTOPPED(status));
    kill(child, SIGCONT);
    return say_status(child);
}

static int traced(void)
{
    int status, exits = 0;
    pid_t child = fork();

    if (child == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        raise(SIGSTOP);
        exit(churn(100) ? 1 : 13);
    }
    while (waitpid(child, &status, 0) == child && !exits) {
        exits = WIFEXITED(status);
        ptrace(PTRACE_SYSCALL, child, NULL, NULL);
    }
    printf("exits: %d\n", WEXITSTATUS(status));
    return 0;
}

static void leave_by_handler(int number)
{
    (void)number;
    _exit(21);
}

static int handlerexit(void)
{
    struct itimerval once = {{0, 0}, {0, 3000}};

    signal(SIGALRM, leave_by_handler);
    setitimer(ITIMER_REAL, &once, NULL);
    for (;;)
        churn(1000);
}

static sigjmp_buf back;
static void jump(int number)
{
    (void)number;
    siglongjmp(back, 1);
}

/* Only among calls that glibc can be left in: it holds no lock with one thread. */
static int handlerjump(void)
{
    volatile int jumps = 0;

    signal(SIGUSR1, jump);
    while (jumps < 100)
        if (sigsetjmp(back, 1))
            jumps++;
        else if (churn(100) == 0)
            raise(SIGUSR1);
    printf("%d jumps\n", jumps);
    return churn(100);
}

static const struct way ways[] = {
    {"wait", wait_for_signal},
    {"hangup", hangup},
    {"abort", by_abort},
    {"segv", segv},
    {"altstack", altstack},
    {"timer", timer},
    {"stopped", stopped},
    {"traced", traced},
    {"handlerexit", handlerexit},
    {"handlerjump", handlerjump},
};
WAYS(ways)
