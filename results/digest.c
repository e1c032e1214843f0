/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "results/digest.h"

#include "base/error.h"
#include "results/charge.h"
#include "results/make.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#define NONE UINT32_MAX

/* Strings of profiles, kept once each. */
struct bm_digest_text {
    UT_hash_handle hh;
    const char *text;
};

/*
 * What is already there of what several profiles share: bytes of the line or
 * frame with their padding zeroed, strings by address since they are kept.
 */
struct bm_digest_known {
    UT_hash_handle hh;
    uint32_t number;
    char bytes[];
};

/* A profile's part of the digest while it is being added. */
struct adding {
    struct bm_digest *digest;
    const struct bm_profile *profile;
    struct bm_charge charge;
    uint32_t *ledger_of; /* by benchmark of the profile plus 1, or NONE */
    uint32_t *site_of;   /* charged to its own line, by site; NONE: not yet */
    uint32_t *frame_of;  /* by frame of the profile */
    uint32_t first_path; /* number of the profile's first one */
    struct moved *moved; /* sites charged to another line */
};

struct moved_key {
    const struct bm_site_info *site;
    const struct bm_frame_info *frame;
};

struct moved {
    UT_hash_handle hh;
    struct moved_key key;
    uint32_t number;
};

bool bm_digest_has(enum bm_measure measure)
{
    return measure == BM_MEASURE_PEAK || measure == BM_MEASURE_ALLOCATED ||
           measure == BM_MEASURE_ALLOCATIONS || measure == BM_MEASURE_LEAKED;
}

/*
 * A copy of text. Of several profiles equal texts get one address, so that
 * what the profiles share can be told by its bytes. Of one profile it is
 * enough not to copy what stood in the same place before (`last`).
 */
static const char *keep(struct bm_digest *digest, const char *text,
                        const char *last)
{
    struct bm_digest_text *entry;

    if (!text || (last && !strcmp(text, last)))
        return text ? last : NULL;
    if (!digest->several)
        return bm_arena_strdup(&digest->arena, text);
    HASH_FIND_STR(digest->texts, text, entry);
    if (!entry) {
        entry = bm_arena_alloc(&digest->arena, sizeof(*entry));
        entry->text = bm_arena_strdup(&digest->arena, text);
        HASH_ADD_KEYPTR(hh, digest->texts, entry->text, strlen(entry->text),
                        entry);
    }
    return entry->text;
}

/*
 * The number under which these bytes are known; they become known as
 * `number` if they were not. Within one profile everything is there once.
 */
static uint32_t known_number(struct bm_digest *digest,
                             struct bm_digest_known **index, const void *bytes,
                             size_t size, size_t number)
{
    struct bm_digest_known *entry;

    if (!digest->several)
        return (uint32_t)number;
    HASH_FIND(hh, *index, bytes, size, entry);
    if (!entry) {
        entry = bm_arena_alloc(&digest->arena, sizeof(*entry) + size);
        memcpy(entry->bytes, bytes, size);
        entry->number = (uint32_t)number;
        HASH_ADD_KEYPTR(hh, *index, entry->bytes, size, entry);
    }
    return entry->number;
}

/* -- sites ----------------------------------------------------------------- */

static uint32_t add_site(struct bm_digest *digest,
                         const struct bm_site_info *info,
                         const struct bm_frame_info *charged)
{
    static const struct bm_digest_site none;
    const struct bm_digest_site *last =
        digest->nr_sites ? &digest->sites[digest->nr_sites - 1] : &none;
    const struct bm_frame_info *own = info->frame;
    struct bm_digest_site site;

    memset(&site, 0, sizeof(site));
    site.id = info->id;
    if (charged) {
        site.file = keep(digest, charged->file, last->file);
        site.function = keep(digest, charged->function, last->function);
        site.line = charged->line;
        site.column = charged->column;
    }
    if (own) {
        site.site_file = keep(digest, own->file, site.file);
        site.site_function = keep(digest, own->function, site.function);
        site.site_line = own->line;
        site.site_column = own->column;
    }
    site.kind = keep(digest, info->kind, last->kind);
    site.callee = keep(digest, info->callee, last->callee);
    site.type = keep(digest, info->type, last->type);
    site.size_expr = keep(digest, info->size_expr, last->size_expr);
    site.count = keep(digest, info->count, last->count);
    site.module =
        keep(digest, info->module ? info->module->path : NULL, last->module);

    uint32_t number = known_number(digest, &digest->known_sites, &site,
                                   sizeof(site), digest->nr_sites);
    if (number < digest->nr_sites)
        return number;
    digest->sites = bm_xgrow(digest->sites, digest->nr_sites,
                             &digest->sites_room, sizeof(*digest->sites));
    digest->sites[digest->nr_sites++] = site;
    return number;
}

