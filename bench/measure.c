/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * measure FILE PROGRAM ARGS...: runs a program and writes to FILE its CPU
 * and wall time in microseconds and its peak RSS in KiB. A small process of
 * its own, because a child's peak RSS is never less than that of the process
 * that started it. A program that takes too long is ended by SIGALRM, which
 * gives 142 as any other signal gives 128 and its number.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MOST_SECONDS 240

static long microseconds(struct timeval t)
{
    return t.tv_sec * 1000000L + t.tv_usec;
}

int main(int argc, char **argv)
{
    struct timespec begin, end;
    struct rusage usage;
    int status;

    if (argc < 3)
        return 125;
    FILE *out = fopen(argv[1], "we");
    if (!out)
        return 125;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    pid_t child = vfork();
    if (child == 0) {
        alarm(MOST_SECONDS);
        execvp(argv[2], argv + 2);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child)
        return 125;
    clock_gettime(CLOCK_MONOTONIC, &end);
    long wall = (end.tv_sec - begin.tv_sec) * 1000000L +
                (end.tv_nsec - begin.tv_nsec) / 1000;
    fprintf(out, "%ld %ld %ld\n",
            microseconds(usage.ru_utime) + microseconds(usage.ru_stime), wall,
            usage.ru_maxrss);
    if (fclose(out))
        return 125;
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
