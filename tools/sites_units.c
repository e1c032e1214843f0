/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * Which compilations benchmem-sites reads: those of a database, or the named
 * files with one set of flags.
 */
#include "tools/sites.h"

#include "base/error.h"
#include "base/locate.h"
#include "base/str.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <uthash.h>

#define DATABASE_NAME "compile_commands.json"

/* -- the database ---------------------------------------------------------- */

static bool is_file(struct bm_str *path, const char *folder, const char *under)
{
    bm_str_truncate(path, 0);
    bm_str_printf(path, "%s%s" DATABASE_NAME, folder, under);
    return access(path->data, F_OK) == 0;
}

/* Here or in build/, else in a folder above; NULL if there is none. */
static char *search(void)
{
    struct bm_str folder = BM_STR_INIT, path = BM_STR_INIT;
    char *here = getcwd(NULL, 0), *found = NULL;
    /* Every slash of the folder's path is a folder to look at, and it too. */
    const char *above = here;

    do {
        if (is_file(&path, folder.data, "") ||
            is_file(&path, folder.data, "build/"))
            found = bm_str_detach(&path);
        bm_str_puts(&folder, "../");
        above = above ? strchr(above, '/') : NULL;
        above = above ? above + 1 : NULL;
    } while (!found && above);
    free(here);
    bm_str_clear(&folder);
    bm_str_clear(&path);
    return found;
}

static char *locate(struct bm_source_units *units, const char *given)
{
    struct bm_str path = BM_STR_INIT;
    char *found;

    if (given) {
        bm_str_puts(&path, given);
        if (bm_is_folder(given))
            bm_str_puts(&path, "/" DATABASE_NAME);
        return bm_str_detach(&path);
    }
    found = search();
    if (!found)
        bm_error("no " DATABASE_NAME " here, in build/ or above: have one made "
                 "(cmake -DCMAKE_EXPORT_COMPILE_COMMANDS=ON, or bear), name it "
                 "with -p, or give the flags: benchmem-sites FILE... -- FLAG"
                 "...");
    units->note = "found";
    return found;
}

/* -- units ----------------------------------------------------------------- */

static void add_unit(struct bm_source_units *units,
                     const struct bm_source_unit *unit)
{
    units->items = bm_xgrow(units->items, units->count, &units->room,
                            sizeof(*units->items));
    units->items[units->count++] = *unit;
}

/* A command that was seen. */
struct seen {
    UT_hash_handle hh;
    char *text;
};

/* Databases that several builds add to have commands twice. */
static bool see(struct seen **all, struct bm_arena *arena,
                const struct bm_source_unit *unit)
{
    struct bm_str text = BM_STR_INIT;
    struct seen *known;

    bm_str_printf(&text, "%s\n%s", unit->folder, unit->file);
    for (size_t i = 0; i < unit->nr_words; i++)
        bm_str_printf(&text, "\n%s", unit->words[i]);
    HASH_FIND_STR(*all, text.data, known);
    if (!known) {
        struct seen *seen = bm_arena_alloc(arena, sizeof(*seen));
        seen->text = bm_arena_strdup(arena, text.data);
        HASH_ADD_KEYPTR(hh, *all, seen->text, text.size, seen);
    }
    bm_str_clear(&text);
    return known;
}

/* Where a file is, links followed where it is there; the caller's to free. */
static char *place_of(const char *folder, const char *file)
{
    struct bm_str path = BM_STR_INIT;

    if (file[0] != '/' && folder)
        bm_str_printf(&path, "%s/", folder);
    bm_str_puts(&path, file);
    char *real = realpath(path.data, NULL);
    if (!real)
        return bm_str_detach(&path);
    bm_str_clear(&path);
    return real;
}

/* The sources that were named, as places, and which of them were met. */
struct wanted {
    const struct bm_strvec *names;
    struct bm_strvec places;
    bool *met;
};

static void wanted_init(struct wanted *wanted, const struct bm_strvec *names)
{
    *wanted = (struct wanted){
        .names = names,
        .places = BM_STRVEC_INIT,
        .met = bm_xcalloc(names->count + 1, sizeof(bool)),
    };
    for (size_t i = 0; i < names->count; i++)
        bm_strvec_push_owned(&wanted->places, place_of(NULL, names->items[i]));
}

