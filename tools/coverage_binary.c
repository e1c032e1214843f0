/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * The allocation calls of one executable or library, from the sections that
 * the pass left in it. Every reference is an address; the file's segments say
 * where its bytes are. Nothing of the file is trusted.
 */
#include "base/error.h"
#include "runtime/abi.h"
#include "tools/coverage.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* As deep as the recorder follows inlining. */
#define MOST_INLINED 64

/* Longer names are damage, and copies of them would be without bound. */
#define LONGEST_TEXT ((size_t)1 << 20)

struct segment {
    uint64_t address, offset, size;
};

struct image {
    Elf *elf;
    const char *data;
    size_t size;
    struct segment *segments;
    size_t nr_segments;
    bool instrumented;
    const char *why; /* the first fault, or NULL */
};

static const char *const kind_names[] = {
#define KIND_NAME(upper, name, meaning) [BM_KIND_##upper] = name,
    BM_KINDS(KIND_NAME)
#undef KIND_NAME
};

static void fault(struct image *image, const char *why)
{
    if (!image->why)
        image->why = why;
}

/* The bytes at an address and how many there are; NULL if there are none. */
static const char *at_address(const struct image *image, uint64_t address,
                              size_t *left)
{
    for (size_t i = 0; i < image->nr_segments; i++) {
        const struct segment *segment = &image->segments[i];

        if (address < segment->address ||
            address - segment->address >= segment->size)
            continue;
        *left = (size_t)(segment->size - (address - segment->address));
        return image->data + segment->offset + (address - segment->address);
    }
    return NULL;
}

/* Copies a struct, which may lie unaligned. */
static bool copy(struct image *image, uint64_t address, void *to, size_t size)
{
    size_t left = 0;
    const char *from = at_address(image, address, &left);

    if (!from || left < size) {
        fault(image, "its table of calls refers to nothing");
        return false;
    }
    memcpy(to, from, size);
    return true;
}

/* What a self-relative word at an address refers to, 0 for none. */
static uint64_t refers_to(uint64_t address, int32_t distance)
{
    return distance ? address + (uint64_t)(int64_t)distance : 0;
}
#define REFERS_TO(address, s, member)                                          \
    refers_to((address) + offsetof(__typeof__(s), member), (s).member)

/* Valid as long as the file is open; NULL for 0 and after a fault. */
static const char *text_at(struct image *image, uint64_t address)
{
    size_t left = 0;
    const char *text;

    if (!address)
        return NULL;
    text = at_address(image, address, &left);
    if (!text || strnlen(text, left < LONGEST_TEXT ? left : LONGEST_TEXT) ==
                     (left < LONGEST_TEXT ? left : LONGEST_TEXT)) {
        fault(image, "a name in its table of calls has no end");
        return NULL;
    }
    return text;
}

static void read_line(struct image *image, uint64_t address,
                      const struct bm_frame *from, struct bm_frame_info *to)
{
    uint64_t at = REFERS_TO(address, *from, scope);
    struct bm_scope scope;

    *to = (struct bm_frame_info){
        .line = from->line,
        .column = from->column,
        .flags = from->flags,
    };
    if (!at || !copy(image, at, &scope, sizeof(scope)))
        return;
    to->function = text_at(image, REFERS_TO(at, scope, function));
    to->linkage_name = text_at(image, REFERS_TO(at, scope, linkage_name));
    to->file = text_at(image, REFERS_TO(at, scope, file));
    to->dir = text_at(image, REFERS_TO(at, scope, dir));
}

/* The innermost line outside system headers that a call was inlined into. */
static void read_charged(struct image *image, uint64_t address,
                         const struct bm_frame *call,
                         struct bm_frame_info *charged)
{
    struct bm_frame frame = *call;

    for (unsigned i = 0; i < MOST_INLINED && !image->why; i++) {
        if (!(frame.flags & BM_FRAME_SYSTEM)) {
            read_line(image, address, &frame, charged);
            return;
        }
        address = REFERS_TO(address, frame, parent);
        if (!address || !copy(image, address, &frame, sizeof(frame)))
            return;
    }
}

