/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Any command line is read, decided and planned without a fault, and every
 * word of it reaches clang, in order, but for our own options.
 *
 * The input's first line is the command line; each further line is the
 * content of a response file: @1 is the second line, and so on.
 */
#include "base/memory.h"
#include "driver/plan.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct text {
    const char *data;
    size_t size;
};

/* Line number n of the text, false where there is none. */
static bool find_line(struct text text, size_t n, struct text *line)
{
    for (;;) {
        const char *end = memchr(text.data, '\n', text.size);
        *line = (struct text){text.data,
                              end ? (size_t)(end - text.data) : text.size};
        if (n-- == 0)
            return true;
        if (!end)
            return false;
        text.size -= line->size + 1;
        text.data = end + 1;
    }
}

static enum bm_file_state read_line(void *context, const char *path,
                                    char **data, size_t *size)
{
    struct text line;
    if (path[0] < '1' || path[0] > '9' ||
        !find_line(*(struct text *)context, (size_t)(path[0] - '0'), &line))
        return BM_FILE_ABSENT;
    *data = bm_xmalloc(line.size + 1);
    memcpy(*data, line.data, line.size);
    *size = line.size;
    return path[1] == 'p' ? BM_FILE_READ_ONCE : BM_FILE_READ;
}

/* Each word that clang would have seen is still there, in its order. */
static void check_order(const struct bm_strvec *argv,
                        const struct bm_strvec *command)
{
    size_t next = 1; /* behind the compiler */
    for (size_t i = 1; i < argv->count; i++) {
        const char *word = argv->items[i];
        if (word[0] == '@' || strncmp(word, "--benchmem-", 11) == 0)
            continue;
        while (next < command->count && strcmp(command->items[next], word) != 0)
            next++;
        if (next++ >= command->count)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct text text = {(const char *)data, size}, first;
    const struct bm_files files = {read_line, &text};
    struct bm_toolchain toolchain = {.compiler = BM_STRVEC_INIT,
                                     .plugin = (char *)"P.so",
                                     .runtime = (char *)"rt.a",
                                     .static_runtime = (char *)"static.a"};
    struct bm_strvec argv = BM_STRVEC_INIT, command = BM_STRVEC_INIT;
    struct bm_line line = BM_LINE_INIT;
    struct bm_scan scan;

    bm_strvec_push(&argv, "cc");
    if (size > 0 && find_line(text, 0, &first))
        bm_split_words(first.data, first.size, &argv);
    bm_line_read(&line, (int)argv.count, argv.items, &files);
    bm_scan(&scan, &line);
    struct bm_decision decision = bm_decide(&scan);
    bm_strvec_push(&toolchain.compiler, "clang");
    bm_plan(&command, argv.items, &line, &scan, &decision, &toolchain);
    check_order(&argv, &command);

    bm_strvec_clear(&command);
    bm_strvec_clear(&toolchain.compiler);
    bm_strvec_clear(&argv);
    bm_scan_clear(&scan);
    bm_line_clear(&line);
    return 0;
}
