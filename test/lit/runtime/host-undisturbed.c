// A recorded program does what the plain one does, however it is started, limited, stopped, forked and ended.
// RUN: %clang -O2 -pthread %s -o plain && %benchmem-cc -O2 -pthread %s -o recorded && %python %inputs/same_behaviour.py %s plain recorded
// RUN: %clang -O2 -pthread -static %s -o plainstatic && %benchmem-cc -O2 -pthread -static %s -o static && %python %inputs/same_behaviour.py %s plainstatic static
// RUN: test $(find . -name '*.bmem' -size +0 | wc -l) -gt 400 && test -z "$(find . -name '*.bmem' -size 0)"
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
// CASE: no-core | ulimit -c 0; $X segv
// CASE: no-home-nor-folder | mkdir gone; cd gone; rmdir ../gone; $X grow
// CASE: read-only-folder | mkdir ro; cd ro; chmod 555 .; $X grow
// CASE: limits-after-start | $X limits
// CASE: terminated | $X wait & until test -e up; do sleep 0.05; done; kill $!; wait $!
// CASE: hangup-ignored | trap '' HUP; $X hangup
// CASE: abort | $X abort
// CASE: segv | $X segv
// CASE: segv-on-other-stack | $X altstack
// CASE: timer | $X timer
// CASE: stopped | $X stopped
// CASE: traced | $X traced
// CASE: fork-many | $X forks
// CASE: fork-busy | $X forkbusy
// CASE: raw-fork | $X rawfork
// CASE: clone-in-memory | $X clonevm
// CASE: daemon | $X daemon; until test -e done; do sleep 0.05; done; cat done
// CASE: system | $X system
// CASE: popen | $X popen
// CASE: spawn | $X spawn
// CASE: exec-chain | $X chain 5
// CASE: exec-failing | $X execfail
// CASE: close-all | $X closeall
// CASE: close-range | $X closerange
// CASE: duplicate-over-all | $X dupall
// CASE: exit-in-thread | $X threadexit
// CASE: main-thread-ends | $X mainends
// CASE: detached-at-exit | $X detached
// CASE: cancelled | $X cancelled
// CASE: destructors-of-keys | $X keys
// CASE: short-threads | $X threads 3000
// CASE: exit-in-handler | $X handlerexit
// CASE: jump-out-of-handler | $X handlerjump
// CASE: many-exit-handlers | $X atexit
// CASE(root): chroot-and-drop | mkdir jail; $X jail
// CASE(mount): no-proc | unshare -m sh -c 'mount -t tmpfs none /proc && exec $X grow'
// CASE(mount): no-tmp | unshare -m sh -c 'mount -t tmpfs -o ro none /tmp; mount -t tmpfs -o ro none /var/tmp; exec $X grow'
// CASE(mount): full-disk | unshare -m sh -c 'mount -t tmpfs -o size=40k none /mnt && cd /mnt && { head -c 1000000 /dev/zero >full; exec $X grow; }' 2>&1 | grep -v 'write error\|error writing'
// CASE(mount): nearly-full-disk | unshare -m sh -c 'mount -t tmpfs -o size=40k none /mnt && cd /mnt && exec $X grow'
// CASE(mount): read-only-disk | unshare -m sh -c 'mount -t tmpfs -o ro none /mnt && cd /mnt && exec $X grow'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;
static char **args;
static void *volatile S;

static int churn(int rounds)
{
    void *blocks[100] = {0};

    for (int i = 0; i < rounds; i++) {
        free(blocks[i % 100]);
        blocks[i % 100] = malloc((size_t)(i % 500 + 1));
        if (!blocks[i % 100])
            return 1;
    }
    for (int i = 0; i < 100; i++)
        free(blocks[i]);
    return 0;
}

#define DEPTH(n, inner)                                                        \
    __attribute__((noinline)) static int depth##n(int x)                       \
    {                                                                          \
        S = malloc((size_t)x);                                                 \
        return inner + (S != NULL);                                            \
    }
