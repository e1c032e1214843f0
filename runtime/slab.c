/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "slab.h"

#include "memory.h"
#include "sys.h"
#include "text.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/auxv.h>

/*
 * Slabs of at least a huge page begin on a boundary of one, where file systems
 * with large folios can map them so. What lies before is a hole of zeros.
 */
#define HUGE_PAGE ((size_t)2 * 1024 * 1024) /* of x86-64 */

static char file_path[PATH_MAX];
static struct bm_sys_file_id file_id;
static bool nowhere;
static _Atomic uint64_t file_end;
static _Atomic(struct bm_slab *) slabs;

static size_t page_size(void)
{
    size_t page = getauxval(AT_PAGESZ);

    return page ? page : 4096;
}

static size_t whole_pages(size_t size)
{
    size_t page = page_size();

    return (size + page - 1) & ~(page - 1);
}

/* Beyond its limit, growing a file is answered by SIGXFSZ, not by an error. */
bool bm_slab_within_limit(uint64_t end)
{
    struct rlimit limit;

    return bm_sys_limit(RLIMIT_FSIZE, &limit) != 0 ||
           limit.rlim_cur == RLIM_INFINITY || end <= limit.rlim_cur;
}

/* What posix_fallocate does where the file system cannot reserve. */
static int write_zeros(int fd, uint64_t offset, size_t size)
{
    static const char zeros[4096];

    while (size > 0) {
        size_t part = size < sizeof(zeros) ? size : sizeof(zeros);
        long done = bm_sys_pwrite(fd, zeros, part, offset);

        if (done == -EINTR)
            continue;
        if (done <= 0)
            return done < 0 ? (int)done : -ENOSPC;
        offset += (uint64_t)done;
        size -= (size_t)done;
    }
    return 0;
}

static int reserve(int fd, uint64_t offset, size_t size)
{
    long error;

    if (!bm_slab_within_limit(offset + size))
        return -EFBIG;
    do
        error = bm_sys_fallocate(fd, offset, size);
    while (error == -EINTR);
    if (error == -EOPNOTSUPP || error == -ENOSYS || error == -EPERM)
        return write_zeros(fd, offset, size);
    return (int)error;
}

static int map_slab(int fd, uint64_t offset, size_t size, struct bm_slab **out)
{
    int error = reserve(fd, offset, size);
    if (error)
        return error;

    struct bm_slab *slab = bm_arena_get(sizeof(*slab));
    if (!slab)
        return -ENOMEM;
    slab->base =
        bm_sys_mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, offset);
    if (bm_sys_failed(slab->base))
        return (int)(intptr_t)slab->base;
    slab->size = size;
    if (size >= HUGE_PAGE)
        bm_sys_madvise(slab->base, size, MADV_HUGEPAGE);
    *out = slab;
    return 0;
}

static void add_slab(struct bm_slab *slab)
{
    slab->next = atomic_load_explicit(&slabs, memory_order_relaxed);
    /* Release: a forked child reads the list and what it leads to. */
    while (!atomic_compare_exchange_weak_explicit(
        &slabs, &slab->next, slab, memory_order_release, memory_order_relaxed))
        ;
}

/* An error that a smaller file may not meet. */
static bool is_want_of_room(int error)
{
    return error == -ENOSPC || error == -EFBIG || error == -EDQUOT;
}

/* As much of size as there is room for, but no less than least. */
static int reserve_first(int fd, size_t *size, size_t least)
{
    size_t room = *size;
    int error;

    do {
        error = reserve(fd, 0, room);
        *size = room;
        room = whole_pages(room / 2);
    } while (is_want_of_room(error) && room >= least && room < *size);
    return error;
}

static int write_all(int fd, const char *bytes, size_t size)
{
    uint64_t offset = 0;

    while (offset < size) {
        long done = bm_sys_pwrite(fd, bytes + offset, size - offset, offset);

        if (done == -EINTR)
            continue;
        if (done <= 0)
            return done < 0 ? (int)done : -ENOSPC;
        offset += (uint64_t)done;
    }
    return 0;
}

/* Maps the file in place of the memory, without a moment of neither. */
static int map_over(struct bm_slab *slab, int fd, size_t size)
{
    void *map =
        bm_sys_mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (bm_sys_failed(map))
        return (int)(intptr_t)map;
    long moved = bm_syscall(SYS_mremap, (long)map, (long)size, (long)size,
                            MREMAP_MAYMOVE | MREMAP_FIXED, (long)slab->base, 0);
    if (moved < 0 && moved > -4096) {
        bm_sys_munmap(map, size);
        return (int)moved;
    }
    if (slab->size > size)
        bm_sys_munmap(slab->base + size, slab->size - size);
    slab->size = size;
    return 0;
}

/* A file of the folder of path that has no name yet. */
static int open_unnamed(const char *path)
{
    static char folder[PATH_MAX];
    const char *slash = strrchr(path, '/');
    size_t length = slash ? (size_t)(slash - path) : 0;

    memcpy(folder, path, length);
    memcpy(folder + length, slash ? "/" : ".", 2);
    return bm_sys_open(folder, O_RDWR | O_TMPFILE, 0666);
}

