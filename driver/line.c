/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "driver/line.h"

#include "base/memory.h"
#include "base/str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Against files that include each other: far above what builds make. */
#define MAX_DEPTH 64
#define MAX_FILES 4096
#define MAX_WORDS (1u << 20)
#define MAX_FILE_SIZE (64u << 20)

/* NUL is a blank too: that is how LLVM's tokenizer has it. */
static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\0';
}

/* Appends what the quote at text[i] holds; the index behind its end. */
static size_t add_quoted(struct bm_str *word, const char *text, size_t size,
                         size_t i)
{
    char quote = text[i++];
    while (i < size && text[i] != quote) {
        if (text[i] == '\\' && i + 1 < size)
            i++;
        bm_str_putc(word, text[i++]);
    }
    return i + 1;
}

void bm_split_words(const char *text, size_t size, struct bm_strvec *words)
{
    struct bm_str word = BM_STR_INIT;
    size_t i = 0;
    while (i < size) {
        if (is_blank(text[i])) {
            i++;
            continue;
        }
        while (i < size && !is_blank(text[i])) {
            if (text[i] == '\'' || text[i] == '"') {
                i = add_quoted(&word, text, size, i);
                continue;
            }
            if (text[i] == '\\' && i + 1 < size)
                i++;
            bm_str_putc(&word, text[i++]);
        }
        if (word.size > 0) /* LLVM drops '' */
            bm_strvec_push(words, word.data);
        bm_str_truncate(&word, 0);
    }
    bm_str_clear(&word);
}

/* The response files that are being read, innermost first. */
struct open_file {
    const char *path;
    const struct open_file *outer;
    unsigned depth;
};

struct reading {
    struct bm_line *line;
    const struct bm_files *files;
    size_t nr_files;
    size_t origin;
};

static void add_word(struct reading *r, const char *word)
{
    struct bm_line *line = r->line;
    if (line->words.count >= MAX_WORDS) {
        line->broken = true;
        return;
    }
    line->origins = bm_xgrow(line->origins, line->words.count, &line->room,
                             sizeof(*line->origins));
    line->origins[line->words.count] = r->origin;
    bm_strvec_push(&line->words, word);
}

static bool may_open(struct reading *r, const struct open_file *outer,
                     const char *path)
{
    if (r->nr_files++ >= MAX_FILES || (outer && outer->depth >= MAX_DEPTH))
        return false;
    for (; outer; outer = outer->outer)
        if (strcmp(outer->path, path) == 0)
            return false;
    return true;
}

static void read_word(struct reading *r, const struct open_file *outer,
                      const char *word);

/* Reads on through the words of one file's text. */
static void read_text(struct reading *r, const struct open_file *here,
                      const char *text, size_t size)
{
    if (size >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 ||
                      memcmp(text, "\xfe\xff", 2) == 0)) {
        r->line->broken = true; /* UTF-16, which only clang reads */
        return;
    }
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) {
        text += 3;
        size -= 3;
    }
    struct bm_strvec words = BM_STRVEC_INIT;
    bm_split_words(text, size, &words);
    for (size_t i = 0; i < words.count && !r->line->broken; i++)
        read_word(r, here, words.items[i]);
    bm_strvec_clear(&words);
}

static void read_response_file(struct reading *r, const struct open_file *outer,
                               const char *word)
{
    const struct open_file here = {word + 1, outer,
                                   outer ? outer->depth + 1 : 1};
    char *data = NULL;
    size_t size = 0;
    enum bm_file_state state = BM_FILE_BROKEN;

    if (may_open(r, outer, here.path))
        state = r->files->read(r->files->context, here.path, &data, &size);
    if (state == BM_FILE_READ_ONCE)
        r->line->read_once[r->origin] = true;

    if (state == BM_FILE_ABSENT)
        add_word(r, word);
    else if (state == BM_FILE_BROKEN)
        r->line->broken = true;
    else
        read_text(r, &here, data, size);
    free(data);
}

static void read_word(struct reading *r, const struct open_file *outer,
                      const char *word)
{
    if (word[0] == '@')
        read_response_file(r, outer, word);
    else
        add_word(r, word);
}

void bm_line_read(struct bm_line *line, int argc, char **argv,
                  const struct bm_files *files)
{
    struct reading r = {line, files, 0, 0};
    line->read_once = bm_xcalloc((size_t)argc + 1, sizeof(bool));
    for (int i = 1; i < argc && !line->broken; i++) {
        r.origin = (size_t)i;
        read_word(&r, NULL, argv[i]);
    }
}

void bm_line_clear(struct bm_line *line)
{
    bm_strvec_clear(&line->words);
    free(line->origins);
    free(line->read_once);
    *line = (struct bm_line)BM_LINE_INIT;
}

static enum bm_file_state read_descriptor(int fd, char **data, size_t *size)
{
    struct stat st;
    if (fstat(fd, &st) != 0 || S_ISDIR(st.st_mode))
        return BM_FILE_BROKEN;
    struct bm_str text = BM_STR_INIT;
    char buffer[8192];
    ssize_t n;
    while ((n = read(fd, buffer, sizeof(buffer))) != 0) {
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0 || text.size > MAX_FILE_SIZE) {
            bm_str_clear(&text);
            return BM_FILE_BROKEN;
        }
        bm_str_add(&text, buffer, (size_t)n);
    }
    *size = text.size;
    *data = bm_str_detach(&text);
    return S_ISREG(st.st_mode) ? BM_FILE_READ : BM_FILE_READ_ONCE;
}

static enum bm_file_state read_real(void *context, const char *path,
                                    char **data, size_t *size)
{
    (void)context;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return errno == ENOENT || errno == ENOTDIR ? BM_FILE_ABSENT
                                                   : BM_FILE_BROKEN;
    enum bm_file_state state = read_descriptor(fd, data, size);
    close(fd);
    return state;
}

const struct bm_files bm_files_real = {read_real, NULL};
