/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * System calls of the recorder, made without libc: they never touch errno,
 * are no cancellation points, and cannot be interposed. Results are the
 * kernel's: a negative error number on failure.
 *
 * Safe on any thread, in signal handlers and before libc is initialized.
 */
#ifndef BENCHMEM_RUNTIME_SYS_H
#define BENCHMEM_RUNTIME_SYS_H

#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>

#if defined(__x86_64__)

/* The kernel's calling convention: System V ABI, AMD64 supplement, A.2.1. */
static inline long bm_syscall(long number, long a, long b, long c, long d,
                              long e, long f)
{
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    long result;

    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8),
                       "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
}

#elif defined(__aarch64__)

static inline long bm_syscall(long number, long a, long b, long c, long d,
                              long e, long f)
{
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = a;
    register long x1 __asm__("x1") = b;
    register long x2 __asm__("x2") = c;
    register long x3 __asm__("x3") = d;
    register long x4 __asm__("x4") = e;
    register long x5 __asm__("x5") = f;

    __asm__ volatile("svc #0"
                     : "+r"(x0)
                     : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
                     : "memory");
    return x0;
}

#else
#error "the recorder knows the system calls of x86-64 and aarch64 only"
#endif

/*
 * In tests with ThreadSanitizer libc maps, which tells it that what lay there
 * before is gone: else a thread's mapping at the place of another one's would
 * look shared.
 */
#ifdef __has_feature
#define BM_SYS_TELLS_SANITIZER __has_feature(thread_sanitizer)
#else
#define BM_SYS_TELLS_SANITIZER 0
#endif

static inline void *bm_sys_mmap(void *at, size_t size, int protection,
                                int flags, int fd, uint64_t offset)
{
    if (BM_SYS_TELLS_SANITIZER)
        return mmap(at, size, protection, flags, fd, (off_t)offset);
    return (void *)bm_syscall(SYS_mmap, (long)at, (long)size, protection, flags,
                              fd, (long)offset);
}

/* Whether an address that bm_sys_mmap returned is an error number. */
static inline int bm_sys_failed(const void *address)
{
    return (uintptr_t)address > (uintptr_t)-4096;
}

static inline long bm_sys_munmap(void *at, size_t size)
{
    if (BM_SYS_TELLS_SANITIZER)
        return munmap(at, size);
    return bm_syscall(SYS_munmap, (long)at, (long)size, 0, 0, 0, 0);
}

static inline long bm_sys_madvise(void *at, size_t size, int advice)
{
    return bm_syscall(SYS_madvise, (long)at, (long)size, advice, 0, 0, 0);
}

static inline int bm_sys_open(const char *path, int flags, int mode)
{
    return (int)bm_syscall(SYS_openat, AT_FDCWD, (long)path, flags | O_CLOEXEC,
                           mode, 0, 0);
}

static inline long bm_sys_close(int fd)
{
    return bm_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
}

static inline long bm_sys_read(int fd, void *data, size_t size)
{
    return bm_syscall(SYS_read, fd, (long)data, (long)size, 0, 0, 0);
}

static inline long bm_sys_write(int fd, const void *data, size_t size)
{
    return bm_syscall(SYS_write, fd, (long)data, (long)size, 0, 0, 0);
}

static inline long bm_sys_pwrite(int fd, const void *data, size_t size,
                                 uint64_t offset)
{
    return bm_syscall(SYS_pwrite64, fd, (long)data, (long)size, (long)offset, 0,
                      0);
}

/* Negative for what has no places: a terminal, a pipe. */
static inline long bm_sys_offset(int fd)
{
    return bm_syscall(SYS_lseek, fd, 0, 1 /* SEEK_CUR */, 0, 0, 0);
}

static inline long bm_sys_fallocate(int fd, uint64_t offset, size_t size)
{
    return bm_syscall(SYS_fallocate, fd, 0, (long)offset, (long)size, 0, 0);
}

/* What tells a file from others: device and inode. */
struct bm_sys_file_id {
    uint64_t device, inode;
};

static inline long bm_sys_identify(int fd, struct bm_sys_file_id *out)
{
    struct statx file;
    long error = bm_syscall(SYS_statx, fd, (long)"", AT_EMPTY_PATH, STATX_INO,
                            (long)&file, 0);

    out->device = (uint64_t)file.stx_dev_major << 32 | file.stx_dev_minor;
    out->inode = file.stx_ino;
    return error;
}

static inline long bm_sys_unlink(const char *path)
{
    return bm_syscall(SYS_unlinkat, AT_FDCWD, (long)path, 0, 0, 0, 0);
}

static inline long bm_sys_mkdir(const char *path, int mode)
{
    return bm_syscall(SYS_mkdirat, AT_FDCWD, (long)path, mode, 0, 0, 0);
}

static inline long bm_sys_exists(const char *path)
{
    return bm_syscall(SYS_faccessat, AT_FDCWD, (long)path, 0, 0, 0, 0) == 0;
}

static inline long bm_sys_readlink(const char *path, char *out, size_t size)
{
    return bm_syscall(SYS_readlinkat, AT_FDCWD, (long)path, (long)out,
                      (long)size, 0, 0);
}

/* The length with its NUL. */
static inline long bm_sys_getcwd(char *out, size_t size)
{
    return bm_syscall(SYS_getcwd, (long)out, (long)size, 0, 0, 0, 0);
}

static inline long bm_sys_uname(struct utsname *out)
{
    return bm_syscall(SYS_uname, (long)out, 0, 0, 0, 0, 0);
}

static inline uint32_t bm_sys_getpid(void)
{
    return (uint32_t)bm_syscall(SYS_getpid, 0, 0, 0, 0, 0, 0);
}

static inline uint32_t bm_sys_gettid(void)
{
    return (uint32_t)bm_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0);
}

/* Sends no signal: tells whether the thread is there. */
static inline long bm_sys_probe(uint32_t pid, uint32_t tid)
{
    return bm_syscall(SYS_tgkill, pid, tid, 0, 0, 0, 0);
}

static inline long bm_sys_clock(struct timespec *out)
{
    return bm_syscall(SYS_clock_gettime, CLOCK_REALTIME, (long)out, 0, 0, 0, 0);
}

static inline long bm_sys_limit(int which, struct rlimit *out)
{
    return bm_syscall(SYS_prlimit64, 0, which, 0, (long)out, 0, 0);
}

/* 16 bytes, NUL included. */
static inline long bm_sys_thread_name(char *out)
{
    return bm_syscall(SYS_prctl, 16 /* PR_GET_NAME */, (long)out, 0, 0, 0, 0);
}

#endif