static const char *keep(struct bm_coverage *coverage, const char *text)
{
    return text ? bm_arena_strdup(&coverage->arena, text) : NULL;
}

static void fill(struct bm_coverage *coverage, struct image *image,
                 struct bm_coverage_site *site,
                 const struct bm_frame_info *charged, uint16_t kind,
                 const char *callee, uint64_t detail_at)
{
    struct bm_detail detail;

    site->kind = kind_names[kind];
    site->frame = *charged;
    site->frame.function = keep(coverage, charged->function);
    site->frame.linkage_name = keep(coverage, charged->linkage_name);
    site->frame.file = keep(coverage, charged->file);
    site->frame.dir = keep(coverage, charged->dir);
    site->callee = keep(coverage, callee);
    if (!detail_at || !copy(image, detail_at, &detail, sizeof(detail)))
        return;
    site->type =
        keep(coverage, text_at(image, REFERS_TO(detail_at, detail, type)));
    site->size_expr =
        keep(coverage, text_at(image, REFERS_TO(detail_at, detail, size_expr)));
}

static void add_call(struct bm_coverage *coverage, struct image *image,
                     uint64_t address)
{
    struct bm_frame_info own, charged;
    struct bm_frame frame;

    if (!copy(image, address, &frame, sizeof(frame)) ||
        frame.kind == BM_KIND_CALL)
        return;
    if (frame.kind >= BM_KIND_VIA) {
        fault(image, "a call in its table is of no known kind");
        return;
    }
    const char *callee = text_at(image, REFERS_TO(address, frame, callee));
    read_line(image, address, &frame, &own);
    charged = own;
    read_charged(image, address, &frame, &charged);
    if (image->why)
        return;

    struct bm_coverage_key key = {bm_coverage_site_id(&own, callee),
                                  bm_coverage_place(&charged)};
    struct bm_coverage_site *site = bm_coverage_site(coverage, &key);
    if (!site->kind)
        fill(coverage, image, site, &charged, frame.kind, callee,
             REFERS_TO(address, frame, detail));
}

/* Rows of `size` bytes with a reference to a frame at `member`. */
static void read_section(struct bm_coverage *coverage, struct image *image,
                         const GElf_Shdr *section, size_t size, size_t member)
{
    for (uint64_t i = 0; !image->why && i < section->sh_size / size; i++) {
        uint64_t at = section->sh_addr + i * size + member;
        int32_t distance;

        if (copy(image, at, &distance, sizeof(distance)) && distance)
            add_call(coverage, image, refers_to(at, distance));
    }
}

static void read_sections(struct bm_coverage *coverage, struct image *image)
{
    static const struct {
        const char *name;
        size_t size, member;
    } tables[] = {
        {BM_ABI_SECTION_CALLS, sizeof(struct bm_call),
         offsetof(struct bm_call, frame)},
        {BM_ABI_SECTION_USES, sizeof(struct bm_use),
         offsetof(struct bm_use, where)},
    };
    size_t names;

    if (elf_getshdrstrndx(image->elf, &names))
        return;
    for (Elf_Scn *scn = NULL; (scn = elf_nextscn(image->elf, scn)) != NULL;) {
        GElf_Shdr section;
        const char *name = gelf_getshdr(scn, &section)
                               ? elf_strptr(image->elf, names, section.sh_name)
                               : NULL;

        if (!name || section.sh_type == SHT_NOBITS)
            continue;
        if (!strncmp(name, "benchmem_", strlen("benchmem_")))
            image->instrumented = true;
        for (size_t i = 0; i < sizeof(tables) / sizeof(tables[0]); i++)
            if (!strcmp(name, tables[i].name))
                read_section(coverage, image, &section, tables[i].size,
                             tables[i].member);
    }
}

