/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The data of a page: flat arrays of numbers and one list of strings, which
 * tools/web/flamegraph/model.js reads.
 */
#include "tools/flamegraph_pruned.h"

#include "base/escape.h"
#include "base/json.h"
#include "base/utf8.h"
#include "tools/intern.h"
#include "tools/listing.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A line of source longer than this is cut. */
#define MOST_COLUMNS 160

/* The largest integer up to which a double holds every one. */
#define EXACT_IN_JS ((uint64_t)1 << 53)

struct data {
    const struct bm_flame *flame;
    struct bm_flame_pruned pruned;
    struct bm_json json;
    struct bm_intern strings;
    const char **texts; /* by number of a string */
    size_t nr_texts;
    size_t texts_room;
    struct bm_arena arena;
};

/* Most are not below zero, which is the faster way. */
static void put_int(struct bm_json *json, int64_t value)
{
    if (value < 0)
        bm_json_int(json, value);
    else
        bm_json_uint(json, (uint64_t)value);
}

/* Numbers beyond what JavaScript's hold are texts. */
static void put_exact(struct bm_json *json, uint64_t bits, bool is_signed)
{
    char text[32];

    if (is_signed) {
        int64_t value = (int64_t)bits;
        if (value <= (int64_t)EXACT_IN_JS && value >= -(int64_t)EXACT_IN_JS) {
            put_int(json, value);
            return;
        }
        snprintf(text, sizeof(text), "%" PRId64, value);
    } else {
        if (bits <= EXACT_IN_JS) {
            bm_json_uint(json, bits);
            return;
        }
        snprintf(text, sizeof(text), "%" PRIu64, bits);
    }
    bm_json_string(json, text);
}

static bool is_share(enum bm_metric metric)
{
    return metric == BM_METRIC_PEAK || metric == BM_METRIC_LEAKED;
}

static void put_entries(struct data *data, const struct bm_call_tree *tree,
                        const uint32_t *node_of)
{
    struct bm_json *json = &data->json;
    size_t count;
    struct bm_flame_sums *sums =
        bm_flame_gather(&data->pruned, tree, node_of, &count);

    bm_json_key(json, "entries");
    bm_json_begin_object(json);
    bm_json_key(json, "node");
    bm_json_begin_array(json);
    for (size_t i = 0; i < count; i++)
        bm_json_uint(json, sums[i].node);
    bm_json_end_array(json);
    bm_json_key(json, "thread");
    bm_json_begin_array(json);
    for (size_t i = 0; i < count; i++)
        put_int(json, sums[i].thread);
    bm_json_end_array(json);
    for (size_t m = 0; m < BM_FLAME_NR_METRICS; m++) {
        bm_json_key(json, bm_flame_metrics[m].key);
        bm_json_begin_array(json);
        for (size_t i = 0; i < count; i++)
            put_exact(json, sums[i].values[m],
                      is_share(bm_flame_metrics[m].metric));
        bm_json_end_array(json);
    }
    bm_json_end_object(json);
    free(sums);
}

/* -1 for NULL. */
static int64_t text_number(struct data *data, const char *text)
{
    if (!text)
        return -1;
    uint32_t number = bm_intern(&data->strings, text);
    if (number >= data->nr_texts) {
        data->texts = bm_xgrow(data->texts, data->nr_texts, &data->texts_room,
                               sizeof(*data->texts));
        data->texts[data->nr_texts++] = text;
    }
    return number;
}

/* A profile is not trusted: only what is named like a source is quoted. */
static bool is_source(const char *file)
{
    static const char *const suffixes[] = {
        "c",   "h",   "cc",  "cpp", "cxx", "c++", "C",  "hh", "hpp", "hxx",
        "ipp", "tcc", "inc", "def", "y",   "l",   "rs", "m",  "mm",  "f90",
    };
    const char *dot = file ? strrchr(file, '.') : NULL;

    for (size_t i = 0; dot && i < sizeof(suffixes) / sizeof(*suffixes); i++) {
        if (!strcmp(dot + 1, suffixes[i]))
            return true;
    }
    return false;
}

static const char *source_line(struct data *data, struct bm_listing *listing,
                               const struct bm_call_place *place)
{
    struct bm_str cut = BM_STR_INIT;

    if (data->flame->options->no_source || !is_source(place->file))
        return NULL;
    const char *line = bm_listing_line(listing, place->frame);
    if (!line || bm_utf8_width(line) <= MOST_COLUMNS)
        return line;
    bm_utf8_shorten_end(&cut, line, MOST_COLUMNS);
    line = bm_arena_strdup(&data->arena, cut.data);
    bm_str_clear(&cut);
    return line;
}

