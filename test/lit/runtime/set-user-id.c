// In a set-user-id program nothing is recorded and no variable is heeded.
// REQUIRES: set-user-id
// RUN: %benchmem-cc -O2 %s -o a && d=$(mktemp -d /var/tmp/benchmem-suid.XXXXXX) && cp a $d/ && chmod 4755 $d/a && chmod 777 $d && cd $d && (setpriv --reuid=65534 --clear-groups env BENCHMEM_OUTPUT=$d/p.bmem ./a; echo $? >code) && ls -A >list; grep -qx 0 code && not grep -q bmem list; r=$?; cd /; rm -r $d; exit $r
#include <stdlib.h>
#include <unistd.h>

void *volatile S;

int main(void)
{
    S = malloc(1);
    return geteuid() != 0;
}