static bool is_wanted(struct wanted *wanted, const struct bm_source_unit *unit)
{
    char *place = place_of(unit->folder, unit->file);
    bool found = !wanted->places.count;

    for (size_t i = 0; i < wanted->places.count; i++)
        if (!strcmp(wanted->places.items[i], place))
            found = wanted->met[i] = true;
    free(place);
    return found;
}

static int wanted_clear(struct wanted *wanted, const char *database)
{
    int result = 0;

    for (size_t i = 0; i < wanted->names->count; i++)
        if (!wanted->met[i])
            result = bm_error("cannot read %s: it is not in %s; give its "
                              "flags: benchmem-sites %s -- FLAG...",
                              wanted->names->items[i], database,
                              wanted->names->items[i]);
    bm_strvec_clear(&wanted->places);
    free(wanted->met);
    return result;
}

/* A relative folder of an entry is one of the database's. */
static char *base_of(const char *path)
{
    char *real = realpath(path, NULL);
    char *slash = real ? strrchr(real, '/') : NULL;

    if (slash)
        *slash = '\0';
    return real;
}

static int find_in_database(struct bm_source_units *units,
                            const struct bm_survey_options *options)
{
    char *why = NULL, *base;
    struct seen *seen = NULL;
    struct wanted wanted;

    units->path = locate(units, options->database);
    if (!units->path)
        return -1;
    units->database = bm_database_read(units->path, &why);
    if (!units->database) {
        bm_error("cannot read %s: %s", units->path, why);
        free(why);
        return -1;
    }
    base = base_of(units->path);
    wanted_init(&wanted, &options->sources);
    for (size_t i = 0; i < bm_database_count(units->database); i++) {
        struct bm_database_unit entry = bm_database_at(units->database, i);
        struct bm_source_unit unit = {
            .folder = entry.folder,
            .file = entry.file,
            .words = entry.words,
            .nr_words = entry.nr_words,
        };

        if (entry.folder[0] != '/')
            unit.folder = bm_arena_printf(&units->arena, "%s/%s",
                                          base ? base : "", entry.folder);
        if (unit.nr_words && is_wanted(&wanted, &unit) &&
            !see(&seen, &units->arena, &unit))
            add_unit(units, &unit);
    }
    HASH_CLEAR(hh, seen);
    free(base);
    if (wanted_clear(&wanted, units->path))
        return -1;
    if (!units->count)
        return bm_error("cannot read %s: it names no file", units->path);
    return 0;
}

static int add_with_flags(struct bm_source_units *units,
                          const struct bm_survey_options *options)
{
    char *here = getcwd(NULL, 0);
    size_t nr_flags = 0;

    if (!here)
        return bm_error("cannot tell the current folder: %s", strerror(errno));
    while (options->flags[nr_flags])
        nr_flags++;
    for (size_t i = 0; i < options->sources.count; i++) {
        const char **words = bm_arena_alloc(
            &units->arena, (nr_flags + 4) * sizeof(const char *));
        struct bm_source_unit unit = {
            .folder = bm_arena_strdup(&units->arena, here),
            .file = options->sources.items[i],
            .words = words,
            .nr_words = nr_flags + 3,
        };

        words[0] = "clang";
        for (size_t f = 0; f < nr_flags; f++)
            words[1 + f] = options->flags[f];
        words[1 + nr_flags] = "-c";
        words[2 + nr_flags] = unit.file;
        add_unit(units, &unit);
    }
    free(here);
    return 0;
}

int bm_source_units_find(struct bm_source_units *units,
                         const struct bm_survey_options *options)
{
    if (options->flags)
        return add_with_flags(units, options);
    return find_in_database(units, options);
}

void bm_source_units_clear(struct bm_source_units *units)
{
    if (units->database)
        bm_database_free(units->database);
    free(units->items);
    free(units->path);
    bm_arena_release(&units->arena);
}
