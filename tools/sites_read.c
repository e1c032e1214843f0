/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Reads compilations, each in a process of its own: a fault of the parser
 * costs one file, its memory goes back whole, and several run at a time. What
 * a process finds comes back in a file without a name, and is taken in the
 * order of the database, so that the result is the same however fast each is.
 */
#include "tools/sites.h"

#include "base/error.h"
#include "base/escape.h"
#include "base/memory.h"
#include "base/process.h"
#include "driver/find.h"
#include "driver/scan.h"
#include "driver/toolchain.h"
#include "runtime/abi.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Texts of a call, in the order in which they are handed over. */
enum { FUNCTION, LINKAGE_NAME, PATH, DIR, CALLEE, TYPE, SIZE_EXPR, COUNT, NR };

/* In front of the texts, each of which ends in NUL. */
struct head {
    uint32_t line, column;
    uint16_t kind, flags;
};

/* A unit that is being read, or was and waits for its turn. */
struct job {
    pid_t pid; /* 0: has ended, or was never started */
    int fd;    /* what it found, -1: none */
    int end;   /* status of waitpid */
};

struct reading {
    struct bm_survey *survey;
    const struct bm_source_units *units;
    const struct bm_survey_options *options;
    char *compiler;
    struct job *jobs; /* one for each unit */
    size_t nr_started;
    size_t nr_running;
    size_t nr_taken;
};

static const char *const kind_names[] = {
#define KIND_NAME(upper, name, meaning) [BM_KIND_##upper] = name,
    BM_KINDS(KIND_NAME)
#undef KIND_NAME
};

/* -- in the process of a unit ---------------------------------------------- */

static void hand_over(void *context, const struct bm_inventory_call *call)
{
    FILE *file = context;
    struct head head = {call->line, call->column, call->kind, call->flags};
    const char *texts[NR] = {
        [FUNCTION] = call->function,   [LINKAGE_NAME] = call->linkage_name,
        [PATH] = call->file,           [DIR] = call->dir,
        [CALLEE] = call->callee,       [TYPE] = call->type,
        [SIZE_EXPR] = call->size_expr, [COUNT] = call->count,
    };

    fwrite(&head, sizeof(head), 1, file);
    for (size_t i = 0; i < NR; i++)
        fwrite(texts[i], strlen(texts[i]) + 1, 1, file);
}

/* As benchmem-cc reads the command: what is ours, and whether it records. */
static enum bm_inventory_end read_scanned(const struct reading *reading,
                                          const struct bm_source_unit *unit,
                                          const struct bm_line *line,
                                          const struct bm_scan *scan,
                                          FILE *file, char **why)
{
    struct bm_decision decision = bm_decide(scan);
    struct bm_strvec words = BM_STRVEC_INIT;
    struct bm_inventory_request request = {
        .compiler = reading->compiler,
        .file = unit->file,
        .plugin_args = (const char *const *)scan->plugin_args.items,
        .add_line_table = decision.add_line_table,
        .verbose = reading->options->common.verbose,
    };

    if (line->broken)
        *why = bm_xstrdup("a response file of its command cannot be read");
    else if (scan->unknown)
        *why = bm_xstrdup("its command has an option --benchmem-... that "
                          "there is none");
    if (*why)
        return BM_INVENTORY_FAILED;
    if (!decision.instrument) {
        *why =
            bm_xstrdup("benchmem-cc would not record what its command makes");
        return BM_INVENTORY_LEFT_OUT;
    }
    bm_strvec_push(&words, unit->words[0]);
    for (size_t i = 0; i < line->words.count; i++)
        if (!scan->ours[i])
            bm_strvec_push(&words, line->words.items[i]);
    request.words = (const char *const *)words.items;
    request.nr_words = words.count;
    enum bm_inventory_end end =
        bm_inventory_read(&request, hand_over, file, why);
    bm_strvec_clear(&words);
    return end;
}

static enum bm_inventory_end read_unit(const struct reading *reading,
                                       const struct bm_source_unit *unit,
                                       FILE *file, char **why)
{
    struct bm_line line = BM_LINE_INIT;
    struct bm_scan scan;

    if (chdir(unit->folder)) {
        *why = bm_xstrdup("the folder of its command cannot be entered");
        return BM_INVENTORY_FAILED;
    }
    /* Clang takes a folder's name from here, links and all. */
    setenv("PWD", unit->folder, 1);
    bm_line_read(&line, (int)unit->nr_words, (char **)unit->words,
                 &bm_files_real);
    bm_scan(&scan, &line);
    enum bm_inventory_end end =
        read_scanned(reading, unit, &line, &scan, file, why);
    bm_scan_clear(&scan);
    bm_line_clear(&line);
    return end;
}

