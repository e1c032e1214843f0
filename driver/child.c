/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "driver/child.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/wait.h>

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

/* Our settings while the child runs; *to_default are those it must not get. */
static void set_signals(sigset_t *to_default)
{
    struct sigaction old;
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    const struct sigaction handle = {.sa_handler = forward,
                                     .sa_flags = SA_RESTART};

    sigemptyset(to_default);
    for (size_t i = 0; i < NR_SHARED; i++) {
        sigaction(shared_signals[i], &ignore, &old);
        if (old.sa_handler != SIG_IGN)
            sigaddset(to_default, shared_signals[i]);
    }
    for (size_t i = 0; i < NR_FORWARDED; i++) {
        sigaction(forwarded_signals[i], NULL, &old);
        if (old.sa_handler != SIG_IGN)
            sigaction(forwarded_signals[i], &handle, NULL);
    }
}

static int start(const char *path, char *const argv[], const sigset_t *mask,
                 pid_t *pid)
{
    posix_spawnattr_t attributes;
    sigset_t to_default;

    set_signals(&to_default);
    int error = posix_spawnattr_init(&attributes);
    if (error)
        return error;
    posix_spawnattr_setsigdefault(&attributes, &to_default);
    posix_spawnattr_setsigmask(&attributes, mask);
    posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    fflush(NULL);
    error = posix_spawn(pid, path, NULL, &attributes, argv, environ);
    posix_spawnattr_destroy(&attributes);
    return error;
}

int bm_child_run(const char *path, char *const argv[], pid_t *pid,
                 struct bm_process_end *end)
{
    int status;
    sigset_t all, mask;

    /* No signal comes between the child's start and our knowing its number. */
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &mask);
    int error = start(path, argv, &mask, pid);
    child_pid = error ? 0 : *pid;
    sigprocmask(SIG_SETMASK, &mask, NULL);
    if (error) {
        errno = error;
        return -1;
    }
    while (waitpid(*pid, &status, 0) < 0)
        if (errno != EINTR)
            return -1;
    child_pid = 0;
    end->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return 0;
}
