/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Annotations and step summary of GitHub Actions. Of one kind of annotation it
 * shows ten for each step, and a step's summary above 1 MiB is dropped whole:
 * so the tenth says how many more there are, and the summary is cut.
 */
#include "base/error.h"
#include "base/escape.h"
#include "tools/compare.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_ANNOTATIONS 10
#define MOST_OFFENDERS 3
#define MOST_SUMMARY ((size_t)1 << 20)

static const char cut_note[] = "\n\n(cut here: a step's summary holds 1 MiB)\n";

/* -- annotations ----------------------------------------------------------- */

/* Text of a workflow command; in its properties : and , as well. */
static void put_command(FILE *file, const char *text, bool property)
{
    struct bm_str clean = BM_STR_INIT;

    bm_escape_invalid(&clean, text);
    for (const char *p = clean.data; *p; p++) {
        bool special = *p == '%' || *p == '\r' || *p == '\n' ||
                       (property && (*p == ':' || *p == ','));

        if (special)
            fprintf(file, "%%%02X", (unsigned char)*p);
        else
            fputc(*p, file);
    }
    bm_str_clear(&clean);
}

static void put_annotation(struct bm_compare *compare,
                           const struct bm_check *check, const char *kind,
                           FILE *file)
{
    struct bm_str title = BM_STR_INIT, text = BM_STR_INIT;

    bm_str_printf(&title, "%s of %s",
                  check->gate ? check->gate->metric_text : "benchmark",
                  check->id ? check->id : "the process");
    bm_str_printf(&text, "%s%s%s\n", check->subject ? check->subject : "",
                  check->subject ? ": " : "", check->text);
    bm_compare_offenders(compare, check, MOST_OFFENDERS, &text);
    bm_str_truncate(&text, text.size - 1);

    fprintf(file, "::%s ", kind);
    if (check->file) {
        fputs("file=", file);
        put_command(file, check->file, true);
        fprintf(file, ",line=%u,", check->line ? check->line : 1);
    }
    fputs("title=", file);
    put_command(file, title.data, true);
    fputs("::", file);
    put_command(file, text.data, false);
    fputc('\n', file);
    bm_str_clear(&title);
    bm_str_clear(&text);
}

static void put_kind(struct bm_compare *compare, enum bm_verdict verdict,
                     const char *kind, FILE *file)
{
    const struct bm_gate_report *gates = &compare->gates;
    size_t count = 0, shown = 0;

    for (size_t i = 0; i < gates->count; i++)
        count += gates->checks[i].verdict == verdict;
    size_t most =
        count > MOST_ANNOTATIONS ? MOST_ANNOTATIONS - 1 : MOST_ANNOTATIONS;
    for (size_t i = 0; i < gates->count && shown < most; i++) {
        if (gates->checks[i].verdict != verdict)
            continue;
        put_annotation(compare, &gates->checks[i], kind, file);
        shown++;
    }
    if (count > shown)
        fprintf(file, "::%s title=benchmem::%zu more: see the summary\n",
                kind, count - shown);
}

void bm_compare_annotations(struct bm_compare *compare, FILE *file)
{
    if (compare->has_gates && !compare->gates_held)
        fputs("::error title=benchmem::the limits cannot be held: see the "
              "output of benchmem-compare\n",
              file);
    put_kind(compare, BM_VERDICT_FAIL, "error", file);
    put_kind(compare, BM_VERDICT_GONE, "warning", file);
}

/* -- step summary ---------------------------------------------------------- */

/* The limits come first: what is cut is then the tables' end. */
static void write_summary(struct bm_compare *compare, FILE *file)
{
    struct bm_page page = {.file = file, .markdown = true};

    fputs("### benchmem\n", file);
    bm_compare_gates(compare, &page);
    bm_compare_news(compare, &page);
    if (compare->options->diff)
        bm_compare_diff(compare, &page);
    else
        bm_compare_tables(compare, &page);
    bm_compare_sites(compare, &page);
    fputc('\n', file);
}

/* At a line's end, so that no table row or character is cut apart. */
static size_t cut_size(const char *text, size_t size, size_t most)
{
    if (size <= most)
        return size;
    most = most > sizeof(cut_note) ? most - sizeof(cut_note) : 0;
    while (most > 0 && text[most - 1] != '\n')
        most--;
    return most;
}

static int append(const char *path, const char *text, size_t size)
{
    struct stat st;
    size_t there = stat(path, &st) ? 0 : (size_t)st.st_size;
    size_t room = there < MOST_SUMMARY ? MOST_SUMMARY - there : 0;
    size_t kept = cut_size(text, size, room);
    FILE *file = kept ? fopen(path, "ae") : NULL;

    if (!kept) {
        bm_warn("%s: no room left for the summary", path);
        return 0;
    }
    if (!file)
        return bm_error("cannot write %s: %s", path, strerror(errno));
    fwrite(text, 1, kept, file);
    if (kept < size)
        fputs(cut_note, file);
    bool failed = ferror(file);
    if (fclose(file) || failed)
        return bm_error("cannot write %s: %s", path, strerror(errno));
    return 0;
}

int bm_compare_summary(struct bm_compare *compare, const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);

    if (!file)
        return bm_error("cannot write %s: %s", path, strerror(errno));
    write_summary(compare, file);
    int failed = fclose(file)
                     ? bm_error("cannot write %s: %s", path, strerror(errno))
                     : append(path, text, size);
    free(text);
    return failed;
}
