// A handler that allocates inside the recorder is dropped and counted so: all calls are accounted for.
// RUN: %benchmem-cc -O2 %s -o a && BENCHMEM_OUTPUT=p.bmem timeout 300 ./a >calls && %figures p.bmem >got && %python %inputs/sum_of_calls.py got calls
#include <malloc.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

/*
 * glibc's malloc must not be entered from a handler that interrupted it, so
 * the main program keeps out of it: it resizes in place, which takes no lock
 * that the handler's calls on another arena would wait for.
 */
static volatile sig_atomic_t inside;
static atomic_ulong calls;
void *volatile S, *volatile T;

static void handler(int number)
{
    (void)number;
    if (inside)
        return;
    T = malloc(16);
    free(T);
    atomic_fetch_add(&calls, 1);
}

int main(void)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    struct itimerval timer = {{0, 1000}, {0, 1000}};
    char text[32];

    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
    for (int i = 0; i < 3000000; i++) {
        inside = 1;
        S = malloc(16);
        free(S);
        inside = 0;
        atomic_fetch_add(&calls, 1);
    }
    timer = (struct itimerval){{0, 0}, {0, 0}};
    setitimer(ITIMER_REAL, &timer, NULL);

    size_t n = sizeof(text);
    for (unsigned long c = calls; c || n == sizeof(text); c /= 10)
        text[--n] = (char)('0' + c % 10);
    return write(1, text + n, sizeof(text) - n) <= 0;
}
