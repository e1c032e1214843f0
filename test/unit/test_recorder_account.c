/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The account against brute force: random events, for the process and within
 * passes of benchmarks, the ways for one thread and for many.
 */
#include "recorder_model.h"

#include "runtime/windows.h"

#include <pthread.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <setjmp.h>

#include <cmocka.h>

#define NR_SLOTS 48u
#define NR_EVENTS 20000u
#define OUTSIDE_SP ((uintptr_t)0x7fff00000000)
#define BENCH_SP (OUTSIDE_SP - 4096)
#define EVENT_SP (BENCH_SP - 4096)

struct setting {
    bool threaded;
    unsigned nr_threads;
    uint64_t seed;
    uint64_t max_size;
    unsigned event_odds; /* one event in so many opens or closes a window */
    uint32_t slack;      /* by how much the peak may be off */
};

struct slot {
    unsigned site; /* 0: free */
    uint64_t size;
    unsigned pass; /* born in, 0 outside */
};

/* What one case works on; guarded by `lock`. */
static struct {
    pthread_mutex_t lock;
    const struct setting *setting;
    uint64_t random;
    struct slot slots[NR_SLOTS];
    struct model process;
    struct model benches[CORE_BENCHES];
    unsigned pass, nr_passes;
    unsigned bench;
    uint64_t pass_peak[NR_EVENTS], pass_live[NR_EVENTS];
    unsigned nr_events;
    uint64_t nr_allocations;
} test = {.lock = PTHREAD_MUTEX_INITIALIZER};

static uint64_t pick(uint64_t n)
{
    return model_random(&test.random, n);
}

/* The pass's own view of an event: only what was born in it. */
static void change_pass(const struct slot *gone, unsigned made_site,
                        uint64_t made)
{
    struct model *model = &test.benches[test.bench];
    bool counts = gone && gone->pass == test.pass;

    if (!test.pass)
        return;
    model_change(model, counts ? gone->site : 0, counts ? gone->size : 0,
                 made_site, made, test.nr_allocations);
    if (model->live > test.pass_peak[test.pass])
        test.pass_peak[test.pass] = model->live;
    test.pass_live[test.pass] = model->live;
}

static void change(const struct slot *gone, unsigned made_site, uint64_t made)
{
    test.nr_allocations += made_site != 0;
    model_change(&test.process, gone ? gone->site : 0, gone ? gone->size : 0,
                 made_site, made, test.nr_allocations);
    change_pass(gone, made_site, made);
}

static void event(struct bm_thread *thread)
{
    size_t i = pick(NR_SLOTS);
    struct slot *slot = &test.slots[i];
    void *memory = core_address(i, 32);
    unsigned site = 2 + (unsigned)pick(CORE_SITES - 1);
    uint64_t size = pick(test.setting->max_size);

    if (slot->site && pick(3)) {
        core_free(thread, memory, EVENT_SP);
        change(slot, 0, 0);
        slot->site = 0;
        return;
    }
    if (slot->site) { /* realloc in place */
        struct bm_block old;

        REQUIRE(core_take(thread, memory, &old));
        REQUIRE(old.key == slot->site && old.size == slot->size);
        core_move(thread, &old, memory, memory, size, site, EVENT_SP);
        change(slot, site, size);
    } else {
        core_alloc(thread, memory, size, site, EVENT_SP);
        change(NULL, site, size);
    }
    *slot = (struct slot){site, size, test.pass};
}

static void toggle_window(struct bm_thread *thread)
{
    struct bm_caller caller = {.sp = BENCH_SP};

    if (test.pass) {
        bm_window_leave(thread, &caller, core_bench(test.bench), 0);
        /* A thread that did not open the window cannot close it. */
        if (!bm_window_is_open())
            test.pass = 0;
        return;
    }
    uint64_t value = 7;
    test.bench = (unsigned)pick(CORE_BENCHES);
    test.pass = ++test.nr_passes;
    model_begin_pass(&test.benches[test.bench]);
    bm_window_enter(thread, &caller, core_bench(test.bench), &value);
}

static void step(struct bm_thread *thread)
{
    unsigned odds = test.setting->event_odds;

    if (odds && pick(odds) == 0)
        toggle_window(thread);
    else
        event(thread);
    test.nr_events++;
}

static void *run_thread(void *thread)
{
    bool done = false;

    if (!thread)
        thread = core_attach();
    while (!done) {
        pthread_mutex_lock(&test.lock);
        done = test.nr_events >= NR_EVENTS;
        if (!done)
            step(thread);
        pthread_mutex_unlock(&test.lock);
    }
    return NULL;
}

static const struct model_site *site_of_line(const struct model *model,
                                             const struct bm_site_info *site)
{
    return &model->sites[site->frame ? site->frame->line : BM_KEY_OTHER];
}

/* What is batched is known to within the slack, the rest to the byte. */
static bool is_near(uint64_t value, uint64_t truth)
{
    uint64_t off = value > truth ? value - truth : truth - value;

    return off <= test.setting->slack;
}

/* Allocations in batches have no number until their batch ends. */
static void check_ordinal(const struct bm_figures *figures, uint64_t truth)
{
    if (test.setting->slack)
        REQUIRE(figures->peak_ordinal <= test.nr_allocations);
    else
        REQUIRE(figures->peak_ordinal == truth);
}

static void check_site(const struct model *model,
                       const struct bm_site_info *info,
                       const struct bm_figures *figures)
{
    const struct model_site *site = site_of_line(model, info);

    REQUIRE(model_site_is(site, figures));
    check_ordinal(figures, site->peak_ordinal);
}

