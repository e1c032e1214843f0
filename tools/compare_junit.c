/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The limits as JUnit XML: a test for each limit and benchmark. There is no
 * standard; these are the elements and attributes that build servers read.
 */
#include "base/escape.h"
#include "tools/compare.h"

#include <string.h>

#define MOST_OFFENDERS 10

/* Text of an element or attribute; what XML cannot hold becomes \xNN. */
static void put_xml(FILE *file, const char *text)
{
    struct bm_str plain = BM_STR_INIT, out = BM_STR_INIT;

    bm_escape_terminal(&plain, text ? text : "");
    bm_escape_html(&out, plain.data);
    fputs(out.data, file);
    bm_str_clear(&plain);
    bm_str_clear(&out);
}

static void put_attribute(FILE *file, const char *name, const char *text)
{
    fprintf(file, " %s=\"", name);
    put_xml(file, text);
    fputc('"', file);
}

static void put_property(FILE *file, const char *name, long double value)
{
    struct bm_str text = BM_STR_INIT;

    bm_value_print_exact(&text, value);
    fprintf(file, "        <property name=\"%s\" value=\"%s\"/>\n", name,
            text.data);
    bm_str_clear(&text);
}

static void put_failure(struct bm_compare *compare,
                        const struct bm_check *check, FILE *file)
{
    struct bm_str lines = BM_STR_INIT;

    bm_compare_offenders(compare, check, MOST_OFFENDERS, &lines);
    fputs("      <failure", file);
    put_attribute(file, "message", check->text);
    put_attribute(file, "type",
                  check->gate ? check->gate->metric_text : "gone");
    fputc('>', file);
    put_xml(file, check->text);
    for (char *line = lines.data, *end; (end = strchr(line, '\n'));
         line = end + 1) {
        *end = '\0';
        fputc('\n', file);
        put_xml(file, line);
    }
    fputs("</failure>\n", file);
    bm_str_clear(&lines);
}

static void put_name(const struct bm_check *check, FILE *file)
{
    const char *name = check->row ? check->row->name : "(process)";

    fputs(" name=\"", file);
    put_xml(file, name);
    if (check->subject) {
        fputc(' ', file);
        put_xml(file, check->subject);
    }
    if (check->gate) {
        fprintf(file, " %s %s", check->gate->metric_text,
                check->gate->ceiling ? "at most " : "within ");
        put_xml(file, check->gate->limit_text);
    } else {
        fputs(" is there", file);
    }
    fputc('"', file);
}

static void put_case(struct bm_compare *compare, const struct bm_check *check,
                     FILE *file)
{
    const struct bm_run_benchmark *sample =
        check->row ? check->row->sample : NULL;

    fputs("    <testcase", file);
    put_attribute(file, "classname",
                  sample && sample->file ? sample->file : "process");
    put_name(check, file);
    if (check->file)
        put_attribute(file, "file", check->file);
    if (check->line)
        fprintf(file, " line=\"%u\"", check->line);
    fputs(">\n", file);
    if (check->gate) {
        fputs("      <properties>\n", file);
        if (check->has_base)
            put_property(file, "base", check->base);
        put_property(file, "head", check->head);
        if (check->has_base || check->gate->ceiling)
            put_property(file, "most", check->most);
        fputs("      </properties>\n", file);
    }
    if (check->verdict == BM_VERDICT_FAIL) {
        put_failure(compare, check, file);
    } else if (check->verdict != BM_VERDICT_PASS) {
        fputs("      <skipped", file);
        put_attribute(file, "message",
                      check->verdict == BM_VERDICT_NEW
                          ? "new: there is nothing to hold it against"
                          : check->text);
        fputs("/>\n", file);
    }
    fputs("    </testcase>\n", file);
}

/* Where it could not be told whether the limits hold. */
static void put_error(FILE *file)
{
    fputs("    <testcase classname=\"benchmem\" name=\"limits\">\n"
          "      <error message=\"the limits cannot be held: see the output of "
          "benchmem-compare\" type=\"undecided\"/>\n"
          "    </testcase>\n",
          file);
}

void bm_compare_junit(struct bm_compare *compare, FILE *file)
{
    const struct bm_gate_report *gates = &compare->gates;
    bool undecided = compare->has_gates && !compare->gates_held;
    size_t nr_skipped = 0;
    char counts[128];

    for (size_t i = 0; i < gates->count; i++)
        nr_skipped += gates->checks[i].verdict == BM_VERDICT_NEW ||
                      gates->checks[i].verdict == BM_VERDICT_GONE;
    snprintf(counts, sizeof(counts),
             "tests=\"%zu\" failures=\"%zu\" errors=\"%d\" skipped=\"%zu\"",
             gates->count + undecided, gates->nr_failed, undecided, nr_skipped);
    fprintf(file,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<testsuites name=\"benchmem\" %s>\n"
            "  <testsuite name=\"benchmem-compare\" %s>\n",
            counts, counts);
    for (size_t i = 0; i < gates->count; i++)
        put_case(compare, &gates->checks[i], file);
    if (undecided)
        put_error(file);
    fputs("  </testsuite>\n</testsuites>\n", file);
}
