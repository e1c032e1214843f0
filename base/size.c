/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/size.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

static const char *const units[] = {"B",   "KiB", "MiB", "GiB",
                                    "TiB", "PiB", "EiB"};
#define NR_UNITS (sizeof(units) / sizeof(units[0]))

/* 128 bits, since ten times the largest size does not fit into 64. */
typedef unsigned __int128 wide;

void bm_size_print(struct bm_str *out, uint64_t bytes)
{
    if (bytes < 1024) {
        bm_str_printf(out, "%" PRIu64 " B", bytes);
        return;
    }

    unsigned unit = 0;
    uint64_t tenths;
    do {
        unit++;
        wide half = (wide)1 << (10 * unit - 1);
        tenths = (uint64_t)(((wide)bytes * 10 + half) >> (10 * unit));
    } while (tenths >= 10240 && unit + 1 < NR_UNITS);
    /* 1023.95 KiB and more round to 1024.0 KiB, which is 1.0 MiB. */
    bm_str_printf(out, "%" PRIu64 ".%" PRIu64 " %s", tenths / 10, tenths % 10,
                  units[unit]);
}

void bm_size_print_change(struct bm_str *out, int64_t bytes)
{
    if (bytes)
        bm_str_putc(out, bytes < 0 ? '-' : '+');
    bm_size_print(out, bytes < 0 ? 0 - (uint64_t)bytes : (uint64_t)bytes);
}

static bool unit_factor(const char *text, uint64_t *factor)
{
    static const char letters[] = "kmgtpe";
    uint64_t base = 1024;

    *factor = 1;
    if (!*text || !strcasecmp(text, "b"))
        return true;
    for (size_t i = 0; letters[i]; i++) {
        if ((text[0] | 0x20) != letters[i])
            continue;
        if (!strcasecmp(text + 1, "b"))
            base = 1000;
        else if (text[1] && strcasecmp(text + 1, "ib"))
            return false;
        for (size_t n = 0; n <= i; n++)
            *factor *= base;
        return true;
    }
    return false;
}

bool bm_size_parse(const char *text, uint64_t *bytes)
{
    const char *p = text;
    wide value = 0, scale = 1;
    bool digits = false, point = false;

    for (; (*p >= '0' && *p <= '9') || (*p == '.' && !point); p++) {
        if (*p == '.') {
            point = true;
            continue;
        }
        digits = true;
        /* Decimals beyond the 18th cannot change a byte. */
        if (point && scale >= 1000000000000000000u)
            continue;
        value = value * 10 + (wide)(*p - '0');
        if (point)
            scale *= 10;
        if (value / scale > UINT64_MAX)
            return false;
    }
    if (!digits)
        return false;
    if (*p == ' ')
        p++;

    uint64_t factor;
    if (!unit_factor(p, &factor))
        return false;
    /* The whole part and the rest apart, so that neither overflows. */
    wide whole = value / scale * factor;
    wide rest = value % scale * factor / scale;
    if (whole + rest > UINT64_MAX)
        return false;
    *bytes = (uint64_t)(whole + rest);
    return true;
}

void bm_percent_print(struct bm_str *out, uint64_t part, uint64_t whole)
{
    if (!whole) {
        bm_str_puts(out, "-");
        return;
    }
    uint64_t tenths = (uint64_t)(((wide)part * 1000 + whole / 2) / whole);
    bm_str_printf(out, "%" PRIu64 ".%" PRIu64, tenths / 10, tenths % 10);
}

bool bm_count_parse(const char *text, uint64_t *count)
{
    uint64_t value = 0;

    if (!*text)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9' ||
            __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(*text - '0'), &value))
            return false;
    }
    *count = value;
    return true;
}
