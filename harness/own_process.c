/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "own_process.h"

#include "say.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#define SELF "/proc/self/exe"
#define OPTIONS "BENCHMEM_OPTIONS"

/* ---- the answer: failure, then passes; both sides are one program ---- */

static bool write_all(int fd, const void *data, size_t size)
{
    const char *at = data;

    while (size > 0) {
        ssize_t done = write(fd, at, size);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        at += done;
        size -= (size_t)done;
    }
    return true;
}

static bool read_all(int fd, void *data, size_t size)
{
    char *at = data;

    while (size > 0) {
        ssize_t done = read(fd, at, size);

        if (done < 0 && errno == EINTR)
            continue;
        if (done <= 0)
            return false;
        at += done;
        size -= (size_t)done;
    }
    return true;
}

bool bm_own_process_answer(int fd, const struct bm_passes *passes)
{
    bool ok = write_all(fd, passes->failure, sizeof(passes->failure)) &&
              write_all(fd, passes->items, passes->nr * sizeof(*passes->items));

    close(fd);
    return ok;
}

/* False if none came. */
static bool read_answer(struct bm_passes *out, int fd)
{
    char failure[BM_FAILURE_SIZE];
    struct bm_pass pass;

    if (!read_all(fd, failure, sizeof(failure)))
        return false;
    failure[sizeof(failure) - 1] = '\0';
    bm_passes_fail(out, failure);
    while (read_all(fd, &pass, sizeof(pass)))
        bm_passes_add(out, &pass);
    return true;
}

/* ---- the process ---- */

/* main's words with those of the child behind them, NULL at the end. */
static char **make_words(char **argv, char *child)
{
    size_t nr = 0;

    while (argv[nr])
        nr++;
    char **words = calloc(nr + 3, sizeof(*words));
    if (!words)
        bm_say_die("out of memory");
    memcpy(words, argv, nr * sizeof(*words));
    if (nr == 0)
        words[nr++] = (char *)bm_say_program();
    words[nr] = child;
    return words;
}

/* Adds to the recorder's options; what they were, to be freed. */
static char *extend_options(const char *more)
{
    const char *old = getenv(OPTIONS);
    char *kept = strdup(old ? old : "");
    char *both = NULL;

    if (!kept || asprintf(&both, "%s%s%s", kept, *kept ? ":" : "", more) < 0)
        bm_say_die("out of memory");
    setenv(OPTIONS, both, 1);
    free(both);
    return kept;
}

static void restore_options(char *kept)
{
    if (!kept)
        return;
    if (*kept)
        setenv(OPTIONS, kept, 1);
    else
        unsetenv(OPTIONS);
    free(kept);
}

/* What the recorder is to do there beyond what it does here, or NULL. */
static const char *options_of(const struct bm_case *c, enum bm_mode mode)
{
    if (mode == BM_MODE_RSS)
        return "measure=rss";
    if (mode == BM_MODE_TIME)
        return "measure=time";
    return c->benchmark->native ? "native=1" : NULL;
}

static pid_t start(char **words)
{
    pid_t pid;

    fflush(NULL);
    pid = fork();
    if (pid == 0) {
        execv(SELF, words);
        _exit(127); /* as shells say it */
    }
    return pid;
}

static void note_end(struct bm_passes *out, int status, bool answered)
{
    char why[BM_FAILURE_SIZE];

    if (WIFSIGNALED(status))
        snprintf(why, sizeof(why), "its process was killed by signal %d: %s",
                 WTERMSIG(status), strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) != 0 || !answered)
        snprintf(why, sizeof(why), "its process ended with status %d",
                 WEXITSTATUS(status));
    else
        return;
    bm_passes_fail(out, why);
}

void bm_own_process_run(struct bm_passes *out, const struct bm_case *c,
                        size_t index, enum bm_mode mode, char **argv)
{
    const char *more = options_of(c, mode);
    char *kept = more ? extend_options(more) : NULL;
    const struct sigaction heard = {.sa_handler = SIG_DFL};
    struct sigaction before;
    char child[64];
    int ends[2], status = 0;
    bool answered = false;

    if (pipe(ends) != 0 || fcntl(ends[0], F_SETFD, FD_CLOEXEC) != 0)
        bm_say_die("cannot make a pipe: %s", strerror(errno));
    snprintf(child, sizeof(child), "--child=%d:%zu", ends[1], index);
    char **words = make_words(argv, child);
    /* Ignored, it would have the kernel forget how the child ends. */
    sigaction(SIGCHLD, &heard, &before);
    pid_t pid = start(words);

    free(words);
    restore_options(kept);
    close(ends[1]);
    if (pid < 0)
        bm_passes_fail(out, "no process could be started for it");
    else
        answered = read_answer(out, ends[0]);
    close(ends[0]);
    while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    sigaction(SIGCHLD, &before, NULL);
    if (pid > 0)
        note_end(out, status, answered);
}
