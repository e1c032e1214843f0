/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* stdout_fd -1: the child shares ours. */
static int start(char *const argv[], int stdout_fd, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    int error = posix_spawn_file_actions_init(&actions);

    if (error)
        goto out;
    if (stdout_fd >= 0)
        error = posix_spawn_file_actions_adddup2(&actions, stdout_fd,
                                                 STDOUT_FILENO);
    if (!error) {
        /* Ours comes first, as the user sees it. */
        fflush(NULL);
        error = posix_spawnp(pid, argv[0], &actions, NULL, argv, environ);
    }
    posix_spawn_file_actions_destroy(&actions);
out:
    errno = error;
    return error ? -1 : 0;
}

static int wait_for(pid_t pid, struct bm_process_end *end)
{
    int status;

    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR)
            return -1;
    }
    end->status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    end->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return 0;
}

int bm_process_run(char *const argv[], struct bm_process_end *end)
{
    pid_t pid;

    if (start(argv, -1, &pid))
        return -1;
    return wait_for(pid, end);
}

static int read_all(int fd, struct bm_str *out)
{
    char buffer[4096];

    for (;;) {
        ssize_t size = read(fd, buffer, sizeof(buffer));
        if (!size)
            return 0;
        if (size < 0 && errno != EINTR)
            return -1;
        if (size > 0)
            bm_str_add(out, buffer, (size_t)size);
    }
}

int bm_process_capture(char *const argv[], struct bm_str *out,
                       struct bm_process_end *end)
{
    int ends[2];
    pid_t pid;

    if (pipe2(ends, O_CLOEXEC))
        return -1;
    int failed = start(argv, ends[1], &pid);
    int error = errno;
    close(ends[1]);
    if (!failed) {
        failed = read_all(ends[0], out);
        error = errno;
        /* The child is waited for whatever happened. */
        failed |= wait_for(pid, end);
    }
    close(ends[0]);
    if (failed)
        errno = error;
    return failed ? -1 : 0;
}

int bm_process_shell_status(const struct bm_process_end *end)
{
    return end->signal ? 128 + end->signal : end->status;
}
