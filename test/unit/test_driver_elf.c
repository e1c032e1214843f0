/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What an executable is, told from headers that may say anything. */
#include "driver/elf.h"

#include <elf.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* A file with two sections: the names and one that is called so. */
struct image {
    Elf64_Ehdr header;
    Elf64_Shdr sections[3];
    char names[32];
};

static struct image image_with(const char *section)
{
    struct image image = {
        .header = {.e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64},
                   .e_shoff = offsetof(struct image, sections),
                   .e_shentsize = sizeof(Elf64_Shdr),
                   .e_shnum = 3,
                   .e_shstrndx = 1},
    };
    image.sections[1].sh_offset = offsetof(struct image, names);
    image.sections[2].sh_name = 1;
    strcpy(image.names + 1, section);
    return image;
}

static enum bm_program kind_of(const void *data, size_t size)
{
    char path[] = "/tmp/test_driver_elf.XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, data, size), size);
    enum bm_program kind = bm_program_kind(path);
    close(fd);
    unlink(path);
    return kind;
}

/* A program with one segment; that of the dynamic linker's name, or not. */
static void segments_tell_what_is_static(void **state)
{
    struct {
        struct image image;
        Elf64_Phdr segment;
    } program = {.image = image_with("benchmark_uses")};
    (void)state;
    program.image.header.e_phoff = sizeof(program.image);
    program.image.header.e_phentsize = sizeof(Elf64_Phdr);
    program.image.header.e_phnum = 1;
    program.segment.p_type = PT_LOAD;
    assert_int_equal(kind_of(&program, sizeof(program)), BM_PROGRAM_STATIC);
    program.segment.p_type = PT_INTERP;
    assert_int_equal(kind_of(&program, sizeof(program)), BM_PROGRAM_PLAIN);
    program.image.header.e_phnum = 2;
    assert_int_equal(kind_of(&program, sizeof(program)), BM_PROGRAM_PLAIN);
}

static void sections_tell_what_was_instrumented(void **state)
{
    struct image image = image_with("benchmem_uses");
    (void)state;
    assert_int_equal(kind_of(&image, sizeof(image)), BM_PROGRAM_INSTRUMENTED);
    image = image_with("benchmark_uses");
    assert_int_equal(kind_of(&image, sizeof(image)), BM_PROGRAM_PLAIN);
    assert_int_equal(bm_program_kind("/proc/self/exe"), BM_PROGRAM_PLAIN);
}

static void a_section_tells_the_harness(void **state)
{
    char path[] = "/tmp/test_driver_elf.XXXXXX";
    struct image image = image_with(".benchmem_main");
    int fd = mkstemp(path);
    (void)state;
    assert_true(fd >= 0);
    assert_int_equal(write(fd, &image, sizeof(image)), sizeof(image));
    assert_true(bm_program_has_harness(path));
    /* It is no mark of benchmem-cc: a plain program may have it. */
    assert_int_equal(bm_program_kind(path), BM_PROGRAM_PLAIN);
    image = image_with("benchmem_uses");
    assert_int_equal(pwrite(fd, &image, sizeof(image), 0), sizeof(image));
    assert_false(bm_program_has_harness(path));
    assert_false(bm_program_has_harness("/nonexistent"));
    close(fd);
    unlink(path);
}

static void what_is_no_program_is_other(void **state)
{
    struct image image = image_with("benchmem_uses");
    (void)state;
    image.header.e_ident[EI_CLASS] = ELFCLASS32;
    assert_int_equal(kind_of(&image, sizeof(image)), BM_PROGRAM_OTHER);
    assert_int_equal(kind_of("#!/bin/sh\n", 10), BM_PROGRAM_OTHER);
    assert_int_equal(kind_of("", 0), BM_PROGRAM_OTHER);
    assert_int_equal(bm_program_kind("/nonexistent"), BM_PROGRAM_OTHER);
    assert_int_equal(bm_program_kind("/"), BM_PROGRAM_OTHER);
    assert_int_equal(bm_program_kind("/dev/null"), BM_PROGRAM_OTHER);
}

static void a_file_cut_anywhere_is_not_read_beyond(void **state)
{
    const struct image image = image_with("benchmem_uses");
    (void)state;
    for (size_t size = 0; size < sizeof(image); size++)
        (void)kind_of(&image, size);
    assert_int_equal(kind_of(&image, sizeof(image.header)), BM_PROGRAM_PLAIN);
}

static void offsets_beyond_the_file_are_plain(void **state)
{
    static const uint64_t offsets[] = {UINT64_MAX, UINT64_MAX - 63, 1u << 20};
    (void)state;
    for (size_t i = 0; i < sizeof(offsets) / sizeof(*offsets); i++) {
        struct image image = image_with("benchmem_uses");
        image.header.e_shoff = offsets[i];
        assert_int_equal(kind_of(&image, sizeof(image)), BM_PROGRAM_PLAIN);
        image = image_with("benchmem_uses");
        image.sections[1].sh_offset = offsets[i];
        assert_int_equal(kind_of(&image, sizeof(image)), BM_PROGRAM_PLAIN);
        image = image_with("benchmem_uses");
        image.sections[2].sh_name = (uint32_t)offsets[i];
        assert_int_equal(kind_of(&image, sizeof(image)), BM_PROGRAM_PLAIN);
    }
    struct image image = image_with("benchmem_uses");
    image.header.e_shstrndx = 0xfff0;
    assert_int_equal(kind_of(&image, sizeof(image)), BM_PROGRAM_PLAIN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sections_tell_what_was_instrumented),
        cmocka_unit_test(segments_tell_what_is_static),
        cmocka_unit_test(a_section_tells_the_harness),
        cmocka_unit_test(what_is_no_program_is_other),
        cmocka_unit_test(a_file_cut_anywhere_is_not_read_beyond),
        cmocka_unit_test(offsets_beyond_the_file_are_plain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