/* False for what is no program or library of this machine. */
static bool open_image(struct image *image, int fd)
{
    GElf_Ehdr header;
    size_t count;

    elf_version(EV_CURRENT);
    image->elf = elf_begin(fd, ELF_C_READ_MMAP, NULL);
    if (!image->elf || elf_kind(image->elf) != ELF_K_ELF ||
        !gelf_getehdr(image->elf, &header) ||
        (header.e_type != ET_EXEC && header.e_type != ET_DYN) ||
        header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_ident[EI_DATA] != ELFDATA2LSB ||
        elf_getphdrnum(image->elf, &count))
        return false;
    image->data = elf_rawfile(image->elf, &image->size);
    image->segments = bm_xcalloc(count + 1, sizeof(*image->segments));
    for (size_t i = 0; image->data && i < count; i++) {
        GElf_Phdr segment;

        if (!gelf_getphdr(image->elf, (int)i, &segment) ||
            segment.p_type != PT_LOAD || segment.p_offset > image->size ||
            segment.p_filesz > image->size - segment.p_offset)
            continue;
        image->segments[image->nr_segments++] = (struct segment){
            segment.p_vaddr, segment.p_offset, segment.p_filesz};
    }
    return image->data != NULL;
}

static void close_image(struct image *image)
{
    free(image->segments);
    elf_end(image->elf);
}

static char *build_id_of(Elf *elf)
{
    struct bm_str hex = BM_STR_INIT;
    const void *bytes;
    ssize_t size = dwelf_elf_gnu_build_id(elf, &bytes);

    for (ssize_t i = 0; i < size; i++)
        bm_str_printf(&hex, "%02x", ((const unsigned char *)bytes)[i]);
    return size > 0 ? bm_str_detach(&hex) : NULL;
}

char *bm_coverage_build_id(const char *path)
{
    struct image image = {0};
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    char *build_id = NULL;

    if (fd < 0)
        return NULL;
    if (open_image(&image, fd))
        build_id = build_id_of(image.elf);
    close_image(&image);
    close(fd);
    return build_id;
}

/* Whether it is the file that ran; a build id tells, else its time. */
static bool ran(const struct bm_coverage_binary *binary, Elf *elf, int fd)
{
    char *build_id = build_id_of(elf);
    bool same;
    struct stat st;

    if (binary->build_id)
        same = build_id && !strcmp(build_id, binary->build_id);
    else
        same = !fstat(fd, &st) && (uint64_t)st.st_mtim.tv_sec * 1000000000u +
                                          (uint64_t)st.st_mtim.tv_nsec <=
                                      binary->start_ns;
    free(build_id);
    return same;
}

static int read_image(struct bm_coverage *coverage,
                      const struct bm_coverage_binary *binary,
                      struct image *image, int fd)
{
    if (!open_image(image, fd)) {
        if (binary->optional)
            return 0;
        return bm_error("cannot read the calls of %s: it is no program or "
                        "library of this machine",
                        binary->path);
    }
    if (binary->checked && !ran(binary, image->elf, fd))
        return bm_error("cannot read the calls of %s: it was built anew since "
                        "the run; run it again, or name the file that ran "
                        "with --binary",
                        binary->path);
    read_sections(coverage, image);
    if (image->why)
        return bm_error("cannot read the calls of %s: %s", binary->path,
                        image->why);
    if (!image->instrumented && !binary->optional)
        return bm_error("cannot read the calls of %s: nothing in it was "
                        "compiled by benchmem-cc; build it with benchmem-cc",
                        binary->path);
    if (image->instrumented)
        bm_strvec_push(&coverage->binaries, binary->path);
    return 0;
}

int bm_coverage_read_binary(struct bm_coverage *coverage,
                            const struct bm_coverage_binary *binary)
{
    struct image image = {0};
    int fd = open(binary->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

    if (fd < 0)
        return bm_error("cannot read the calls of %s: %s; name the file that "
                        "ran with --binary",
                        binary->path, strerror(errno));
    int result = read_image(coverage, binary, &image, fd);
    close_image(&image);
    close(fd);
    return result;
}
