/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A picture of the call tree for places that forbid scripts and styles: plain
 * SVG, each box with its figures in a title. Callers stand above what they
 * call. What is too narrow to see is gathered into one box beside its
 * siblings, and below the last row that is drawn stands how much deeper it
 * goes, so that widths add up everywhere.
 */
#include "tools/flamegraph.h"

#include "base/escape.h"
#include "base/size.h"
#include "base/utf8.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 1200.0
#define MARGIN 10.0
#define ROW 18.0
#define HEADING 52.0

/* Boxes narrower than this many pixels are gathered. */
#define NARROWEST 0.6

/* Width of a letter of the font, on the average. */
#define LETTER 6.4

/* Rows below which nothing is drawn: a picture of more is no picture. */
#define MOST_ROWS 128

#define GATHERED (2 * WIDTH)

struct svg {
    const struct bm_flame *flame;
    FILE *file;
    double *left; /* by node: where its next child begins; GATHERED: the
                     rest of its children is drawn already */
    double scale; /* pixels for one unit of the metric */
    double narrowest;
    uint32_t rows;
    struct bm_str text;
    struct bm_str label;
};

static uint64_t total_of(const struct svg *svg, uint32_t node)
{
    return svg->flame->tree.totals[svg->flame->metric][node];
}

/* A profile's sums may have wrapped: no box is wider than all of them. */
static double width_of_amount(const struct svg *svg, uint64_t amount)
{
    double width = (double)amount * svg->scale, most = WIDTH - 2 * MARGIN;

    return width < most ? width : most;
}

static double width_of(const struct svg *svg, uint32_t node)
{
    return width_of_amount(svg, total_of(svg, node));
}

static void put_escaped(struct svg *svg, const char *text)
{
    struct bm_str plain = BM_STR_INIT;

    /* XML has no control characters at all. */
    bm_escape_terminal(&plain, text);
    bm_str_truncate(&svg->text, 0);
    bm_escape_html(&svg->text, plain.data);
    fputs(svg->text.data, svg->file);
    bm_str_clear(&plain);
}

