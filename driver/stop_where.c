/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "driver/stop_where.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/size.h"
#include "profile/identity.h"
#include "results/charge.h"
#include "results/choose.h"
#include "results/join.h"

#include <signal.h>
#include <stdlib.h>

/* Whether an option of the recorder that is a number was not 0. */
static bool was_set(const char *options, const char *name)
{
    const char *at = options ? strstr(options, name) : NULL;

    return at && at[strlen(name)] != '0';
}

/*
 * A debugger may have gone on from there, or ended the program, of which the
 * profile then does not tell how it ended.
 */
static bool was_stopped(const struct bm_profile *profile)
{
    return profile->end != BM_END_STATUS &&
           (was_set(profile->options, "stop_live=") ||
            was_set(profile->options, "stop_allocation="));
}

bool bm_stop_can_use(const struct bm_profile *profile)
{
    return !(profile->flags & BM_STATE_MERGED) && !was_stopped(profile) &&
           !(profile->end == BM_END_SIGNAL && profile->end_value == SIGTRAP);
}

/* ---- a benchmark ---- */

/* As runtime/benchmarks.c finds it from the call. */
static uint64_t identity_of(const struct bm_benchmark_info *benchmark)
{
    uint64_t hash = bm_identity_begin(
        benchmark->frame ? benchmark->frame->file : NULL, benchmark->name);

    for (size_t i = 0; i < benchmark->nr_params; i++) {
        const struct bm_param_info *param = &benchmark->params[i];
        bool string = param->kind == BM_VALUE_STRING;

        hash = bm_identity_param(hash, param->name, string ? 0 : param->value.u,
                                 string ? param->value.s : NULL);
    }
    return bm_identity_end(hash);
}

int bm_stop_at_benchmark(const struct bm_profile *profile, const char *path,
                         const char *wanted, struct bm_stop_place *place)
{
    struct bm_str why = BM_STR_INIT;
    const struct bm_benchmark_info *benchmark =
        bm_choose_benchmark(profile, path, wanted, &why);

    if (!benchmark)
        bm_error("--stop-at peak:%s: %s", wanted, why.data);
    else if (!benchmark->figures.peak_bytes)
        bm_error("--stop-at peak:%s: %s held nothing in %s", wanted,
                 benchmark->id, path);
    bm_str_clear(&why);
    if (!benchmark || !benchmark->figures.peak_bytes)
        return -1;
    *place = (struct bm_stop_place){
        .live = benchmark->figures.peak_bytes,
        .ordinal = benchmark->figures.peak_ordinal,
        .benchmark = identity_of(benchmark),
    };
    return 0;
}

/* ---- a site ---- */

struct wanted_site {
    char *file;            /* the caller's to free */
    uint32_t line, column; /* 0: any */
};

/* Takes ":NUMBER" off the end of text; 0 if there is none. */
static uint32_t take_number(char *text)
{
    char *colon = strrchr(text, ':');
    uint64_t number;

    if (!colon || !bm_count_parse(colon + 1, &number) || number > UINT32_MAX)
        return 0;
    *colon = '\0';
    return (uint32_t)number;
}

static bool parse_site(const char *text, struct wanted_site *out)
{
    uint32_t last, before;

    out->file = bm_xstrdup(text);
    last = take_number(out->file);
    before = last ? take_number(out->file) : 0;
    out->line = before ? before : last;
    out->column = before ? last : 0;
    return out->line && *out->file;
}

/* One site that fits, or could have been meant. */
struct fit {
    const struct bm_site_info *site;
    const struct bm_frame_info *frame; /* where it counts for */
};

struct fits {
    struct fit *items;
    size_t count, room;
};

static void add_fit(struct fits *fits, const struct bm_site_info *site,
                    const struct bm_frame_info *frame)
{
    fits->items =
        bm_xgrow(fits->items, fits->count, &fits->room, sizeof(*fits->items));
    fits->items[fits->count++] = (struct fit){site, frame};
}

/* The largest peak first, then as they stand in the source. */
static int compare_fits(const void *a, const void *b)
{
    const struct fit *p = a, *q = b;
    uint64_t peak_p = p->site->figures.peak_bytes;
    uint64_t peak_q = q->site->figures.peak_bytes;

    if (peak_p != peak_q)
        return peak_p < peak_q ? 1 : -1;
    if (p->frame->line != q->frame->line)
        return p->frame->line < q->frame->line ? -1 : 1;
    if (p->frame->column != q->frame->column)
        return p->frame->column < q->frame->column ? -1 : 1;
    return p->site->id < q->site->id ? -1 : p->site->id > q->site->id;
}

static void sort_fits(struct fits *fits)
{
    if (fits->count > 1)
        qsort(fits->items, fits->count, sizeof(*fits->items), compare_fits);
}

static bool is_at(const struct bm_frame_info *frame,
                  const struct wanted_site *wanted)
{
    return frame && (!wanted->line || frame->line == wanted->line) &&
           (!wanted->column || frame->column == wanted->column) &&
           bm_same_file(frame->file, wanted->file);
}

/* Where a site's blocks are charged, seen from the wanted place. */
struct charged {
    const struct bm_frame_info *here; /* NULL: none of them */
    bool elsewhere;                   /* some of them; or to several lines */
};

