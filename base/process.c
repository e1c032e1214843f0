/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/process.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

void bm_process_hear_children(void)
{
    struct sigaction action;

    if (sigaction(SIGCHLD, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
        signal(SIGCHLD, SIG_DFL);
}

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
        bm_process_hear_children();
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

/* -- at a place ------------------------------------------------------------ */

static bool is_set_by(char *const *settings, const char *variable)
{
    for (; settings && *settings; settings++) {
        size_t size = (size_t)(strchrnul(*settings, '=') - *settings) + 1;

        if (!strncmp(*settings, variable, size))
            return true;
    }
    return false;
}

/* Strings are borrowed; the array is the caller's to free. */
static char **make_environment(char *const *settings)
{
    size_t count = 0, n = 0;

    for (char **p = environ; *p; p++)
        count++;
    for (char *const *p = settings; p && *p; p++)
        count++;
    char **made = bm_xcalloc(count + 1, sizeof(*made));
    for (char **p = environ; *p; p++) {
        if (!is_set_by(settings, *p))
            made[n++] = *p;
    }
    for (char *const *p = settings; p && *p; p++)
        made[n++] = *p;
    return made;
}

static int add_actions(posix_spawn_file_actions_t *actions,
                       const struct bm_process_place *place)
{
    int error = 0;

    if (place->folder)
        error = posix_spawn_file_actions_addchdir_np(actions, place->folder);
    if (error || !place->log)
        return error;
    error = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null",
                                             O_RDONLY, 0);
    if (!error)
        error = posix_spawn_file_actions_addopen(
            actions, STDOUT_FILENO, place->log, O_WRONLY | O_CREAT | O_APPEND,
            0666);
    if (!error)
        error = posix_spawn_file_actions_adddup2(actions, STDOUT_FILENO,
                                                 STDERR_FILENO);
    return error;
}

int bm_process_run_at(const struct bm_process_place *place, char *const argv[],
                      struct bm_process_end *end)
{
    posix_spawn_file_actions_t actions;
    pid_t pid = -1;
    int error = posix_spawn_file_actions_init(&actions);

    if (error) {
        errno = error;
        return -1;
    }
    error = add_actions(&actions, place);
    if (!error) {
        char **environment = make_environment(place->settings);

        fflush(NULL);
        bm_process_hear_children();
        error = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environment);
        free(environment);
    }
    posix_spawn_file_actions_destroy(&actions);
    if (error) {
        errno = error;
        return -1;
    }
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

char *bm_process_sibling(const char *name)
{
    char self[PATH_MAX];
    ssize_t size = readlink("/proc/self/exe", self, sizeof(self) - 1);
    struct bm_str path = BM_STR_INIT;

    if (size > 0) {
        self[size] = '\0';
        bm_str_printf(&path, "%.*s/", (int)(strrchr(self, '/') - self), self);
    }
    bm_str_puts(&path, name);
    return bm_str_detach(&path);
}

int bm_process_shell_status(const struct bm_process_end *end)
{
    return end->signal ? 128 + end->signal : end->status;
}
