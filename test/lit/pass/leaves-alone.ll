; What is no call of the process's allocator is left as it is.
; RUN: %opt -passes=benchmem-tag,benchmem-instrument,verify -S %s | FileCheck %s
; CHECK-NOT: @__benchmem

target triple = "x86_64-pc-linux-gnu"

@resolved = ifunc ptr (i64), ptr @resolver
@pointer = external global ptr

; Static and hidden functions of an allocator's name are the program's own.
define internal ptr @calloc(i64 %n, i64 %s) {
  ret ptr null
}
declare hidden ptr @realloc(ptr, i64)

define void @own(ptr %p) {
  call ptr @calloc(i64 1, i64 2)
  call ptr @realloc(ptr %p, i64 2)
  ret void
}

; So is a function of that name with another signature.
define void @unlike(ptr %p) {
  call i32 @valloc(i64 1)
  call ptr @memalign(i64 1)
  call ptr @aligned_alloc(i32 1, i32 2)
  ret void
}

; Through a pointer there is nothing to redirect.
define ptr @indirect() {
  %f = load ptr, ptr @pointer
  %r = call ptr %f(i64 8)
  ret ptr %r
}

; An allocator's own calls belong to the call of it.
define ptr @_Znwm(i64 %n) {
  %r = call ptr @malloc(i64 %n)
  ret ptr %r
}

; A resolver runs before the program is relocated.
define internal ptr @resolver() {
  %r = call ptr @malloc(i64 1)
  ret ptr @_Znwm
}

define void @bare() naked {
  call ptr @malloc(i64 1)
  unreachable
}

declare ptr @malloc(i64)
declare i32 @valloc(i64)
declare ptr @memalign(i64)
declare ptr @aligned_alloc(i32, i32)
