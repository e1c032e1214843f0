/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "tools/listing.h"

#include "base/str.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <uthash.h>

/* Larger ones are no sources that people read. */
#define LARGEST ((off_t)64 << 20)

/* The compiler's name of a file lost its leading "../"; how many are tried. */
#define MOST_UPS 4

struct bm_listing_file {
    UT_hash_handle hh;
    const char **lines; /* NULL: cannot be read */
    size_t nr_lines;
    char key[];
};

/* The whole of a regular file, terminated; NULL if it cannot be read. */
static char *read_file(struct bm_arena *arena, const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    char *text = NULL;
    struct stat st;

    if (fd < 0)
        return NULL;
    if (!fstat(fd, &st) && S_ISREG(st.st_mode) && st.st_size <= LARGEST) {
        size_t size = (size_t)st.st_size, done = 0;
        ssize_t n = 1;

        text = bm_arena_alloc(arena, size + 1);
        while (done < size && (n = read(fd, text + done, size - done)) > 0)
            done += (size_t)n;
        text[done] = 0;
    }
    close(fd);
    return text;
}

static char *find_file(struct bm_arena *arena,
                       const struct bm_frame_info *frame)
{
    struct bm_str path = BM_STR_INIT;
    char *text = NULL;

    if (frame->file[0] == '/')
        return read_file(arena, frame->file);
    for (unsigned ups = 0; frame->dir && !text && ups <= MOST_UPS; ups++) {
        bm_str_truncate(&path, 0);
        bm_str_printf(&path, "%s/", frame->dir);
        for (unsigned i = 0; i < ups; i++)
            bm_str_puts(&path, "../");
        bm_str_puts(&path, frame->file);
        text = read_file(arena, path.data);
    }
    bm_str_clear(&path);
    return text ? text : read_file(arena, frame->file);
}

/* Where each line begins; line ends become NUL. */
static void split(struct bm_arena *arena, struct bm_listing_file *file,
                  char *text)
{
    size_t nr_lines = 1;

    for (const char *p = text; (p = strchr(p, '\n')); p++)
        nr_lines++;
    file->lines = bm_arena_alloc(arena, nr_lines * sizeof(*file->lines));
    for (char *p = text; p;) {
        file->lines[file->nr_lines++] = p;
        p = strchr(p, '\n');
        if (p)
            *p++ = 0;
    }
}

static struct bm_listing_file *file_of(struct bm_listing *listing,
                                       const struct bm_frame_info *frame)
{
    const char *dir = frame->dir ? frame->dir : "";
    struct bm_listing_file *file;
    struct bm_str key = BM_STR_INIT;

    bm_str_printf(&key, "%s\n%s", dir, frame->file);
    HASH_FIND(hh, listing->files, key.data, key.size, file);
    if (!file) {
        file = bm_arena_alloc(&listing->arena, sizeof(*file) + key.size + 1);
        memcpy(file->key, key.data, key.size);
        HASH_ADD_KEYPTR(hh, listing->files, file->key, key.size, file);
        char *text = find_file(&listing->arena, frame);
        if (text)
            split(&listing->arena, file, text);
    }
    bm_str_clear(&key);
    return file;
}

const char *bm_listing_line(struct bm_listing *listing,
                            const struct bm_frame_info *frame)
{
    if (!frame || !frame->file || !frame->line)
        return NULL;
    const struct bm_listing_file *file = file_of(listing, frame);
    if (!file->lines || frame->line > file->nr_lines)
        return NULL;

    const char *line = file->lines[frame->line - 1];
    line += strspn(line, " \t");
    size_t size = strlen(line);
    while (size && strchr(" \t\r", line[size - 1]))
        size--;
    char *copy = bm_arena_alloc(&listing->arena, size + 1);
    for (size_t i = 0; i < size; i++)
        copy[i] = line[i] == '\t' ? ' ' : line[i];
    return copy;
}

void bm_listing_clear(struct bm_listing *listing)
{
    HASH_CLEAR(hh, listing->files);
    bm_arena_release(&listing->arena);
}
