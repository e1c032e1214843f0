/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "results/runs.h"

#include "base/error.h"
#include "base/memory.h"
#include "profile/records.h"
#include "profile/walk.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uthash.h>

/* Paths and options of a head record are far shorter. */
#define HEAD_ROOM ((size_t)64 << 10)

/* The head record at data. */
static bool parse_head(const char *data, size_t size,
                       struct bm_run_process *process)
{
    struct bm_record_head head;
    msgpack_unpacked unpacked;
    size_t record, end = 0;
    bool valid = false;

    if (bm_walk(data, size, &record) != BM_WALK_WHOLE)
        return false;
    msgpack_unpacked_init(&unpacked);
    if (msgpack_unpack_next(&unpacked, data, record, &end) ==
            MSGPACK_UNPACK_SUCCESS &&
        bm_unpack_head(&unpacked.data, &head) &&
        head.magic.size == strlen(BM_PROFILE_MAGIC) &&
        !memcmp(head.magic.data, BM_PROFILE_MAGIC, head.magic.size)) {
        process->pid = head.pid;
        process->parent_pid = head.parent_pid;
        process->start_ns = head.start_ns;
        valid = true;
    }
    msgpack_unpacked_destroy(&unpacked);
    return valid;
}

static bool read_head(const char *path, struct bm_run_process *process)
{
    char *data = bm_xmalloc(HEAD_ROOM);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat st;
    bool valid = false;

    if (fd >= 0 && !fstat(fd, &st) && S_ISREG(st.st_mode)) {
        ssize_t size = read(fd, data, HEAD_ROOM);
        valid = size > 0 && parse_head(data, (size_t)size, process);
    }
    if (fd >= 0)
        close(fd);
    free(data);
    return valid;
}

/* The newest process of each pid so far. */
struct by_pid {
    UT_hash_handle hh;
    uint64_t pid;
    size_t process;
};

static int compare_starts(const void *a, const void *b)
{
    const struct bm_run_process *p = a, *q = b;

    if (p->start_ns != q->start_ns)
        return p->start_ns < q->start_ns ? -1 : 1;
    return strcmp(p->path, q->path);
}

/*
 * Processes come sorted by their start, so a parent is found before its
 * child, and of several processes that had its pid the last one before it.
 */
static void find_parents(struct bm_runs *runs)
{
    struct bm_arena arena = BM_ARENA_INIT;
    struct by_pid *index = NULL;

    for (size_t i = 0; i < runs->nr_processes; i++) {
        struct bm_run_process *process = &runs->processes[i];
        struct by_pid *entry = NULL;

        process->parent = process->first = i;
        if (process->parent_pid)
            HASH_FIND(hh, index, &process->parent_pid,
                      sizeof(process->parent_pid), entry);
        if (entry) {
            process->parent = entry->process;
            process->first = runs->processes[entry->process].first;
        } else {
            runs->nr_runs++;
            runs->newest = i;
        }

        HASH_FIND(hh, index, &process->pid, sizeof(process->pid), entry);
        if (!entry) {
            entry = bm_arena_alloc(&arena, sizeof(*entry));
            entry->pid = process->pid;
            HASH_ADD(hh, index, pid, sizeof(entry->pid), entry);
        }
        entry->process = i;
    }
    HASH_CLEAR(hh, index);
    bm_arena_release(&arena);
}

void bm_runs_init(struct bm_runs *runs, const struct bm_strvec *paths)
{
    *runs = (struct bm_runs){
        .processes = bm_xcalloc(paths->count, sizeof(*runs->processes))};
    for (size_t i = 0; i < paths->count; i++) {
        struct bm_run_process *process = &runs->processes[runs->nr_processes];

        process->path = paths->items[i];
        if (read_head(paths->items[i], process))
            runs->nr_processes++;
        else
            bm_warn("%s: not a profile, left out", paths->items[i]);
    }
    if (runs->nr_processes > 1)
        qsort(runs->processes, runs->nr_processes, sizeof(*runs->processes),
              compare_starts);
    find_parents(runs);
}

void bm_runs_clear(struct bm_runs *runs)
{
    free(runs->processes);
    *runs = (struct bm_runs){NULL, 0, 0, 0};
}
