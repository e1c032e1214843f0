/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What every command has in common: how it is described, its options, and the
 * man page that is made from the same description.
 *
 * A command is one static struct bm_command. Its options are a table of argp
 * with a handler for them; the options that all commands share
 * (--help --version --output --force --quiet --verbose --color --format) are
 * added here, in one spelling. The hidden option --man-page=FILE writes the man
 * page: the build makes share/man/man1 with it.
 *
 *   main: bm_command_parse(&command, argc, argv, &common, &own_options);
 *
 * Errors of usage are argp's: one line, a pointer to --help, exit status 2.
 */
#ifndef BENCHMEM_BASE_COMMAND_H
#define BENCHMEM_BASE_COMMAND_H

#include "base/table.h"
#include "base/terminal.h"

#include <argp.h>
#include <stdbool.h>
#include <stdio.h>

/* The options that a command shares; --help, --version, -q, -v, --color always.
 */
enum bm_shared_options {
    BM_SHARES_OUTPUT = 1, /* -o, -f */
    BM_SHARES_FORMAT = 2, /* --format */
    BM_OWN_COLOR = 4,     /* --color is the command's own option */
};

struct bm_example {
    const char *command; /* a line for a shell; NULL ends the list */
    const char *meaning;
};

struct bm_command {
    const char *name;        /* "benchmem-report" */
    const char *summary;     /* one line: what it is for */
    const char *arguments;   /* "[PROFILE|FOLDER...]" */
    const char *description; /* paragraphs, an empty line between them */
    const struct argp_option *options; /* its own, ended by {0} */
    /* Handles them; state->input is the `input` of bm_command_parse. */
    error_t (*parse)(int key, char *arg, struct argp_state *state);
    unsigned shares;        /* enum bm_shared_options */
    bool stops_at_argument; /* options behind the first one are not its own */
    const struct bm_example *examples;
    int usage_status;        /* of wrong usage, if not 2: then exit_status
                                has all of them */
    const char *exit_status; /* sentences beyond the common ones, or NULL */
    const char *see_also;    /* "benchmem-flamegraph(1), benchmem-run(1)" */
    const char *output;      /* what -o is, where it is more than usual */
};

struct bm_common {
    const char *output; /* NULL or "-": standard output */
    bool force;
    bool quiet;
    bool verbose;
    enum bm_color color;
    enum bm_format format;
};

/*
 * Reads the command line into *common, which is reset first, and through
 * command->parse into *input. Sets the character type (bm_utf8_init), so it
 * comes first in main. Does not return on --help, --version or wrong usage.
 */
void bm_command_parse(const struct bm_command *command, int argc, char **argv,
                      struct bm_common *common, void *input);

/*
 * Index of arg among choices (ended by NULL), all of it or a beginning that
 * only one has. Else a usage error that lists them.
 */
int bm_option_choice(struct argp_state *state, const char *option,
                     const char *arg, const char *const *choices);

/* arg as a decimal number, else a usage error. */
uint64_t bm_option_count(struct argp_state *state, const char *option,
                         const char *arg);

/* arg, with or without a %, as a share from 0 to 100, else a usage error. */
double bm_option_percent(struct argp_state *state, const char *option,
                         const char *arg);

/*
 * Hands each part of a list with commas to take, with the command's input and
 * the option's name. Ends them in place: they live as long as arg. A usage
 * error for an empty part.
 */
void bm_option_parts(struct argp_state *state, const char *option, char *arg,
                     void (*take)(void *input, struct argp_state *state,
                                  const char *option, char *part));

#define BM_NR_SHARED 7

/*
 * The shared options as this command has them, for --help and the man page;
 * ended by {0}.
 */
void bm_command_shared_options(const struct bm_command *command,
                               struct argp_option options[BM_NR_SHARED + 1]);

/* The man page of section 1, as roff with the macros of man(7). */
void bm_manpage_write(const struct bm_command *command, FILE *file);

#endif
