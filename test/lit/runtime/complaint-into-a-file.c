// Where no file may be written, the line that says so is left out of a file too: it would end the program.
// RUN: %benchmem-cc -O2 %s -o a && : >err && : >all && printf x >>all
// RUN: code=0; (ulimit -f 0; BENCHMEM_OUTPUT=p.bmem ./a 2>err) | cat >out || code=$?; test $code = 7 && test "$(cat out)" = ok && test ! -s err && test ! -e p.bmem
// RUN: code=0; (ulimit -f 0; BENCHMEM_OUTPUT=p.bmem ./a 2>>all) | cat >out || code=$?; test $code = 7 && test "$(cat all)" = x
// RUN: code=0; (ulimit -f 0; BENCHMEM_OUTPUT=p.bmem ./a 2>&1) | cat >out || code=$?; test $code = 7 && has -x ok <out && has 'cannot write profile' <out && test $(wc -l <out) = 2
#include <stdlib.h>
#include <unistd.h>

void *volatile S;

int main(void)
{
    S = malloc(5);
    return write(1, "ok\n", 3) == 3 ? 7 : 8;
}
