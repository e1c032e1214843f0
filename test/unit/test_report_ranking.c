/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Rows: whatever they are gathered by, they add up; who is charged is right. */
#include "report_sample.h"

#include "tools/ranking.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* A profile and what rankings of it need. */
struct context {
    struct bm_profile *profile;
    struct bm_charge charge;
    struct bm_names names;
    struct bm_node_order nodes;
    struct bm_ranking_source source;
};

static void begin(struct context *c, struct bm_profile *profile, bool callers,
                  const char *wrapper)
{
    struct bm_strvec wrappers = BM_STRVEC_INIT;

    c->profile = profile;
    if (wrapper)
        bm_strvec_push(&wrappers, wrapper);
    bm_charge_init(&c->charge, profile, callers, &wrappers);
    bm_strvec_clear(&wrappers);
    bm_names_init(&c->names, profile);
    bm_node_order_init(&c->nodes, profile);
    c->source = (struct bm_ranking_source){profile, &c->charge, &c->charge,
                                           &c->nodes, &c->names};
}

static void end(struct context *c)
{
    bm_charge_clear(&c->charge);
    bm_names_clear(&c->names);
    bm_node_order_clear(&c->nodes);
    bm_profile_free(c->profile);
}

/* "name allocations allocated at_peak live peak|-" of each row, in order. */
static char *described(struct context *c, enum bm_by by, enum bm_metric metric)
{
    struct bm_ranking ranking;
    struct bm_str out = BM_STR_INIT;

    bm_ranking_init(&ranking, by, &c->source, NULL);
    bm_ranking_sort(&ranking, metric, 0);
    for (size_t i = 0; i < ranking.nr_rows; i++) {
        const struct bm_row *row = &ranking.rows[i];
        const struct bm_figures figures = bm_row_figures(row), *f = &figures;

        if (row->label || by == BM_BY_TYPE)
            bm_str_puts(&out, row->label ? row->label : "?");
        else if (by == BM_BY_THREAD)
            bm_str_puts(&out, bm_row_thread(row)->name
                                  ? bm_row_thread(row)->name
                                  : "?");
        else
            bm_names_site(&c->names, row->site, row->frame, &out);
        bm_str_printf(&out, " %d %d", (int)f->allocations,
                      (int)f->allocated_bytes);
        bm_str_printf(&out, row->owes_at_peak ? " -" : " %d",
                      (int)f->at_peak_bytes);
        bm_str_printf(&out, row->owes_live ? " -" : " %d", (int)f->live_bytes);
        bm_str_printf(&out, row->own_peak ? " %d\n" : " -\n",
                      (int)f->peak_bytes);
    }
    bm_ranking_clear(&ranking);
    return bm_str_detach(&out);
}

static void assert_rows(struct context *c, enum bm_by by, enum bm_metric metric,
                        const char *expected)
{
    char *rows = described(c, by, metric);

    assert_string_equal(rows, expected);
    free(rows);
}

static void system_headers_are_charged_to_their_callers(void **state)
{
    struct context c;

    (void)state;
    begin(&c, sample_profile(), false, NULL);
    assert_rows(&c, BM_BY_SITE, BM_METRIC_PEAK,
                "kdtree.c:42 build 10 12000 10000 8000 11000\n"
                "util.c:7 xmalloc 5 5000 4000 0 4000\n"
                "fill.cpp:5 fill 2 3000 3000 0 -\n"
                "(outside) /opt/libplain.so 1 1500 1500 1500 1500\n"
                "grow.cpp:9 grow 1 1000 1000 1000 -\n"
                "main.cpp:30 read_line 1 120 0 0 120\n");
    end(&c);
}

static void rows_are_ranked_by_each_metric(void **state)
{
    static const struct {
        enum bm_metric metric;
        const char *first;
    } cases[] = {
        {BM_METRIC_PEAK, "kdtree.c:42 build "},
        {BM_METRIC_ALLOCATED, "kdtree.c:42 build "},
        {BM_METRIC_ALLOCATIONS, "kdtree.c:42 build "},
        {BM_METRIC_LEAKED, "kdtree.c:42 build 10 12000 10000 8000 11000\n"
                           "(outside) /opt/libplain.so "},
        /* All are 0 there: by bytes allocated. */
        {BM_METRIC_TEMPORARY, "kdtree.c:42 build 10 12000 10000 8000 11000\n"
                              "util.c:7 xmalloc "},
    };
    struct context c;

    (void)state;
    begin(&c, sample_profile(), false, NULL);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char *rows = described(&c, BM_BY_SITE, cases[i].metric);
        if (strncmp(rows, cases[i].first, strlen(cases[i].first)) != 0)
            fail_msg("%s is first in:\n%s", cases[i].first, rows);
        free(rows);
    }
    end(&c);
}

