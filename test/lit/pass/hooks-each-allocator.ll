; Each allocator is called through its hook, whose last argument says where.
; RUN: %opt -passes=benchmem-tag,benchmem-instrument,verify -S %s | FileCheck %s

target triple = "x86_64-pc-linux-gnu"

; CHECK: @benchmem.uses.all = private global [{{[0-9]+}} x {{.*}}section "benchmem_uses"

; CHECK-LABEL: define void @all(
; CHECK-NOT: call {{.*}}@malloc(
; CHECK: call ptr @__benchmem_malloc(i64 1, ptr @benchmem.uses.all)
; CHECK: call ptr @__benchmem_calloc(i64 1, i64 2, ptr getelementptr
; CHECK: call ptr @__benchmem_realloc(ptr %p, i64 2, ptr
; CHECK: call ptr @__benchmem_reallocarray(ptr %p, i64 1, i64 2, ptr
; CHECK: call ptr @__benchmem_aligned_alloc(i64 1, i64 2, ptr
; CHECK: call ptr @__benchmem_memalign(i64 1, i64 2, ptr
; CHECK: call i32 @__benchmem_posix_memalign(ptr %p, i64 1, i64 2, ptr
; CHECK: call ptr @__benchmem_valloc(i64 1, ptr
; CHECK: call ptr @__benchmem_pvalloc(i64 1, ptr
; CHECK: call ptr @__benchmem__Znwm(i64 1, ptr
; CHECK: call ptr @__benchmem__Znam(i64 1, ptr
; CHECK: call ptr @__benchmem__ZnwmRKSt9nothrow_t(i64 1, ptr %p, ptr
; CHECK: call ptr @__benchmem__ZnamRKSt9nothrow_t(i64 1, ptr %p, ptr
; CHECK: call ptr @__benchmem__ZnwmSt11align_val_t(i64 1, i64 2, ptr
; CHECK: call ptr @__benchmem__ZnamSt11align_val_t(i64 1, i64 2, ptr
; CHECK: call ptr @__benchmem__ZnwmSt11align_val_tRKSt9nothrow_t(i64 1, i64 2, ptr %p, ptr
; CHECK: call ptr @__benchmem__ZnamSt11align_val_tRKSt9nothrow_t(i64 1, i64 2, ptr %p, ptr
; CHECK: call ptr @__benchmem_strdup(ptr %p, ptr
; CHECK: call ptr @__benchmem___strdup(ptr %p, ptr
; CHECK: call ptr @__benchmem_strndup(ptr %p, i64 2, ptr
; CHECK: call ptr @__benchmem___strndup(ptr %p, i64 2, ptr
; CHECK: call ptr @__benchmem_wcsdup(ptr %p, ptr
; CHECK: call void @free(ptr %p)
; CHECK: call i32 @getline(
; CHECK-NOT: benchmem-site
define void @all(ptr %p) {
  call ptr @malloc(i64 1)
  call ptr @calloc(i64 1, i64 2)
  call ptr @realloc(ptr %p, i64 2)
  call ptr @reallocarray(ptr %p, i64 1, i64 2)
  call ptr @aligned_alloc(i64 1, i64 2)
  call ptr @memalign(i64 1, i64 2)
  call i32 @posix_memalign(ptr %p, i64 1, i64 2)
  call ptr @valloc(i64 1)
  call ptr @pvalloc(i64 1)
  call ptr @_Znwm(i64 1)
  call ptr @_Znam(i64 1)
  call ptr @_ZnwmRKSt9nothrow_t(i64 1, ptr %p)
  call ptr @_ZnamRKSt9nothrow_t(i64 1, ptr %p)
  call ptr @_ZnwmSt11align_val_t(i64 1, i64 2)
  call ptr @_ZnamSt11align_val_t(i64 1, i64 2)
  call ptr @_ZnwmSt11align_val_tRKSt9nothrow_t(i64 1, i64 2, ptr %p)
  call ptr @_ZnamSt11align_val_tRKSt9nothrow_t(i64 1, i64 2, ptr %p)
  call ptr @strdup(ptr %p)
  call ptr @__strdup(ptr %p)
  call ptr @strndup(ptr %p, i64 2)
  call ptr @__strndup(ptr %p, i64 2)
  call ptr @wcsdup(ptr %p)
  call void @free(ptr %p)
  call i32 @getline(ptr %p)
  ret void
}

declare ptr @malloc(i64)
declare ptr @calloc(i64, i64)
declare ptr @realloc(ptr, i64)
declare ptr @reallocarray(ptr, i64, i64)
declare ptr @aligned_alloc(i64, i64)
declare ptr @memalign(i64, i64)
declare i32 @posix_memalign(ptr, i64, i64)
declare ptr @valloc(i64)
declare ptr @pvalloc(i64)
declare ptr @_Znwm(i64)
declare ptr @_Znam(i64)
declare ptr @_ZnwmRKSt9nothrow_t(i64, ptr)
declare ptr @_ZnamRKSt9nothrow_t(i64, ptr)
declare ptr @_ZnwmSt11align_val_t(i64, i64)
declare ptr @_ZnamSt11align_val_t(i64, i64)
declare ptr @_ZnwmSt11align_val_tRKSt9nothrow_t(i64, i64, ptr)
declare ptr @_ZnamSt11align_val_tRKSt9nothrow_t(i64, i64, ptr)
declare ptr @strdup(ptr)
declare ptr @__strdup(ptr)
declare ptr @strndup(ptr, i64)
declare ptr @__strndup(ptr, i64)
declare ptr @wcsdup(ptr)
declare void @free(ptr)
declare i32 @getline(ptr)
