/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The man page of a command, from the same tables as its --help.
 */
#include "base/command.h"

#include <ctype.h>
#include <string.h>

/* Text as roff shows it literally. at_line_start: it begins an input line. */
static void put_text(FILE *file, const char *text, bool at_line_start)
{
    for (const char *p = text; *p; p++) {
        if (at_line_start && (*p == '.' || *p == '\''))
            fputs("\\&", file);
        at_line_start = *p == '\n';
        if (*p == '\\')
            fputs("\\e", file);
        else if (*p == '-')
            fputs("\\-", file);
        else
            fputc(*p, file);
    }
}

static void put_upper(FILE *file, const char *text)
{
    for (; *text; text++) {
        if (*text == '-')
            fputc('\\', file);
        fputc(toupper((unsigned char)*text), file);
    }
}

/* Paragraphs are parted by an empty line. */
static void put_paragraphs(FILE *file, const char *text)
{
    bool first = true;

    while (*text) {
        const char *end = strstr(text, "\n\n");
        size_t size = end ? (size_t)(end - text) : strlen(text);
        struct bm_str paragraph = BM_STR_INIT;

        bm_str_add(&paragraph, text, size);
        fputs(first ? "" : ".PP\n", file);
        put_text(file, paragraph.data, true);
        fputc('\n', file);
        bm_str_clear(&paragraph);
        first = false;
        text += size;
        text += strspn(text, "\n");
    }
}

static void put_option(FILE *file, const struct argp_option *option)
{
    if (!option->name || (option->flags & (OPTION_HIDDEN | OPTION_DOC)))
        return;
    fputs(".TP\n", file);
    if (option->key > 0 && option->key < 256 && isprint(option->key)) {
        fprintf(file, "\\fB\\-%c\\fR", option->key);
        if (option->arg)
            fprintf(file, " \\fI%s\\fR", option->arg);
        fputs(", ", file);
    }
    fputs("\\fB", file);
    put_text(file, "--", false);
    put_text(file, option->name, false);
    fputs("\\fR", file);
    if (option->arg) {
        bool optional = option->flags & OPTION_ARG_OPTIONAL;

        fputs(optional ? "[=\\fI" : "=\\fI", file);
        put_text(file, option->arg, false);
        fputs(optional ? "\\fR]" : "\\fR", file);
    }
    fputc('\n', file);
    put_text(file, option->doc, true);
    fputs(".\n", file);
}

/* "Limits:" of --help. False where the entry is an option. */
static bool put_heading(FILE *file, const struct argp_option *entry)
{
    if (entry->name || !entry->doc)
        return false;
    fprintf(file, ".SS %.*s\n", (int)strcspn(entry->doc, ":"), entry->doc);
    return true;
}

static void put_options(FILE *file, const struct bm_command *command)
{
    static const struct argp_option of_argp[] = {
        {"help", '?', NULL, 0, "Print what the command does and its options",
         0},
        {"usage", 0, NULL, 0, "Print the options in short", 0},
        {"version", 'V', NULL, 0, "Print the version", 0},
    };
    struct argp_option shared[BM_NR_SHARED + 1];
    bool headed = false;

    bm_command_shared_options(command, shared);
    fputs(".SH OPTIONS\n", file);
    for (const struct argp_option *o = command->options; o->name || o->doc;
         o++) {
        if (put_heading(file, o))
            headed = true;
        else
            put_option(file, o);
    }
    if (headed)
        fputs(".SS Of every command\n", file);
    for (size_t i = 0; shared[i].name; i++)
        put_option(file, &shared[i]);
    for (size_t i = 0; i < sizeof(of_argp) / sizeof(of_argp[0]); i++)
        put_option(file, &of_argp[i]);
}

static void put_examples(FILE *file, const struct bm_example *examples)
{
    if (!examples)
        return;
    fputs(".SH EXAMPLES\n", file);
    for (; examples->command; examples++) {
        fputs(".TP\n\\fB", file);
        put_text(file, examples->command, false);
        fputs("\\fR\n", file);
        put_text(file, examples->meaning, true);
        fputs(".\n", file);
    }
}

void bm_manpage_write(const struct bm_command *command, FILE *file)
{
    fputs(".TH ", file);
    put_upper(file, command->name);
    fprintf(file, " 1 \"\" \"benchmem %s\" \"User Commands\"\n",
            BENCHMEM_VERSION);
    fputs(".SH NAME\n", file);
    put_text(file, command->name, true);
    fputs(" \\- ", file);
    put_text(file, command->summary, false);
    fputs("\n.SH SYNOPSIS\n\\fB", file);
    put_text(file, command->name, false);
    fputs("\\fR [\\fIOPTION\\fR]... ", file);
    put_text(file, command->arguments, false);
    fputs("\n.SH DESCRIPTION\n", file);
    put_paragraphs(file, command->description);
    put_options(file, command);

    fputs(".SH EXIT STATUS\n", file);
    if (!command->usage_status)
        fputs("0 if all went well, 2 on wrong usage or input that cannot be "
              "read.\n",
              file);
    if (command->exit_status)
        put_paragraphs(file, command->exit_status);
    fputs(".SH ENVIRONMENT\n", file);
    fputs(".TP\n\\fBNO_COLOR\\fR\nNot empty: no colours, unless asked for by "
          "\\-\\-color.\n"
          ".TP\n\\fBCLICOLOR_FORCE\\fR\nNot empty nor 0: colours also where "
          "the output is no terminal.\n"
          ".TP\n\\fBCOLUMNS\\fR\nWidth to fit tables into, instead of the "
          "terminal's.\n",
          file);
    put_examples(file, command->examples);
    if (command->see_also) {
        fputs(".SH SEE ALSO\n", file);
        put_text(file, command->see_also, true);
        fputc('\n', file);
    }
}
