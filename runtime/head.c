/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "head.h"

#include "benchmarks.h"
#include "file.h"
#include "launch.h"
#include "options.h"
#include "sys.h"

#include "../profile/profile.h"
#include "../profile/records.h"

#include <string.h>

/* Of the command line: enough to recognize a run, whatever is passed. */
#define MAX_ARGUMENT ((size_t)4096)
#define MAX_ARGUMENTS ((size_t)64 * 1024)

#define OPTIONS_SIZE 256
#define NS_PER_S UINT64_C(1000000000)

static struct bm_text text_of(const char *text)
{
    return (struct bm_text){text, text ? strlen(text) : 0};
}

static struct bm_text text_or_nil(const char *text)
{
    return text_of(text && text[0] ? text : NULL);
}

static uint64_t now_ns(void)
{
    struct timespec now = {0, 0};

    bm_sys_clock(&now);
    return (uint64_t)now.tv_sec * NS_PER_S + (uint64_t)now.tv_nsec;
}

static bool write_head(struct bm_thread *thread, const struct bm_launch *launch,
                       uint32_t parent_pid)
{
    char buffer[OPTIONS_SIZE];
    struct bm_line options = bm_line_in(buffer, sizeof(buffer));
    msgpack_packer *packer = bm_record_begin(thread);

    bm_options_show(&options);
    struct bm_record_head record = {
        .magic = text_of(BM_PROFILE_MAGIC),
        .schema_version = BM_SCHEMA_VERSION,
        .writer = text_of("benchmem " BENCHMEM_VERSION),
        .program = text_of(launch->program),
        .cwd = text_of(launch->cwd),
        .host = text_or_nil(launch->host),
        .pid = bm_sys_getpid(),
        .parent_pid = parent_pid,
        .start_ns = now_ns(),
        .options = text_of(options.text),
        .rank = text_of(launch->rank),
    };
    return packer && bm_pack_head(packer, &record) == 0 &&
           bm_file_append(thread, 0);
}

static bool write_argument(struct bm_thread *thread, const char *argument)
{
    msgpack_packer *packer = bm_record_begin(thread);
    struct bm_record_argument record = {
        .text = {argument, strnlen(argument, MAX_ARGUMENT)},
    };

    return packer && bm_pack_argument(packer, &record) == 0 &&
           bm_file_append(thread, 0);
}

void bm_head_write_arguments(struct bm_thread *thread,
                             const struct bm_launch *launch)
{
    size_t total = 0;

    for (int i = 0; i < launch->nr_arguments && launch->arguments[i]; i++) {
        total += strnlen(launch->arguments[i], MAX_ARGUMENT);
        if (total > MAX_ARGUMENTS ||
            !write_argument(thread, launch->arguments[i])) {
            bm_note(thread, "the command line is cut short");
            return;
        }
    }
}

static bool write_state(struct bm_thread *thread)
{
    static const uint64_t zeros[BM_NR_WORDS_state];
    msgpack_packer *packer = bm_record_begin(thread);
    struct bm_record_state record = {.state = {zeros, BM_NR_WORDS_state}};
    uint64_t *words = NULL;

    if (packer && bm_pack_state(packer, &record) == 0)
        words = bm_file_append(thread, BM_NR_WORDS_state);
    bm_file_set_state(words);
    return words != NULL;
}

bool bm_head_write(struct bm_thread *thread, const struct bm_launch *launch,
                   uint32_t parent_pid)
{
    return write_head(thread, launch, parent_pid) && write_state(thread);
}

bool bm_note(struct bm_thread *thread, const char *sentence)
{
    msgpack_packer *packer = bm_record_begin(thread);
    struct bm_record_note record = {.text = text_of(sentence)};

    return packer && bm_pack_note(packer, &record) == 0 &&
           bm_file_append(thread, 0);
}

static _Atomic bool is_noted[BM_NR_NOTES];

void bm_notes_after_fork(void)
{
    for (int i = 0; i < BM_NR_NOTES; i++)
        atomic_store_explicit(&is_noted[i], false, memory_order_relaxed);
}

void bm_note_once(struct bm_thread *thread, enum bm_note_kind kind)
{
    static const char *const sentences[BM_NR_NOTES] = {
        [BM_NOTE_BENCHMARKS] =
            "too many benchmarks: entries with further arguments are "
            "counted as ordinary calls",
        [BM_NOTE_LATE] =
            "malloc could not be taken over (the recorder was loaded late, or "
            "the program has its own malloc): only instrumented calls are "
            "counted, and no frees",
        [BM_NOTE_MEASURE] =
            "no block was recorded: time or resident size was measured instead "
            "of memory",
        [BM_NOTE_THREADS] =
            "very many threads: later ones share the entries of earlier ones",
    };

    if (!atomic_exchange_explicit(&is_noted[kind], true, memory_order_relaxed))
        bm_note(thread, sentences[kind]);
}
