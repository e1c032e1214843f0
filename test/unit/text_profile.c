/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "text_profile.h"
#include "build_profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST_SITES 4096

struct text {
    msgpack_packer *packer;
    uint64_t nr_threads, nr_modules, nr_frames, nr_sites, nr_paths;
    uint64_t peak, live;
    char *sites[MOST_SITES]; /* as they are written */
    int error;
};

#define ADD_TO(t, name, ...)                                                   \
    ((t)->error |= PACK((t)->packer, name, __VA_ARGS__))

static _Noreturn void fail(const char *what, const char *line)
{
    fprintf(stderr, "text_profile: %s: %s\n", what, line);
    exit(2);
}

/* Takes a word and a blank off the front, if they are there. */
static int take_word(char **text, const char *word)
{
    size_t size = strlen(word);

    if (strncmp(*text, word, size) != 0 || (*text)[size] != ' ')
        return 0;
    *text += size + 1;
    return 1;
}

/* The rest behind a separator, which is cut off; NULL if it is not there. */
static char *split(char *text, const char *separator)
{
    char *at = strstr(text, separator);

    if (!at)
        return NULL;
    *at = 0;
    return at + strlen(separator);
}

/* Packs a frame below another one; *path is the path that it is on. */
static void add_frame(struct text *t, char *text, uint64_t *path,
                      uint64_t *frame, uint64_t site, uint64_t flags)
{
    struct bm_record_frame record = {.index = ++t->nr_frames};
    uint64_t inlined = 0;
    char *where;

    for (;;) {
        if (take_word(&text, "inlined"))
            inlined = *frame;
        else if (take_word(&text, "tail"))
            record.flags |= BM_FRAME_IS_TAIL;
        else if (take_word(&text, "system"))
            record.flags |= BM_FRAME_IS_SYSTEM;
        else
            break;
    }
    if ((where = split(text, " in "))) {
        record.module = strtoull(where, NULL, 10);
        record.offset = 16 * t->nr_frames;
    } else if ((where = split(text, " at "))) {
        char *line = split(where, ":");
        if (!line)
            fail("a line is missing", where);
        record.file = text_of(where);
        record.dir = text_of("/src");
        record.line = strtoull(line, &line, 10);
        record.column = *line ? strtoull(line + 1, NULL, 10) : 0;
    } else {
        fail("no place", text);
    }
    record.function = text_of(strcmp(text, "-") != 0 ? text : NULL);
    record.inlined_into = inlined;
    t->error |= bm_pack_frame(t->packer, &record);
    /* An inlined frame is on its caller's place of the path. */
    ADD_TO(t, path, .index = t->nr_paths + 1, .outer = *path,
           .frame = record.index, .site = site, .flags = flags);
    t->nr_paths++;
    *frame = record.index;
}

/*
 * Frames that are inlined are part of the path record of the innermost one, so
 * a record's outer path is that of the last frame which is not.
 */
static uint64_t add_path(struct text *t, char *frames, uint64_t site,
                         uint64_t flags)
{
    uint64_t outer = 0, path = 0, frame = 0;

    while (frames) {
        char *next = split(frames, " > ");
        int joins = strstr(frames, "inlined ") == frames;

        if (!joins)
            outer = path;
        uint64_t above = outer;
        add_frame(t, frames, &above, &frame, next ? 0 : site, next ? 0 : flags);
        path = t->nr_paths;
        frames = next;
    }
    return path;
}

static void add_node(struct text *t, uint64_t thread, uint64_t site,
                     uint64_t path, const int64_t figures[4])
{
    int64_t freed = figures[1] - figures[3];
    uint64_t live_blocks = figures[3] > 0;
    uint64_t node[BM_NR_WORDS_tally] = {
        [BM_TALLY_allocations] = (uint64_t)figures[0],
        [BM_TALLY_frees] =
            figures[3] < 0 ? 1 : (uint64_t)figures[0] - live_blocks,
        [BM_TALLY_allocated] = (uint64_t)figures[1],
        [BM_TALLY_freed] = (uint64_t)freed,
        [BM_TALLY_live] = (uint64_t)figures[3],
        [BM_TALLY_at_peak] = (uint64_t)figures[2],
        [BM_TALLY_seen] = t->peak,
        [BM_TALLY_temporary] = (uint64_t)figures[0] / 2,
    };

    ADD_TO(t, node, .site = site, .path = path, .thread = thread,
           .node = WORDS_OF(node));
}

static void read_figures(const char *text, int64_t figures[4])
{
    char *end = (char *)text;

    /* Sizes above 2^63 are written as such. */
    for (unsigned i = 0; i < 4; i++)
        figures[i] = *end == '-' || strchr(end, '-')
                         ? strtoll(end, &end, 10)
                         : (int64_t)strtoull(end, &end, 10);
}

