/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "start.h"

#include "access.h"
#include "entries.h"
#include "head.h"
#include "images.h"
#include "launch.h"
#include "measure.h"
#include "nodes.h"
#include "options.h"
#include "output.h"
#include "paths.h"
#include "pools.h"
#include "record.h"
#include "runtime.h"
#include "saves.h"
#include "stop.h"
#include "sys.h"
#include "timeline.h"

#include <string.h>

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18
#endif

#define COMPLAINT_SIZE 512

static struct bm_launch launch;
static uint32_t started_pid; /* 0 until the first start */
bool bm_is_late;

bool bm_has_started(void)
{
    return started_pid != 0;
}

uint32_t bm_started_pid(void)
{
    return started_pid;
}

/* Whether this program is to be left alone. */
static bool is_unwanted(void)
{
    const char *disable = bm_text_env(launch.environment, "BENCHMEM_DISABLE");

    return launch.is_secure || (disable && strcmp(disable, "1") == 0) ||
           (!bm_output_pattern(&launch) && bm_launch_is_probe(&launch));
}

static bool open_profile(struct bm_thread *thread, uint32_t parent_pid)
{
    if (!bm_file_begin(thread) || !bm_head_write(thread, &launch, parent_pid))
        return false;
    bm_output_settle(thread, &launch); /* else it stays in memory */
    bm_head_write_arguments(thread, &launch);
    return true;
}

/* The records that must be there before the first event. */
static bool begin_account(struct bm_thread *thread)
{
    if (!bm_thread_begin(thread) || !bm_process_begin(thread))
        return false;
    bm_saves_begin_process();
    return true;
}

static void read_options(struct bm_line *complaint)
{
    bm_options_read(bm_text_env(launch.environment, "BENCHMEM_OPTIONS"),
                    complaint);
}

static void note_lateness(struct bm_thread *thread)
{
    bm_is_late = !bm_next_is_ours();
    if (!bm_is_late)
        return;
    bm_file_flag(BM_STATE_LATE);
    bm_note_once(thread, BM_NOTE_LATE);
}

static enum bm_state state_to_go_on(struct bm_thread *thread)
{
    if (bm_options.measure == BM_MEASURE_MEMORY)
        return BM_RUNNING;
    bm_note_once(thread, BM_NOTE_MEASURE);
    return BM_MEASURING;
}

void bm_start_measuring(struct bm_thread *thread, uint32_t measure)
{
    bm_options.measure = measure;
    bm_state_set(state_to_go_on(thread));
}

static enum bm_state start_first(struct bm_thread **out)
{
    static char buffer[COMPLAINT_SIZE];
    struct bm_line complaint = bm_line_in(buffer, sizeof(buffer));

    if (!bm_launch_read(&launch))
        return BM_COLD;
    started_pid = bm_sys_getpid();
    /* Without it a forked child would write to its parent's profile. */
    if (is_unwanted() || bm_sys_madvise(&bm_state_page, sizeof(bm_state_page),
                                        MADV_WIPEONFORK) != 0) {
        bm_entries_end();
        return BM_STOPPED;
    }
    read_options(&complaint);
    bm_ledgers_start();
    bm_entries_start();
    if (!bm_next_is_glibc())
        bm_be_careful(BM_CAREFUL_PACKED);
    if (bm_options.temporary > 1)
        bm_be_careful(BM_CAREFUL_RECENT);
    bm_timeline_start();
    bm_stop_start();
    bool lost_slack = bm_saves_start();
    struct bm_thread *thread = bm_thread_claim(started_pid);
    if (!thread || !open_profile(thread, 0) || !begin_account(thread))
        return BM_STOPPED;
    bm_attribute_init(thread, bm_options.paths, bm_options.max_paths,
                      bm_options.native);
    if (complaint.length)
        bm_note(thread, complaint.text);
    if (lost_slack)
        bm_note(thread, "slack was left out: saves=1 needs all events in "
                        "their order");
    note_lateness(thread);
    bm_images_start(thread);
    *out = thread;
    return state_to_go_on(thread);
}

static void inherit_block(void *context, uintptr_t address,
                          const struct bm_block *block)
{
    struct bm_thread *thread = context;
    struct bm_node *node = bm_node_for(thread, block->key);

    (void)address;
    if (!node)
        return;
    bool has_turn = bm_saves_begin(thread);
    bm_count_inherited(node, block->size);
    bm_saves_alloc(thread, node, block->size);
    bm_saves_end(has_turn);
}

static enum bm_state start_child(struct bm_thread **out)
{
    uint32_t parent_pid = started_pid;
    struct bm_thread *thread = *out;

    started_pid = bm_sys_getpid();
    bm_file_begin_fork();
    bm_threads_after_fork(thread);
    bm_marks_after_fork();
    bm_windows_after_fork();
    bm_timeline_after_fork();
    bm_stop_after_fork();
    bm_saves_after_fork();
    bm_notes_after_fork();
    bm_pools_after_fork();
    bm_access_after_fork();
    if (!thread)
        thread = bm_thread_claim(started_pid);
    if (!thread || !open_profile(thread, parent_pid))
        return BM_STOPPED;
    bm_file_inherit(thread);
    bm_paths_inherit(thread);
    if (!begin_account(thread))
        return BM_STOPPED;
    note_lateness(thread);
    thread->inherits = true;
    bm_blocks_each(inherit_block, thread);
    thread->inherits = false;
    *out = thread;
    return state_to_go_on(thread);
}

enum bm_state bm_start(struct bm_thread **thread)
{
    return bm_has_started() ? start_child(thread) : start_first(thread);
}
