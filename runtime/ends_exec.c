/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ends.h"
#include "memory.h"
#include "next.h"
#include "process.h"
#include "public.h"
#include "sys.h"

#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#ifdef BM_STATIC
extern __typeof(execve) __real_execve;
extern __typeof(*bm_next.execvpe) __real_execvpe;
extern __typeof(fexecve) __real_fexecve;
#endif

/* Around the real call, which returns only where it failed. */
#define AROUND(name, call)                                                     \
    struct bm_exec exec;                                                       \
    bm_process_becomes(&exec, name);                                           \
    int result = call;                                                         \
    bm_process_stays(&exec);                                                   \
    return result

int bm_interposed_execve(const char *path, char *const *arguments,
                         char *const *environment)
{
    AROUND(path, BM_REAL(execve)(path, arguments, environment));
}

int bm_interposed_execvpe(const char *file, char *const *arguments,
                          char *const *environment)
{
    AROUND(file, BM_REAL(execvpe)(file, arguments, environment));
}

int bm_interposed_fexecve(int fd, char *const *arguments,
                          char *const *environment)
{
    AROUND(NULL, BM_REAL(fexecve)(fd, arguments, environment));
}

/* The system call itself: musl has no function. */
static int call_execveat(int folder, const char *path, char *const *arguments,
                         char *const *environment, int flags)
{
    long error = bm_syscall(SYS_execveat, folder, (long)path, (long)arguments,
                            (long)environment, flags, 0);

    errno = (int)-error;
    return -1;
}

int bm_interposed_execveat(int folder, const char *path, char *const *arguments,
                           char *const *environment, int flags)
{
    AROUND(path, call_execveat(folder, path, arguments, environment, flags));
}

static int interposed_execv(const char *path, char *const *arguments)
{
    return bm_interposed_execve(path, arguments, environ);
}

static int interposed_execvp(const char *file, char *const *arguments)
{
    return bm_interposed_execvpe(file, arguments, environ);
}

/* ---- the forms that take their arguments one by one ---- */

#define FEW 32 /* arguments on the stack, which may be small */

struct words {
    char *few[FEW];
    char **all;
    size_t size; /* in bytes, where it is not `few` */
};

typedef int execute(const char *name, char *const *arguments,
                    char *const *environment);

/* Takes first and what follows it, the NULL included; false: no memory. */
static bool collect(struct words *words, const char *first, va_list *rest)
{
    size_t count = 1;
    va_list counting;

    va_copy(counting, *rest);
    for (const char *word = first; word; word = va_arg(counting, char *))
        count++;
    va_end(counting);
    words->all = words->few;
    words->size = 0;
    if (count > FEW) {
        words->size = count * sizeof(char *);
        words->all = bm_map(words->size);
    }
    if (!words->all)
        return false;
    words->all[0] = (char *)(uintptr_t)first;
    for (size_t i = 1; i < count; i++)
        words->all[i] = va_arg(*rest, char *);
    return true;
}

static int run_words(execute *run, const char *name, const char *first,
                     va_list *rest, bool has_environment)
{
    struct words words;
    char **environment = environ;

    if (!collect(&words, first, rest)) {
        errno = ENOMEM;
        return -1;
    }
    if (has_environment)
        environment = va_arg(*rest, char **);
    int result = run(name, words.all, environment);
    if (words.size)
        bm_unmap(words.all, words.size);
    return result;
}

#define DEFINE_WORDS(symbol, run, has_environment)                             \
    static int interposed_##symbol(const char *name, const char *first, ...)   \
    {                                                                          \
        va_list rest;                                                          \
                                                                               \
        va_start(rest, first);                                                 \
        int result = run_words(run, name, first, &rest, has_environment);      \
        va_end(rest);                                                          \
        return result;                                                         \
    }

DEFINE_WORDS(execl, bm_interposed_execve, false)
DEFINE_WORDS(execle, bm_interposed_execve, true)
DEFINE_WORDS(execlp, bm_interposed_execvpe, false)

BM_EXPORT_AS(BM_PUBLIC(execl), interposed_execl);
BM_EXPORT_AS(BM_PUBLIC(execle), interposed_execle);
BM_EXPORT_AS(BM_PUBLIC(execlp), interposed_execlp);
BM_EXPORT_AS(BM_PUBLIC(execv), interposed_execv);
BM_EXPORT_AS(BM_PUBLIC(execve), bm_interposed_execve);
BM_EXPORT_AS(BM_PUBLIC(execvp), interposed_execvp);
BM_EXPORT_AS(BM_PUBLIC(execvpe), bm_interposed_execvpe);
BM_EXPORT_AS(BM_PUBLIC(execveat), bm_interposed_execveat);
BM_EXPORT_AS(BM_PUBLIC(fexecve), bm_interposed_fexecve);
