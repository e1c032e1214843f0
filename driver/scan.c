/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "driver/scan.h"

#include "base/memory.h"
#include "driver/options.h"

#include <stdlib.h>
#include <string.h>

/* Sanitizers that come with a malloc of their own. */
static const char *const sanitizers[] = {
    "address", "dataflow",  "hwaddress", "leak",  "memory",
    "memtag",  "numerical", "realtime",  "scudo", "thread",
};
#define NR_SANITIZERS (sizeof(sanitizers) / sizeof(sanitizers[0]))

struct scanner {
    struct bm_scan *scan;
    const char *language; /* of -x, NULL by extension */
    size_t word;          /* number of the word that is read */
    bool only_inputs;     /* behind -- */
};

typedef void handle_function(struct scanner *s, const char *value);

static void set_flags(struct scanner *s, unsigned sets, unsigned clears)
{
    s->scan->flags = (s->scan->flags & ~clears) | sets;
}

/* Calls handle for each piece of a list separated by commas. */
static void for_each_piece(struct scanner *s, const char *list,
                           void (*handle)(struct scanner *, const char *,
                                          size_t))
{
    while (*list) {
        size_t size = strcspn(list, ",");
        handle(s, list, size);
        list += size + (list[size] == ',');
    }
}

static bool piece_is(const char *piece, size_t size, const char *text)
{
    return size == strlen(text) && memcmp(piece, text, size) == 0;
}

static unsigned sanitizer_bits(const char *piece, size_t size)
{
    for (size_t i = 0; i < NR_SANITIZERS; i++)
        if (piece_is(piece, size, sanitizers[i]))
            return 1u << i;
    return 0;
}

static void sanitize(struct scanner *s, const char *piece, size_t size)
{
    s->scan->sanitizers |= sanitizer_bits(piece, size);
}

static void stop_sanitizing(struct scanner *s, const char *piece, size_t size)
{
    s->scan->sanitizers &=
        piece_is(piece, size, "all") ? 0 : ~sanitizer_bits(piece, size);
}

static void handle_sanitize(struct scanner *s, const char *value)
{
    for_each_piece(s, value, sanitize);
}

static void handle_no_sanitize(struct scanner *s, const char *value)
{
    for_each_piece(s, value, stop_sanitizing);
}

static void read_linker_word(struct scanner *s, const char *piece, size_t size)
{
    if (piece_is(piece, size, "-r") || piece_is(piece, size, "--relocatable"))
        set_flags(s, BM_SCAN_PARTIAL, 0);
    if (piece_is(piece, size, "-shared") || piece_is(piece, size, "--shared"))
        set_flags(s, BM_SCAN_SHARED, 0);
    if (piece_is(piece, size, "-lc"))
        set_flags(s, BM_SCAN_LIBC, 0);
}

static void handle_linker(struct scanner *s, const char *value)
{
    for_each_piece(s, value, read_linker_word);
}

static void handle_library(struct scanner *s, const char *value)
{
    s->scan->nr_linked++;
    if (strcmp(value, "c") == 0)
        set_flags(s, BM_SCAN_LIBC, 0);
    if (strcmp(value, "stdc++") == 0 || strcmp(value, "c++") == 0)
        set_flags(s, BM_SCAN_CXX, 0);
}

static void handle_language(struct scanner *s, const char *value)
{
    s->language = strcmp(value, "none") == 0 ? NULL : value;
}

/* The runtime is built for one machine: code for another is left alone. */
static void handle_target(struct scanner *s, const char *value)
{
#if defined(__x86_64__)
    bool same =
        strncmp(value, "x86_64-", 7) == 0 || strncmp(value, "amd64-", 6) == 0;
#elif defined(__aarch64__)
    bool same =
        strncmp(value, "aarch64-", 8) == 0 || strncmp(value, "arm64-", 6) == 0;
#else
    bool same = false;
#endif
    same = same && strstr(value, "-linux") && !strstr(value, "android") &&
           !strstr(value, "x32");
    set_flags(s, same ? 0 : BM_SCAN_OTHER_TARGET, BM_SCAN_OTHER_TARGET);
    set_flags(s, strstr(value, "-musl") ? BM_SCAN_MUSL : 0, BM_SCAN_MUSL);
}

static void handle_mode(struct scanner *s, const char *value)
{
    if (strcmp(value, "cpp") == 0)
        set_flags(s, BM_SCAN_PREPROCESS, 0);
    else if (strcmp(value, "gcc") != 0 && strcmp(value, "g++") != 0)
        set_flags(s, BM_SCAN_FOREIGN, 0);
}

/* Windows rules: the response files mean something else than was read. */
static void handle_quoting(struct scanner *s, const char *value)
{
    if (strcmp(value, "windows") == 0)
        set_flags(s, BM_SCAN_FOREIGN, 0);
}

static void handle_end(struct scanner *s, const char *value)
{
    (void)value;
    s->only_inputs = true;
    s->scan->end = s->word;
}

static const struct {
    const char *name; /* behind --benchmem- */
    bool has_value;
    bool for_pass; /* goes there under the same name */
    unsigned sets;
} our_options[] = {
    {"access", false, true, 0},
    {"benchmark=", true, true, 0},
    {"help", false, false, BM_SCAN_HELP},
    {"off", false, false, BM_SCAN_OFF},
    {"show", false, false, BM_SCAN_SHOW},
    {"version", false, false, BM_SCAN_VERSION},
    {"wrapper=", true, true, 0},
};

