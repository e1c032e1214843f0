/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Runs a fuzz target once for each file of the folders that are named: the
 * corpus as a test, without libFuzzer. Prints how many there were; none is
 * a failure, since then nothing was tested.
 */
#include "base/memory.h"
#include "base/str.h"

#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void replay_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        perror(path);
        exit(1);
    }
    struct bm_str text = BM_STR_INIT;
    char buffer[4096];
    size_t n;
    while ((n = fread(buffer, 1, sizeof(buffer), file)) > 0)
        bm_str_add(&text, buffer, n);
    fclose(file);
    /* A copy of the exact size, so that a sanitizer sees a read beyond it. */
    uint8_t *exact = bm_xmalloc(text.size > 0 ? text.size : 1);
    for (size_t i = 0; i < text.size; i++)
        exact[i] = (uint8_t)text.data[i];
    fprintf(stderr, "%s\n", path);
    LLVMFuzzerTestOneInput(exact, text.size);
    free(exact);
    bm_str_clear(&text);
}

static size_t replay_folder(const char *path)
{
    DIR *folder = opendir(path);
    if (!folder) {
        perror(path);
        exit(1);
    }
    size_t count = 0;
    const struct dirent *entry;
    while ((entry = readdir(folder))) {
        if (entry->d_name[0] == '.')
            continue;
        struct bm_str file = BM_STR_INIT;
        bm_str_printf(&file, "%s/%s", path, entry->d_name);
        replay_file(file.data);
        bm_str_clear(&file);
        count++;
    }
    closedir(folder);
    return count;
}

int main(int argc, char **argv)
{
    size_t count = 0;
    for (int i = 1; i < argc; i++)
        count += replay_folder(argv[i]);
    printf("%zu inputs\n", count);
    return count == 0;
}
