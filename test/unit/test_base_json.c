/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The JSON stream: jansson reads back what was written. */
#include "base/json.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *written(unsigned lines, void (*write)(struct bm_json *))
{
    struct bm_json json;
    char *text = NULL;
    size_t size;
    FILE *file = open_memstream(&text, &size);

    bm_json_init(&json, file, lines);
    write(&json);
    bm_json_finish(&json);
    fclose(file);
    return text;
}

static void nested(struct bm_json *json)
{
    bm_json_begin_object(json);
    bm_json_put_uint(json, "a", 1);
    bm_json_key(json, "list");
    bm_json_begin_array(json);
    bm_json_begin_object(json);
    bm_json_put_bool(json, "b", true);
    bm_json_put_string(json, "c", NULL);
    bm_json_end_object(json);
    bm_json_begin_object(json);
    bm_json_end_object(json);
    bm_json_begin_array(json);
    bm_json_end_array(json);
    bm_json_end_array(json);
    bm_json_end_object(json);
}

static void containers_are_laid_out_by_depth(void **state)
{
    char *text = written(2, nested);

    (void)state;
    assert_string_equal(text, "{\n"
                              "  \"a\": 1,\n"
                              "  \"list\": [\n"
                              "    {\"b\": true, \"c\": null},\n"
                              "    {},\n"
                              "    []\n"
                              "  ]\n"
                              "}\n");
    free(text);
    text = written(0, nested);
    assert_string_equal(
        text, "{\"a\": 1, \"list\": [{\"b\": true, \"c\": null}, {}, []]}\n");
    free(text);
}

static void numbers(struct bm_json *json)
{
    bm_json_begin_array(json);
    bm_json_uint(json, 0);
    bm_json_uint(json, UINT64_MAX);
    bm_json_int(json, INT64_MIN);
    bm_json_double(json, 0.1);
    bm_json_double(json, 1.0 / 3.0);
    bm_json_double(json, 1e300);
    bm_json_double(json, NAN);
    bm_json_double(json, INFINITY);
    bm_json_end_array(json);
}

static void numbers_are_exact(void **state)
{
    char *text = written(0, numbers);

    (void)state;
    assert_string_equal(text,
                        "[0, 18446744073709551615, -9223372036854775808, 0.1, "
                        "0.3333333333333333, 1e+300, null, null]\n");
    free(text);
}

static const char *const strange[] = {
    "",
    "plain",
    "quote \" backslash \\ slash /",
    "\b\f\n\r\t\001\037\177",
    "na\303\257ve \346\225\260 \360\237\230\200",
    "</script>",
    NULL,
};

static void strings(struct bm_json *json)
{
    bm_json_begin_array(json);
    for (size_t i = 0; strange[i]; i++)
        bm_json_string(json, strange[i]);
    bm_json_string(json, "bad\377");
    bm_json_begin_object(json);
    bm_json_free_key(json, "k\"\n");
    bm_json_uint(json, 7);
    bm_json_end_object(json);
    bm_json_end_array(json);
}

static void strings_come_back_as_they_were(void **state)
{
    char *text = written(1, strings);
    json_t *list = json_loads(text, 0, NULL);
    size_t i;

    (void)state;
    assert_non_null(list);
    for (i = 0; strange[i]; i++)
        assert_string_equal(json_string_value(json_array_get(list, i)),
                            strange[i]);
    assert_string_equal(json_string_value(json_array_get(list, i)), "bad\\xff");
    json_t *object = json_array_get(list, i + 1);
    assert_int_equal(json_integer_value(json_object_get(object, "k\"\n")), 7);
    json_decref(list);
    free(text);
}

#define LONG ((size_t)3 * BM_JSON_BUFFER + 17)

static void pieces(struct bm_json *json)
{
    char *text = malloc(LONG + 1);

    memset(text, 'x', LONG);
    text[LONG] = 0;
    text[0] = text[LONG - 1] = '"';
    bm_json_begin_array(json);
    for (size_t i = 0; i < 2000; i++)
        bm_json_value(json, "{\"a\": 1}", 8);
    bm_json_value(json, text, LONG);
    bm_json_raw(json, ", 5", 3);
    bm_json_flush(json);
    bm_json_uint(json, 6);
    bm_json_end_array(json);
    free(text);
}

/* What is larger than the buffer, and what fills it up at any place. */
static void pieces_of_the_caller_stay_in_order(void **state)
{
    char *text = written(0, pieces);
    json_t *list = json_loads(text, 0, NULL);

    (void)state;
    assert_non_null(list);
    assert_int_equal(json_array_size(list), 2003);
    assert_int_equal(json_string_length(json_array_get(list, 2000)), LONG - 2);
    assert_int_equal(json_integer_value(json_array_get(list, 2001)), 5);
    assert_int_equal(json_integer_value(json_array_get(list, 2002)), 6);
    json_decref(list);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_of_the_caller_stay_in_order),
        cmocka_unit_test(containers_are_laid_out_by_depth),
        cmocka_unit_test(numbers_are_exact),
        cmocka_unit_test(strings_come_back_as_they_were),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
