// However the process ends, every completed event is in the profile, and the end is said where it is known.
// RUN: %benchmem-cc -O2 %s -o a
// RUN: for e in return exit _exit quick_exit; do code=0; BENCHMEM_OUTPUT=$e.bmem ./a $e || code=$?; test $code = 7 && %figures $e.bmem | %filecheck || exit 1; done
// RUN: for e in TERM:143 KILL:137 SEGV:139 ABRT:134 INT:130; do code=0; BENCHMEM_OUTPUT=${e%%:*}.bmem bash -c "./a ${e%%:*}" 2>/dev/null || code=$?; test $code = ${e##*:} && %figures ${e%%:*}.bmem | %filecheck || exit 1; done
// RUN: for e in return exit _exit quick_exit; do %figures $e.bmem | has -x 'end status=7' || exit 1; done
// RUN: %figures KILL.bmem | has -x 'end unknown incomplete'
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *volatile S;

static const struct {
    const char *name;
    int number;
} signals[] = {
    {"TERM", SIGTERM}, {"KILL", SIGKILL}, {"SEGV", SIGSEGV}, {"INT", SIGINT},
};

int main(int argc, char **argv)
{
    const char *how = argv[argc - 1];

    // CHECK: totals allocations=2 frees=1 allocated=8 freed=3 peak=5 live=5 blocks=1
    S = malloc(3);
    // CHECK: site ends.c:[[@LINE-1]] main malloc allocations=1 frees=1 allocated=3 {{.*}} live=0
    free(S);
    S = malloc(5);
    // CHECK-NEXT: site ends.c:[[@LINE-1]] main malloc allocations=1 frees=0 allocated=5 {{.*}} live=5
    for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
        if (!strcmp(how, signals[i].name)) {
            signal(signals[i].number, SIG_DFL); // a shell may have it ignored
            raise(signals[i].number);
        }
    if (!strcmp(how, "ABRT"))
        abort();
    if (!strcmp(how, "exit"))
        exit(7);
    if (!strcmp(how, "_exit"))
        _exit(7);
    if (!strcmp(how, "quick_exit"))
        quick_exit(7);
    return 7;
}
