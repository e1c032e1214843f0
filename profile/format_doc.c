/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Prints docs/profile-format.md from schema.inc. The page in the tree must be
 * what this prints; a test says so.
 */
#include <stdio.h>
#include <string.h>

static const char head[] =
    "# The profile format\n"
    "\n"
    "<!-- Made from profile/schema.inc by profile/format_doc.c. -->\n"
    "\n"
    "A profile (`.bmem`) is a sequence of [msgpack](https://msgpack.org) "
    "objects. Programs read\n"
    "it best with the library: `#include <benchmem/profile.h>`, `pkg-config "
    "--libs benchmem-profile`\n"
    "or `Benchmem::profile` in CMake. What the figures mean is in "
    "[metrics.md](metrics.md).\n"
    "\n"
    "* Each record is an array: its tag, then its fields in the order below. "
    "The first record is\n"
    "  `head`; the others come in any order, and may refer to one that comes "
    "later.\n"
    "* The integer 0 between records is room not used. A `bin` there is a "
    "record that is being\n"
    "  written. Neither means anything.\n"
    "* Readers skip records with a tag that they do not know and fields past "
    "the last that they know,\n"
    "  and take missing last fields for 0 or nil. `schema_version` rises only "
    "when that is not enough:\n"
    "  a reader then refuses the file.\n"
    "* Types: `uint` a non-negative integer; `str` valid UTF-8 without NUL, in "
    "which any other byte\n"
    "  stands as `\\xNN`, or nil if unknown; `words` a `bin` of 64-bit "
    "little-endian words, named in\n"
    "  a list below, of which missing last ones are 0. Signed words are two's "
    "complement.\n"
    "* An index numbers the records of its kind from 1; 0 means none. A "
    "program that was killed may\n"
    "  have left gaps, and an index whose record is missing.\n"
    "\n"
    "While the program runs, its profile is mapped and valid at every moment: "
    "a record is written as\n"
    "one `bin` of its full length, filled in, and becomes an array by one "
    "8-byte store. Words are then\n"
    "updated in place. `benchmem-run` writes the same "
    "schema without unused room.\n";

#define BM_RECORD(tag, name, meaning)                                          \
    printf("\n## %d `%s`\n\n%s.\n\n| field | type | meaning |\n"               \
           "| --- | --- | --- |\n",                                            \
           tag, #name, meaning);
#define BM_FIELD(record, type, name, meaning)                                  \
    printf("| `%s` | %s | %s |\n", #name, type_##type, meaning);
#define BM_WORD(list, name, meaning) print_word(#list, #name, meaning);
#define BM_FLAG(value, name, sentence) print_flag(value, #name, sentence);

static const char type_U[] = "uint";
static const char type_S[] = "str";
static const char type_W[] = "words";

/* The lists of words follow each other; a new one has a heading. */
static void print_word(const char *list, const char *name, const char *meaning)
{
    static const char *current;
    static int number;

    if (!current || strcmp(current, list) != 0) {
        printf("\n## Words `%s`\n\n| word | name | meaning |\n"
               "| --- | --- | --- |\n",
               list);
        current = list;
        number = 0;
    }
    printf("| %d | `%s` | %s |\n", number++, name, meaning);
}

static void print_flag(int value, const char *name, const char *sentence)
{
    if (value == 1)
        printf("\n## Bits of `flags`\n\n| bit | name | meaning |\n"
               "| --- | --- | --- |\n");
    printf("| %d | `%s` | %s |\n", value, name, sentence);
}

int main(void)
{
    fputs(head, stdout);
#include "schema.inc"
    return ferror(stdout) || fflush(stdout) ? 1 : 0;
}
