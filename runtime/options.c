/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "options.h"

#include <string.h>

#define BM_OPTION(name, initial, least, most, names, help) .name = (initial),
struct bm_options bm_options = {
#include "options.inc"
};

struct option {
    const char *name;
    uint64_t *value;
    uint64_t least, most;
    const char *names;
};

#define BM_OPTION(name, initial, least, most, names, help)                     \
    {#name, &bm_options.name, least, most, names},
static const struct option options[] = {
#include "options.inc"
};

#define NR_OPTIONS (sizeof(options) / sizeof(options[0]))

static const char *end_of_word(const char *text, char separator)
{
    const char *end = strchr(text, separator);

    return end ? end : text + strlen(text);
}

/* The value whose name is the word from text to end, counted from `least`. */
static bool read_name(const struct option *option, const char *text,
                      const char *end, uint64_t *out)
{
    const char *name = option->names;

    for (uint64_t value = option->least; name; value++) {
        const char *name_end = end_of_word(name, '|');

        if (name_end - name == end - text &&
            memcmp(name, text, (size_t)(end - text)) == 0) {
            *out = value;
            return true;
        }
        name = *name_end ? name_end + 1 : NULL;
    }
    return false;
}

static bool read_value(const struct option *option, const char *text,
                       const char *end)
{
    uint64_t value;
    bool ok = option->names ? read_name(option, text, end, &value)
                            : bm_text_number(text, end, &value);

    if (!ok || value < option->least || value > option->most)
        return false;
    *option->value = value;
    return true;
}

static bool read_one(const char *text, const char *end)
{
    const char *equals = memchr(text, '=', (size_t)(end - text));

    if (!equals)
        return false;
    for (size_t i = 0; i < NR_OPTIONS; i++)
        if (bm_text_is(text, equals, options[i].name))
            return read_value(&options[i], equals + 1, end);
    return false;
}

void bm_options_read(const char *text, struct bm_line *complaint)
{
    while (text && *text) {
        const char *end = end_of_word(text, ':');

        if (end > text && !read_one(text, end)) {
            bm_line_text(complaint, complaint->length
                                        ? ", "
                                        : "BENCHMEM_OPTIONS, not understood: ");
            bm_line_bytes(complaint, text, (size_t)(end - text));
        }
        text = *end ? end + 1 : end;
    }
}

static void show_value(struct bm_line *out, const struct option *option)
{
    const char *name = option->names;

    if (!name) {
        bm_line_number(out, *option->value);
        return;
    }
    for (uint64_t i = option->least; i < *option->value; i++)
        name = end_of_word(name, '|') + 1;
    bm_line_bytes(out, name, (size_t)(end_of_word(name, '|') - name));
}

void bm_options_show(struct bm_line *out)
{
    for (size_t i = 0; i < NR_OPTIONS; i++) {
        bm_line_text(out, i ? ":" : "");
        bm_line_text(out, options[i].name);
        bm_line_text(out, "=");
        show_value(out, &options[i]);
    }
}