_Noreturn static void be_reader(const struct reading *reading,
                                const struct bm_source_unit *unit, int fd)
{
    FILE *file = fdopen(fd, "w");
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    enum bm_inventory_end end = BM_INVENTORY_FAILED;
    char *why = NULL;

    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    if (!reading->options->common.verbose)
        dup2(null, STDERR_FILENO);
    if (file) {
        end = read_unit(reading, unit, file, &why);
        if (end != BM_INVENTORY_READ)
            fprintf(file, "%s%c", why, '\0');
    }
    /* Nothing of the parent's is flushed twice. */
    if (!file || fclose(file))
        _exit(BM_INVENTORY_FAILED);
    _exit((int)end);
}

/* -- what it found --------------------------------------------------------- */

static const char *keep(struct bm_arena *arena, const char *text)
{
    return *text ? bm_arena_strdup(arena, text) : NULL;
}

static void add_call(struct bm_coverage *sites, const struct head *head,
                     const char *const texts[NR])
{
    struct bm_frame_info frame = {
        .function = *texts[FUNCTION] ? texts[FUNCTION] : NULL,
        .file = *texts[PATH] ? texts[PATH] : NULL,
        .line = head->line,
        .column = head->column,
        .flags = head->flags,
    };
    const char *callee = *texts[CALLEE] ? texts[CALLEE] : NULL;
    struct bm_coverage_key key = {bm_coverage_site_id(&frame, callee), 0};
    struct bm_coverage_site *site = bm_coverage_site(sites, &key);

    if (site->kind) {
        site->frame.flags |= frame.flags;
        return;
    }
    site->kind = kind_names[head->kind];
    site->frame = frame;
    site->frame.function = keep(&sites->arena, texts[FUNCTION]);
    site->frame.linkage_name = keep(&sites->arena, texts[LINKAGE_NAME]);
    site->frame.file = keep(&sites->arena, texts[PATH]);
    site->frame.dir = keep(&sites->arena, texts[DIR]);
    site->callee = keep(&sites->arena, texts[CALLEE]);
    site->type = keep(&sites->arena, texts[TYPE]);
    site->size_expr = keep(&sites->arena, texts[SIZE_EXPR]);
    site->count = keep(&sites->arena, texts[COUNT]);
}

/* False if the bytes end within a call. */
static bool add_calls(struct bm_coverage *sites, const char *at, size_t left)
{
    while (left) {
        const char *texts[NR];
        struct head head;

        if (left < sizeof(head))
            return false;
        memcpy(&head, at, sizeof(head));
        at += sizeof(head);
        left -= sizeof(head);
        for (size_t i = 0; i < NR; i++) {
            size_t size = strnlen(at, left);

            if (size == left)
                return false;
            texts[i] = at;
            at += size + 1;
            left -= size + 1;
        }
        if (head.kind >= BM_NR_KINDS)
            return false;
        add_call(sites, &head, texts);
    }
    return true;
}

static void tell_failed(const struct bm_source_unit *unit,
                        const struct job *job, const char *why)
{
    if (WIFSIGNALED(job->end))
        bm_error("cannot read %s: the parser crashed (signal %d)", unit->file,
                 WTERMSIG(job->end));
    else
        bm_error("cannot read %s: %s", unit->file,
                 why ? why : "the parser gave up; -v shows what it says");
}

static void tell_left_out(const struct reading *reading,
                          const struct bm_source_unit *unit, const char *why)
{
    struct bm_str file = BM_STR_INIT;

    if (!reading->options->common.verbose)
        return;
    bm_escape_terminal(&file, unit->file);
    fprintf(stderr, "%s: left out: %s\n", file.data, why);
    bm_str_clear(&file);
}

static void take(struct reading *reading, const struct bm_source_unit *unit,
                 struct job *job)
{
    struct bm_survey *survey = reading->survey;
    int end = WIFEXITED(job->end) ? WEXITSTATUS(job->end) : -1;
    size_t size = 0;
    char *found = NULL;
    struct stat st;

    if (job->fd >= 0 && !fstat(job->fd, &st) && st.st_size > 0) {
        size = (size_t)st.st_size;
        found = mmap(NULL, size, PROT_READ, MAP_PRIVATE, job->fd, 0);
    }
    if (found == MAP_FAILED)
        found = NULL, end = -1;
    bool has_reason = found && !found[size - 1];

    if (end == BM_INVENTORY_READ && add_calls(&survey->sites, found, size)) {
        survey->nr_read++;
    } else if (end == BM_INVENTORY_LEFT_OUT && has_reason) {
        survey->nr_left_out++;
        tell_left_out(reading, unit, found);
    } else {
        survey->nr_failed++;
        tell_failed(unit, job,
                    end == BM_INVENTORY_FAILED && has_reason ? found : NULL);
    }
    if (found)
        munmap(found, size);
    if (job->fd >= 0)
        close(job->fd);
}