static void callers_of_wrappers_are_charged_on_request(void **state)
{
    struct context c;

    (void)state;
    begin(&c, sample_profile(), true, NULL);
    assert_rows(&c, BM_BY_SITE, BM_METRIC_PEAK,
                "kdtree.c:42 build 10 12000 10000 8000 11000\n"
                "main.cpp:20 load 5 5000 4000 0 4000\n"
                "fill.cpp:5 fill 2 3000 3000 0 -\n"
                "(outside) /opt/libplain.so 1 1500 1500 1500 1500\n"
                "grow.cpp:9 grow 1 1000 1000 1000 -\n"
                "main.cpp:30 read_line 1 120 0 0 120\n");
    end(&c);
}

static void wrappers_can_be_named(void **state)
{
    struct context c;

    (void)state;
    /* load and xmalloc are passed by, main is charged. */
    begin(&c, sample_profile(), true, "lo*d");
    assert_rows(&c, BM_BY_FUNCTION, BM_METRIC_PEAK,
                "build 10 12000 10000 8000 11000\n"
                "main 5 5000 4000 0 4000\n"
                "fill 2 3000 3000 0 -\n"
                "(outside) /opt/libplain.so 1 1500 1500 1500 1500\n"
                "grow 1 1000 1000 1000 -\n"
                "read_line 1 120 0 0 120\n");
    end(&c);
    /* Where all are passed by, the site keeps its blocks. */
    begin(&c, sample_profile(), true, "*");
    assert_rows(&c, BM_BY_FUNCTION, BM_METRIC_PEAK,
                "build 10 12000 10000 8000 11000\n"
                "xmalloc 5 5000 4000 0 4000\n"
                "std::__new_allocator<int>::allocate 3 4000 4000 1000 4000\n"
                "(outside) /opt/libplain.so 1 1500 1500 1500 1500\n"
                "read_line 1 120 0 0 120\n");
    end(&c);
}

static void types_files_and_modules_are_told_apart(void **state)
{
    struct context c;

    (void)state;
    begin(&c, sample_profile(), false, NULL);
    assert_rows(&c, BM_BY_TYPE, BM_METRIC_PEAK,
                "struct node 10 12000 10000 8000 11000\n"
                "? 7 6620 5500 1500 -\n"
                "int 3 4000 4000 1000 4000\n");
    assert_rows(&c, BM_BY_MODULE, BM_METRIC_PEAK,
                "/src/app 19 21120 18000 9000 -\n"
                "/opt/libplain.so 1 1500 1500 1500 1500\n");
    assert_rows(&c, BM_BY_FILE, BM_METRIC_PEAK,
                "kdtree.c 10 12000 10000 8000 11000\n"
                "util.c 5 5000 4000 0 4000\n"
                "fill.cpp 2 3000 3000 0 -\n"
                "(outside) /opt/libplain.so 1 1500 1500 1500 1500\n"
                "grow.cpp 1 1000 1000 1000 -\n"
                "main.cpp 1 120 0 0 120\n");
    end(&c);
}

static void threads_owe_what_they_freed_of_others(void **state)
{
    struct context c;

    (void)state;
    begin(&c, sample_profile(), false, NULL);
    assert_rows(&c, BM_BY_THREAD, BM_METRIC_PEAK,
                "app 19 21620 18500 9500 -\n"
                "worker 1 1000 1000 1000 -\n");
    end(&c);
    begin(&c, sample_of_two_threads(), false, NULL);
    assert_rows(&c, BM_BY_THREAD, BM_METRIC_PEAK,
                "app 10 1000 1000 1000 -\n"
                "? 0 0 0 - -\n");
    end(&c);
}

static void assert_adds_up(struct bm_ranking *ranking, bool threads)
{
    struct bm_figures sum = bm_ranking_sum(ranking, 0);
    const struct bm_figures *totals = &ranking->totals;

    assert_int_equal(sum.allocations, totals->allocations);
    assert_int_equal(sum.frees, totals->frees);
    assert_int_equal(sum.allocated_bytes, totals->allocated_bytes);
    assert_int_equal(sum.freed_bytes, totals->freed_bytes);
    if (threads)
        return;
    assert_int_equal(sum.at_peak_bytes, totals->peak_bytes);
    assert_int_equal(sum.live_bytes, totals->live_bytes);
    assert_int_equal(sum.live_blocks, totals->live_blocks);
}