DEPTH(0, 0)
DEPTH(1, depth0(x + 1) + depth0(x + 2))
DEPTH(2, depth1(x + 1) + depth1(x + 2))
DEPTH(3, depth2(x + 1) + depth2(x + 2))
DEPTH(4, depth3(x + 1) + depth3(x + 2))
DEPTH(5, depth4(x + 1) + depth4(x + 2))
DEPTH(6, depth5(x + 1) + depth5(x + 2))
DEPTH(7, depth6(x + 1) + depth6(x + 2))

/* More paths than a profile's first piece has room for. */
static int grow(void)
{
    return printf("%d %d\n", depth7(1), churn(20000)) < 0 ? 3 : 0;
}

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

static int say_status(pid_t child)
{
    int status = 0;

    if (waitpid(child, &status, 0) != child)
        return 9;
    printf("child: %d\n", status);
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

static int forks(void)
{
    int sum = 0, status;

    for (int i = 0; i < 30; i++)
        if (fork() == 0)
            exit(churn(100 * (i + 1)) ? 100 : i);
    while (wait(&status) > 0)
        sum += WIFEXITED(status) ? WEXITSTATUS(status) : 1000;
    printf("%d\n", sum);
    return churn(10);
}

static volatile int is_over;
static void *busy(void *unused)
{
    while (!is_over)
        churn(100);
    return unused;
}

static int forkbusy(void)
{
    pthread_t threads[4];

    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, busy, NULL);
    int failed = forks();
    is_over = 1;
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    return failed;
}

static int rawfork(void)
{
    pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

    if (child == 0)
        _exit(churn(100) ? 1 : 14);
    return say_status(child);
}

static int in_memory(void *block)
{
    strcpy(block, "child");
    _exit(15);
}

static int clonevm(void)
{
    char *stack = malloc(65536), *block = malloc(10);
    pid_t child =
        clone(in_memory, stack + 65536, CLONE_VM | CLONE_VFORK | SIGCHLD, block);
    int failed = say_status(child);

    puts(block);
    return failed + churn(10);
}

static int become_daemon(void)
{
    if (fork())
        return 0;
    setsid();
    if (fork())
        _exit(0);
    if (close_range(0, ~0u, 0) || churn(1000))
        _exit(1);
    int fd = open("part", O_CREAT | O_WRONLY, 0666);
    if (write(fd, "daemon\n", 7) != 7 || rename("part", "done"))
        _exit(2);
    return churn(10);
}

static int by_system(void)
{
    fflush(stdout);
    printf("%d\n", system("echo from the shell; exit 3"));
    return churn(10);
}

static int by_popen(void)
{
    char line[100] = "";
    FILE *pipe = popen("echo one; echo two; exit 4", "r");

    while (fgets(line, sizeof(line), pipe))
        fputs(line, stdout);
    printf("%d\n", pclose(pipe));
    return churn(10);
}

static int spawn(void)
{
    char *words[] = {"sh", "-c", "exit 16", NULL};
    pid_t child;

    if (posix_spawn(&child, "/no/such", NULL, NULL, words, environ) != ENOENT ||
        posix_spawnp(&child, "sh", NULL, NULL, words, environ))
        return 1;
    return say_status(child);
}

static int chain(void)
{
    char count[20];
    int left = atoi(args[2]);

    printf("%d %d\n", left, (int)churn(100));
    fflush(stdout);
    if (left == 0)
        return 17;
    snprintf(count, sizeof(count), "%d", left - 1);
    execl("/proc/self/exe", args[0], args[1], count, (char *)NULL);
    return 1;
}