/* The properties of a place that are strings, in the order of the page. */
enum text_of_place {
    TEXT_FUNCTION,
    TEXT_FILE,
    TEXT_SHORT_FILE,
    TEXT_MODULE,
    TEXT_KIND,
    TEXT_CALLEE,
    TEXT_TYPE,
    TEXT_SIZE,
    TEXT_COUNT,
    NR_TEXTS,
};

static const char *const text_keys[] = {
    [TEXT_FUNCTION] = "function",
    [TEXT_FILE] = "file",
    [TEXT_SHORT_FILE] = "short_file",
    [TEXT_MODULE] = "module",
    [TEXT_KIND] = "kind",
    [TEXT_CALLEE] = "callee",
    [TEXT_TYPE] = "type",
    [TEXT_SIZE] = "size",
    [TEXT_COUNT] = "count",
};

static const char *text_of(const struct bm_call_place *place,
                           enum text_of_place which)
{
    static const struct bm_site_info none = {.kind = NULL};
    const struct bm_site_info *site = place->site ? place->site : &none;
    const char *const texts[NR_TEXTS] = {
        [TEXT_FUNCTION] = place->function,
        [TEXT_FILE] = place->file,
        [TEXT_SHORT_FILE] = place->short_file,
        [TEXT_MODULE] = place->module,
        [TEXT_KIND] = site->kind,
        [TEXT_CALLEE] = site->callee,
        [TEXT_TYPE] = site->type,
        [TEXT_SIZE] = site->size_expr,
        [TEXT_COUNT] = site->count,
    };

    return texts[which];
}

static const struct bm_call_place *used_place(const struct data *data,
                                              uint32_t i)
{
    return &data->flame->tree.places[data->pruned.used[i]];
}

static void put_place_numbers(struct data *data)
{
    struct bm_json *json = &data->json;
    static const char *const keys[] = {"line", "column", "flags", "routine"};

    for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++) {
        bm_json_key(json, keys[k]);
        bm_json_begin_array(json);
        for (uint32_t i = 0; i < data->pruned.nr_used; i++) {
            const struct bm_call_place *place = used_place(data, i);
            const uint32_t numbers[] = {place->line, place->column,
                                        place->flags, place->routine};
            bm_json_uint(json, numbers[k]);
        }
        bm_json_end_array(json);
    }
    if (!data->flame->base)
        return;
    bm_json_key(json, "base_line");
    bm_json_begin_array(json);
    for (uint32_t i = 0; i < data->pruned.nr_used; i++)
        bm_json_uint(json, data->flame->base->line_of[data->pruned.used[i]]);
    bm_json_end_array(json);
}

static void put_places(struct data *data, struct bm_listing *listing)
{
    struct bm_json *json = &data->json;

    bm_json_key(json, "places");
    bm_json_begin_object(json);
    for (int t = 0; t < NR_TEXTS; t++) {
        bm_json_key(json, text_keys[t]);
        bm_json_begin_array(json);
        for (uint32_t i = 0; i < data->pruned.nr_used; i++)
            put_int(json, text_number(data, text_of(used_place(data, i), t)));
        bm_json_end_array(json);
    }
    bm_json_key(json, "source");
    bm_json_begin_array(json);
    for (uint32_t i = 0; i < data->pruned.nr_used; i++)
        put_int(json, text_number(data, source_line(data, listing,
                                                    used_place(data, i))));
    bm_json_end_array(json);
    put_place_numbers(data);
    bm_json_end_object(json);
}

static void put_nodes(struct data *data)
{
    struct bm_json *json = &data->json;

    bm_json_key(json, "nodes");
    bm_json_begin_object(json);
    bm_json_key(json, "parent");
    bm_json_begin_array(json);
    for (uint32_t n = 0; n < data->pruned.nr_nodes; n++)
        bm_json_uint(json, data->pruned.parent[n]);
    bm_json_end_array(json);
    bm_json_key(json, "place");
    bm_json_begin_array(json);
    for (uint32_t n = 0; n < data->pruned.nr_nodes; n++)
        put_int(json, data->pruned.place[n]);
    bm_json_end_array(json);
    bm_json_end_object(json);

    bm_json_key(json, "small");
    bm_json_begin_object(json);
    bm_json_key(json, "node");
    bm_json_begin_array(json);
    for (uint32_t n = 0; n < data->pruned.nr_nodes; n++) {
        if (data->pruned.merged[n])
            bm_json_uint(json, n);
    }
    bm_json_end_array(json);
    bm_json_key(json, "leaves");
    bm_json_begin_array(json);
    for (uint32_t n = 0; n < data->pruned.nr_nodes; n++) {
        if (data->pruned.merged[n])
            bm_json_uint(json, data->pruned.merged[n]);
    }
    bm_json_end_array(json);
    bm_json_end_object(json);
}

