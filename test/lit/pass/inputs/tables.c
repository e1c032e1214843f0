/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/*
 * A stand-in for the recorder that shows what the pass left in a program:
 * one line for each hooked call as it happens, and at exit the tables of
 * calls and of elided sites. Tests link it in place of the runtime.
 */
#include "runtime/abi.h"

#include <malloc.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

char benchmem_abi_link_symbol;

#define SECTION(type, name)                                                  \
    extern const type __start_##name[] __attribute__((weak,                  \
                                                      visibility("hidden"))); \
    extern const type __stop_##name[] __attribute__((weak,                   \
                                                     visibility("hidden")));
SECTION(struct bm_call, benchmem_calls)
SECTION(struct bm_use, benchmem_uses)
SECTION(struct bm_elided, benchmem_elided)
SECTION(struct bm_bench, benchmem_benches)

static const char *const kinds[] = {
#define KIND_NAME(upper, name, meaning) name,
    BM_KINDS(KIND_NAME)
#undef KIND_NAME
};

/* What a self-relative reference refers to, NULL if nothing. */
static const void *resolve(const int32_t *reference)
{
    return *reference ? (const char *)reference + *reference : NULL;
}

static const char *text(const int32_t *reference)
{
    const char *string = resolve(reference);

    return string ? string : "-";
}

static void print_place(const struct bm_frame *frame)
{
    const struct bm_scope *scope = resolve(&frame->scope);

    printf("%s %s:%u:%u", text(&scope->function), text(&scope->file),
           frame->line, frame->column);
}

static void print_frame(const char *what, const struct bm_frame *frame)
{
    const struct bm_scope *scope = resolve(&frame->scope);
    const struct bm_detail *detail = resolve(&frame->detail);
    const struct bm_frame *parent;

    printf("%s ", what);
    print_place(frame);
    printf(" calls %s kind=%s", text(&frame->callee), kinds[frame->kind]);
    if (detail)
        printf(" type=[%s] size=[%s] count=[%s]", text(&detail->type),
               text(&detail->size_expr), text(&detail->count));
    if (scope->linkage_name)
        printf(" linkage=%s", text(&scope->linkage_name));
    if (frame->flags & BM_FRAME_TAIL)
        printf(" tail");
    if (frame->flags & BM_FRAME_INDIRECT)
        printf(" indirect");
    if (frame->flags & BM_FRAME_WRAPPER)
        printf(" wrapper");
    if (frame->flags & BM_FRAME_SYSTEM)
        printf(" system");
    for (parent = resolve(&frame->parent); parent;
         parent = resolve(&parent->parent)) {
        printf(" < ");
        print_place(parent);
    }
    printf("\n");
}

static void hooked(const char *name, struct bm_use *use)
{
    char what[64];

    if (use->site || use->frame || use->reserved)
        printf("use is not blank\n");
    snprintf(what, sizeof(what), "hook %s:", name);
    print_frame(what, resolve(&use->where));
}

