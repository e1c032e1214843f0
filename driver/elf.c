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

/* The sections of instrumented code (runtime/abi.h); none of them is strip's.
 */
static const char section_prefix[] = "benchmem_";
#define PREFIX_SIZE (sizeof(section_prefix) - 1)

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

static bool is_ours(const struct image *image, const Elf64_Shdr *names,
                    const Elf64_Shdr *section)
{
    char name[PREFIX_SIZE];
    return copy(image, names->sh_offset + section->sh_name, name,
                sizeof(name)) &&
           memcmp(name, section_prefix, sizeof(name)) == 0;
}

static bool is_instrumented(const struct image *image, const Elf64_Ehdr *header)
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
        if (is_ours(image, &names, &section))
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

static enum bm_program kind_of_image(const struct image *image)
{
    Elf64_Ehdr header;
    if (!copy(image, 0, &header, sizeof(header)) ||
        memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64)
        return BM_PROGRAM_OTHER;
    if (is_instrumented(image, &header))
        return BM_PROGRAM_INSTRUMENTED;
    return is_static(image, &header) ? BM_PROGRAM_STATIC : BM_PROGRAM_PLAIN;
}

enum bm_program bm_program_kind(const char *path)
{
    enum bm_program kind = BM_PROGRAM_OTHER;
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    if (fd < 0)
        return kind;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) {
        void *data =
            mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (data != MAP_FAILED) {
            kind = kind_of_image(&(struct image){data, (size_t)st.st_size});
            munmap(data, (size_t)st.st_size);
        }
    }
    close(fd);
    return kind;
}