/* FNV-1a: any that spreads the names of files will do. */
static unsigned hash_of(const char *text)
{
    uint32_t hash = 0x811c9dc5;

    for (; text && *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x01000193;
    return hash >> 4;
}

/* hue, saturation, lightness, all but the hue in percent. */
static void put_hsl(FILE *file, double hue, double saturation, double lightness)
{
    double l = lightness / 100, s = saturation / 100;
    double a = s * (l < 0.5 ? l : 1 - l);
    unsigned rgb[3];

    /* CSS Color Module Level 4, section 7.1, sample code of hsl to rgb. */
    for (unsigned i = 0; i < 3; i++) {
        static const double offsets[] = {0, 8, 4};
        double k = offsets[i] + hue / 30;
        while (k >= 12)
            k -= 12;
        double slope = k - 3 < 9 - k ? k - 3 : 9 - k;
        slope = slope > 1 ? 1 : slope < -1 ? -1 : slope;
        rgb[i] = (unsigned)((l - a * slope) * 255 + 0.5);
    }
    fprintf(file, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
}

/* Red grew, blue shrank; the stronger the larger the change is. */
static void put_change_color(const struct svg *svg, uint32_t node)
{
    double after = (double)total_of(svg, node);
    double before = (double)svg->flame->base->totals[svg->flame->metric][node];
    double larger = after > before ? after : before;
    double share = larger > 0 ? (after - before) / larger : 0;
    double strength = share < 0 ? -share : share;

    if (share == 0)
        put_hsl(svg->file, 30, 8, 85);
    else
        put_hsl(svg->file, share > 0 ? 6 : 214, 30 + 55 * strength,
                87 - 25 * strength);
}

static void put_color(const struct svg *svg, uint32_t node)
{
    const struct bm_call_place *place;

    if (svg->flame->base) {
        put_change_color(svg, node);
        return;
    }
    if (!node) {
        put_hsl(svg->file, 36, 30, 88);
        return;
    }
    place = bm_call_place_of(&svg->flame->tree, node);
    unsigned h = hash_of(place->file ? place->file : place->function);
    if (place->site)
        put_hsl(svg->file, 148 + h % 32, 48, 66 + h % 8);
    else if (place->flags & BM_CALL_FOREIGN)
        put_hsl(svg->file, 212 + h % 18, 26, 76 + h % 6);
    else
        put_hsl(svg->file, 18 + h % 38, 78 + h % 13, 71 + h % 9);
}

static void put_amount(const struct svg *svg, uint64_t amount,
                       struct bm_str *out)
{
    const struct bm_cell cell = bm_metric_cell(amount, svg->flame->metric);

    bm_cell_show(out, &cell);
    bm_str_printf(out, " %s, ", bm_flame_unit(svg->flame));
    bm_percent_print(out, amount, total_of(svg, 0));
    bm_str_puts(out, " %");
}

static void put_box(struct svg *svg, double left, double width, uint32_t row,
                    uint32_t node, bool plain, uint64_t amount)
{
    FILE *file = svg->file;
    double top = HEADING + row * ROW;
    struct bm_str title = BM_STR_INIT, shown = BM_STR_INIT;

    bm_str_printf(&title, "%s: ", svg->label.data);
    put_amount(svg, amount, &title);
    if (svg->flame->base && !plain) {
        bm_str_puts(&title, ", change ");
        bm_size_print_change(
            &title,
            (int64_t)(amount -
                      svg->flame->base->totals[svg->flame->metric][node]));
    }
    fputs("<g><title>", file);
    put_escaped(svg, title.data);
    fprintf(file,
            "</title><rect x=\"%.2f\" y=\"%.0f\" width=\"%.2f\" "
            "height=\"%.0f\" rx=\"1\" stroke=\"#fff\" stroke-width=\"0.6\" "
            "fill=\"",
            left, top, width, ROW - 1);
    if (plain)
        put_hsl(file, 30, 8, 85);
    else
        put_color(svg, node);
    fputs("\"/>", file);
    if (width > 4 * LETTER) {
        bm_utf8_shorten_end(&shown, svg->label.data,
                            (size_t)((width - 6) / LETTER));
        fprintf(file, "<text x=\"%.2f\" y=\"%.0f\">", left + 4, top + 12.5);
        put_escaped(svg, shown.data);
        fputs("</text>", file);
    }
    fputs("</g>\n", file);
    bm_str_clear(&title);
    bm_str_clear(&shown);
}

/* One box for the children of a node from child on, which are too narrow. */
static void put_rest(struct svg *svg, uint32_t child, double left, uint32_t row)
{
    const struct bm_call_node *nodes = svg->flame->tree.nodes;
    uint64_t amount = 0, count = 0;

    for (; child; child = nodes[child].next) {
        amount += total_of(svg, child);
        count += total_of(svg, child) != 0;
    }
    if (!count)
        return;
    bm_str_truncate(&svg->label, 0);
    bm_str_printf(&svg->label, "other: %" PRIu64 " small", count);
    put_box(svg, left, width_of_amount(svg, amount), row, 0, true, amount);
    if (row + 1 > svg->rows)
        svg->rows = row + 1;
}

/* How many levels lie below a node. */
static uint32_t levels_below(const struct svg *svg, uint32_t node)
{
    struct bm_call_walk walk = {
        .tree = &svg->flame->tree, .node = node, .top = node};
    uint32_t deepest = 0;

    while (bm_call_walk_next(&walk)) {
        if (walk.depth > deepest)
            deepest = walk.depth;
    }
    return deepest;
}

static void put_node(struct svg *svg, uint32_t node, uint32_t row, double left)
{
    bm_str_truncate(&svg->label, 0);
    if (node)
        bm_flame_label(bm_call_place_of(&svg->flame->tree, node), &svg->label);
    else
        bm_flame_title(svg->flame, &svg->label);
    put_box(svg, left, width_of(svg, node), row, node, false,
            total_of(svg, node));
    svg->left[node] = left;
    if (row + 1 > svg->rows)
        svg->rows = row + 1;
}

/* True if the walk may go below the node. */
static bool visit(struct svg *svg, uint32_t node, uint32_t row)
{
    const struct bm_call_node *nodes = svg->flame->tree.nodes;
    uint32_t parent = nodes[node].parent;
    double left = svg->left[parent];
    double width = width_of(svg, node);

    /* Siblings are sorted: the first narrow one stands for all after it. */
    if (width < svg->narrowest) {
        put_rest(svg, node, left, row);
        svg->left[parent] = GATHERED;
        return false;
    }
    put_node(svg, node, row, left);
    svg->left[parent] = left + width;
    if (row + 1 < MOST_ROWS)
        return true;
    uint32_t deeper = levels_below(svg, node);
    if (deeper) {
        bm_str_truncate(&svg->label, 0);
        bm_str_printf(&svg->label, "%" PRIu32 " more levels", deeper);
        put_box(svg, left, width, row + 1, node, true, total_of(svg, node));
        svg->rows = row + 2;
    }
    return false;
}

static void put_boxes(struct svg *svg)
{
    struct bm_call_walk walk = {.tree = &svg->flame->tree};

    put_node(svg, 0, 0, MARGIN);
    while (bm_call_walk_next(&walk)) {
        uint32_t parent = svg->flame->tree.nodes[walk.node].parent;

        walk.skip = svg->left[parent] == GATHERED ||
                    !total_of(svg, walk.node) ||
                    !visit(svg, walk.node, walk.depth);
    }
}

static void put_head(struct svg *svg, double height)
{
    FILE *file = svg->file;
    struct bm_str line = BM_STR_INIT;
    struct bm_strvec about = BM_STRVEC_INIT;

    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
            "height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" "
            "font-family=\"DejaVu Sans, Verdana, sans-serif\" "
            "font-size=\"11\" fill=\"#201a14\">\n"
            "<rect width=\"%.0f\" height=\"%.0f\" fill=\"#fdfcfa\"/>\n"
            "<text x=\"%.0f\" y=\"22\" font-size=\"15\">",
            WIDTH, height, WIDTH, height, WIDTH, height, MARGIN);
    bm_flame_title(svg->flame, &line);
    bm_str_puts(&line, ": ");
    put_amount(svg, total_of(svg, 0), &line);
    /* The share of all is no news. */
    bm_str_truncate(&line, line.size - strlen(", 100.0 %"));
    put_escaped(svg, line.data);
    fprintf(file, "</text>\n<text x=\"%.0f\" y=\"40\" fill=\"#6d675f\">",
            MARGIN);
    bm_str_truncate(&line, 0);
    bm_flame_about(svg->flame->profile, svg->flame->benchmark, &about);
    bm_flame_notes(svg->flame, &about);
    for (size_t i = 0; i < about.count; i++)
        bm_str_printf(&line, "%s%s", i ? " \302\267 " : "", about.items[i]);
    if (svg->flame->base)
        bm_str_printf(&line, " \302\267 red grew, blue shrank against %s",
                      svg->flame->base->tree.profile->path);
    put_escaped(svg, line.data);
    fputs("</text>\n", file);
    bm_strvec_clear(&about);
    bm_str_clear(&line);
}

void bm_flame_write_svg(struct bm_flame *flame, FILE *file)
{
    char *boxes = NULL;
    size_t size = 0;
    uint64_t total = flame->tree.totals[flame->metric][0];
    double threshold = flame->options->threshold;
    struct svg svg = {
        .flame = flame,
        .file = open_memstream(&boxes, &size),
        .left = bm_xcalloc(flame->tree.nr_nodes, sizeof(double)),
        .scale = total ? (WIDTH - 2 * MARGIN) / (double)total : 0,
        .narrowest = NARROWEST,
        .text = BM_STR_INIT,
        .label = BM_STR_INIT,
    };

    if (threshold >= 0 && threshold * (WIDTH - 2 * MARGIN) > NARROWEST)
        svg.narrowest = threshold * (WIDTH - 2 * MARGIN);
    bm_call_tree_order(&flame->tree, flame->metric);
    if (svg.file) {
        put_boxes(&svg);
        fclose(svg.file);
    }
    /* The head needs the height, which only the boxes tell. */
    svg.file = file;
    put_head(&svg, HEADING + svg.rows * ROW + MARGIN);
    if (boxes)
        fwrite(boxes, 1, size, file);
    fputs("</svg>\n", file);
    free(boxes);
    free(svg.left);
    bm_str_clear(&svg.text);
    bm_str_clear(&svg.label);
}
