/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "measure.h"

#include "sys.h"

#include <string.h>
#include <time.h>

#define STATUS_SIZE 4096 /* the file is some 1,500 bytes long */

/*
 * libc's, unlike all else here: it reads the clock without a system call,
 * which would take longer than a short benchmark. It touches no errno.
 */
uint64_t bm_measure_time(void)
{
    struct timespec now;

    if (bm_options.measure != BM_MEASURE_TIME)
        return 0;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * UINT64_C(1000000000) + (uint64_t)now.tv_nsec;
}

static uint64_t read_kib(const char *text)
{
    uint64_t kib = 0;

    while (*text == ' ' || *text == '\t')
        text++;
    for (; *text >= '0' && *text <= '9'; text++)
        kib = kib * 10 + (uint64_t)(*text - '0');
    return kib;
}

uint64_t bm_measure_rss(void)
{
    static char text[STATUS_SIZE];
    static const char name[] = "\nVmHWM:";
    size_t size = 0;
    long got;
    int fd;

    if (bm_options.measure != BM_MEASURE_RSS)
        return 0;
    fd = bm_sys_open("/proc/self/status", O_RDONLY, 0);
    if (fd < 0)
        return 0;
    while (size < sizeof(text) - 1 &&
           (got = bm_sys_read(fd, text + size, sizeof(text) - 1 - size)) > 0)
        size += (size_t)got;
    bm_sys_close(fd);
    text[size] = '\0';
    const char *at = strstr(text, name);
    return at ? read_kib(at + sizeof(name) - 1) * 1024 : 0;
}
