// The last interval counts after every end, as does the peak that it comes to; a kill within the program's own code is as good as an exit.
// RUN: %benchmem-cc -O2 %s -o a && for end in return exit quick kill segv child; do rm -rf d && mkdir d && (BENCHMEM_OPTIONS=saves=1 BENCHMEM_OUTPUT=d/p.bmem ./a $end; true) && %figures d/p.bmem >figures && %report d/p.bmem --format csv >out && %filecheck-part --input-file=out || exit 1; done
// A child counts what it was born with.
// RUN: ls d/p.*.bmem | wc -l | has -x 1 && %figures d/p.[0-9]*.bmem >figures && %report d/p.[0-9]*.bmem --format csv >out && %filecheck-part --check-prefix=CHILD --input-file=out
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void *volatile S;

static void in_child(void)
{
    S = malloc(200); /* 800 in all: the peak */
    free(S);
    exit(0);
}

int main(int argc, char **argv)
{
    const char *end = argv[argc - 1];
    void *table = malloc(1000);
    void *index = malloc(100); /* 1100: the peak */

    S = table;
    free(S);
    S = malloc(500); /* 600: with the table gone, this is the peak */
    S = index;
    if (!strcmp(end, "exit"))
        _exit(0);
    if (!strcmp(end, "quick"))
        quick_exit(0);
    if (!strcmp(end, "kill"))
        raise(SIGKILL);
    if (!strcmp(end, "segv"))
        raise(SIGSEGV);
    if (!strcmp(end, "child")) {
        pid_t child = fork();
        if (child == 0)
            in_child();
        waitpid(child, NULL, 0);
    }
    return 0;
}
// CHECK-DAG: ends.c,{{.*}},23,{{.*}},main,malloc,malloc,,1,1,1000,1000,1000,0,0,0,500
// CHECK-DAG: ends.c,{{.*}},24,{{.*}},main,malloc,malloc,,1,0,100,100,100,100,1,0,100
// CHECK-DAG: ends.c,{{.*}},28,{{.*}},main,malloc,malloc,,1,0,500,500,0,500,1,0,0
// CHILD-DAG: ends.c,{{.*}},24,{{.*}},main,malloc,malloc,,0,0,0,100,100,100,1,0,100
// CHILD-DAG: ends.c,{{.*}},28,{{.*}},main,malloc,malloc,,0,0,0,500,500,500,1,0,500
// CHILD-DAG: ends.c,{{.*}},15,{{.*}},in_child,malloc,malloc,,1,1,200,200,200,0,0,{{.*}},200
