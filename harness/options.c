/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "options.h"

#include "say.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARGUMENTS "BENCHMEM_ARGUMENTS"

enum key {
    FILTER,
    FORMAT,
    HELP,
    IN_PROCESS,
    LIST,
    MAX_TIME,
    MODE,
    QUIET,
    REPEATS,
    SUITE,
    WARMUP,
    WORKLOAD,
    CHILD,
};

static const struct option {
    const char *name;
    const char *value; /* NULL: it takes none */
    enum key key;
    const char *help; /* NULL: not for people */
} options[] = {
    {"list", NULL, LIST, "list the benchmarks instead of running them"},
    {"filter", "PATTERN", FILTER,
     "those whose id holds PATTERN, or matches it if it has a * or ?"},
    {"suite", "NAME", SUITE, "those of the suite NAME"},
    {"workload", "ID", WORKLOAD, "the one with this id"},
    {"mode", "MODE", MODE, "measure memory, time or rss"},
    {"repeats", "N", REPEATS, "N passes, not as many as it takes (2 to 10)"},
    {"warmup", "N", WARMUP, "N unrecorded passes before (time: 1, else 0)"},
    {"max-time", "SECONDS", MAX_TIME,
     "begin no further pass of a benchmark after that, but make 2"},
    {"in-process", NULL, IN_PROCESS, "give no benchmark a process of its own"},
    {"format", "FORMAT", FORMAT, "of --list: text or json"},
    {"quiet", NULL, QUIET, "print no table, and leave ceilings unchecked"},
    {"help", NULL, HELP, "print this help"},
    {"child", "FD:CASE", CHILD, NULL},
};
#define NR_OPTIONS (sizeof(options) / sizeof(*options))

static const char *const mode_names[BM_NR_MODES] = {
    [BM_MODE_MEMORY] = "memory",
    [BM_MODE_TIME] = "time",
    [BM_MODE_RSS] = "rss",
};

static void print_help(void)
{
    printf("Usage: %s [OPTION]...\n"
           "Runs the benchmarks of this program and prints what they need.\n\n",
           bm_say_program());
    for (size_t i = 0; i < NR_OPTIONS; i++) {
        const struct option *o = &options[i];
        char left[40];

        if (!o->help)
            continue;
        snprintf(left, sizeof(left), "--%s%s%s", o->name, o->value ? " " : "",
                 o->value ? o->value : "");
        printf("  %-19s  %s\n", left, o->help);
    }
    printf("\n--filter, --suite and --workload can be given several times.\n"
           "What a benchmark declares wins over the options.\n"
           "Exit status: 0, 1 if a check failed or a ceiling was passed, "
           "2 for wrong usage.\n");
}

static void push(struct bm_words *words, const char *word)
{
    const char **grown =
        realloc(words->items, (words->nr + 1) * sizeof(*words->items));

    if (!grown)
        bm_say_die("out of memory");
    words->items = grown;
    words->items[words->nr++] = word;
}

static uint32_t read_count(const char *option, const char *text, uint32_t least)
{
    char *end;

    errno = 0;
    unsigned long value = strtoul(text, &end, 10);
    if (errno || end == text || *end || *text == '-' || value < least ||
        value > 1000000)
        bm_say_die("--%s %s: it is a number from %u to 1000000", option, text,
                   least);
    return (uint32_t)value;
}

static uint64_t read_seconds(const char *text)
{
    char *end;
    double seconds = strtod(text, &end);

    if (end == text || *end || !(seconds > 0) || seconds > 1e6)
        bm_say_die("--max-time %s: it is seconds, more than 0 and at most "
                   "1000000",
                   text);
    return (uint64_t)(seconds * 1e9);
}

static int read_mode(const char *text)
{
    for (int i = 0; i < BM_NR_MODES; i++)
        if (strcmp(text, mode_names[i]) == 0)
            return i;
    bm_say_die("--mode %s: it is one of memory, time, rss", text);
}

static bool is_json(const char *text)
{
    if (strcmp(text, "json") != 0 && strcmp(text, "text") != 0)
        bm_say_die("--format %s: it is one of text, json", text);
    return strcmp(text, "json") == 0;
}

static void read_child(struct bm_harness_options *out, const char *text)
{
    if (sscanf(text, "%d:%zu", &out->child_fd, &out->child_case) != 2)
        bm_say_die("--child %s: it is for this program alone", text);
}

static void take(struct bm_harness_options *out, const struct option *o,
                 const char *value)
{
    switch (o->key) {
    case LIST:
        out->list = true;
        return;
    case FILTER:
        push(&out->filters, value);
        return;
    case SUITE:
        push(&out->suites, value);
        return;
    case WORKLOAD:
        push(&out->workloads, value);
        return;
    case MODE:
        out->mode = read_mode(value);
        return;
    case REPEATS:
        out->repeats = read_count(o->name, value, 1);
        return;
    case WARMUP:
        out->warmup = (int32_t)read_count(o->name, value, 0);
        return;
    case MAX_TIME:
        out->max_time_ns = read_seconds(value);
        return;
    case IN_PROCESS:
        out->in_process = true;
        return;
    case FORMAT:
        out->json = is_json(value);
        return;
    case QUIET:
        out->quiet = true;
        return;
    case CHILD:
        read_child(out, value);
        return;
    case HELP:
        print_help();
        exit(0);
    }
}

/* The option that word names, whole or as --NAME=VALUE. */
static const struct option *find_option(const char *word, const char **value)
{
    if (strncmp(word, "--", 2) == 0)
        word += 2;
    else if (strcmp(word, "-h") == 0)
        word = "help";
    else if (strcmp(word, "-q") == 0)
        word = "quiet";
    else
        return NULL;
    size_t size = strcspn(word, "=");
    *value = word[size] ? word + size + 1 : NULL;
    for (size_t i = 0; i < NR_OPTIONS; i++)
        if (strncmp(options[i].name, word, size) == 0 &&
            options[i].name[size] == '\0')
            return &options[i];
    return NULL;
}

/* words ends with NULL. */
static void read_words(struct bm_harness_options *out, char **words)
{
    for (; *words; words++) {
        const char *value;
        const struct option *o = find_option(*words, &value);

        if (!o)
            bm_say_die("%s: no such option: see --help", *words);
        if (!o->value && value)
            bm_say_die("--%s takes no value", o->name);
        if (o->value && !value) {
            value = *++words;
            if (!value)
                bm_say_die("--%s: which %s?", o->name, o->value);
        }
        take(out, o, value);
    }
}

static void read_environment(struct bm_harness_options *out)
{
    const char *text = getenv(ARGUMENTS);
    char *copy = text && *text ? strdup(text) : NULL;
    size_t nr = 0;

    if (!copy)
        return;
    out->words = copy;
    char **words = calloc(strlen(copy) + 2, sizeof(*words));
    if (!words)
        bm_say_die("out of memory");
    for (char *word = strtok(copy, "\n"); word; word = strtok(NULL, "\n"))
        words[nr++] = word;
    read_words(out, words);
    free(words);
}

void bm_harness_options_read(struct bm_harness_options *out, int argc,
                             char **argv)
{
    memset(out, 0, sizeof(*out));
    out->mode = BM_MODE_UNSAID;
    out->warmup = BM_WARMUP_UNSAID;
    out->child_case = SIZE_MAX;
    read_environment(out);
    if (argc > 0)
        read_words(out, argv + 1);
}
