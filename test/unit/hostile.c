/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "hostile.h"

#include "build_profile.h"

#include <stdio.h>
#include <stdlib.h>

const char *const hostile_texts[] = {
    /* HTML, script elements, comments, CDATA and the slots of our pages */
    "</script><script>alert(1)</script>",
    "<!--<script>",
    "--><img src=x onerror=alert(1)>",
    "]]><svg onload=alert(1)>",
    "\" onmouseover=\"alert(1)",
    "' onfocus='alert(1)' autofocus='",
    "&lt;b&gt;&#60;&amp;",
    "</title></svg></pre></td></textarea>",
    "<!--benchmem:data-->",
    "{{constructor.constructor('alert(1)')()}}",
    "javascript:alert(1)",
    /* formulas of spreadsheets */
    "=HYPERLINK(\"http://x\",\"y\")",
    "+1+1",
    "-1-1",
    "@SUM(A1)",
    "\t=1+1",
    "\r=1+1",
    "\n=1+1",
    " =1+1",
    "\xef\xbc\x9d"
    "1+1", /* full-width equals sign */
    "a,\"b\",c\r\nd",
    /* Markdown */
    "a|b",
    "`code` ``two``",
    "[link](javascript:alert(1))",
    "![image](http://x/y.png)",
    "<http://autolink.example>",
    "www.autolink.example",
    "http://autolink.example/x",
    "someone@autolink.example",
    "**bold** __bold__ ~~gone~~",
    "\\|escaped\\",
    "# heading",
    "| --- | --- |",
    "a\n\n# b\n\n<b>c</b>",
    /* terminals: C0, C1 in UTF-8, direction of writing, invisible ones */
    "\x1b[31mred\x1b[0m",
    "\x1b]0;title\x07",
    "\xc2\x9b"
    "31mred",
    "\xc2\x85next line",
    "\b\b\bback\x7f",
    "user\xe2\x80\xaetxt.exe",
    "a\xe2\x81\xa6 b\xe2\x81\xa9",
    "\xe2\x80\x8erow\xe2\x80\x8f",
    "line\xe2\x80\xa8separator\xe2\x80\xa9",
    "mark\xef\xbb\xbf",
    /* no UTF-8, or no XML */
    "\xff\xfe",
    "\xed\xa0\x80 lone surrogate",
    "\xc0\x80 overlong",
    "cut \xe2\x82",
    "\xef\xbf\xbe\xef\xbf\xbf",
    "\xf4\x90\x80\x80",
    "\xf0\x9f\x92\xa3 wide",
    /* JSON */
    "\"},{\"a\":\"",
    "\\u0000\\",
    "__proto__",
    "toString",
    "NaN",
    "null",
    "1e400",
    /* folded stacks, callgrind, massif, file names */
    "a;b;c 12",
    "a b 34",
    "fn=(1) other",
    "fl=x\nfn=(2)\n+1 5",
    "cmd: x\nsummary: 1",
    "n1: 5 0x0: x",
    "#-----------",
    "0x1234",
    "../../../../etc/passwd",
    "/dev/tty",
    "/",
    ".",
    "-rf",
    "%s%n%100000d",
    "$(id)`id`",
    "~",
    "",
    " ",
    NULL,
};

#define FIRST_FRAME 2 /* behind main */

size_t nr_hostile_texts(void)
{
    size_t nr = 0;

    while (hostile_texts[nr])
        nr++;
    return nr;
}

uint64_t hostile_size(size_t index)
{
    return 1000 + index;
}

struct making {
    msgpack_packer *packer;
    uint64_t live;
    int error;
};
#define ADD_TO(m, name, ...)                                                   \
    ((m)->error |= PACK((m)->packer, name, __VA_ARGS__))

