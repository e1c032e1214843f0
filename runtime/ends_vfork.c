/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * vfork: the child runs in its parent's memory, so that from then on whoever
 * exits has to ask which process it is.
 */
#include "ends.h"
#include "next.h"
#include "process.h"
#include "public.h"

#include <unistd.h>

#ifdef BM_STATIC
extern __typeof(vfork) __real_vfork;
#endif

typedef pid_t vfork_function(void);

/* Called by the code below alone; the function that it is to jump to. */
BM_HIDDEN vfork_function *bm_before_vfork(void);
BM_HIDDEN vfork_function *bm_before_vfork(void)
{
    bm_process_shares_memory();
    return BM_REAL(vfork);
}

#define STRING_(text) #text
#define STRING(text) STRING_(text)

/* The real one must be jumped to: the child returns first, over its frame. */
__asm__(".pushsection .text\n"
        ".p2align 4\n"
        ".hidden bm_interposed_vfork\n"
        ".globl bm_interposed_vfork\n"
        ".type bm_interposed_vfork, %function\n"
        "bm_interposed_vfork:\n"
        ".cfi_startproc\n"
#if defined(__x86_64__)
        "subq $8, %rsp\n"
        ".cfi_adjust_cfa_offset 8\n"
        "call bm_before_vfork\n"
        "addq $8, %rsp\n"
        ".cfi_adjust_cfa_offset -8\n"
        "jmpq *%rax\n"
#else
        "stp x29, x30, [sp, #-16]!\n"
        ".cfi_def_cfa_offset 16\n"
        ".cfi_offset w30, -8\n"
        ".cfi_offset w29, -16\n"
        "bl bm_before_vfork\n"
        "ldp x29, x30, [sp], #16\n"
        ".cfi_restore w30\n"
        ".cfi_restore w29\n"
        ".cfi_def_cfa_offset 0\n"
        "mov x16, x0\n"
        "br x16\n"
#endif
        ".cfi_endproc\n"
        ".size bm_interposed_vfork, . - bm_interposed_vfork\n"
        ".weak " STRING(BM_PUBLIC(vfork)) "\n"
                                          ".set " STRING(BM_PUBLIC(
                                              vfork)) ", bm_interposed_vfork\n"
                                                      ".popsection\n");
