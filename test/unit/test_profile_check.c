/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Each identity is broken by hand, and bm_profile_check names it. */
#include "build_profile.h"
#include "synthetic.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

static struct bm_profile *make(void)
{
    static const struct synthetic what = {.sites = 6,
                                          .paths = 40,
                                          .depth = 4,
                                          .threads = 2,
                                          .benchmarks = 2,
                                          .passes = 1003,
                                          .seed = 7};
    struct bm_profile_error error;
    struct bm_profile *profile;
    struct builder b;

    builder_init(&b);
    assert_int_equal(synthetic_pack(&b.packer, &what), 0);
    profile = builder_parse(&b, &error);
    assert_non_null(profile);
    assert_null(bm_profile_check(profile));
    builder_clear(&b);
    return profile;
}

/* ---- ways to break a profile ---- */

static void add_allocation(struct bm_profile *p)
{
    p->sites[0].figures.allocations++;
}

static void add_bytes(struct bm_profile *p)
{
    p->sites[1].figures.allocated_bytes++;
}

static void make_negative(struct bm_profile *p)
{
    struct bm_figures *figures = &p->sites[0].figures;

    figures->frees = figures->allocations + 1;
    figures->live_blocks = -UINT64_C(1);
}

static void sink_peak(struct bm_profile *p)
{
    p->sites[0].figures.peak_bytes = p->sites[0].figures.at_peak_bytes - 1;
}

static void lift_peak(struct bm_profile *p)
{
    p->sites[0].figures.peak_bytes = UINT64_MAX;
}

static void sink_whole_peak(struct bm_profile *p)
{
    p->totals.peak_bytes--;
}

static void move_between_sites(struct bm_profile *p)
{
    p->sites[0].figures.allocations++;
    p->sites[0].figures.frees++;
}

static void add_temporary(struct bm_profile *p)
{
    p->sites[0].figures.temporary = p->sites[0].figures.frees + 1;
}

static void elide(struct bm_profile *p)
{
    p->sites[0].elided = true;
}

static void move_between_nodes(struct bm_profile *p)
{
    p->nodes[0].figures.allocations++;
}

static void swap_paths(struct bm_profile *p)
{
    p->nodes[0].path = p->nodes[1].path;
}

static void turn_path(struct bm_profile *p)
{
    p->paths[1].outer = &p->paths[2];
}

static void share_unfairly(struct bm_profile *p)
{
    /* Two paths of one site: what one has too much the other lacks. */
    struct bm_node_info *a = &p->nodes[0], *b = NULL;

    for (size_t i = 1; i < p->nr_nodes && !b; i++)
        if (p->nodes[i].site == a->site && p->nodes[i].benchmark == 0)
            b = &p->nodes[i];
    assert_non_null(b);
    a->figures.at_peak_bytes += b->figures.at_peak_bytes + 1;
    b->figures.at_peak_bytes = -UINT64_C(1);
}

static void lift_bench_peak(struct bm_profile *p)
{
    p->benchmarks[0].figures.peak_bytes++;
}

static void lose_bench_site(struct bm_profile *p)
{
    p->benchmarks[0].nr_sites--;
}

static void outgrow_process(struct bm_profile *p)
{
    struct bm_figures *figures = &p->benchmarks[0].sites[0].figures;

    figures->allocations += 1000000000;
    figures->frees += 1000000000;
}

static void lose_pass(struct bm_profile *p)
{
    p->benchmarks[0].passes[5].allocated_bytes++;
}

static void retain_more(struct bm_profile *p)
{
    p->benchmarks[1].passes[5].retained_bytes++;
}

static void sink_passes(struct bm_profile *p)
{
    struct bm_benchmark_info *info = &p->benchmarks[0];

    for (size_t i = 0; i < info->nr_passes; i++)
        info->passes[i].peak_bytes--;
    info->more_peak.min--;
    info->more_peak.max--;
    info->more_peak.sum -= info->nr_more_passes;
}

static void make_pass_impossible(struct bm_profile *p)
{
    p->benchmarks[0].passes[0].peak_bytes = UINT64_MAX;
}

static void cross_range(struct bm_profile *p)
{
    p->benchmarks[0].more_allocated.min = p->benchmarks[0].more_allocated.max;
    p->benchmarks[0].more_allocated.min++;
}

static void be_in_flight(struct bm_profile *p)
{
    p->flags = BM_STATE_IN_FLIGHT;
    p->nr_threads = 1;
}

static void each_broken_identity_is_named(void **state)
{
    static const struct {
        void (*breaks)(struct bm_profile *);
        const char *identity;
    } cases[] = {
        {add_allocation,
         "allocations + inherited blocks - frees = live blocks"},
        {add_bytes, "allocated + inherited bytes - freed bytes = live bytes"},
        {make_negative, "nothing is negative"},
        {sink_peak, "peak >= at_peak"},
        {lift_peak, "peak <= allocated + inherited bytes"},
        {sink_whole_peak, "peak >= at_peak"},
        {move_between_sites, "sites sum to totals"},
        {add_temporary, "temporary <= frees"},
        {elide, "an elided site allocates nothing"},
        {move_between_nodes, "nodes sum to their site"},
        {swap_paths, "a path ends at its site"},
        {turn_path, "a path comes after its caller's"},
        {share_unfairly, "a path's own figures are not negative"},
        {lift_bench_peak, "at_peak sums to peak in a benchmark"},
        {lose_bench_site, "sites sum to their benchmark"},
        {outgrow_process, "a benchmark's site <= the process's"},
        {lose_pass, "passes sum to their benchmark"},
        {retain_more, "retained of the passes sums to live of the benchmark"},
        {sink_passes, "the largest peak of the passes is the benchmark's"},
        {make_pass_impossible, "retained <= peak <= allocated in each pass"},
        {cross_range, "minimum <= mean <= maximum of further passes"},
        {be_in_flight, "one thread that exits is in no call"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct bm_profile *profile = make();
        const char *broken;

        cases[i].breaks(profile);
        broken = bm_profile_check(profile);
        if (!broken)
            fail_msg("not seen: %s", cases[i].identity);
        assert_string_equal(broken, cases[i].identity);
        bm_profile_free(profile);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_broken_identity_is_named),
    };

    return cmocka_run_group_tests_name("profile_check", tests, NULL, NULL);
}