static void add_texts(struct making *m)
{
    uint64_t state[] = {BM_END_STATUS, 0, 0};

    ADD_TO(m, head, .magic = text_of(BM_PROFILE_MAGIC),
           .schema_version = BM_SCHEMA_VERSION,
           .writer = text_of("</script>\x1b[1m"),
           .program = text_of("/tmp/<b>=\x1b[31mprogram"),
           .cwd = text_of("/tmp/\xe2\x80\xae|cwd"),
           .host = text_of("<i>host\n"), .pid = 1,
           .options = text_of("<u>options"), .rank = text_of("=rank"));
    for (size_t i = 0; hostile_texts[i]; i++) {
        ADD_TO(m, argument, .text = text_of(hostile_texts[i]));
        ADD_TO(m, note, .text = text_of(hostile_texts[i]));
    }
    ADD_TO(m, state, .state = WORDS_OF(state));
}

static void add_node(struct making *m, uint64_t benchmark, uint64_t index,
                     uint64_t size, uint64_t peak)
{
    uint64_t words[BM_NR_WORDS_tally] = {
        [BM_TALLY_allocations] = 1, [BM_TALLY_allocated] = size,
        [BM_TALLY_live] = size,     [BM_TALLY_at_peak] = size,
        [BM_TALLY_seen] = peak,     [BM_TALLY_pass] = benchmark,
    };

    ADD_TO(m, node, .benchmark = benchmark, .site = index, .path = index + 1,
           .thread = index, .node = WORDS_OF(words));
}

static void add_benchmark(struct making *m, uint64_t index, struct bm_text text,
                          uint64_t size)
{
    uint64_t pass[BM_NR_WORDS_pass] = {index, 0, size, size, 1, size};
    uint64_t ledger[] = {size, size, index, 1};

    ADD_TO(m, benchmark, .index = index, .name = text,
           .frame = FIRST_FRAME + index - 1);
    ADD_TO(m, param, .benchmark = index, .name = text, .type = BM_VALUE_STRING,
           .text = text);
    ADD_TO(m, ledger, .benchmark = index, .ledger = WORDS_OF(ledger));
    ADD_TO(m, pass, .benchmark = index, .pass = WORDS_OF(pass));
    add_node(m, index, index, size, size);
}

/* Everything that there is of one text; index from 1. */
static void add_text(struct making *m, uint64_t index, const char *string)
{
    uint64_t thread[BM_NR_WORDS_thread] = {0}, size = hostile_size(index - 1);
    struct bm_text text = text_of(string);

    ADD_TO(m, module, .index = index, .path = text, .build_id = text,
           .instrumented = index % 2);
    ADD_TO(m, frame, .index = FIRST_FRAME + index - 1, .function = text,
           .linkage_name = text, .file = text, .dir = text, .line = index,
           .column = 1, .callee = text);
    ADD_TO(m, site, .index = index, .id = index,
           .frame = FIRST_FRAME + index - 1, .kind = text, .callee = text,
           .type = text, .size_expr = text, .count = text);
    ADD_TO(m, path, .index = index + 1, .outer = 1,
           .frame = FIRST_FRAME + index - 1, .site = index);
    ADD_TO(m, thread, .index = index, .tid = index, .name = text,
           .thread = WORDS_OF(thread));
    add_benchmark(m, index, text, size);
    add_node(m, 0, index, size, m->live);
}

int hostile_pack(msgpack_packer *packer)
{
    struct making m = {.packer = packer};

    for (size_t i = 0; hostile_texts[i]; i++)
        m.live += hostile_size(i);
    uint64_t ledger[] = {m.live, m.live, 0, 0};

    add_texts(&m);
    ADD_TO(&m, frame, .index = 1, .function = text_of("main"),
           .file = text_of("</style>main.c"), .line = 1, .column = 1);
    ADD_TO(&m, path, .index = 1, .frame = 1);
    ADD_TO(&m, ledger, .ledger = WORDS_OF(ledger));
    for (size_t i = 0; hostile_texts[i]; i++)
        add_text(&m, i + 1, hostile_texts[i]);
    return m.error;
}

struct bm_profile *hostile_parse(void)
{
    struct bm_profile_error error;
    struct builder b;

    builder_init(&b);
    struct bm_profile *profile =
        hostile_pack(&b.packer) ? NULL : builder_parse(&b, &error);
    builder_clear(&b);
    if (!profile) {
        fprintf(stderr, "hostile: byte %llu: %s\n",
                (unsigned long long)error.offset, error.why);
        abort();
    }
    return profile;
}