/* One for each site, the caller's to free. */
static struct charged *charge_all(const struct bm_profile *profile,
                                  const struct wanted_site *wanted,
                                  bool callers)
{
    static const struct bm_strvec no_wrappers = BM_STRVEC_INIT;
    struct charged *all = bm_xcalloc(profile->nr_sites + 1, sizeof(*all));
    struct bm_charge charge;

    bm_charge_init(&charge, profile, callers, &no_wrappers);
    for (size_t i = 0; i < profile->nr_nodes; i++) {
        const struct bm_node_info *node = &profile->nodes[i];
        struct charged *charged = &all[node->site - profile->sites];
        const struct bm_frame_info *frame;

        if (node->benchmark)
            continue;
        frame = bm_charge_frame(&charge, node->site, node->path);
        charged->elsewhere |=
            !is_at(frame, wanted) ||
            (charged->here && charged->here->line != frame->line);
        if (is_at(frame, wanted))
            charged->here = frame;
    }
    bm_charge_clear(&charge);
    return all;
}

static bool can_stop_at(const struct bm_site_info *site)
{
    return site->id && site->frame && site->figures.peak_bytes;
}

/*
 * Sites at the place, and those in a system's header whose blocks are all
 * charged to it: their own peak is that line's.
 */
static void find_fits(struct fits *fits, const struct bm_profile *profile,
                      const struct wanted_site *wanted)
{
    struct charged *charged = charge_all(profile, wanted, false);

    for (size_t i = 0; i < profile->nr_sites; i++) {
        const struct bm_site_info *site = &profile->sites[i];

        if (!can_stop_at(site))
            continue;
        if (is_at(site->frame, wanted))
            add_fit(fits, site, site->frame);
        else if (charged[i].here && !charged[i].elsewhere)
            add_fit(fits, site, charged[i].here);
    }
    free(charged);
    sort_fits(fits);
}

static const char *name_of(const struct bm_frame_info *frame)
{
    return frame->function ? frame->function : "(unknown)";
}

/* "parser.c:88:12 in parse" */
static void list_fits(struct bm_str *list, const struct fits *fits,
                      size_t first)
{
    for (size_t i = first; i < fits->count; i++) {
        const struct bm_frame_info *frame = fits->items[i].frame;
        struct bm_str name = BM_STR_INIT;

        bm_str_printf(&name, "%s:%u:%u in %s", frame->file, frame->line,
                      frame->column, name_of(frame));
        bm_choose_list(list, i - first, name.data);
        bm_str_clear(&name);
    }
}

/* Sites some of whose blocks are charged to the place, or to a caller there. */
static void find_below(struct fits *fits, const struct bm_profile *profile,
                       const struct wanted_site *wanted)
{
    struct charged *charged = charge_all(profile, wanted, true);

    for (size_t i = 0; i < profile->nr_sites; i++)
        if (charged[i].here && can_stop_at(&profile->sites[i]))
            add_fit(fits, &profile->sites[i], profile->sites[i].frame);
    free(charged);
    sort_fits(fits);
}

static void find_all(struct fits *fits, const struct bm_profile *profile)
{
    for (size_t i = 0; i < profile->nr_sites; i++)
        if (can_stop_at(&profile->sites[i]))
            add_fit(fits, &profile->sites[i], profile->sites[i].frame);
    sort_fits(fits);
}

/* Nothing allocates there: what could be meant instead. Always -1. */
static int tell_none(const struct bm_profile *profile, const char *path,
                     const char *text, const struct wanted_site *wanted)
{
    struct fits fits = {NULL, 0, 0};
    struct bm_str list = BM_STR_INIT;
    const char *why = "other lines call it too, so stop where it allocates:";

    find_below(&fits, profile, wanted);
    if (!fits.count) {
        why = "no site there; in that file are";
        find_fits(&fits, profile, &(struct wanted_site){.file = wanted->file});
    }
    if (!fits.count) {
        why = "no site in such a file; there are";
        find_all(&fits, profile);
    }
    list_fits(&list, &fits, 0);
    if (fits.count)
        bm_error("--stop-at site:%s: in %s, %s %s", text, path, why, list.data);
    else
        bm_error("--stop-at site:%s: %s has no site in a source", text, path);
    bm_str_clear(&list);
    free(fits.items);
    return -1;
}

static bool in_several_files(const struct fits *fits)
{
    for (size_t i = 1; i < fits->count; i++)
        if (strcmp(fits->items[i].frame->file, fits->items[0].frame->file) != 0)
            return true;
    return false;
}

/* The first of them, if they are in one file. */
static int choose(const struct fits *fits, const char *text,
                  struct bm_stop_place *place)
{
    bool several = in_several_files(fits);
    const struct bm_site_info *site = fits->items[0].site;
    struct bm_str list = BM_STR_INIT;

    list_fits(&list, fits, several ? 0 : 1);
    if (several)
        bm_error("--stop-at site:%s: several files fit: %s; name one", text,
                 list.data);
    else if (fits->count > 1)
        bm_warn("--stop-at site:%s: taking column %u in %s, whose peak is the "
                "largest; there are also %s",
                text, fits->items[0].frame->column,
                name_of(fits->items[0].frame), list.data);
    bm_str_clear(&list);
    *place = (struct bm_stop_place){
        .live = site->figures.peak_bytes,
        .ordinal = site->figures.peak_ordinal,
        .site = site->id,
    };
    return several ? -1 : 0;
}

int bm_stop_at_site(const struct bm_profile *profile, const char *path,
                    const char *text, struct bm_stop_place *place)
{
    struct wanted_site wanted;
    struct fits fits = {NULL, 0, 0};
    int result;

    if (!parse_site(text, &wanted)) {
        free(wanted.file);
        return bm_error("--stop-at site:%s: a site is site:FILE:LINE or "
                        "site:FILE:LINE:COLUMN",
                        text);
    }
    find_fits(&fits, profile, &wanted);
    result = fits.count ? choose(&fits, text, place)
                        : tell_none(profile, path, text, &wanted);
    free(fits.items);
    free(wanted.file);
    return result;
}