/* One definition for each allocator; A is the list of its arguments. */
#define HOOK(result, name, parameters, ...)                                  \
    result __benchmem_##name parameters;                                     \
    result __benchmem_##name parameters                                      \
    {                                                                        \
        hooked(#name, use);                                                  \
        return name(__VA_ARGS__);                                            \
    }
HOOK(void *, malloc, (size_t n, struct bm_use *use), n)
HOOK(void *, calloc, (size_t n, size_t s, struct bm_use *use), n, s)
HOOK(void *, realloc, (void *p, size_t n, struct bm_use *use), p, n)
HOOK(void *, reallocarray, (void *p, size_t n, size_t s, struct bm_use *use),
     p, n, s)
HOOK(void *, aligned_alloc, (size_t a, size_t n, struct bm_use *use), a, n)
HOOK(void *, memalign, (size_t a, size_t n, struct bm_use *use), a, n)
HOOK(int, posix_memalign, (void **p, size_t a, size_t n, struct bm_use *use),
     p, a, n)
HOOK(void *, valloc, (size_t n, struct bm_use *use), n)
HOOK(void *, pvalloc, (size_t n, struct bm_use *use), n)
HOOK(char *, strdup, (const char *s, struct bm_use *use), s)
HOOK(char *, strndup, (const char *s, size_t n, struct bm_use *use), s, n)
HOOK(wchar_t *, wcsdup, (const wchar_t *s, struct bm_use *use), s)

/* The operators need no C++ library here. */
#define OPERATOR(name, parameters, block)                                    \
    void *__benchmem_##name parameters;                                      \
    void *__benchmem_##name parameters                                       \
    {                                                                        \
        hooked(#name, use);                                                  \
        return block;                                                        \
    }
OPERATOR(_Znwm, (size_t n, struct bm_use *use), malloc(n))
OPERATOR(_Znam, (size_t n, struct bm_use *use), malloc(n))
OPERATOR(_ZnwmRKSt9nothrow_t,
         (size_t n, const void *tag __attribute__((unused)),
          struct bm_use *use),
         malloc(n))
OPERATOR(_ZnamRKSt9nothrow_t,
         (size_t n, const void *tag __attribute__((unused)),
          struct bm_use *use),
         malloc(n))
OPERATOR(_ZnwmSt11align_val_t, (size_t n, size_t a, struct bm_use *use),
         memalign(a, n))
OPERATOR(_ZnamSt11align_val_t, (size_t n, size_t a, struct bm_use *use),
         memalign(a, n))
OPERATOR(_ZnwmSt11align_val_tRKSt9nothrow_t,
         (size_t n, size_t a, const void *tag __attribute__((unused)),
          struct bm_use *use),
         memalign(a, n))
OPERATOR(_ZnamSt11align_val_tRKSt9nothrow_t,
         (size_t n, size_t a, const void *tag __attribute__((unused)),
          struct bm_use *use),
         memalign(a, n))

static void print_value(const struct bm_param *param, uint64_t bits)
{
    double number;

    printf(" %s=", text(&param->name));
    switch (param->type) {
    case BM_PARAM_SIGNED:
        printf("%lld", (long long)bits);
        break;
    case BM_PARAM_UNSIGNED:
        printf("%llu", (unsigned long long)bits);
        break;
    case BM_PARAM_DOUBLE:
        memcpy(&number, &bits, sizeof(number));
        printf("%g", number);
        break;
    case BM_PARAM_BOOL:
        printf("%s", bits ? "true" : "false");
        break;
    case BM_PARAM_STRING:
        printf("\"%s\"", (const char *)(uintptr_t)bits);
        break;
    }
}

void __benchmem_enter(struct bm_bench *bench, const uint64_t *values);
void __benchmem_enter(struct bm_bench *bench, const uint64_t *values)
{
    const struct bm_param *params = resolve(&bench->params);

    printf("enter ");
    print_place(resolve(&bench->where));
    for (uint32_t i = 0; i < bench->nr_params; i++)
        print_value(&params[i], values[i]);
    printf("\n");
}

void __benchmem_leave(struct bm_bench *bench);
void __benchmem_leave(struct bm_bench *bench)
{
    printf("leave ");
    print_place(resolve(&bench->where));
    printf("\n");
}

/* Calls that are announced, and the end of what push began. */
#define ANNOUNCEMENT(name)                                                   \
    void __benchmem_##name(struct bm_use *use);                              \
    void __benchmem_##name(struct bm_use *use)                               \
    {                                                                        \
        print_frame(#name ":", resolve(&use->where));                        \
    }
ANNOUNCEMENT(note)
ANNOUNCEMENT(push)
ANNOUNCEMENT(pop)

/* A return address lies above the one before it: the linker ordered them. */
static void dump_calls(void)
{
    const char *last = NULL;

    for (const struct bm_call *call = __start_benchmem_calls;
         call < __stop_benchmem_calls; call++) {
        const char *pc = resolve(&call->return_pc);

        if (last && pc <= last)
            printf("calls are not in order\n");
        last = pc;
        print_frame("call:", resolve(&call->frame));
    }
}

__attribute__((destructor)) static void dump(void)
{
    dump_calls();
    for (const struct bm_elided *elided = __start_benchmem_elided;
         elided < __stop_benchmem_elided; elided++)
        print_frame("elided:", resolve(&elided->where));
    printf("%zu uses, %zu benchmarks\n",
           (size_t)(__stop_benchmem_uses - __start_benchmem_uses),
           (size_t)(__stop_benchmem_benches - __start_benchmem_benches));
}
