// An allocator called through a pointer is counted at the line of the call, and pointers stay equal.
// RUN: %each-build %s %s
#include <stdlib.h>

void *volatile S;
void *(*volatile alloc_fn)(size_t) = malloc;
void *(*volatile resize_fn)(void *, size_t) = realloc;
void (*volatile free_fn)(void *) = free;

struct allocator {
    void *(*make)(size_t n, size_t size);
    void (*drop)(void *);
};

__attribute__((noinline)) static void *use(const struct allocator *by)
{
    void *block = by->make(3, 100);
    // CHECK: site through-pointers.c:[[@LINE-1]] use calloc allocations=1 frees=0 allocated=300 peak=300 at_peak=300 live=300
    __asm__ volatile("" ::"r"(block) : "memory");
    return block;
}

const struct allocator *volatile by = &(struct allocator){calloc, free};

int main(void)
{
    if (alloc_fn != malloc || free_fn != free)
        return 1;
    S = use(by);
    S = alloc_fn(512);
    // CHECK-NEXT: site through-pointers.c:[[@LINE-1]] main malloc allocations=1 frees=1 allocated=512 peak=512 at_peak=512 live=0
    free_fn(S);
    S = alloc_fn(256);
    // CHECK-NEXT: site through-pointers.c:[[@LINE-1]] main malloc allocations=1 frees=1 allocated=256 peak=256 at_peak=0 live=0
    S = resize_fn(S, 400);
    // CHECK-NEXT: site through-pointers.c:[[@LINE-1]] main realloc allocations=1 frees=0 allocated=400 peak=400 at_peak=0 live=400
    // CHECK-NOT: site
    return 0;
}
