/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What failed as SARIF 2.1.0. A rule for each metric and kind of limit; a
 * result stands at the line that is to blame: of a line's limit that line, else
 * the benchmark.
 */
#include "base/json.h"
#include "tools/compare.h"

#include <ctype.h>
#include <string.h>

/* More are refused by GitHub in one run. */
#define MOST_RESULTS 25000
#define MOST_OFFENDERS 5

static const char schema[] = "https://json.schemastore.org/sarif-2.1.0.json";

static void rule_id(const struct bm_check *check, struct bm_str *out)
{
    if (check->gate)
        bm_str_printf(out, "benchmem/%s-%s", check->gate->metric_text,
                      check->gate->ceiling ? "limit" : "growth");
    else
        bm_str_puts(out, "benchmem/gone");
}

static void put_rule(struct bm_json *json, const char *id, const char *text)
{
    bm_json_begin_object(json);
    bm_json_put_string(json, "id", id);
    bm_json_key(json, "shortDescription");
    bm_json_begin_object(json);
    bm_json_put_string(json, "text", text);
    bm_json_end_object(json);
    bm_json_end_object(json);
}

static void put_rules(struct bm_json *json)
{
    bm_json_key(json, "rules");
    bm_json_begin_array(json);
    for (int m = 0; m < BM_NR_MEASURES; m++) {
        struct bm_str id = BM_STR_INIT, text = BM_STR_INIT;
        const struct bm_measure_info *info =
            bm_measure_info((enum bm_measure)m);

        bm_str_printf(&id, "benchmem/%s-growth", info->name);
        bm_str_printf(&text, "More than the base had: %s", info->meaning);
        put_rule(json, id.data, text.data);
        bm_str_truncate(&id, 0);
        bm_str_truncate(&text, 0);
        bm_str_printf(&id, "benchmem/%s-limit", info->name);
        bm_str_printf(&text, "More than is allowed: %s", info->meaning);
        put_rule(json, id.data, text.data);
        bm_str_clear(&id);
        bm_str_clear(&text);
    }
    put_rule(json, "benchmem/gone", "A benchmark of the base is gone");
    bm_json_end_array(json);
}

/* A path as a URI reference (RFC 3986): all but plain characters encoded. */
static void put_uri(struct bm_str *out, const char *path)
{
    if (*path == '/')
        bm_str_puts(out, "file://");
    for (const unsigned char *p = (const unsigned char *)path; *p; p++) {
        if (isalnum(*p) || strchr("/._-~", *p))
            bm_str_putc(out, (char)*p);
        else
            bm_str_printf(out, "%%%02X", *p);
    }
}

static void put_location(struct bm_json *json, const struct bm_check *check)
{
    struct bm_str uri = BM_STR_INIT;

    bm_json_key(json, "locations");
    bm_json_begin_array(json);
    if (check->file && *check->file) {
        put_uri(&uri, check->file);
        bm_json_begin_object(json);
        bm_json_key(json, "physicalLocation");
        bm_json_begin_object(json);
        bm_json_key(json, "artifactLocation");
        bm_json_begin_object(json);
        bm_json_put_string(json, "uri", uri.data);
        bm_json_end_object(json);
        bm_json_key(json, "region");
        bm_json_begin_object(json);
        bm_json_put_uint(json, "startLine", check->line ? check->line : 1);
        bm_json_end_object(json);
        bm_json_end_object(json);
        bm_json_end_object(json);
    }
    bm_json_end_array(json);
    bm_str_clear(&uri);
}

static void put_result(struct bm_compare *compare, struct bm_json *json,
                       const struct bm_check *check)
{
    struct bm_str rule = BM_STR_INIT, text = BM_STR_INIT, print = BM_STR_INIT;
    const char *id = check->id ? check->id : "the process";

    rule_id(check, &rule);
    bm_str_printf(&text, "%s%s%s: %s\n", check->subject ? check->subject : "",
                  check->subject ? " in " : "", id, check->text);
    bm_compare_offenders(compare, check, MOST_OFFENDERS, &text);
    bm_str_truncate(&text, text.size - 1);
    bm_str_printf(&print, "%s %s %s", rule.data, id,
                  check->gate && check->gate->pattern ? check->gate->pattern
                                                      : "");

    bm_json_begin_object(json);
    bm_json_put_string(json, "ruleId", rule.data);
    bm_json_put_string(json, "level", "error");
    bm_json_key(json, "message");
    bm_json_begin_object(json);
    bm_json_put_string(json, "text", text.data);
    bm_json_end_object(json);
    put_location(json, check);
    bm_json_key(json, "partialFingerprints");
    bm_json_begin_object(json);
    bm_json_put_string(json, "benchmem/v1", print.data);
    bm_json_end_object(json);
    bm_json_end_object(json);
    bm_str_clear(&rule);
    bm_str_clear(&text);
    bm_str_clear(&print);
}

void bm_compare_sarif(struct bm_compare *compare, FILE *file)
{
    size_t shown = 0;
    struct bm_json json;

    bm_json_init(&json, file, 4);
    bm_json_begin_object(&json);
    bm_json_put_string(&json, "$schema", schema);
    bm_json_put_string(&json, "version", "2.1.0");
    bm_json_key(&json, "runs");
    bm_json_begin_array(&json);
    bm_json_begin_object(&json);
    bm_json_key(&json, "tool");
    bm_json_begin_object(&json);
    bm_json_key(&json, "driver");
    bm_json_begin_object(&json);
    bm_json_put_string(&json, "name", "benchmem");
    bm_json_put_string(&json, "version", BENCHMEM_VERSION);
    put_rules(&json);
    bm_json_end_object(&json);
    bm_json_end_object(&json);
    bm_json_key(&json, "results");
    bm_json_begin_array(&json);
    for (size_t i = 0; i < compare->gates.count && shown < MOST_RESULTS; i++) {
        if (compare->gates.checks[i].verdict != BM_VERDICT_FAIL)
            continue;
        put_result(compare, &json, &compare->gates.checks[i]);
        shown++;
    }
    bm_json_end_array(&json);
    bm_json_end_object(&json);
    bm_json_end_array(&json);
    bm_json_end_object(&json);
    bm_json_finish(&json);
}
