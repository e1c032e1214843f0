/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/command.h"

#include "base/error.h"
#include "base/size.h"
#include "base/utf8.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_COLOR = 0x1000, /* no short option */
    KEY_FORMAT,
    KEY_MAN_PAGE,
};

/* Behind a command's own options, before --help. */
#define GROUP -2

static const struct argp_option shared[BM_NR_SHARED] = {
    {"output", 'o', "FILE", 0, "Write to FILE instead of standard output (-)",
     GROUP},
    {"force", 'f', NULL, 0, "Replace FILE if it exists", GROUP},
    {"format", KEY_FORMAT, "FORMAT", 0,
     "Shape of the output: table, json, csv or md (Markdown)", GROUP},
    {"quiet", 'q', NULL, 0, "No hints and no warnings", GROUP},
    {"verbose", 'v', NULL, 0, "Tell more", GROUP},
    {"color", KEY_COLOR, "WHEN", 0,
     "Use colours: auto (on a terminal, see ENVIRONMENT), always or never",
     GROUP},
    {"man-page", KEY_MAN_PAGE, "FILE", OPTION_HIDDEN,
     "Write the man page into FILE, in roff", GROUP},
};

static const char *const color_names[] = {
    [BM_COLOR_AUTO] = "auto",
    [BM_COLOR_ALWAYS] = "always",
    [BM_COLOR_NEVER] = "never",
    NULL,
};

struct parse {
    const struct bm_command *command;
    struct bm_common *common;
    void *input;
};

static bool shares(const struct bm_command *command,
                   const struct argp_option *option)
{
    switch (option->key) {
    case 'o':
    case 'f':
        return command->shares & BM_SHARES_OUTPUT;
    case KEY_FORMAT:
        return command->shares & BM_SHARES_FORMAT;
    case KEY_COLOR:
        return !(command->shares & BM_OWN_COLOR);
    default:
        return true;
    }
}

void bm_command_shared_options(const struct bm_command *command,
                               struct argp_option options[BM_NR_SHARED + 1])
{
    for (size_t i = 0; i < BM_NR_SHARED; i++) {
        if (!shares(command, &shared[i]))
            continue;
        *options = shared[i];
        if (options->key == 'o' && command->output)
            options->doc = command->output;
        options++;
    }
    *options = (struct argp_option){0};
}

int bm_option_choice(struct argp_state *state, const char *option,
                     const char *arg, const char *const *choices)
{
    struct bm_str list = BM_STR_INIT;
    int found = -1, nr_found = 0;

    for (int i = 0; choices[i]; i++) {
        if (!strcmp(choices[i], arg)) {
            found = i;
            nr_found = 1;
            break;
        }
        if (*arg && !strncmp(choices[i], arg, strlen(arg))) {
            found = i;
            nr_found++;
        }
    }
    if (nr_found == 1)
        return found;
    for (int i = 0; choices[i]; i++)
        bm_str_printf(&list, "%s%s", i ? ", " : "", choices[i]);
    argp_error(state, "%s %s: it is one of %s", option, arg, list.data);
    /* argp_error does not return unless told so, and it is not. */
    exit(BM_EXIT_USAGE);
}

uint64_t bm_option_count(struct argp_state *state, const char *option,
                         const char *arg)
{
    uint64_t count = 0;

    if (!bm_count_parse(arg, &count))
        argp_error(state, "%s %s: not a number", option, arg);
    return count;
}

double bm_option_percent(struct argp_state *state, const char *option,
                         const char *arg)
{
    char *end = NULL;
    double percent = strtod(arg, &end);
    bool is_number = end != arg;

    if (*end == '%')
        end++;
    if (!is_number || *end || !(percent >= 0 && percent <= 100))
        argp_error(state, "%s %s: not a percentage from 0 to 100", option, arg);
    return percent;
}

void bm_option_parts(struct argp_state *state, const char *option, char *arg,
                     void (*take)(void *input, struct argp_state *state,
                                  const char *option, char *part))
{
    for (char *part = arg, *comma; part; part = comma) {
        comma = strchr(part, ',');
        if (comma)
            *comma++ = '\0';
        if (!*part)
            argp_error(state, "%s: a part of the list is empty", option);
        take(state->input, state, option, part);
    }
}

static void write_manpage(const struct bm_command *command, const char *path)
{
    FILE *file = fopen(path, "we");

    if (file)
        bm_manpage_write(command, file);
    if (!file || fclose(file))
        bm_die("cannot write %s: %s", path, strerror(errno));
}

static error_t parse_shared(int key, char *arg, struct argp_state *state)
{
    struct parse *parse = state->input;
    struct bm_common *common = parse->common;

    switch (key) {
    case ARGP_KEY_INIT:
        state->child_inputs[0] = parse->input;
        return 0;
    case 'o':
        common->output = arg;
        return 0;
    case 'f':
        common->force = true;
        return 0;
    case 'q':
        common->quiet = true;
        return 0;
    case 'v':
        common->verbose = true;
        return 0;
    case KEY_COLOR:
        common->color =
            (enum bm_color)bm_option_choice(state, "--color", arg, color_names);
        return 0;
    case KEY_FORMAT:
        common->format = (enum bm_format)bm_option_choice(state, "--format",
                                                          arg, bm_format_names);
        return 0;
    case KEY_MAN_PAGE:
        write_manpage(parse->command, arg);
        exit(BM_EXIT_OK);
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

/* The text behind the options in --help. */
static void help_text(const struct bm_command *command, struct bm_str *out)
{
    bm_str_printf(out, "%s.\v%s", command->summary, command->description);
    if (command->examples)
        bm_str_puts(out, "\n\nExamples:\n");
    for (const struct bm_example *e = command->examples; e && e->command; e++)
        bm_str_printf(out, "  %s\n      %s\n", e->command, e->meaning);
}

static void print_version(FILE *stream, struct argp_state *state)
{
    fprintf(stream, "%s (benchmem) %s\n", state->name, BENCHMEM_VERSION);
}

void bm_command_parse(const struct bm_command *command, int argc, char **argv,
                      struct bm_common *common, void *input)
{
    struct argp_option options[BM_NR_SHARED + 1];
    struct bm_str doc = BM_STR_INIT;

    bm_utf8_init();
    *common = (struct bm_common){0};
    bm_command_shared_options(command, options);
    help_text(command, &doc);

    const struct argp own = {
        .options = command->options,
        .parser = command->parse,
    };
    const struct argp_child children[] = {{.argp = &own}, {0}};
    const struct argp argp = {
        .options = options,
        .parser = parse_shared,
        .args_doc = command->arguments,
        .doc = doc.data,
        .children = children,
    };
    struct parse parse = {command, common, input};

    argp_err_exit_status =
        command->usage_status ? command->usage_status : BM_EXIT_USAGE;
    argp_program_version_hook = print_version;
    argp_parse(&argp, argc, argv,
               command->stops_at_argument ? ARGP_IN_ORDER : 0, NULL, &parse);
    bm_str_clear(&doc);
    bm_error_set_quiet(common->quiet);
}