/* By itself where the process may, else through /proc. */
static int give_name(int fd, const char *path)
{
    static char link[64];
    struct bm_line line = bm_line_in(link, sizeof(link));
    long error = bm_syscall(SYS_linkat, fd, (long)"", AT_FDCWD, (long)path,
                            AT_EMPTY_PATH, 0);

    if (error == 0 || error == -EEXIST)
        return (int)error;
    bm_line_text(&line, "/proc/self/fd/");
    bm_line_number(&line, (uint64_t)fd);
    return (int)bm_syscall(SYS_linkat, AT_FDCWD, (long)link, AT_FDCWD,
                           (long)path, AT_SYMLINK_FOLLOW, 0);
}

/* A file that holds the slab, whole when its name appears; or an error. */
static int make_at_once(const struct bm_slab *slab, const char *path,
                        size_t *size)
{
    int fd = open_unnamed(path);
    if (fd < 0)
        return fd;

    int error = reserve_first(fd, size, slab->used);
    if (!error)
        error = write_all(fd, slab->base, slab->used);
    if (!error)
        error = give_name(fd, path);
    if (!error)
        return fd;
    bm_sys_close(fd);
    return error;
}

/* Where files cannot be without a name (NFS), or links cannot be made. */
static int make_by_name(const struct bm_slab *slab, const char *path,
                        size_t *size)
{
    int fd = bm_sys_open(path, O_RDWR | O_CREAT | O_EXCL, 0666);
    if (fd < 0)
        return fd;

    int error = reserve_first(fd, size, slab->used);
    if (!error)
        error = write_all(fd, slab->base, slab->used);
    if (!error)
        return fd;
    bm_sys_close(fd);
    bm_sys_unlink(path);
    return error;
}

int bm_slab_settle(struct bm_slab *slab, const char *path, size_t size)
{
    size_t length = strlen(path);
    size_t first = whole_pages(size);

    if (length >= sizeof(file_path))
        return -ENAMETOOLONG;
    if (bm_sys_exists(path))
        return -EEXIST;
    size = first;
    int fd = make_at_once(slab, path, &size);
    if (fd < 0 && fd != -EEXIST) {
        size = first;
        fd = make_by_name(slab, path, &size);
    }
    if (fd < 0)
        return fd;
    int error = (int)bm_sys_identify(fd, &file_id);
    if (!error)
        error = map_over(slab, fd, size);
    bm_sys_close(fd);
    if (error) {
        bm_sys_unlink(path);
        return error;
    }
    memcpy(file_path, path, length + 1);
    atomic_store_explicit(&file_end, size, memory_order_relaxed);
    nowhere = false;
    return 0;
}

static struct bm_slab *new_private(size_t size)
{
    struct bm_slab *slab = bm_arena_get(sizeof(*slab));

    if (!slab)
        return NULL;
    slab->base = bm_map(size);
    slab->size = size;
    return slab->base ? slab : NULL;
}

struct bm_slab *bm_slab_begin(size_t size)
{
    struct bm_slab *slab = new_private(whole_pages(size));

    nowhere = true;
    if (slab)
        add_slab(slab);
    return slab;
}

/*
 * The file, opened anew. After chroot, or once someone has moved it away,
 * its path may be that of another.
 */
static int open_again(void)
{
    struct bm_sys_file_id id;
    int fd = bm_sys_open(file_path, O_RDWR | O_NOFOLLOW, 0);

    if (fd < 0)
        return fd;
    if (bm_sys_identify(fd, &id) == 0 && id.device == file_id.device &&
        id.inode == file_id.inode)
        return fd;
    bm_sys_close(fd);
    return -ENOENT;
}

/* Where in the file a slab goes. */
static uint64_t take_offset(size_t size)
{
    uint64_t end = atomic_load_explicit(&file_end, memory_order_relaxed);
    uint64_t offset;

    do
        offset =
            size < HUGE_PAGE ? end : (end + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
    while (!atomic_compare_exchange_weak_explicit(
        &file_end, &end, offset + size, memory_order_relaxed,
        memory_order_relaxed));
    return offset;
}

static struct bm_slab *new_in_file(size_t size)
{
    int fd = open_again();
    if (fd < 0)
        return NULL;

    struct bm_slab *slab = NULL;
    int error = map_slab(fd, take_offset(size), size, &slab);
    bm_sys_close(fd);
    return error ? NULL : slab;
}

struct bm_slab *bm_slab_new(size_t size)
{
    size = whole_pages(size);
    struct bm_slab *slab = nowhere ? new_private(size) : new_in_file(size);

    if (slab)
        add_slab(slab);
    return slab;
}

struct bm_slab *bm_slabs_first(void)
{
    /* Pairs with the release in add_slab. */
    return atomic_load_explicit(&slabs, memory_order_acquire);
}

void bm_slabs_forget(void)
{
    atomic_store_explicit(&slabs, NULL, memory_order_relaxed);
    atomic_store_explicit(&file_end, 0, memory_order_relaxed);
    file_path[0] = '\0';
    nowhere = false;
}
