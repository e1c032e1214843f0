// With a sanitizer that owns malloc, the recorder steps aside or agrees: the program runs as with plain clang.
// A sanitizer that this machine does not let run is left out.
// RUN: for s in address undefined leak thread memory; do rm -f p.bmem; %clang -O1 -fsanitize=$s %s -o plain || continue; ./plain >want || continue; %benchmem-cc -O1 -fsanitize=$s %s -o a && BENCHMEM_OUTPUT=p.bmem ./a >got 2>err && cmp want got && if test -e p.bmem; then %figures p.bmem | %filecheck && test ! -s err; else test $s != undefined && test $(wc -l <err) = 1 && has "^benchmem: nothing is recorded: this program has a sanitizer that owns malloc; build it without -fsanitize to measure it$" err; fi && ./a >got 2>err && cmp want got && test ! -s err || { cat err; exit 1; }; done
// RUN: for s in address leak thread memory; do rm -f p.bmem; %clang -O1 -fsanitize=$s %s -o a && ./a || continue; %benchmem-cc -O1 -fsanitize=$s %s -o a && %benchmem-run -o p.bmem ./a >got 2>err && has -x ran got && test $(wc -l <err) = 1 && has "nothing was recorded: its malloc is not libc's" err && %report p.bmem >page && has 'No allocation was recorded' page && has 'malloc could not be taken over' page || { cat err page; exit 1; }; done
// A measured run ends with an error: limits held to nothing would always hold.
// RUN: %benchmem-cc -O1 -fsanitize=address %s -o m && { %benchmem-run --max peak:1 ./m >got 2>err; test $? = 2 && has 'no block was recorded' err && not grep PEAK got; }
#include <stdlib.h>
#include <unistd.h>

void *volatile S;

int main(void)
{
    S = malloc(40);
    // CHECK: site sanitizers.c:[[@LINE-1]] main malloc allocations=1 frees=1 allocated=40 {{.*}} live=0
    free(S);
    return write(1, "ran\n", 4) != 4;
}