static void check_with_slack(const struct bm_profile *profile)
{
    REQUIRE(profile->flags & BM_STATE_SLACK);
    REQUIRE(is_near(profile->totals.peak_bytes, test.process.peak));
    REQUIRE(profile->totals.live_bytes == test.process.live);
    for (size_t i = 0; i < profile->nr_sites; i++) {
        const struct bm_figures *figures = &profile->sites[i].figures;
        const struct model_site *site =
            site_of_line(&test.process, &profile->sites[i]);

        REQUIRE(figures->allocations == site->allocations);
        REQUIRE(figures->frees == site->frees);
        REQUIRE(figures->allocated_bytes == site->allocated);
        REQUIRE(figures->freed_bytes == site->freed);
        REQUIRE(is_near(figures->peak_bytes, site->peak));
        check_ordinal(figures, site->peak_ordinal);
    }
}

static void check_process(const struct bm_profile *profile)
{
    if (test.setting->slack) {
        check_with_slack(profile);
        return;
    }
    REQUIRE(profile->totals.peak_bytes == test.process.peak);
    check_ordinal(&profile->totals, test.process.peak_ordinal);
    REQUIRE(profile->totals.live_bytes == test.process.live);
    for (size_t i = 0; i < profile->nr_sites; i++)
        check_site(&test.process, &profile->sites[i],
                   &profile->sites[i].figures);
}

static void check_benchmark(const struct bm_benchmark_info *info)
{
    const struct model *model = &test.benches[info->frame->line - 1];

    REQUIRE(info->figures.peak_bytes == model->peak);
    check_ordinal(&info->figures, model->peak_ordinal);
    for (size_t i = 0; i < info->nr_sites; i++)
        check_site(model, info->sites[i].site, &info->sites[i].figures);
}

/* Passes come in the order of their serials within each benchmark. */
static void check_passes(const struct bm_profile *profile)
{
    uint64_t peaks = 0, expected = 0, retained = 0, expected_retained = 0;

    for (size_t i = 0; i < profile->nr_benchmarks; i++)
        for (size_t j = 0; j < profile->benchmarks[i].nr_passes; j++) {
            peaks += profile->benchmarks[i].passes[j].peak_bytes;
            retained += profile->benchmarks[i].passes[j].retained_bytes;
        }
    for (unsigned i = 1; i <= test.nr_passes; i++) {
        expected += test.pass_peak[i];
        expected_retained += test.pass_live[i];
    }
    REQUIRE(peaks == expected);
    REQUIRE(retained == expected_retained);
}

static void run_case(const void *parameter)
{
    pthread_t threads[8];
    struct bm_thread *thread;
    struct bm_profile *profile;

    test.setting = parameter;
    test.random = test.setting->seed;
    bm_options.slack = test.setting->slack;
    thread = core_start(test.setting->threaded);
    for (unsigned i = 1; i < test.setting->nr_threads; i++)
        REQUIRE(pthread_create(&threads[i], NULL, run_thread, NULL) == 0);
    run_thread(thread);
    for (unsigned i = 1; i < test.setting->nr_threads; i++)
        pthread_join(threads[i], NULL);

    profile = core_read();
    check_process(profile);
    for (size_t i = 0; i < profile->nr_benchmarks; i++)
        check_benchmark(&profile->benchmarks[i]);
    check_passes(profile);
    bm_profile_free(profile);
}

static void run_cases(const struct setting *base)
{
    struct setting setting = *base;

    for (setting.seed = 1; setting.seed <= 10; setting.seed++)
        assert_true(core_run(run_case, &setting));
}

static void one_thread_is_exact(void **state)
{
    (void)state;
    run_cases(&(struct setting){.nr_threads = 1, .max_size = 5000});
    run_cases(&(struct setting){.nr_threads = 1, .max_size = 2});
}

static void atomic_ways_are_exact(void **state)
{
    (void)state;
    run_cases(
        &(struct setting){.threaded = true, .nr_threads = 1, .max_size = 5000});
}

static void many_threads_are_exact(void **state)
{
    (void)state;
    run_cases(
        &(struct setting){.threaded = true, .nr_threads = 4, .max_size = 1000});
}

static void batches_are_within_their_slack(void **state)
{
    (void)state;
    run_cases(&(struct setting){
        .threaded = true, .nr_threads = 4, .max_size = 1000, .slack = 65536});
    run_cases(&(struct setting){
        .threaded = true, .nr_threads = 4, .max_size = 1000, .slack = 2048});
    run_cases(&(struct setting){.threaded = true,
                                .nr_threads = 4,
                                .max_size = 500,
                                .event_odds = 20,
                                .slack = 100000});
}

static void windows_of_one_thread_are_exact(void **state)
{
    (void)state;
    run_cases(
        &(struct setting){.nr_threads = 1, .max_size = 5000, .event_odds = 50});
    run_cases(
        &(struct setting){.nr_threads = 1, .max_size = 9, .event_odds = 8});
}

static void windows_of_many_threads_are_exact(void **state)
{
    (void)state;
    run_cases(&(struct setting){
        .threaded = true, .nr_threads = 4, .max_size = 500, .event_odds = 20});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_thread_is_exact),
        cmocka_unit_test(atomic_ways_are_exact),
        cmocka_unit_test(many_threads_are_exact),
        cmocka_unit_test(batches_are_within_their_slack),
        cmocka_unit_test(windows_of_one_thread_are_exact),
        cmocka_unit_test(windows_of_many_threads_are_exact),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
