/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* benchmem-export on any profile: every format is sound by its own rules. */
#include "outputs.h"

#include "base/utf8.h"
#include "profile.pb-c.h"
#include "tools/export.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Longer ones, of many deep stacks, are not looked into. */
#define MOST_PLAIN ((size_t)4 << 20)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* "FRAME;FRAME;... NUMBER" */
static void check_folded(const char *text, size_t size)
{
    demand_plain(text, size, "folded stacks are plain");
    for (const char *line = text; *line;) {
        const char *end = strchr(line, '\n');

        demand(end != NULL, "folded lines end");
        const char *space = memrchr(line, ' ', (size_t)(end - line));
        demand(space && space > line && space + 1 < end,
               "folded lines have a stack and a number");
        demand(strspn(space + 1, "0123456789") == (size_t)(end - space - 1),
               "folded lines end in a number");
        line = end + 1;
    }
}

/* No line but those of the format: a name cannot begin one. */
static void check_callgrind(const char *text, size_t size)
{
    static const char *const begins[] = {
        "# callgrind format",
        "version: ",
        "creator: ",
        "pid: ",
        "cmd: ",
        "desc: ",
        "positions: ",
        "events: ",
        "event: ",
        "summary: ",
        "totals: ",
        "part: ",
        "ob=",
        "fl=",
        "fi=",
        "fe=",
        "fn=",
        "cob=",
        "cfi=",
        "cfl=",
        "cfn=",
        "calls=",
        "0",
        "1",
        "2",
        "3",
        "4",
        "5",
        "6",
        "7",
        "8",
        "9",
        "+",
        "-",
        "*",
        "\n",
    };

    demand_plain(text, size, "callgrind is plain");
    for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
        bool known = false;

        for (size_t i = 0; i < sizeof(begins) / sizeof(*begins); i++)
            known |= !strncmp(line, begins[i], strlen(begins[i]));
        demand(known, "callgrind has its own lines alone");
        demand(strchr(line, '\n') != NULL, "callgrind's lines end");
    }
}

static void check_pprof(const char *gzip, size_t size)
{
    static uint8_t plain[MOST_PLAIN];
    z_stream stream = {.next_in = (Bytef *)gzip,
                       .avail_in = (uInt)size,
                       .next_out = plain,
                       .avail_out = MOST_PLAIN};

    demand(inflateInit2(&stream, 15 + 16) == Z_OK, "gzip begins");
    int result = inflate(&stream, Z_FINISH);
    size_t length = stream.total_out;
    bool too_long = result == Z_BUF_ERROR && !stream.avail_out;
    inflateEnd(&stream);
    if (too_long)
        return;
    demand(result == Z_STREAM_END, "gzip ends");
    Pprof__Profile *profile = pprof__profile__unpack(NULL, length, plain);
    demand(profile != NULL, "profile.proto");
    for (size_t i = 0; i < profile->n_string_table; i++)
        demand(bm_utf8_valid((const char *)profile->string_table[i]),
               "pprof's strings are UTF-8");
    pprof__profile__free_unpacked(profile, NULL);
}

static void check_text(const struct bm_export_format *format, const char *text,
                       size_t size)
{
    if (format == &bm_export_pprof)
        check_pprof(text, size);
    else if (format == &bm_export_folded)
        check_folded(text, size);
    else if (format == &bm_export_callgrind)
        check_callgrind(text, size);
    else if (format == &bm_export_csv)
        demand_csv(text, size, "the exported CSV");
    else if (format == &bm_export_ndjson)
        demand_json_lines(text, size, "NDJSON");
    else if (format == &bm_export_massif)
        demand_plain(text, size, "massif is plain");
    else
        demand_json(text, size, format->name);
}

struct call {
    const struct bm_export_format *format;
    struct bm_export export;
};

static void write_export(FILE *file, void *context)
{
    const struct call *call = context;

    call->format->write(&call->export, file);
}

static void check(const struct bm_profile *profile,
                  const struct bm_export_format *format, unsigned choice)
{
    struct call call = {
        .format = format,
        .export = {.profile = profile,
                   .metric = (enum bm_metric)(choice % BM_METRIC_TEMPORARY)},
    };
    size_t size;

    call.export.at_end = call.export.metric == BM_METRIC_LEAKED;
    bm_export_choose(&call.export, format->scope, NULL);
    char *text = written(write_export, &call, &size);
    check_text(format, text, size);
    free(text);
    bm_export_release(&call.export);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    unsigned choice = choose(data, size, 1u << 16);
    struct bm_profile *profile = parse_input(data, size);

    if (!profile)
        return 0;
    for (size_t i = 0; bm_export_formats[i]; i++)
        check(profile, bm_export_formats[i], choice);
    bm_profile_free(profile);
    return 0;
}
