/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "ids.h"

#include "say.h"

#include <inttypes.h>
#include <locale.h>

#define MAX_DIGITS 17    /* DBL_DECIMAL_DIG: always enough */
#define MAX_INTEGER 1e15 /* below it, all digits are shown */

void bm_number_text(char out[BM_NUMBER_SIZE], double value)
{
    const char *point = localeconv()->decimal_point;
    int digits = 1;

    if (value > -MAX_INTEGER && value < MAX_INTEGER &&
        value == (double)(int64_t)value)
        digits = MAX_DIGITS;
    for (;; digits++) {
        snprintf(out, BM_NUMBER_SIZE, "%.*g", digits, value);
        if (digits == MAX_DIGITS || strtod(out, NULL) == value)
            break;
    }
    char *at = strcmp(point, ".") == 0 ? NULL : strstr(out, point);
    if (at) {
        *at = '.';
        memmove(at + 1, at + strlen(point), strlen(at + strlen(point)) + 1);
    }
}

/* Length of the shortest end of file that is not one of other's. */
static size_t telling_end(const char *file, const char *other)
{
    size_t length = strlen(file), length_other = strlen(other), common = 0;

    while (common < length && common < length_other &&
           file[length - 1 - common] == other[length_other - 1 - common])
        common++;
    if (common == length)
        return length;
    if (common == length_other) /* other is an end of file */
        common++;
    while (common < length && file[length - 1 - common] != '/')
        common++;
    return common;
}

/* As the compiler's tables have it. */
static const char *without_dots(const char *file)
{
    while (strncmp(file, "./", 2) == 0 || strncmp(file, "../", 3) == 0)
        file += file[1] == '/' ? 2 : 3;
    return file;
}

const char *bm_file_end(const char *file)
{
    file = without_dots(file);
    const char *slash = strrchr(file, '/');
    size_t size = strlen(slash ? slash + 1 : file);

    for (const struct benchmem_benchmark *b = benchmem_benchmarks_; b;
         b = b->next_) {
        const char *other = without_dots(b->file);
        size_t end = strcmp(file, other) == 0 ? 0 : telling_end(file, other);

        if (end > size)
            size = end;
    }
    return file + strlen(file) - size;
}

static void put_string(FILE *out, const char *text)
{
    if (strcmp(text, "(null)") == 0)
        fputc('\\', out);
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        if (c < 0x20 || c == 0x7f) {
            fprintf(out, "\\x%02x", c);
            continue;
        }
        if (c == ',' || c == ']' || c == '\\')
            fputc('\\', out);
        fputc(c, out);
    }
}

static void put_value(FILE *out, const struct benchmem_value *value)
{
    char number[BM_NUMBER_SIZE];

    switch (value->type) {
    case BENCHMEM_TYPE_INT:
        fprintf(out, "%" PRId64, value->is.integer);
        break;
    case BENCHMEM_TYPE_NUMBER:
        bm_number_text(number, value->is.number);
        fputs(number, out);
        break;
    case BENCHMEM_TYPE_STRING:
        if (value->is.string)
            put_string(out, value->is.string);
        else
            fputs("(null)", out);
        break;
    }
}

char *bm_id_make(const struct benchmem_benchmark *benchmark,
                 const struct benchmem_value *params, uint32_t nr)
{
    char *id = NULL;
    size_t size;
    FILE *out = open_memstream(&id, &size);

    if (!out)
        bm_say_die("out of memory");
    fprintf(out, "%s::%s", bm_file_end(benchmark->file), benchmark->name);
    for (uint32_t i = 0; i < nr; i++) {
        fprintf(out, "%c%s=", i ? ',' : '[', params[i].name);
        put_value(out, &params[i]);
    }
    if (nr)
        fputc(']', out);
    if (fclose(out) != 0 || !id)
        bm_say_die("out of memory");
    return id;
}
