// The recorder has no thread and no handler: sigwait gets its signal, dispositions are untouched.
// RUN: %benchmem-cc -O2 %s -o a && BENCHMEM_OUTPUT=p.bmem timeout 300 ./a && %figures p.bmem | %filecheck
#include <dirent.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

void *volatile S;

static int count_tasks(void)
{
    DIR *tasks = opendir("/proc/self/task");
    int n = 0;

    if (!tasks)
        return -1;
    for (struct dirent *entry = readdir(tasks); entry; entry = readdir(tasks))
        n += entry->d_name[0] != '.';
    closedir(tasks);
    return n;
}

int main(void)
{
    sigset_t set;
    int got = 0;

    for (int number = 1; number < 32; number++) {
        struct sigaction now;
        if (!sigaction(number, NULL, &now) && now.sa_handler != SIG_DFL)
            return 1;
    }
    sigemptyset(&set);
    sigaddset(&set, SIGTERM);
    sigprocmask(SIG_BLOCK, &set, NULL);
    S = malloc(5);
    // CHECK: site signals-are-the-programs.c:[[@LINE-1]] main malloc allocations=1 frees=0 allocated=5 {{.*}}
    if (fork() == 0) {
        kill(getppid(), SIGTERM);
        _exit(0);
    }
    if (sigwait(&set, &got) || got != SIGTERM)
        return 2;
    wait(NULL);
    return count_tasks() != 1;
}
