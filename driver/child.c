/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "driver/child.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

/* A terminal sends these to the child itself: we only outlive it. */
static const int shared_signals[] = {SIGINT, SIGQUIT};

/* These are sent to us alone. */
static const int forwarded_signals[] = {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};

#define NR_SHARED (sizeof(shared_signals) / sizeof(*shared_signals))
#define NR_FORWARDED (sizeof(forwarded_signals) / sizeof(*forwarded_signals))

/* Read by the handler; 0 before and after. */
static volatile sig_atomic_t child_pid;

static void forward(int signal)
{
    int saved = errno;
    if (child_pid > 0)
        kill((pid_t)child_pid, signal);
    errno = saved;
}

/* What our settings were before the child. */
struct settings {
    struct sigaction shared[NR_SHARED];
    struct sigaction forwarded[NR_FORWARDED];
    struct sigaction ended;
};

/* Our settings while the child runs; *to_default are those it must not get. */
static void set_signals(struct settings *old, sigset_t *to_default)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    const struct sigaction hear = {.sa_handler = SIG_DFL};
    const struct sigaction handle = {.sa_handler = forward,
                                     .sa_flags = SA_RESTART};

    /* Left ignored, it has the kernel forget how the child ends. */
    sigaction(SIGCHLD, &hear, &old->ended);
    sigemptyset(to_default);
    for (size_t i = 0; i < NR_SHARED; i++) {
        sigaction(shared_signals[i], &ignore, &old->shared[i]);
        if (old->shared[i].sa_handler != SIG_IGN)
            sigaddset(to_default, shared_signals[i]);
    }
    for (size_t i = 0; i < NR_FORWARDED; i++) {
        sigaction(forwarded_signals[i], NULL, &old->forwarded[i]);
        if (old->forwarded[i].sa_handler != SIG_IGN)
            sigaction(forwarded_signals[i], &handle, NULL);
    }
}

static void restore_signals(const struct settings *old)
{
    sigaction(SIGCHLD, &old->ended, NULL);
    for (size_t i = 0; i < NR_SHARED; i++)
        sigaction(shared_signals[i], &old->shared[i], NULL);
    for (size_t i = 0; i < NR_FORWARDED; i++)
        sigaction(forwarded_signals[i], &old->forwarded[i], NULL);
}

static int start(const char *path, char *const argv[], int stdout_fd,
                 const sigset_t *mask, const sigset_t *to_default, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;

    int error = posix_spawnattr_init(&attributes);
    if (error)
        return error;
    error = posix_spawn_file_actions_init(&actions);
    if (error) {
        posix_spawnattr_destroy(&attributes);
        return error;
    }
    posix_spawnattr_setsigdefault(&attributes, to_default);
    posix_spawnattr_setsigmask(&attributes, mask);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    if (stdout_fd >= 0)
        error = posix_spawn_file_actions_adddup2(&actions, stdout_fd,
                                                 STDOUT_FILENO);
    if (!error) {
        fflush(NULL);
        error = posix_spawn(pid, path, &actions, &attributes, argv, environ);
    }
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

static uint64_t now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static int wait_for(struct bm_child *child, uint64_t start_ns)
{
    struct rusage usage;
    int status;

    while (wait4(child->pid, &status, 0, &usage) < 0)
        if (errno != EINTR)
            return -1;
    child->ns = now_ns() - start_ns;
    child->peak_rss_bytes = (uint64_t)usage.ru_maxrss * 1024;
    child->end.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    child->end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return 0;
}

int bm_child_run(const char *path, char *const argv[], int stdout_fd,
                 struct bm_child *child)
{
    struct settings old;
    sigset_t all, mask, to_default;

    /* No signal comes between the child's start and our knowing its number. */
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &mask);
    set_signals(&old, &to_default);
    uint64_t start_ns = now_ns();
    int error = start(path, argv, stdout_fd, &mask, &to_default, &child->pid);
    child_pid = error ? 0 : child->pid;
    sigprocmask(SIG_SETMASK, &mask, NULL);
    int result = error ? -1 : wait_for(child, start_ns);
    if (error)
        errno = error;
    int saved = errno;
    child_pid = 0;
    restore_signals(&old);
    errno = saved;
    return result;
}
