/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "recorder_core.h"

#include "profile/records.h"
#include "runtime/calls.h"
#include "runtime/cfi.h"
#include "runtime/groups.h"
#include "runtime/head.h"
#include "runtime/launch.h"
#include "runtime/paths.h"
#include "runtime/window_frame.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char path[64];

void core_failed(const char *file, int line, const char *what)
{
    fprintf(stderr, "%s:%d: %s\n", file, line, what);
    _exit(1);
}

bool core_run(void (*body)(const void *parameter), const void *parameter)
{
    int status;
    pid_t child = fork();

    if (child == 0) {
        body(parameter);
        unlink(path);
        _exit(0);
    }
    return waitpid(child, &status, 0) == child && status == 0;
}

/* ---- in place of attribution ---- */

uint32_t bm_key_site(uint32_t key)
{
    return key;
}

/* Sites are lines; every third function and every fifth type is one. */
struct bm_groups bm_groups_of(uint32_t key)
{
    return (struct bm_groups){
        .of = {[BM_SAVED_SITE] = key,
               [BM_SAVED_FUNCTION] = 1 + key % 3,
               [BM_SAVED_TYPE] = 1 + key % 5},
    };
}

uint32_t bm_key_path(uint32_t key)
{
    (void)key;
    return 0;
}

/* Every second of the first keys keeps a number, as all paths do. */
_Atomic uint32_t *bm_path_number(uint32_t number)
{
    static _Atomic uint32_t numbers[64];

    return number < 64 && number % 2 ? &numbers[number] : NULL;
}

uint32_t bm_frame_index(struct bm_thread *thread, const struct bm_frame *frame)
{
    (void)thread;
    return frame->line; /* the records are written at start */
}

void bm_attribute_renew(struct bm_thread *thread)
{
    (void)thread;
}

bool bm_readable_check_slow(struct bm_readable *range, uintptr_t address)
{
    (void)range;
    return address != 0;
}

struct bm_window_frame bm_window_frame(struct bm_thread *thread,
                                       const struct bm_caller *caller,
                                       const struct bm_bench *bench)
{
    (void)thread;
    return (struct bm_window_frame){
        .bench = bench, .sp = caller->sp, .top = UINTPTR_MAX};
}

bool bm_window_frame_is_gone(struct bm_thread *thread,
                             const struct bm_caller *caller,
                             const struct bm_window_frame *frame,
                             const struct bm_window_frame *inner)
{
    (void)thread;
    (void)caller;
    return inner->sp >= frame->sp;
}

bool bm_window_frame_is_leaving(struct bm_thread *thread,
                                const struct bm_caller *caller,
                                const struct bm_window_frame *frame)
{
    (void)thread;
    return caller->sp >= frame->sp;
}

/* ---- benchmark functions ---- */

static struct {
    struct bm_bench bench;
    struct bm_frame frame;
    struct bm_scope scope;
    struct bm_param param;
    char name[16];
    char param_name[2];
} benches[CORE_BENCHES];

static int32_t distance(const void *from, const void *to)
{
    return (int32_t)((const char *)to - (const char *)from);
}

static void fill_bench(unsigned i)
{
    snprintf(benches[i].name, sizeof(benches[i].name), "bench_%u", i);
    strcpy(benches[i].param_name, "n");
    benches[i].scope.function =
        distance(&benches[i].scope.function, benches[i].name);
    benches[i].frame.scope =
        distance(&benches[i].frame.scope, &benches[i].scope);
    benches[i].frame.line = i + 1;
    benches[i].param.name =
        distance(&benches[i].param.name, benches[i].param_name);
    benches[i].param.type = BM_PARAM_UNSIGNED;
    benches[i].bench.where =
        distance(&benches[i].bench.where, &benches[i].frame);
    benches[i].bench.params =
        distance(&benches[i].bench.params, &benches[i].param);
    benches[i].bench.nr_params = 1;
}

