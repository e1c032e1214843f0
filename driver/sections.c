/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include "driver/sections.h"

#include "base/str.h"

#include <elf.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct image {
    const char *data;
    size_t size;
};

/* False where there is no such file to look into. */
static bool map(const char *path, struct image *image)
{
    struct stat st;
    int fd = open(path, O_RDONLY | O_CLOEXEC);

    *image = (struct image){NULL, 0};
    if (fd < 0)
        return false;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) {
        void *data =
            mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
        if (data != MAP_FAILED)
            *image = (struct image){data, (size_t)st.st_size};
    }
    close(fd);
    return image->data;
}

/* Copies size bytes, which may lie unaligned; false beyond the file's end. */
static bool copy(const struct image *image, uint64_t offset, void *to,
                 size_t size)
{
    if (offset > image->size || size > image->size - offset)
        return false;
    memcpy(to, image->data + offset, size);
    return true;
}

static bool is_named(const struct image *image, uint64_t at, const char *name)
{
    size_t size = strlen(name) + 1;

    return at <= image->size && size <= image->size - at &&
           memcmp(image->data + at, name, size) == 0;
}

static bool find(const struct image *image, const char *name,
                 Elf64_Shdr *section)
{
    Elf64_Ehdr header;
    Elf64_Shdr names;

    if (!copy(image, 0, &header, sizeof(header)) ||
        memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
        header.e_ident[EI_CLASS] != ELFCLASS64 ||
        header.e_shentsize != sizeof(*section) ||
        !copy(image, header.e_shoff + header.e_shstrndx * sizeof(names), &names,
              sizeof(names)))
        return false;
    for (size_t i = 1; i < header.e_shnum; i++) {
        if (!copy(image, header.e_shoff + i * sizeof(*section), section,
                  sizeof(*section)))
            return false;
        if (is_named(image, names.sh_offset + section->sh_name, name))
            return true;
    }
    return false;
}

bool bm_program_has_section(const char *path, const char *name)
{
    struct image image;
    Elf64_Shdr section;

    if (!map(path, &image))
        return false;
    bool found = find(&image, name, &section);
    munmap((void *)image.data, image.size);
    return found;
}

bool bm_program_has_main(const char *path)
{
    return bm_program_has_section(path, ".benchmem_main") ||
           bm_program_has_section(path, "benchmem_main");
}

static void add_strings(struct bm_str *text, const char *at, const char *end)
{
    while (at < end) {
        size_t size = strnlen(at, (size_t)(end - at));

        if (size) {
            bm_str_puts(text, text->size ? "; " : "");
            bm_str_add(text, at, size);
        }
        at += size + 1;
    }
}

char *bm_program_strings(const char *path, const char *name)
{
    struct bm_str text = BM_STR_INIT;
    struct image image;
    Elf64_Shdr section;

    if (!map(path, &image))
        return NULL;
    if (find(&image, name, &section) && section.sh_type == SHT_PROGBITS &&
        section.sh_offset <= image.size &&
        section.sh_size <= image.size - section.sh_offset)
        add_strings(&text, image.data + section.sh_offset,
                    image.data + section.sh_offset + section.sh_size);
    munmap((void *)image.data, image.size);
    return text.size ? bm_str_detach(&text) : NULL;
}
