// Without benchmarks the processes of a run count together: what a child reached was reached.
// RUN: %benchmem-cc -O1 %s -o a && ./a && %report --coverage --format csv >out && %filecheck-part --input-file=out
// RUN: %report --coverage | has 'reached *2 of 3 allocation calls (66.7 %)$'
// RUN: for f in .benchmem/*.bmem; do %report --coverage $f | has '1 of 3' || exit 1; done
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

void *volatile sink;

int main(int argc, char **argv)
{
    pid_t child = fork();

    if (!child)
        free(sink = malloc(10)); // CHECK-DAG: ,[[@LINE]],{{.*}},main,malloc,{{.*}},10,yes,1
    else {
        waitpid(child, NULL, 0);
        free(sink = malloc(20)); // CHECK-DAG: ,[[@LINE]],{{.*}},main,malloc,{{.*}},20,yes,1
    }
    if (argc > 5)
        free(sink = malloc(30)); // CHECK-DAG: ,[[@LINE]],{{.*}},main,malloc,{{.*}},30,no,0
    return !argv[0];
}
