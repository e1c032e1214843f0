/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * benchmem-spawn FD PATH ARGV...: starts PATH with ARGV, waits for it and
 * writes a struct bm_spawned to FD. For benchmem-run alone; see spawn.h.
 */
#include "driver/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#define EXIT_WRONG_USE 2

int main(int argc, char **argv)
{
    struct bm_spawned answer = {0};

    if (argc < 4)
        return EXIT_WRONG_USE;
    int fd = atoi(argv[1]);
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    if (bm_child_run(argv[2], argv + 3, -1, &answer.child))
        answer.error = errno;
    return write(fd, &answer, sizeof(answer)) == sizeof(answer)
               ? 0
               : EXIT_WRONG_USE;
}
