/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Any bytes as a program: what it is, is told without reading beyond it. */
#include "outputs.h"

#include "driver/elf.h"

#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[64];
    int fd = memfd_create("fuzz_elf", MFD_CLOEXEC);

    demand(fd >= 0 && write(fd, data, size) == (ssize_t)size,
           "memory for a file");
    snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
    enum bm_program kind = bm_program_kind(path);
    demand(kind <= BM_PROGRAM_INSTRUMENTED, "a kind of program");
    close(fd);
    return 0;
}
