/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * What the limits say, for people: one line where all hold or where it cannot
 * be told, else each that does not hold, with the lines that grew most.
 */
#include "base/error.h"
#include "tools/compare.h"

#include <stdlib.h>

/* Failed checks in full; further ones are counted. */
#define MOST_FAILED 50
#define MOST_OFFENDERS 3

void bm_compare_offenders(struct bm_compare *compare,
                          const struct bm_check *check, size_t most,
                          struct bm_str *out)
{
    struct bm_joined *joined = &compare->joined;
    size_t last = joined->nr_series - 1;
    bool none;

    if (!check->gate || check->subject || !check->row || last == 0 ||
        !bm_digest_has(check->gate->measure) || !check->row->cells[0] ||
        !check->row->cells[last] || !joined->runs[0]->files.count ||
        !joined->runs[last]->files.count)
        return;
    struct bm_sites *sites =
        bm_joined_sites(joined, check->gate->measure, &none);
    if (!sites)
        return;
    struct bm_site_rows rows;
    enum bm_unit unit = bm_measure_info(check->gate->measure)->unit;
    bm_sites_compare(sites, bm_joined_ledger(joined, check->row, 0),
                     bm_joined_ledger(joined, check->row, last), &rows);
    for (size_t i = 0; i < rows.count && i < most; i++) {
        if (bm_site_change(&rows.items[i]) <= 0)
            break;
        bm_value_print_change(out, bm_site_change(&rows.items[i]), unit);
        bm_str_puts(out, "  ");
        bm_site_name(bm_site_of(&rows.items[i]), out);
        bm_str_putc(out, '\n');
    }
    free(rows.items);
}

static void put_subject(const struct bm_page *page,
                        const struct bm_check *check)
{
    if (check->subject) {
        bm_page_text(page, check->subject);
        fputs(" in ", page->file);
    }
    bm_page_text(page, check->id ? check->id : "the process");
}

static void put_offenders(struct bm_compare *compare,
                          const struct bm_page *page,
                          const struct bm_check *check)
{
    struct bm_str lines = BM_STR_INIT;
    struct bm_str line = BM_STR_INIT;

    bm_compare_offenders(compare, check, MOST_OFFENDERS, &lines);
    for (const char *p = lines.data; *p; p++) {
        if (*p != '\n') {
            bm_str_putc(&line, *p);
            continue;
        }
        fputs(page->markdown ? "  - " : "       ", page->file);
        bm_page_text(page, line.data);
        fputc('\n', page->file);
        bm_str_truncate(&line, 0);
    }
    bm_str_clear(&line);
    bm_str_clear(&lines);
}

static void put_failed(struct bm_compare *compare, const struct bm_page *page,
                       const struct bm_check *check)
{
    fputs(page->markdown ? "- " : "", page->file);
    fprintf(page->file, "%sFAIL%s ",
            bm_tone_begin(&page->terminal, BM_TONE_BAD),
            bm_tone_end(&page->terminal, BM_TONE_BAD));
    put_subject(page, check);
    fputs(": ", page->file);
    bm_page_text(page, check->text);
    if (check->gate && check->gate->origin) {
        fputs(" of ", page->file);
        bm_page_text(page, check->gate->origin);
    }
    fputc('\n', page->file);
    put_offenders(compare, page, check);
}

static void put_sum(const struct bm_compare *compare,
                    const struct bm_page *page)
{
    const struct bm_gate_report *gates = &compare->gates;
    bool failed = gates->nr_failed;
    enum bm_tone tone = failed ? BM_TONE_BAD : BM_TONE_GOOD;

    fprintf(page->file, "%s%s%s: ", bm_tone_begin(&page->terminal, tone),
            failed ? "limits failed" : "limits hold",
            bm_tone_end(&page->terminal, tone));
    if (failed)
        fprintf(page->file, "%zu of ", gates->nr_failed);
    fprintf(page->file, "%zu check%s", gates->nr_failed + gates->nr_passed,
            gates->nr_failed + gates->nr_passed == 1 ? "" : "s");
    if (gates->nr_new)
        fprintf(page->file, ", %zu new", gates->nr_new);
    if (gates->nr_gone)
        fprintf(page->file, ", %zu gone", gates->nr_gone);
    fputc('\n', page->file);
}

void bm_compare_gates(struct bm_compare *compare, const struct bm_page *page)
{
    size_t shown = 0;

    if (!compare->has_gates)
        return;
    fputc('\n', page->file);
    if (!compare->gates_held) {
        fprintf(page->file, "%slimits undecided%s: no pass, exit status 2\n",
                bm_tone_begin(&page->terminal, BM_TONE_BAD),
                bm_tone_end(&page->terminal, BM_TONE_BAD));
        return;
    }
    for (size_t i = 0; i < compare->gates.count && shown < MOST_FAILED; i++) {
        if (compare->gates.checks[i].verdict != BM_VERDICT_FAIL)
            continue;
        put_failed(compare, page, &compare->gates.checks[i]);
        shown++;
    }
    if (compare->gates.nr_failed > shown)
        fprintf(page->file, "%sFAIL %zu more\n", page->markdown ? "- " : "",
                compare->gates.nr_failed - shown);
    if (shown && page->markdown)
        fputc('\n', page->file);
    put_sum(compare, page);
}
