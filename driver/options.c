/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "driver/options.h"

#include <stdlib.h>
#include <string.h>

#define BM_TAKES_WHOLE 0
#define BM_TAKES_JOINED 0
#define BM_TAKES_VALUE 1
#define BM_TAKES_EITHER 1
#define BM_TAKES_BOTH 1

#define BM_SCAN_0 0

/* clang-format off */
#define BM_VALUE(name, form) \
    {name, BM_FORM_##form, BM_TAKES_##form, 0, 0, BM_HANDLER_NONE},
#define BM_VALUES(name, count) \
    {name, BM_FORM_VALUE, count, 0, 0, BM_HANDLER_NONE},
#define BM_FLAG(name, form, sets, clears) \
    {name, BM_FORM_##form, BM_TAKES_##form, BM_SCAN_##sets, \
     BM_SCAN_##clears, BM_HANDLER_NONE},
#define BM_HANDLED(name, form, handler) \
    {name, BM_FORM_##form, BM_TAKES_##form, 0, 0, BM_HANDLER_##handler},
/* clang-format on */

const struct bm_option bm_options[] = {
#include "driver/options.inc"
};
const size_t bm_nr_options = sizeof(bm_options) / sizeof(bm_options[0]);

/* No name is longer, so no longer beginning of a word needs to be tried. */
#define LONGEST_NAME 40

struct beginning {
    const char *word;
    size_t size;
};

static int compare_option(const void *key, const void *element)
{
    const struct beginning *b = key;
    const char *name = ((const struct bm_option *)element)->name;
    int order = strncmp(b->word, name, b->size);
    return order != 0 ? order : -(name[b->size] != '\0');
}

static int is_joined(enum bm_form form)
{
    return form == BM_FORM_JOINED || form == BM_FORM_EITHER ||
           form == BM_FORM_BOTH;
}

const struct bm_option *bm_option_find(const char *word)
{
    size_t whole = strlen(word);
    size_t size = whole < LONGEST_NAME ? whole : LONGEST_NAME;
    for (; size > 0; size--) {
        const struct beginning key = {word, size};
        const struct bm_option *found =
            bsearch(&key, bm_options, bm_nr_options, sizeof(bm_options[0]),
                    compare_option);
        if (found && (size == whole || is_joined(found->form)))
            return found;
    }
    return NULL;
}

const struct bm_input_kind bm_extensions[] = {
    {"C", BM_INPUT_CODE},     {"CC", BM_INPUT_CODE},
    {"CPP", BM_INPUT_CODE},   {"CXX", BM_INPUT_CODE},
    {"H", BM_INPUT_HEADER},   {"M", BM_INPUT_CODE},
    {"S", BM_INPUT_OTHER},    {"ast", BM_INPUT_CODE},
    {"bc", BM_INPUT_OTHER},   {"c", BM_INPUT_CODE},
    {"c++", BM_INPUT_CODE},   {"c++m", BM_INPUT_CODE},
    {"cc", BM_INPUT_CODE},    {"ccm", BM_INPUT_CODE},
    {"cl", BM_INPUT_OTHER},   {"clcpp", BM_INPUT_OTHER},
    {"cp", BM_INPUT_CODE},    {"cpp", BM_INPUT_CODE},
    {"cppm", BM_INPUT_CODE},  {"cu", BM_INPUT_OTHER},
    {"cui", BM_INPUT_OTHER},  {"cxx", BM_INPUT_CODE},
    {"cxxm", BM_INPUT_CODE},  {"h", BM_INPUT_HEADER},
    {"h++", BM_INPUT_HEADER}, {"hh", BM_INPUT_HEADER},
    {"hip", BM_INPUT_OTHER},  {"hipi", BM_INPUT_OTHER},
    {"hpp", BM_INPUT_HEADER}, {"hxx", BM_INPUT_HEADER},
    {"i", BM_INPUT_CODE},     {"ii", BM_INPUT_CODE},
    {"iih", BM_INPUT_HEADER}, {"iim", BM_INPUT_CODE},
    {"ixx", BM_INPUT_CODE},   {"ll", BM_INPUT_OTHER},
    {"m", BM_INPUT_CODE},     {"mi", BM_INPUT_CODE},
    {"mii", BM_INPUT_CODE},   {"mm", BM_INPUT_CODE},
    {"pcm", BM_INPUT_CODE},   {"s", BM_INPUT_OTHER},
    {"sx", BM_INPUT_OTHER},
};
const size_t bm_nr_extensions =
    sizeof(bm_extensions) / sizeof(bm_extensions[0]);

const struct bm_input_kind bm_languages[] = {
    {"ast", BM_INPUT_CODE},
    {"c", BM_INPUT_CODE},
    {"c++", BM_INPUT_CODE},
    {"c++-cpp-output", BM_INPUT_CODE},
    {"c++-header", BM_INPUT_HEADER},
    {"c++-header-cpp-output", BM_INPUT_HEADER},
    {"c++-header-unit-cpp-output", BM_INPUT_HEADER},
    {"c++-header-unit-header", BM_INPUT_HEADER},
    {"c++-module", BM_INPUT_CODE},
    {"c++-module-cpp-output", BM_INPUT_CODE},
    {"c++-system-header", BM_INPUT_HEADER},
    {"c++-user-header", BM_INPUT_HEADER},
    {"c-header", BM_INPUT_HEADER},
    {"c-header-cpp-output", BM_INPUT_HEADER},
    {"cpp-output", BM_INPUT_CODE},
    {"objc++-cpp-output", BM_INPUT_CODE},
    {"objc-cpp-output", BM_INPUT_CODE},
    {"object", BM_INPUT_LINKER},
    {"objective-c", BM_INPUT_CODE},
    {"objective-c++", BM_INPUT_CODE},
    {"objective-c++-cpp-output", BM_INPUT_CODE},
    {"objective-c++-header", BM_INPUT_HEADER},
    {"objective-c++-header-cpp-output", BM_INPUT_HEADER},
    {"objective-c-cpp-output", BM_INPUT_CODE},
    {"objective-c-header", BM_INPUT_HEADER},
    {"objective-c-header-cpp-output", BM_INPUT_HEADER},
    {"pcm", BM_INPUT_CODE},
};
const size_t bm_nr_languages = sizeof(bm_languages) / sizeof(bm_languages[0]);

static int compare_kind(const void *key, const void *element)
{
    return strcmp(key, ((const struct bm_input_kind *)element)->name);
}

static enum bm_input find_kind(const struct bm_input_kind *table, size_t count,
                               const char *name, enum bm_input otherwise)
{
    const struct bm_input_kind *found =
        bsearch(name, table, count, sizeof(table[0]), compare_kind);
    return found ? found->input : otherwise;
}

enum bm_input bm_input_of_path(const char *path)
{
    if (strcmp(path, "-") == 0)
        return BM_INPUT_CODE;
    const char *name = strrchr(path, '/');
    const char *dot = strrchr(name ? name : path, '.');
    if (!dot)
        return BM_INPUT_LINKER;
    return find_kind(bm_extensions, bm_nr_extensions, dot + 1, BM_INPUT_LINKER);
}

enum bm_input bm_input_of_language(const char *language)
{
    return find_kind(bm_languages, bm_nr_languages, language, BM_INPUT_OTHER);
}
