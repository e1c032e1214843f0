/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "images.h"

#include "benchmarks.h"
#include "guard.h"
#include "process.h"
#include "runtime.h"

/* Made by the linker around each section of this name, if there is one. */
#define BOUNDS(type, section)                                                  \
    extern type __start_##section[]                                            \
        __attribute__((weak, visibility("hidden")));                           \
    extern type __stop_##section[] __attribute__((weak, visibility("hidden")))

BOUNDS(const struct bm_call, benchmem_calls);
BOUNDS(const struct bm_elided, benchmem_elided);
BOUNDS(const uint32_t, benchmem_linked);

/* What every instrumented object refers to: see abi.h. */
__attribute__((visibility("default"))) const int benchmem_abi_link_symbol =
    BM_ABI_VERSION;

/*
 * What the driver asks the linker for. Hidden, so that an instrumented
 * library on the command line cannot stand in for it: without a copy of its
 * own a module's tables would be told to no one.
 */
extern const char benchmem_copy_v1;
__attribute__((visibility("hidden"))) const char benchmem_copy_v1 = 1;

static struct bm_image own = {
    .calls = __start_benchmem_calls,
    .calls_end = __stop_benchmem_calls,
    .elided = __start_benchmem_elided,
    .elided_end = __stop_benchmem_elided,
};
static bool is_added;

/* Whether return addresses of instrumented code are in no table. */
static void look_at_own(void)
{
    own.linked = __start_benchmem_linked != __stop_benchmem_linked;
}

void bm_images_start(struct bm_thread *thread)
{
    look_at_own();
    if (!is_added)
        bm_image_add(thread, &own);
    is_added = true;
}

void bm_runtime_image_add(struct bm_image *image)
{
    void *frame = __builtin_frame_address(0);
    struct bm_thread *thread = bm_guard_enter(frame);

    if (!thread)
        thread = bm_enter_slow(frame, false);
    if (!thread)
        return;
    if (image != &own)
        bm_image_add(thread, image);
    bm_guard_leave(thread);
}

void bm_runtime_image_remove(struct bm_image *image)
{
    void *frame = __builtin_frame_address(0);
    struct bm_thread *thread = bm_guard_enter(frame);

    if (!thread)
        thread = bm_enter_slow(frame, false);
    if (!thread)
        return;
    bm_image_remove(image);
    bm_benchmarks_code_changed();
    bm_guard_leave(thread);
}

static struct bm_follower follower = {.stop = bm_runtime_stop_following};

/* 101 is the first priority that is not the implementation's. */
__attribute__((constructor(101))) static void add_own(void)
{
    look_at_own();
    bm_runtime_image_add(&own); /* starts the recorder, or finds another */
    if (bm_forward) {
        bm_forward->image_add(&own);
        bm_forward->follow(&follower);
    } else if (bm_next_is_permanent()) {
        bm_process_watch_exit();
    }
}

/*
 * Where the recorder's own module goes only when the process ends, events go
 * on until then, and its tables stay valid as long.
 */
__attribute__((destructor(101))) static void remove_own(void)
{
    if (bm_forward) {
        bm_forward->unfollow(&follower);
        bm_forward->image_remove(&own);
    } else if (bm_state_get() == BM_RUNNING && !bm_next_is_permanent()) {
        bm_runtime_stop();
    }
}
