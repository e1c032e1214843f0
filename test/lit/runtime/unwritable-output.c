// Where no profile can be had the program runs as without benchmem, with at most one line on stderr.
// RUN: %benchmem-cc -O2 %s -o a && %clang -O2 %s -o plain && ./plain >expected || test $? = 9
// RUN: for out in /proc/x.bmem /nonexistent/deep/x.bmem /dev/full /dev/null/x; do code=0; BENCHMEM_OUTPUT=$out ./a >got 2>err || code=$?; test $code = 9 && cmp expected got && test $(wc -l <err) -le 1 || exit 1; done
// RUN: mkdir ro && chmod 555 ro && cd ro && code=0; ../a >../got 2>../err || code=$?; cd .. && test $code = 9 && cmp expected got && test $(wc -l <err) -le 1
// RUN: code=0; (ulimit -f 8; BENCHMEM_OUTPUT=small.bmem ./a 2>err) >got || code=$?; test $code = 9 && cmp expected got && test $(wc -l <err) -le 1
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *volatile S;

int main(void)
{
    int n = 0;

    for (int i = 0; i < 10000; i++) {
        S = malloc(100);
        if (S)
            n++;
        free(S);
    }
    if (write(1, n == 10000 ? "all\n" : "few\n", 4) != 4)
        return 1;
    return 9;
}