/*
 * Text that people read: what a terminal would obey, a browser may, too, such
 * as characters that turn the direction of writing.
 */
static void put_shown(struct bm_json *json, const char *text)
{
    struct bm_str plain = BM_STR_INIT;

    bm_escape_terminal(&plain, text);
    bm_json_string(json, plain.data);
    bm_str_clear(&plain);
}

static void put_lines(struct bm_json *json, const char *key,
                      struct bm_strvec *lines)
{
    bm_json_key(json, key);
    bm_json_begin_array(json);
    for (size_t i = 0; i < lines->count; i++)
        put_shown(json, lines->items[i]);
    bm_json_end_array(json);
    bm_strvec_clear(lines);
}

/* One thread of two programs is not another: no choice where they compare. */
static void put_threads(struct data *data)
{
    const struct bm_profile *profile = data->flame->profile;
    struct bm_strvec names = BM_STRVEC_INIT;

    for (size_t i = 0; i < profile->nr_threads && !data->flame->base; i++) {
        const struct bm_thread_info *thread = &profile->threads[i];

        bm_strvec_pushf(&names, "%s (%" PRIu64 ")",
                        thread->name ? thread->name : "thread", thread->tid);
    }
    put_lines(&data->json, "threads", &names);
}

static void put_about(struct data *data, const char *key,
                      const struct bm_profile *profile,
                      const struct bm_benchmark_info *benchmark)
{
    struct bm_strvec lines = BM_STRVEC_INIT;

    bm_flame_about(profile, benchmark, &lines);
    put_lines(&data->json, key, &lines);
}

static void put_notes(struct data *data)
{
    struct bm_strvec lines = BM_STRVEC_INIT;

    bm_flame_notes(data->flame, &lines);
    put_lines(&data->json, "notes", &lines);
}

/* What the page calls the metric that is drawn first. */
static const char *metric_key(enum bm_metric metric)
{
    size_t m = 0;

    while (m + 1 < BM_FLAME_NR_METRICS && bm_flame_metrics[m].metric != metric)
        m++;
    return bm_flame_metrics[m].key;
}

static void put_head(struct data *data)
{
    const struct bm_flame *flame = data->flame;
    struct bm_json *json = &data->json;
    struct bm_str title = BM_STR_INIT;

    bm_flame_title(flame, &title);
    bm_json_key(json, "title");
    put_shown(json, title.data);
    bm_str_clear(&title);
    bm_json_put_string(json, "metric", metric_key(flame->metric));
    bm_json_put_bool(json, "fold", flame->options->fold);
    bm_json_put_bool(json, "own", flame->options->own_frames);
    put_about(data, "about", flame->profile, flame->benchmark);
    if (flame->base)
        put_about(data, "about_base", flame->base->tree.profile,
                  flame->base->tree.benchmark);
    put_notes(data);
}

static void put_base(struct data *data)
{
    const struct bm_flame *flame = data->flame;

    bm_json_key(&data->json, "base");
    if (!flame->base) {
        bm_json_null(&data->json);
        return;
    }
    bm_json_begin_object(&data->json);
    put_entries(data, &flame->base->tree, flame->base->node_of);
    bm_json_end_object(&data->json);
}

static void put_strings(struct data *data)
{
    bm_json_key(&data->json, "strings");
    bm_json_begin_array(&data->json);
    for (size_t i = 0; i < data->nr_texts; i++)
        put_shown(&data->json, data->texts[i]);
    bm_json_end_array(&data->json);
}

static void data_clear(struct data *data)
{
    bm_intern_clear(&data->strings);
    bm_arena_release(&data->arena);
    free(data->texts);
    bm_flame_pruned_clear(&data->pruned);
}

void bm_flame_write_data(const struct bm_flame *flame, FILE *file)
{
    struct data data = {
        .flame = flame,
        .strings = BM_INTERN_INIT,
        .arena = BM_ARENA_INIT,
    };
    struct bm_listing listing = BM_LISTING_INIT;

    bm_flame_prune(&data.pruned, flame);
    bm_json_init(&data.json, file, 1);
    bm_json_begin_object(&data.json);
    put_head(&data);
    put_threads(&data);
    put_nodes(&data);
    put_places(&data, &listing);
    put_entries(&data, &flame->tree, NULL);
    put_base(&data);
    put_strings(&data);
    bm_json_end_object(&data.json);
    bm_json_finish(&data.json);

    bm_listing_clear(&listing);
    data_clear(&data);
}