struct bm_bench *core_bench(unsigned i)
{
    return &benches[i].bench;
}

/* ---- the profile ---- */

static struct bm_text text(const char *s)
{
    return (struct bm_text){s, strlen(s)};
}

static void write_frame(struct bm_thread *thread, uint32_t index)
{
    struct bm_record_frame record = {
        .index = index,
        .function = text("f"),
        .file = text("core.c"),
        .line = index,
        .column = 1,
    };

    REQUIRE(bm_pack_frame(bm_record_begin(thread), &record) == 0);
    REQUIRE(bm_file_append(thread, 0) != NULL);
}

static void write_site(struct bm_thread *thread, uint32_t index)
{
    struct bm_record_site record = {
        .index = index,
        .id = index,
        .frame = index == BM_KEY_OTHER ? 0 : index,
        .kind = text(index == BM_KEY_OTHER ? "outside" : "malloc"),
    };

    REQUIRE(bm_pack_site(bm_record_begin(thread), &record) == 0);
    REQUIRE(bm_file_append(thread, 0) != NULL);
}

struct bm_thread *core_attach(void)
{
    struct bm_thread *thread = bm_thread_claim((uint32_t)getpid());

    REQUIRE(thread && bm_thread_begin(thread));
    return thread;
}

union bm_state_page bm_state_page;

/* As an entry begins that is called with this stack pointer. */
static void enter(struct bm_thread *thread, uintptr_t sp)
{
    thread->inside_frame = sp - 2 * sizeof(uintptr_t);
    if (thread->guard.mode != bm_mode_get())
        bm_record_renew(thread);
}

void core_alloc(struct bm_thread *thread, void *memory, uint64_t size,
                uint32_t key, uintptr_t sp)
{
    struct bm_node *node;

    enter(thread, sp);
    node = bm_node_for(thread, key);
    if (node)
        bm_record_alloc(thread, memory, size, node);
    else
        bm_record_dropped(thread);
}

void core_free(struct bm_thread *thread, void *memory, uintptr_t sp)
{
    enter(thread, sp);
    bm_record_free(thread, memory);
}

bool core_take(struct bm_thread *thread, void *memory, struct bm_block *block)
{
    enter(thread, 0);
    return bm_record_take(thread, memory, block);
}

void core_move(struct bm_thread *thread, const struct bm_block *old, void *from,
               void *to, uint64_t size, uint32_t key, uintptr_t sp)
{
    struct bm_node *node = bm_node_for(thread, key);

    if (!node || !bm_record_moved_short(thread, old, from, to, size, node))
        bm_record_moved(thread, old, from, to, size, node, sp);
}

struct bm_thread *core_start(bool threaded)
{
    static struct bm_launch launch = {.program = "core", .cwd = "/"};
    struct bm_thread *thread = bm_thread_claim((uint32_t)getpid());

    bm_state_page.mode = 1;
    if (!threaded)
        bm_ledgers_start();
    for (unsigned i = 0; i < CORE_BENCHES; i++)
        fill_bench(i);
    snprintf(path, sizeof(path), "/tmp/recorder_core.%d.bmem", getpid());
    unlink(path); /* of a case that failed under the same id */
    REQUIRE(thread && bm_file_begin(thread));
    REQUIRE(bm_head_write(thread, &launch, 0));
    REQUIRE(bm_file_settle(thread, path) == 0);
    for (uint32_t i = 1; i <= CORE_SITES; i++) {
        write_frame(thread, i);
        write_site(thread, i);
    }
    REQUIRE(bm_thread_begin(thread) && bm_process_begin(thread));
    return thread;
}

struct bm_profile *core_read(void)
{
    struct bm_profile_error error = {0, NULL};
    struct bm_profile *profile = bm_profile_read(path, &error);

    if (!profile)
        core_failed(path, (int)error.offset, error.why);
    const char *broken = bm_profile_check(profile);
    if (broken)
        core_failed(path, 0, broken);
    return profile;
}
