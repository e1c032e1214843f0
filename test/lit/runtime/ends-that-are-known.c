// Every way to leave a program says how it ended, linked dynamically and statically; what did not end it leaves no trace.
// RUN: for s in '' -static; do %benchmem-cc -O2 $s %s -o a && for w in _exit:status=7 _Exit:status=7 quick_exit:status=7 execl:exec manywords:exec execlp:exec execle:exec execv:exec execve:exec execvp:exec execvpe:exec fexecve:exec execveat:exec failing:status=4; do rm -f p*.bmem; BENCHMEM_OUTPUT=p.bmem ./a ${w%%:*} >out; %figures p.bmem | has -x "end ${w##*:}" || { echo "$s $w"; exit 1; }; test $(ls p*.bmem | wc -l) = 1 || exit 1; done; done
// RUN: for s in '' -static; do %benchmem-cc -O2 $s %s -o a && for w in failing vfork vforkexec vforkfail clone spawn fork; do rm -f p*.bmem; code=0; BENCHMEM_OUTPUT=p.bmem bash -c "./a $w kill" 2>/dev/null || code=$?; test $code = 137 && %figures p.bmem | has -x "end unknown incomplete" || { echo "$s $w"; exit 1; }; done; done
// RUN: rm -f p*.bmem && (%benchmem-run -o p.bmem ./a failing kill || test $? = 137) 2>err && has 'killed by signal 9' err && %figures p.bmem | has -x 'end signal=9'
// RUN: rm -f p*.bmem && %benchmem-run -o p.bmem ./a execlp && %figures p.bmem | has -x 'end exec' && %report p.bmem >got && has 'became another program' got && has 'the process became another program, true' got
// RUN: rm -f p*.bmem && BENCHMEM_OUTPUT=p.bmem ./a manywords | has -x '1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31 32 33 34'
// RUN: rm -f p*.bmem && BENCHMEM_OUTPUT=p.bmem ./a execle | has -x 'ONLY=this'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void *volatile S;
extern char **environ;
static char *words[] = {"true", NULL};
static char *alone[] = {"ONLY=this", NULL};
static _Alignas(16) char stack[64 * 1024];

static int leave(void *status)
{
    _exit(*(int *)status);
}

static void by_exit(const char *how)
{
    if (!strcmp(how, "_exit"))
        _exit(7);
    if (!strcmp(how, "_Exit"))
        _Exit(256 + 7);
    if (!strcmp(how, "quick_exit"))
        quick_exit(7);
}

static void by_exec(const char *how)
{
    if (!strcmp(how, "execl"))
        execl("/bin/true", "true", (char *)NULL);
    if (!strcmp(how, "manywords"))
        execl("/bin/echo", "echo", "1", "2", "3", "4", "5", "6", "7", "8", "9",
              "10", "11", "12", "13", "14", "15", "16", "17", "18", "19", "20",
              "21", "22", "23", "24", "25", "26", "27", "28", "29", "30", "31",
              "32", "33", "34", (char *)NULL);
    if (!strcmp(how, "execlp"))
        execlp("true", "true", (char *)NULL);
    if (!strcmp(how, "execle"))
        execle("/usr/bin/env", "env", (char *)NULL, alone);
    if (!strcmp(how, "execv"))
        execv("/bin/true", words);
    if (!strcmp(how, "execve"))
        execve("/bin/true", words, environ);
    if (!strcmp(how, "execvp"))
        execvp("true", words);
    if (!strcmp(how, "execvpe"))
        execvpe("true", words, environ);
    if (!strcmp(how, "fexecve"))
        fexecve(open("/bin/true", O_RDONLY), words, environ);
    if (!strcmp(how, "execveat"))
        execveat(open("/bin", O_RDONLY), "true", words, environ, 0);
}

/* None of these ends the process. */
static int by_child(const char *how)
{
    static int status = 5;
    pid_t child = -1;

    if (!strcmp(how, "failing")) {
        if (execv("/no/such", words) != -1 || errno != ENOENT)
            return 1;
        if (execv((char *)8, words) != -1 || errno != EFAULT)
            return 2;
    }
    if (!strcmp(how, "fork") && (child = fork()) == 0)
        _exit(5);
    if (!strcmp(how, "vfork") && (child = vfork()) == 0)
        _exit(5);
    if (!strcmp(how, "vforkexec") && (child = vfork()) == 0) {
        execv("/bin/true", words);
        _exit(5);
    }
    if (!strcmp(how, "vforkfail") && (child = vfork()) == 0) {
        execv("/no/such", words);
        _exit(5);
    }
    if (!strcmp(how, "clone"))
        child = clone(leave, stack + sizeof(stack),
                      CLONE_VM | CLONE_VFORK | SIGCHLD, &status);
    if (!strcmp(how, "spawn") &&
        posix_spawn(&child, "/no/such", NULL, NULL, words, environ) != ENOENT)
        return 3;
    if (child > 0)
        waitpid(child, NULL, 0);
    return 4;
}

int main(int argc, char **argv)
{
    S = malloc(3);
    by_exit(argv[1]);
    by_exec(argv[1]);
    int status = by_child(argv[1]);
    if (argc > 2)
        raise(SIGKILL);
    return status;
}
