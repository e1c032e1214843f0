/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Untrusted strings: harmless, still readable, and no wider than there is room.
 */
#include "base/escape.h"
#include "base/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

typedef void escape_function(struct bm_str *, const char *);

struct escape_case {
    const char *text;
    const char *escaped;
};

static void assert_escapes(escape_function *escape,
                           const struct escape_case *cases)
{
    for (; cases->text; cases++) {
        struct bm_str out = BM_STR_INIT;
        escape(&out, cases->text);
        assert_string_equal(out.data, cases->escaped);
        bm_str_clear(&out);
    }
}

static void terminals_obey_nothing(void **state)
{
    static const struct escape_case cases[] = {
        {"", ""},
        {"plain text", "plain text"},
        {"\033[31mred\007", "\\x1b[31mred\\x07"},
        {"two\nlines\ttab\r", "two\\x0alines\\x09tab\\x0d"},
        {"na\303\257ve \346\225\260", "na\303\257ve \346\225\260"},
        {"bad\377.c", "bad\\xff.c"},
        {"cut\303", "cut\\xc3"},
        {"\300\257", "\\xc0\\xaf"},                   /* overlong */
        {"\355\240\200", "\\xed\\xa0\\x80"},          /* a surrogate */
        {"\364\220\200\200", "\\xf4\\x90\\x80\\x80"}, /* beyond Unicode */
        {"\302\233", "\\xc2\\x9b"},                   /* C1: a CSI of 8 bits */
        {"a\342\200\256b", "a\\xe2\\x80\\xaeb"}, /* right-to-left override */
        {"a\357\277\276\357\277\277b",
         "a\\xef\\xbf\\xbe\\xef\\xbf\\xbfb"}, /* U+FFFE, U+FFFF */
        {"\177", "\\x7f"},
        {NULL, NULL},
    };

    (void)state;
    assert_escapes(bm_escape_terminal, cases);
}

static void only_bad_bytes_are_replaced(void **state)
{
    static const struct escape_case cases[] = {
        {"a\nb\033", "a\nb\033"},
        {"bad\377", "bad\\xff"},
        {NULL, NULL},
    };

    (void)state;
    assert_escapes(bm_escape_invalid, cases);
}

static void spreadsheets_run_no_formula(void **state)
{
    static const struct escape_case cases[] = {
        {"plain", "plain"},
        {"a,b", "\"a,b\""},
        {"say \"x\"", "\"say \"\"x\"\"\""},
        {"=1+1", "'=1+1"},
        {"=HYPERLINK(\"x\",1)", "\"'=HYPERLINK(\"\"x\"\",1)\""},
        {"+1", "'+1"},
        {"-1", "'-1"},
        {"@SUM(A1)", "'@SUM(A1)"},
        {"\t=1", "'\\x09=1"},
        {"a=1", "a=1"},
        {"two\nlines", "two\\x0alines"},
        {NULL, NULL},
    };

    (void)state;
    assert_escapes(bm_escape_csv, cases);
}

static void markdown_shows_text_as_it_is(void **state)
{
    static const struct escape_case cases[] = {
        {"a|b", "a\\|b"},
        {"`code`", "\\`code\\`"},
        {"std::vector<int>", "std::vector&lt;int&gt;"},
        {"__init__ *x*", "\\_\\_init\\_\\_ \\*x\\*"},
        {"![a](b)", "\\!\\[a\\](b)"},
        {"a\\|b", "a\\\\\\|b"},
        {"<script>&", "&lt;script&gt;&amp;"},
        {"x\ny", "x\\\\x0ay"},
        {NULL, NULL},
    };

    (void)state;
    assert_escapes(bm_escape_markdown, cases);
}

static void html_shows_text_as_it_is(void **state)
{
    static const struct escape_case cases[] = {
        {"</script><b a='x' c=\"y\">&amp;",
         "&lt;/script&gt;&lt;b a=&#39;x&#39; c=&quot;y&quot;&gt;&amp;amp;"},
        {NULL, NULL},
    };

    (void)state;
    assert_escapes(bm_escape_html, cases);
}

static void widths_are_columns(void **state)
{
    (void)state;
    assert_int_equal(bm_utf8_width(""), 0);
    assert_int_equal(bm_utf8_width("abc"), 3);
    assert_int_equal(bm_utf8_width("na\303\257ve"), 5);
    assert_int_equal(bm_utf8_width("\346\225\260"), 2); /* wide */
    assert_int_equal(bm_utf8_width("e\314\201"), 1);    /* combining */
    assert_int_equal(bm_utf8_width("\377"), 1);
    assert_true(bm_utf8_valid("na\303\257ve"));
    assert_false(bm_utf8_valid("na\303"));
}

static void texts_are_shortened_at_characters(void **state)
{
    static const struct {
        const char *text;
        size_t width;
        const char *middle;
        const char *end;
    } cases[] = {
        {"abcdef", 6, "abcdef", "abcdef"},
        {"abcdef", 5, "ab\342\200\246ef", "abcd\342\200\246"},
        {"abcdef", 1, "\342\200\246", "\342\200\246"},
        {"abcdef", 0, "", ""},
        {"\346\225\260\346\225\260\346\225\260", 4, "\342\200\246\346\225\260",
         "\346\225\260\342\200\246"},
        {"src/very/long/path.c:12 f", 14, "src/v\342\200\246h.c:12 f",
         "src/very/long\342\200\246"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct bm_str middle = BM_STR_INIT, end = BM_STR_INIT;
        bm_utf8_shorten_middle(&middle, cases[i].text, cases[i].width);
        bm_utf8_shorten_end(&end, cases[i].text, cases[i].width);
        assert_string_equal(middle.data, cases[i].middle);
        assert_string_equal(end.data, cases[i].end);
        assert_true(bm_utf8_width(middle.data) <= cases[i].width);
        bm_str_clear(&middle);
        bm_str_clear(&end);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(terminals_obey_nothing),
        cmocka_unit_test(only_bad_bytes_are_replaced),
        cmocka_unit_test(spreadsheets_run_no_formula),
        cmocka_unit_test(markdown_shows_text_as_it_is),
        cmocka_unit_test(html_shows_text_as_it_is),
        cmocka_unit_test(widths_are_columns),
        cmocka_unit_test(texts_are_shortened_at_characters),
    };

    bm_utf8_init();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