static uint32_t moved_site(struct adding *adding,
                           const struct bm_site_info *site,
                           const struct bm_frame_info *charged)
{
    const struct moved_key key = {site, charged};
    struct moved *entry;

    HASH_FIND(hh, adding->moved, &key, sizeof(key), entry);
    if (!entry) {
        entry = bm_xcalloc(1, sizeof(*entry));
        entry->key = key;
        entry->number = add_site(adding->digest, site, charged);
        HASH_ADD(hh, adding->moved, key, sizeof(key), entry);
    }
    return entry->number;
}

static uint32_t site_of(struct adding *adding, const struct bm_node_info *node)
{
    const struct bm_site_info *site = node->site;
    const struct bm_frame_info *charged =
        bm_charge_frame(&adding->charge, site, node->path);

    if (charged != site->frame)
        return moved_site(adding, site, charged);
    uint32_t *number = &adding->site_of[site - adding->profile->sites];
    if (*number == NONE)
        *number = add_site(adding->digest, site, charged);
    return *number;
}

/* -- paths ----------------------------------------------------------------- */

static void add_frames(struct adding *adding)
{
    struct bm_digest *digest = adding->digest;
    const struct bm_profile *profile = adding->profile;

    static const struct bm_digest_frame none;

    adding->frame_of =
        bm_xcalloc(profile->nr_frames + 1, sizeof(*adding->frame_of));
    for (size_t i = 0; i < profile->nr_frames; i++) {
        const struct bm_frame_info *info = &profile->frames[i];
        struct bm_digest_frame frame;

        const struct bm_digest_frame *last =
            digest->nr_frames ? &digest->frames[digest->nr_frames - 1] : &none;
        memset(&frame, 0, sizeof(frame));
        frame.function = keep(digest, info->function, last->function);
        frame.file = keep(digest, info->file, last->file);
        frame.callee = keep(digest, info->callee, last->callee);
        frame.module = keep(digest, info->module ? info->module->path : NULL,
                            last->module);
        frame.line = info->line;
        frame.column = info->column;
        frame.system = info->flags & BM_FRAME_IS_SYSTEM;
        frame.inlined_into =
            info->inlined_into
                ? adding->frame_of[info->inlined_into - profile->frames]
                : BM_NO_PATH;
        adding->frame_of[i] =
            known_number(digest, &digest->known_frames, &frame, sizeof(frame),
                         digest->nr_frames);
        if (adding->frame_of[i] < digest->nr_frames)
            continue;
        digest->frames =
            bm_xgrow(digest->frames, digest->nr_frames, &digest->frames_room,
                     sizeof(*digest->frames));
        digest->frames[digest->nr_frames++] = frame;
    }
}

static void add_paths(struct adding *adding)
{
    struct bm_digest *digest = adding->digest;
    const struct bm_profile *profile = adding->profile;
    size_t nr = digest->nr_paths + profile->nr_paths;

    adding->first_path = (uint32_t)digest->nr_paths;
    if (!profile->nr_paths)
        return;
    struct bm_digest_path *paths = bm_xcalloc(nr, sizeof(*paths));
    if (digest->nr_paths)
        memcpy(paths, digest->paths, digest->nr_paths * sizeof(*paths));
    free(digest->paths);
    digest->paths = paths;
    for (size_t i = 0; i < profile->nr_paths; i++) {
        const struct bm_path_info *path = &profile->paths[i];

        paths[digest->nr_paths++] = (struct bm_digest_path){
            .outer = path->outer ? adding->first_path +
                                       (uint32_t)(path->outer - profile->paths)
                                 : BM_NO_PATH,
            .frame = adding->frame_of[path->frame - profile->frames],
        };
    }
}

/* -- figures --------------------------------------------------------------- */