/* Number of the site that is written so; true in *known if it is not new. */
static uint64_t site_of(struct text *t, const char *frames, const char *kind,
                        const char *type, int *known)
{
    const char *last = frames;
    char key[4096];

    for (const char *p = frames; (p = strstr(p, " > ")); last = p)
        p += 3;
    snprintf(key, sizeof(key), "%s = %s %s", last, kind, type ? type : "");
    for (uint64_t i = 0; i < t->nr_sites; i++)
        if ((*known = strcmp(t->sites[i], key) == 0))
            return i + 1;
    if (t->nr_sites == MOST_SITES)
        fail("too many sites", key);
    t->sites[t->nr_sites] = strdup(key);
    return ++t->nr_sites;
}

static void add_block(struct text *t, char *line)
{
    char *figures_text = split(line, " : ");
    char *frames = figures_text ? split(figures_text, " : ") : NULL;
    char *kind = frames ? split(frames, "= ") : NULL;
    char *type = kind ? split(kind, " ") : NULL;
    uint64_t path = 0;
    int64_t figures[4];
    int known = 0;

    if (!kind)
        fail("no block", line);
    read_figures(figures_text, figures);
    uint64_t rest = strcmp(kind, "rest") == 0;
    kind = rest ? "malloc" : kind;
    size_t size = strlen(frames);
    if (size && frames[size - 1] == ' ')
        frames[size - 1] = 0;
    uint64_t site = site_of(t, frames, kind, type, &known);
    int has_frames = *frames != 0;
    if (has_frames)
        path = add_path(t, frames, site, rest);
    if (!known)
        ADD_TO(t, site, .index = site, .id = site,
               .frame = has_frames ? t->nr_frames : 0, .kind = text_of(kind),
               .callee = text_of(kind), .type = text_of(type));
    add_node(t, strtoull(line, NULL, 10), site, path, figures);
}

static void add_line(struct text *t, char *line)
{
    if (take_word(&line, "thread")) {
        uint64_t words[BM_NR_WORDS_thread] = {0};
        char *name = split(line, " ");

        ADD_TO(t, thread, .index = ++t->nr_threads,
               .tid = strtoull(line, NULL, 10), .name = text_of(name),
               .thread = WORDS_OF(words));
    } else if (take_word(&line, "module")) {
        ADD_TO(t, module, .index = ++t->nr_modules, .path = text_of(line));
    } else if (take_word(&line, "block")) {
        add_block(t, line);
    } else if (*line && *line != '#' && !take_word(&line, "option") &&
               !take_word(&line, "program")) {
        fail("what is this", line);
    }
}

/* What must be known before the first record. */
static void read_ahead(struct text *t, char *input, char **program,
                       char **options)
{
    for (char *line = input, *next; line && *line; line = next) {
        int64_t figures[4];

        next = strchr(line, '\n');
        next = next ? next + 1 : NULL;
        if (!strncmp(line, "program ", 8))
            *program = strndup(line + 8, strcspn(line + 8, "\n"));
        if (!strncmp(line, "option ", 7))
            *options = strndup(line + 7, strcspn(line + 7, "\n"));
        if (strncmp(line, "block ", 6) != 0)
            continue;
        char *copy = strndup(line, strcspn(line, "\n"));
        char *text = split(copy, " : ");
        if (!text)
            fail("no block", line);
        split(text, " : ");
        read_figures(text, figures);
        t->peak += (uint64_t)figures[2];
        t->live += (uint64_t)figures[3];
        free(copy);
    }
}

int text_profile_pack(msgpack_packer *packer, const char *text)
{
    struct text t = {.packer = packer};
    char *input = strdup(text), *program = NULL, *options = NULL;
    uint64_t state[BM_NR_WORDS_state] = {[BM_STATE_end_kind] = BM_END_STATUS};

    read_ahead(&t, input, &program, &options);
    uint64_t ledger[BM_NR_WORDS_ledger] = {
        [BM_LEDGER_live] = t.live, [BM_LEDGER_peak] = t.peak};
    ADD_TO(&t, head, .magic = text_of(BM_PROFILE_MAGIC),
           .schema_version = BM_SCHEMA_VERSION, .writer = text_of("test"),
           .program = text_of(program ? program : "./a.out"),
           .cwd = text_of("/tmp"), .pid = 1, .start_ns = 1700000000000000000,
           .options = text_of(options));
    ADD_TO(&t, state, .state = WORDS_OF(state));
    for (char *line = input, *next; line; line = next) {
        next = split(line, "\n");
        add_line(&t, line);
    }
    ADD_TO(&t, ledger, .ledger = WORDS_OF(ledger));
    for (uint64_t i = 0; i < t.nr_sites; i++)
        free(t.sites[i]);
    free(input);
    free(program);
    free(options);
    return t.error;
}

struct bm_profile *text_profile_parse(const char *text)
{
    struct bm_profile_error error = {0, NULL};
    msgpack_sbuffer bytes;
    msgpack_packer packer;

    msgpack_sbuffer_init(&bytes);
    msgpack_packer_init(&packer, &bytes, msgpack_sbuffer_write);
    if (text_profile_pack(&packer, text))
        fail("cannot pack", text);
    struct bm_profile *profile =
        bm_profile_parse(bytes.data, bytes.size, "test.bmem", &error);
    if (!profile)
        fail(error.why, text);
    msgpack_sbuffer_destroy(&bytes);
    return profile;
}