static void every_grouping_has_the_same_totals(void **state)
{
    struct bm_profile *(*const samples[])(void) = {
        sample_profile, sample_of_two_threads, sample_without_allocations};

    (void)state;
    for (size_t s = 0; s < sizeof(samples) / sizeof(samples[0]); s++) {
        for (int callers = 0; callers < 2; callers++) {
            struct context c;
            begin(&c, samples[s](), callers, NULL);
            for (enum bm_by by = BM_BY_SITE; by <= BM_BY_CHARGE; by++) {
                struct bm_ranking ranking;
                if (by == BM_BY_BENCHMARK)
                    continue;
                bm_ranking_init(&ranking, by, &c.source, NULL);
                assert_adds_up(&ranking, by == BM_BY_THREAD);
                bm_ranking_clear(&ranking);
            }
            end(&c);
        }
    }
}

static void a_benchmark_has_its_own_rows(void **state)
{
    struct bm_ranking ranking;
    struct context c;

    (void)state;
    begin(&c, sample_profile(), false, NULL);
    for (enum bm_by by = BM_BY_SITE; by <= BM_BY_CHARGE; by++) {
        if (by == BM_BY_BENCHMARK)
            continue;
        bm_ranking_init(&ranking, by, &c.source, &c.profile->benchmarks[0]);
        assert_int_equal(ranking.nr_rows, 1);
        assert_int_equal(bm_row_figures(&ranking.rows[0]).allocated_bytes,
                         1700);
        assert_int_equal(bm_row_figures(&ranking.rows[0]).at_peak_bytes, 900);
        assert_adds_up(&ranking, false);
        bm_ranking_clear(&ranking);
    }
    end(&c);
}

/* A profile of n sites, of which number i allocated values[i % 7]. */
static struct bm_profile *many_sites(size_t n)
{
    static const uint64_t values[] = {5, 100, 7, 100, 0, 3, 99};
    struct bm_profile_error error = {0, NULL};
    struct builder b;

    builder_init(&b);
    add_head(&b);
    add_state(&b, BM_END_STATUS, 0, 0);
    add_ledger(&b, 0, 0, 0, 0, 0);
    for (size_t i = 1; i <= n; i++) {
        uint64_t bytes = values[i % 7];
        uint64_t words[] = {1, 1, bytes, bytes};
        add_site(&b, i, "many.c");
        ADD(&b, node, .site = i, .node = WORDS_OF(words));
    }
    struct bm_profile *profile = builder_parse(&b, &error);
    builder_clear(&b);
    assert_non_null(profile);
    return profile;
}

static void the_first_of_many_are_the_first_of_all(void **state)
{
    struct bm_ranking all, some;
    struct context c;

    (void)state;
    begin(&c, many_sites(20000), false, NULL);
    bm_ranking_init(&all, BM_BY_SITE, &c.source, NULL);
    bm_ranking_sort(&all, BM_METRIC_ALLOCATED, 0);
    bm_ranking_init(&some, BM_BY_SITE, &c.source, NULL);
    bm_ranking_sort(&some, BM_METRIC_ALLOCATED, 25);
    assert_int_equal(all.nr_rows, 20000);
    for (size_t i = 0; i < 25; i++)
        assert_ptr_equal(all.rows[i].site, some.rows[i].site);
    assert_int_equal(bm_row_figures(&all.rows[0]).allocated_bytes, 100);
    assert_int_equal(all.rows[0].frame->line, 1);
    assert_int_equal(bm_ranking_sum(&all, 25).allocated_bytes,
                     bm_ranking_sum(&some, 25).allocated_bytes);
    bm_ranking_clear(&all);
    bm_ranking_clear(&some);
    end(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(system_headers_are_charged_to_their_callers),
        cmocka_unit_test(rows_are_ranked_by_each_metric),
        cmocka_unit_test(callers_of_wrappers_are_charged_on_request),
        cmocka_unit_test(wrappers_can_be_named),
        cmocka_unit_test(types_files_and_modules_are_told_apart),
        cmocka_unit_test(threads_owe_what_they_freed_of_others),
        cmocka_unit_test(every_grouping_has_the_same_totals),
        cmocka_unit_test(a_benchmark_has_its_own_rows),
        cmocka_unit_test(the_first_of_many_are_the_first_of_all),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