static int64_t value_of(const struct bm_node_info *node,
                        enum bm_measure measure)
{
    switch (measure) {
    case BM_MEASURE_PEAK:
        return (int64_t)node->figures.at_peak_bytes;
    case BM_MEASURE_ALLOCATED:
        return (int64_t)node->figures.allocated_bytes;
    case BM_MEASURE_ALLOCATIONS:
        return (int64_t)node->figures.allocations;
    default:
        return (int64_t)bm_node_live_bytes(node);
    }
}

/* Room for all nodes of the profile; what is not written costs nothing. */
static void make_room(struct adding *adding)
{
    struct bm_digest *digest = adding->digest;
    size_t room = digest->nr_entries + adding->profile->nr_nodes + 1;
    struct bm_digest_entry *entries = bm_xmalloc(room * sizeof(*entries));
    uint32_t *ledgers = bm_xmalloc(room * sizeof(*ledgers));

    if (digest->nr_entries) {
        memcpy(entries, digest->entries, digest->nr_entries * sizeof(*entries));
        memcpy(ledgers, digest->ledgers, digest->nr_entries * sizeof(*ledgers));
    }
    free(digest->entries);
    free(digest->ledgers);
    digest->entries = entries;
    digest->ledgers = ledgers;
}

/* Also a line that has nothing of the metric is known: it has 0. */
static void add_entry(struct adding *adding, const struct bm_node_info *node)
{
    struct bm_digest *digest = adding->digest;
    uint32_t ledger = adding->ledger_of[node->benchmark];
    int64_t value = value_of(node, digest->measure);

    if (ledger == NONE)
        return;
    uint32_t site = site_of(adding, node);
    if (!value)
        return;
    digest->ledgers[digest->nr_entries] = ledger;
    digest->entries[digest->nr_entries++] = (struct bm_digest_entry){
        .site = site,
        .path = node->path && !node->path->other
                    ? adding->first_path +
                          (uint32_t)(node->path - adding->profile->paths)
                    : BM_NO_PATH,
        .value = value,
    };
}

/* Closed passes, which are those that a benchmark's figures are of. */
static uint64_t nr_passes(const struct bm_benchmark_info *info)
{
    uint64_t count = info->nr_more_passes;

    for (size_t i = 0; i < info->nr_passes; i++)
        count += !info->passes[i].open;
    return count;
}

/*
 * Which ledger each benchmark's figures go to. What was held at the peak is
 * that of one pass: of several profiles the one with the largest peak has it,
 * and `largest` remembers how large that is.
 */
static void find_ledgers(struct adding *adding, const struct bm_run *run,
                         uint64_t *largest)
{
    const struct bm_profile *profile = adding->profile;
    struct bm_digest *digest = adding->digest;

    adding->ledger_of =
        bm_xcalloc(profile->nr_benchmarks + 1, sizeof(*adding->ledger_of));
    adding->ledger_of[0] = run->has_process ? 0 : NONE;
    for (size_t i = 0; i < profile->nr_benchmarks; i++) {
        const struct bm_benchmark_info *info = &profile->benchmarks[i];
        size_t number = bm_run_number(run, info->id);
        uint32_t *ledger = &adding->ledger_of[i + 1];

        *ledger = number == SIZE_MAX ? NONE : (uint32_t)number + 1;
        if (*ledger == NONE)
            continue;
        if (digest->measure == BM_MEASURE_PEAK) {
            if (info->figures.peak_bytes < largest[*ledger])
                *ledger = NONE;
            else
                largest[*ledger] = info->figures.peak_bytes;
        } else {
            digest->passes[*ledger] += nr_passes(info);
        }
    }
}

/* Of a ledger with a larger peak now, what was there before is void. */
static void void_entries(struct adding *adding)
{
    struct bm_digest *digest = adding->digest;
    bool *again = bm_xcalloc(digest->nr_ledgers, sizeof(*again));
    size_t kept = 0;

    for (size_t i = 0; i <= adding->profile->nr_benchmarks; i++) {
        if (adding->ledger_of[i] != NONE)
            again[adding->ledger_of[i]] = true;
    }
    for (size_t i = 0; i < digest->nr_entries; i++) {
        if (again[digest->ledgers[i]])
            continue;
        digest->ledgers[kept] = digest->ledgers[i];
        digest->entries[kept++] = digest->entries[i];
    }
    digest->nr_entries = kept;
    free(again);
}