/* -- all of them ----------------------------------------------------------- */

static bool shows_progress(const struct reading *reading)
{
    return reading->units->count > 1 && isatty(STDERR_FILENO) &&
           !reading->options->common.quiet;
}

static void show_progress(const struct reading *reading, const char *file)
{
    if (!shows_progress(reading))
        return;
    struct bm_str shown = BM_STR_INIT;
    if (file)
        bm_escape_terminal(&shown, file);
    fputs("\r\033[K", stderr);
    if (file)
        fprintf(stderr, "reading %zu of %zu: %s", reading->nr_started,
                reading->units->count, shown.data);
    fflush(stderr);
    bm_str_clear(&shown);
}

static int start(struct reading *reading)
{
    const struct bm_source_unit *unit =
        &reading->units->items[reading->nr_started];
    struct job *job = &reading->jobs[reading->nr_started];

    job->fd = memfd_create("benchmem-sites", MFD_CLOEXEC);
    if (job->fd < 0)
        return bm_error("cannot keep what is found: %s", strerror(errno));
    bm_process_hear_children();
    job->pid = fork();
    if (job->pid < 0)
        return bm_error("cannot start a process: %s", strerror(errno));
    if (!job->pid)
        be_reader(reading, unit, job->fd);
    reading->nr_started++;
    reading->nr_running++;
    show_progress(reading, unit->file);
    return 0;
}

/* Waits for one to end, and takes those whose turn it is. */
static void finish_one(struct reading *reading)
{
    int end;
    pid_t pid;

    do
        pid = waitpid(-1, &end, 0);
    while (pid < 0 && errno == EINTR);
    for (size_t i = reading->nr_taken; i < reading->nr_started; i++)
        if (reading->jobs[i].pid == pid) {
            reading->jobs[i].pid = 0;
            reading->jobs[i].end = end;
            reading->nr_running--;
        }
    while (reading->nr_taken < reading->nr_started &&
           !reading->jobs[reading->nr_taken].pid) {
        show_progress(reading, NULL);
        take(reading, &reading->units->items[reading->nr_taken],
             &reading->jobs[reading->nr_taken]);
        reading->nr_taken++;
    }
}

/* Results that wait for their turn hold a descriptor each. */
#define MOST_AHEAD 200

static size_t jobs_at_a_time(const struct bm_survey_options *options)
{
    cpu_set_t set;

    if (options->jobs)
        return options->jobs < MOST_AHEAD ? options->jobs : MOST_AHEAD;
    if (sched_getaffinity(0, sizeof(set), &set))
        return 1;
    return (size_t)CPU_COUNT(&set);
}

static int read_all(struct reading *reading)
{
    size_t at_a_time = jobs_at_a_time(reading->options);
    size_t count = reading->units->count;
    int result = 0;

    fflush(NULL);
    while (!result && reading->nr_taken < count) {
        if (reading->nr_started < count && reading->nr_running < at_a_time &&
            reading->nr_started - reading->nr_taken < MOST_AHEAD)
            result = start(reading);
        else
            finish_one(reading);
    }
    while (reading->nr_running)
        finish_one(reading);
    show_progress(reading, NULL);
    return result;
}

/*
 * The clang whose version this is linked with: its folder has the headers
 * that go with the parser. And, as with benchmem-cc, ours are found.
 */
static char *find_compiler(void)
{
    struct bm_toolchain toolchain = {.self = bm_find_self(NULL)};
    char *found = bm_find_program("clang-" BENCHMEM_LLVM_VERSION, NULL);
    char *real = NULL;

    if (!found && !bm_toolchain_find_compiler(&toolchain, BM_LANGUAGE_C))
        found = bm_xstrdup(toolchain.compiler.items[0]);
    if (found) {
        real = realpath(found, NULL);
        bm_toolchain_show_headers(&toolchain);
    }
    free(found);
    bm_toolchain_clear(&toolchain);
    return real;
}

int bm_survey_read(struct bm_survey *survey,
                   const struct bm_source_units *units,
                   const struct bm_survey_options *options)
{
    struct reading reading = {
        .survey = survey,
        .units = units,
        .options = options,
        .compiler = find_compiler(),
        .jobs = bm_xcalloc(units->count, sizeof(struct job)),
    };
    int result = reading.compiler ? read_all(&reading) : -1;

    bm_coverage_sort(&survey->sites);
    free(reading.jobs);
    free(reading.compiler);
    return result;
}

void bm_survey_clear(struct bm_survey *survey)
{
    bm_coverage_clear(&survey->sites);
}
