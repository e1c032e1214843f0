// A recorded program does what the plain one does, however it is started and limited.
// RUN: %clang -O2 -pthread -I%inputs %s -o plain && %benchmem-cc -O2 -pthread -I%inputs %s -o recorded && %python %inputs/same_behaviour.py %s plain recorded
// RUN: %clang -O2 -pthread -static -I%inputs %s -o plainstatic && %benchmem-cc -O2 -pthread -static -I%inputs %s -o static && %python %inputs/same_behaviour.py %s plainstatic static
// RUN: test $(find . -name '*.bmem' -size +0 | wc -l) -gt 90 && test -z "$(find . -name '*.bmem' -size 0)"
//
// CASE: no-stdin | $X grow <&-
// CASE: no-stdout | $X grow >&-
// CASE: no-stderr | $X grow 2>&-
// CASE: no-descriptors | $X grow <&- >&- 2>&-
// CASE: stdout-full | $X print >/dev/full
// CASE: closed-pipe | { $X flood; echo "status $?" >&2; } | head -c 5
// CASE: closed-pipe-ignored | trap '' PIPE; { $X flood; echo "status $?" >&2; } 2>&1 >/dev/full | sort -u
// CASE: empty-name | (exec -a '' $X name)
// CASE: other-name | (exec -a 'a b/c' $X name)
// CASE: no-name | $X noname
// CASE: huge-environment | for i in {1..12}; do export V$i=$(head -c 100000 /dev/zero | tr '\0' x); done; $X grow
// CASE: no-environment | env -i $X grow
// CASE: locale | LC_ALL=C.UTF-8 LANG=xx_YY $X locale
// CASE: few-descriptors | ulimit -n 4; $X grow
// CASE: no-file-size | ulimit -f 0; $X grow
// CASE: small-file-size | ulimit -f 20; $X grow
// CASE: beyond-file-size | ulimit -f 4; $X bigfile
// CASE: beyond-file-size-ignored | trap '' XFSZ; ulimit -f 4; $X bigfile
// CASE: address-space | ulimit -v 60000; $X grow
// CASE: exhausted-space | ulimit -v 60000; $X exhaust
// CASE: data-segment | ulimit -d 20000; $X grow
// CASE: small-stack | ulimit -s 64; $X grow
// CASE: no-home-nor-folder | mkdir gone; cd gone; rmdir ../gone; $X grow
// CASE: read-only-folder | mkdir ro; cd ro; chmod 555 .; $X grow
// CASE: limits-after-start | $X limits
// CASE: close-all | $X closeall
// CASE: close-range | $X closerange
// CASE: duplicate-over-all | $X dupall
// CASE(root): chroot-and-drop | mkdir jail; $X jail
// CASE(mount): no-proc | unshare -m sh -c 'mount -t tmpfs none /proc && exec $X grow'
// CASE(mount): no-tmp | unshare -m sh -c 'mount -t tmpfs -o ro none /tmp; mount -t tmpfs -o ro none /var/tmp; exec $X grow'
// CASE(mount): full-disk | unshare -m sh -c 'mount -t tmpfs -o size=40k none /mnt && cd /mnt && { head -c 1000000 /dev/zero >full; exec $X grow; }' 2>&1 | grep -v 'write error\|error writing'
// CASE(mount): nearly-full-disk | unshare -m sh -c 'mount -t tmpfs -o size=40k none /mnt && cd /mnt && exec $X grow'
// CASE(mount): read-only-disk | unshare -m sh -c 'mount -t tmpfs -o ro none /mnt && cd /mnt && exec $X grow'
#include "host.h"
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <sys/resource.h>

static int print(void)
{
    puts("text");
    return fflush(stdout) ? 4 : 0;
}

static int flood(void)
{
    for (int i = 0; i < 100000; i++)
        if (puts("0123456789") < 0 || (i % 100 == 0 && fflush(stdout)))
            return errno == EPIPE || errno == ENOSPC ? 5 : 6;
    return 0;
}

static int name(void)
{
    printf("[%s] [%s]\n", args[0], program_invocation_short_name);
    return churn(10);
}

static int noname(void)
{
    char *none[] = {NULL};

    fflush(stdout);
    execv("/proc/self/exe", none);
    return 1;
}

static int locale(void)
{
    printf("%s\n", setlocale(LC_ALL, "") ? "set" : "kept");
    return churn(10);
}

static int bigfile(void)
{
    char *data = calloc(1, 100000);
    int fd = open("big", O_CREAT | O_WRONLY, 0666);
    ssize_t done = write(fd, data, 100000);

    printf("%zd\n", done);
    fflush(stdout);
    done = write(fd, data, 100000);
    printf("%zd %s\n", done, strerror(errno));
    return 0;
}

static int exhaust(void)
{
    void **last = NULL, **block;

    while ((block = malloc(10000))) {
        *block = (void *)last;
        last = block;
    }
    printf("%s\n", strerror(errno));
    while (last) {
        block = *last;
        free(last);
        last = block;
    }
    return churn(1000);
}

static int limits(void)
{
    struct rlimit none = {0, 0}, some = {1 << 20, 1 << 20};

    setrlimit(RLIMIT_FSIZE, &some);
    setrlimit(RLIMIT_NOFILE, &none);
    setrlimit(RLIMIT_CORE, &none);
    return grow() + (open("/dev/null", O_RDONLY) != -1);
}

static int closeall(void)
{
    for (int fd = 0; fd < 1024; fd++)
        close(fd);
    return depth7(1) == 255 && churn(1000) == 0 ? 18 : 1;
}

static int closerange(void)
{
    if (close_range(3, ~0u, 0))
        return 1;
    return grow();
}

static int dupall(void)
{
    for (int fd = 3; fd < 200; fd++)
        if (dup2(1, fd) != fd)
            return 1;
    return grow() + (dprintf(150, "last\n") != 5);
}

static int jail(void)
{
    if (chroot("jail") || chdir("/") || setgid(65534) || setuid(65534))
        return 1;
    return grow();
}

static const struct way ways[] = {
    {"grow", grow},
    {"print", print},
    {"flood", flood},
    {"name", name},
    {"noname", noname},
    {"locale", locale},
    {"bigfile", bigfile},
    {"exhaust", exhaust},
    {"limits", limits},
    {"closeall", closeall},
    {"closerange", closerange},
    {"dupall", dupall},
    {"jail", jail},
};
WAYS(ways)