static void add_profile(struct bm_digest *digest, const struct bm_run *run,
                        const struct bm_profile *profile, uint64_t *largest)
{
    struct adding adding = {.digest = digest, .profile = profile};
    struct moved *entry, *next;

    find_ledgers(&adding, run, largest);
    if (digest->measure == BM_MEASURE_PEAK && digest->nr_entries)
        void_entries(&adding);
    bm_charge_init(&adding.charge, profile, false, NULL);
    adding.site_of = bm_xcalloc(profile->nr_sites + 1, sizeof(*adding.site_of));
    memset(adding.site_of, 0xff,
           (profile->nr_sites + 1) * sizeof(*adding.site_of));
    add_frames(&adding);
    add_paths(&adding);
    make_room(&adding);
    for (size_t i = 0; i < profile->nr_nodes; i++)
        add_entry(&adding, &profile->nodes[i]);

    HASH_ITER(hh, adding.moved, entry, next)
    {
        HASH_DEL(adding.moved, entry);
        free(entry);
    }
    free(adding.site_of);
    free(adding.frame_of);
    free(adding.ledger_of);
    bm_charge_clear(&adding.charge);
}

/* -- the whole ------------------------------------------------------------- */

/* A counting sort: entries of one ledger stand together from here on. */
static void sort_entries(struct bm_digest *digest)
{
    bool sorted_already = true;

    digest->first = bm_xcalloc(digest->nr_ledgers + 1, sizeof(*digest->first));
    for (size_t i = 0; i < digest->nr_entries; i++) {
        digest->first[digest->ledgers[i] + 1]++;
        sorted_already &= !i || digest->ledgers[i - 1] <= digest->ledgers[i];
    }
    for (size_t i = 0; i < digest->nr_ledgers; i++)
        digest->first[i + 1] += digest->first[i];
    if (!sorted_already) {
        struct bm_digest_entry *sorted =
            bm_xcalloc(digest->nr_entries + 1, sizeof(*sorted));
        size_t *at = bm_xcalloc(digest->nr_ledgers + 1, sizeof(*at));

        memcpy(at, digest->first, (digest->nr_ledgers + 1) * sizeof(*at));
        for (size_t i = 0; i < digest->nr_entries; i++)
            sorted[at[digest->ledgers[i]]++] = digest->entries[i];
        free(at);
        free(digest->entries);
        digest->entries = sorted;
    }
    free(digest->ledgers);
    digest->ledgers = NULL;
}

static int add_all(struct bm_digest *digest, struct bm_run *run)
{
    uint64_t *largest = bm_xcalloc(digest->nr_ledgers, sizeof(*largest));
    int failed = 0;

    for (size_t i = 0; !failed && i < run->files.count; i++) {
        bool mine = !run->nr_profiles;
        struct bm_profile *profile =
            mine ? bm_run_read(run->files.items[i]) : run->profiles[i];

        if (profile)
            add_profile(digest, run, profile, largest);
        else
            failed = -1;
        if (mine)
            bm_profile_free(profile);
    }
    bm_run_release(run);
    free(largest);
    return failed;
}

const struct bm_digest *bm_run_digest(struct bm_run *run,
                                      enum bm_measure measure, bool *none)
{
    struct bm_digest *digest = run->digests[measure];

    *none = !run->files.count;
    if (*none || digest)
        return digest;
    digest = bm_xcalloc(1, sizeof(*digest));
    digest->measure = measure;
    digest->several = run->files.count > 1;
    digest->nr_ledgers = run->nr_benchmarks + 1;
    digest->passes = bm_xcalloc(digest->nr_ledgers, sizeof(*digest->passes));
    if (add_all(digest, run)) {
        bm_digest_free(digest);
        return NULL;
    }
    sort_entries(digest);
    for (size_t i = 0; i < digest->nr_ledgers; i++) {
        if (!digest->passes[i])
            digest->passes[i] = 1;
    }
    return run->digests[measure] = digest;
}

void bm_digest_free(struct bm_digest *digest)
{
    if (!digest)
        return;
    HASH_CLEAR(hh, digest->texts);
    HASH_CLEAR(hh, digest->known_sites);
    HASH_CLEAR(hh, digest->known_frames);
    free(digest->sites);
    free(digest->frames);
    free(digest->paths);
    free(digest->entries);
    free(digest->ledgers);
    free(digest->first);
    free(digest->passes);
    bm_arena_release(&digest->arena);
    free(digest);
}