static void handle_benchmem(struct scanner *s, const char *value)
{
    struct bm_scan *scan = s->scan;
    scan->ours[s->word] = true;
    for (size_t i = 0; i < sizeof(our_options) / sizeof(*our_options); i++) {
        const char *name = our_options[i].name;
        if (our_options[i].has_value ? strncmp(value, name, strlen(name)) != 0
                                     : strcmp(value, name) != 0)
            continue;
        if (our_options[i].for_pass)
            bm_strvec_push(&scan->plugin_args, value);
        scan->flags |= our_options[i].sets;
        return;
    }
    if (!scan->unknown)
        scan->unknown = value;
}

static handle_function *const handlers[] = {
    [BM_HANDLER_BENCHMEM] = handle_benchmem,
    [BM_HANDLER_END] = handle_end,
    [BM_HANDLER_LANGUAGE] = handle_language,
    [BM_HANDLER_LIBRARY] = handle_library,
    [BM_HANDLER_LINKER] = handle_linker,
    [BM_HANDLER_MODE] = handle_mode,
    [BM_HANDLER_NO_SANITIZE] = handle_no_sanitize,
    [BM_HANDLER_QUOTING] = handle_quoting,
    [BM_HANDLER_SANITIZE] = handle_sanitize,
    [BM_HANDLER_TARGET] = handle_target,
};

static void read_input(struct scanner *s, const char *word)
{
    struct bm_scan *scan = s->scan;
    enum bm_input input = s->language ? bm_input_of_language(s->language)
                                      : bm_input_of_path(word);
    if (strcmp(word, "-") != 0)
        bm_strvec_push(&scan->inputs, word);
    scan->nr_code += input == BM_INPUT_CODE;
    scan->nr_linked += input != BM_INPUT_HEADER;
}

/* How many words behind this one belong to it. */
static size_t read_option(struct scanner *s, const char *word, const char *next)
{
    const struct bm_option *option = bm_option_find(word);
    if (!option)
        return 0;
    const char *joined = word + strlen(option->name);
    bool in_next = option->form == BM_FORM_VALUE ||
                   (option->form == BM_FORM_EITHER && *joined == '\0');
    const char *value = in_next ? next : joined;

    set_flags(s, option->sets, option->clears);
    if (option->handler != BM_HANDLER_NONE && value)
        handlers[option->handler](s, value);
    return option->form == BM_FORM_EITHER && !in_next ? 0 : option->nr_values;
}

void bm_scan(struct bm_scan *scan, const struct bm_line *line)
{
    size_t count = line->words.count;
    char **words = line->words.items;
    struct scanner s = {.scan = scan};

    *scan = (struct bm_scan){
        .nr_words = count,
        .end = count,
        .inputs = BM_STRVEC_INIT,
        .plugin_args = BM_STRVEC_INIT,
        .ours = bm_xcalloc(count + 1, sizeof(bool)),
    };
    if (count > 0 && strncmp(words[0], "-cc1", 4) == 0)
        scan->flags |= BM_SCAN_FOREIGN;
    for (size_t i = 0; i < count; i++) {
        s.word = i;
        if (s.only_inputs || words[i][0] != '-' || words[i][1] == '\0') {
            read_input(&s, words[i]);
            continue;
        }
        size_t behind =
            read_option(&s, words[i], i + 1 < count ? words[i + 1] : NULL);
        /* Clang tells that a value is missing; a word of ours would be it. */
        if (behind >= count - i)
            scan->flags |= BM_SCAN_INFO;
        i += behind;
    }
    /* "-v" alone asks for the version. */
    if (scan->nr_linked == 0 && scan->inputs.count == 0 && scan->nr_code == 0)
        scan->flags |= BM_SCAN_INFO;
}

void bm_scan_clear(struct bm_scan *scan)
{
    bm_strvec_clear(&scan->inputs);
    bm_strvec_clear(&scan->plugin_args);
    free(scan->ours);
}

/* A program without libc has nothing that the runtime could stand on. */
static bool is_hosted(unsigned flags)
{
    if (flags & BM_SCAN_FREESTANDING)
        return false;
    return !(flags & BM_SCAN_NO_LIBC) || (flags & BM_SCAN_LIBC);
}

struct bm_decision bm_decide(const struct bm_scan *scan)
{
    const unsigned flags = scan->flags;
    const unsigned stays_plain = BM_SCAN_INFO | BM_SCAN_PREPROCESS |
                                 BM_SCAN_CHECK | BM_SCAN_OTHER_WIDTH |
                                 BM_SCAN_OTHER_TARGET | BM_SCAN_OFFLOAD |
                                 BM_SCAN_FOREIGN | BM_SCAN_OFF;
    const unsigned makes_no_program =
        BM_SCAN_ASSEMBLY | BM_SCAN_OBJECT | BM_SCAN_PARTIAL;
    struct bm_decision d = {0};

    if ((flags & stays_plain) || !is_hosted(flags))
        return d;
    if (scan->sanitizers) {
        d.add_aside = !(flags & (makes_no_program | BM_SCAN_SHARED)) &&
                      scan->nr_linked > 0;
        return d;
    }
    d.instrument = scan->nr_code > 0;
    d.add_line_table = d.instrument && !(flags & BM_SCAN_DEBUG);
    d.link = !(flags & makes_no_program) && scan->nr_linked > 0;
    d.is_program = d.link && !(flags & BM_SCAN_SHARED);
    d.is_static =
        d.link && (flags & BM_SCAN_STATIC) && !(flags & BM_SCAN_SHARED);
    d.add_libc = d.is_static && (flags & BM_SCAN_NO_LIBC);
    d.is_unsupported = d.link && !d.is_static && (flags & BM_SCAN_MUSL);
    d.add_operators = d.link && !d.is_static && (flags & BM_SCAN_CXX) &&
                      !(flags & BM_SCAN_STATIC_CXX);
    return d;
}