static int execfail(void)
{
    char *words[] = {"x", NULL};

    for (int i = 0; i < 1000; i++)
        if (execvp("no-such-program", words) != -1 || errno != ENOENT)
            return 1;
    execl("/", "x", (char *)NULL);
    printf("%s\n", strerror(errno));
    return churn(10);
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

static void *leave(void *unused)
{
    churn(1000);
    exit(19);
    return unused;
}

static int threadexit(void)
{
    pthread_t thread;

    for (int i = 0; i < 3; i++)
        pthread_create(&thread, NULL, busy, NULL);
    pthread_create(&thread, NULL, leave, NULL);
    pthread_join(thread, NULL);
    return 1;
}

static void *say_later(void *unused)
{
    usleep(20000);
    puts("the last thread");
    churn(100);
    return unused;
}

static int mainends(void)
{
    pthread_t thread;

    pthread_create(&thread, NULL, say_later, NULL);
    pthread_exit(NULL);
}

static int detached(void)
{
    pthread_t thread;

    for (int i = 0; i < 8; i++) {
        pthread_create(&thread, NULL, busy, NULL);
        pthread_detach(thread);
    }
    return churn(10000) ? 1 : 20;
}

static void *until_cancelled(void *unused)
{
    void *volatile block = malloc(10);

    pthread_cleanup_push(free, block);
    for (;;) {
        churn(10);
        pthread_testcancel();
    }
    pthread_cleanup_pop(1);
    return unused;
}

static int cancelled(void)
{
    pthread_t thread;
    void *result;

    for (int i = 0; i < 50; i++) {
        pthread_create(&thread, NULL, until_cancelled, NULL);
        pthread_cancel(thread);
        pthread_join(thread, &result);
        if (result != PTHREAD_CANCELED)
            return 1;
    }
    puts("cancelled");
    return 0;
}

static pthread_key_t key;
static void at_thread_end(void *block)
{
    free(block);
    free(strdup("once more"));
}

static void *with_key(void *unused)
{
    pthread_setspecific(key, malloc(50));
    return unused;
}

static int run_threads(int count, void *(*body)(void *))
{
    pthread_t thread;

    for (int i = 0; i < count; i++)
        if (pthread_create(&thread, NULL, body, NULL) ||
            pthread_join(thread, NULL))
            return 1;
    printf("%d threads\n", count);
    return 0;
}

static int keys(void)
{
    pthread_key_create(&key, at_thread_end);
    return run_threads(200, with_key);
}

static void *short_lived(void *unused)
{
    free(malloc(10));
    return unused;
}

static int threads(void)
{
    return run_threads(atoi(args[2]), short_lived);
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

static void at_end(void)
{
    free(strdup("at exit"));
}

static int by_atexit(void)
{
    for (int i = 0; i < 200; i++)
        atexit(at_end);
    return churn(10);
}

static int jail(void)
{
    if (chroot("jail") || chdir("/") || setgid(65534) || setuid(65534))
        return 1;
    return grow();
}

static const struct {
    const char *name;
    int (*run)(void);
} ways[] = {
    {"grow", grow},           {"print", print},
    {"flood", flood},         {"name", name},
    {"noname", noname},       {"locale", locale},
    {"bigfile", bigfile},     {"exhaust", exhaust},
    {"limits", limits},       {"wait", wait_for_signal},
    {"hangup", hangup},       {"abort", by_abort},
    {"segv", segv},           {"altstack", altstack},
    {"timer", timer},         {"stopped", stopped},
    {"traced", traced},       {"forks", forks},
    {"forkbusy", forkbusy},   {"rawfork", rawfork},
    {"clonevm", clonevm},     {"daemon", become_daemon},
    {"system", by_system},    {"popen", by_popen},
    {"spawn", spawn},         {"chain", chain},
    {"execfail", execfail},   {"closeall", closeall},
    {"closerange", closerange}, {"dupall", dupall},
    {"threadexit", threadexit}, {"mainends", mainends},
    {"detached", detached},   {"cancelled", cancelled},
    {"keys", keys},           {"threads", threads},
    {"handlerexit", handlerexit}, {"handlerjump", handlerjump},
    {"atexit", by_atexit},    {"jail", jail},
};

int main(int argc, char **argv)
{
    if (argc < 2 || argv[1] == NULL)
        return printf("no arguments\n") < 0 || churn(10);
    args = argv;
    for (size_t i = 0; i < sizeof(ways) / sizeof(*ways); i++)
        if (!strcmp(argv[1], ways[i].name))
            return ways[i].run();
    return 99;
}
