// A recorded program does what the plain one does, however it forks and starts others.
// RUN: %clang -O2 -pthread -I%inputs %s -o plain && %benchmem-cc -O2 -pthread -I%inputs %s -o recorded && %python %inputs/same_behaviour.py %s plain recorded
// RUN: %clang -O2 -pthread -static -I%inputs %s -o plainstatic && %benchmem-cc -O2 -pthread -static -I%inputs %s -o static && %python %inputs/same_behaviour.py %s plainstatic static
// RUN: test $(find . -name '*.bmem' -size +0 | wc -l) -gt 200 && test -z "$(find . -name '*.bmem' -size 0)"
//
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
#include "host.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>

extern char **environ;

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

static const struct way ways[] = {
    {"forks", forks},
    {"forkbusy", forkbusy},
    {"rawfork", rawfork},
    {"clonevm", clonevm},
    {"daemon", become_daemon},
    {"system", by_system},
    {"popen", by_popen},
    {"spawn", spawn},
    {"chain", chain},
    {"execfail", execfail},
};
WAYS(ways)
