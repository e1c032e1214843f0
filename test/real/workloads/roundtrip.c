/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Parses JSON from a file, prints it, changes it and merges it, N times. */
#include "cJSON.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_all(const char *path)
{
    FILE *in = fopen(path, "rb");
    char *text = NULL;
    long size;

    if (!in || fseek(in, 0, SEEK_END) || (size = ftell(in)) < 0)
        return NULL;
    rewind(in);
    text = malloc((size_t)size + 1);
    if (text)
        text[fread(text, 1, (size_t)size, in)] = '\0';
    fclose(in);
    return text;
}

int main(int argc, char **argv)
{
    char *text = argc == 3 ? read_all(argv[1]) : NULL;
    int rounds = argc == 3 ? atoi(argv[2]) : 0;
    unsigned long sum = 0;

    if (!text)
        return 2;
    for (int i = 0; i < rounds; i++) {
        cJSON *value = cJSON_Parse(text);
        cJSON *copy = cJSON_Duplicate(value, 1);
        cJSON_AddNumberToObject(copy, "round", i);
        char *printed = i % 2 ? cJSON_Print(copy) : cJSON_PrintUnformatted(copy);
        if (!printed)
            return 1;
        for (const char *c = printed; *c; c++)
            sum = sum * 31 + (unsigned char)*c;
        free(printed);
        cJSON_Delete(copy);
        cJSON_Delete(value);
    }
    printf("%lu\n", sum);
    free(text);
    return 0;
}
