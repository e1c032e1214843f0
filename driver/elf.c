/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "driver/elf.h"

#include <elf.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* How the sections of instrumented code begin (runtime/abi.h), and that of the
 * harness's main; none of them is strip's. */
static const char instrumented[] = "benchmem_";
static const char harness[] = ".benchmem_main";
#define MAX_PREFIX sizeof(harness)

struct image {
    const unsigned char *data;
    size_t size;
};

/* Copies size bytes, which may lie unaligned; false beyond the file's end. */
static bool copy(const struct image *image, uint64_t offset, void *to,
                 size_t size)
{
    if (offset > image->size || size > image->size - offset)
        return false;
    memcpy(to, image->data + offset, size);
    return true;
}

static bool has_name(const struct image *image, const Elf64_Shdr *names,
                     const Elf64_Shdr *section, const char *prefix)
{
    char name[MAX_PREFIX];
    size_t size = strlen(prefix);

    return copy(image, names->sh_offset + section->sh_name, name, size) &&
           memcmp(name, prefix, size) == 0;
}

static bool has_section(const struct image *image, const Elf64_Ehdr *header,
                        const char *prefix)
{
    Elf64_Shdr names, section;
    if (header->e_shentsize != sizeof(Elf64_Shdr) ||
        !copy(image, header->e_shoff + header->e_shstrndx * sizeof(names),
              &names, sizeof(names)))
        return false;
    for (size_t i = 1; i < header->e_shnum; i++) {
        if (!copy(image, header->e_shoff + i * sizeof(section), &section,
                  sizeof(section)))
            return false;
        if (has_name(image, &names, &section, prefix))
            return true;
    }
    return false;
}

/* A program that no dynamic linker starts. */
static bool is_static(const struct image *image, const Elf64_Ehdr *header)
{
    Elf64_Phdr segment;
    if (header->e_phentsize != sizeof(segment) || header->e_phnum == 0)
        return false;
    for (size_t i = 0; i < header->e_phnum; i++) {
        if (!copy(image, header->e_phoff + i * sizeof(segment), &segment,
                  sizeof(segment)) ||
            segment.p_type == PT_INTERP)
            return false;
    }
    return true;
}

static bool is_elf(const struct image *image, Elf64_Ehdr *header)
{
    return copy(image, 0, header, sizeof(*header)) &&
           memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
           header->e_ident[EI_CLASS] == ELFCLASS64;
}

static enum bm_program kind_of_image(const struct image *image)
{
    Elf64_Ehdr header;
    if (!is_elf(image, &header))
        return BM_PROGRAM_OTHER;
    if (has_section(image, &header, instrumented))
        return BM_PROGRAM_INSTRUMENTED;
    return is_static(image, &header) ? BM_PROGRAM_STATIC : BM_PROGRAM_PLAIN;
}

/* The whole file; false if it cannot be had. */
static bool map(const char *path, struct image *out)
{
    struct stat st;
    void *data = MAP_FAILED;
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return false;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0)
        data = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (data == MAP_FAILED)
        return false;
    *out = (struct image){data, (size_t)st.st_size};
    return true;
}

enum bm_program bm_program_kind(const char *path)
{
    struct image image;
    if (!map(path, &image))
        return BM_PROGRAM_OTHER;
    enum bm_program kind = kind_of_image(&image);
    munmap((void *)image.data, image.size);
    return kind;
}

bool bm_program_has_harness(const char *path)
{
    struct image image;
    Elf64_Ehdr header;
    if (!map(path, &image))
        return false;
    bool found =
        is_elf(&image, &header) && has_section(&image, &header, harness);
    munmap((void *)image.data, image.size);
    return found;
}
