/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "base/terminal.h"

#include "base/size.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Select Graphic Rendition of ECMA-48; the 8 colours that all terminals have.
 */
static const char *const sequences[BM_NR_TONES] = {
    [BM_TONE_NORMAL] = "",       [BM_TONE_STRONG] = "\033[1m",
    [BM_TONE_FAINT] = "\033[2m", [BM_TONE_GOOD] = "\033[32m",
    [BM_TONE_BAD] = "\033[31m",  [BM_TONE_NOTICE] = "\033[33m",
};

static bool is_set(const char *name)
{
    const char *value = getenv(name);

    return value && *value;
}

static bool wants_color(int fd, enum bm_color color)
{
    if (color != BM_COLOR_AUTO)
        return color == BM_COLOR_ALWAYS;
    if (is_set("NO_COLOR"))
        return false;
    if (is_set("CLICOLOR_FORCE") && strcmp(getenv("CLICOLOR_FORCE"), "0") != 0)
        return true;
    if (!is_set("TERM") || !strcmp(getenv("TERM"), "dumb"))
        return false;
    return isatty(fd);
}

static size_t width_of(int fd)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size;
    uint64_t value;

    if (columns && bm_count_parse(columns, &value) && value && value < 65536)
        return (size_t)value;
    if (!ioctl(fd, TIOCGWINSZ, &size))
        return size.ws_col;
    return 0;
}

struct bm_terminal bm_terminal_of(int fd, enum bm_color color)
{
    return (struct bm_terminal){wants_color(fd, color), width_of(fd)};
}

const char *bm_tone_begin(const struct bm_terminal *terminal, enum bm_tone tone)
{
    return terminal->color ? sequences[tone] : "";
}

const char *bm_tone_end(const struct bm_terminal *terminal, enum bm_tone tone)
{
    return terminal->color && tone != BM_TONE_NORMAL ? "\033[0m" : "";
}
