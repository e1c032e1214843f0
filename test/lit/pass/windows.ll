; A benchmark function opens a window after its allocas and closes it at each
; way out, also where an exception passes through.
; RUN: %opt -passes=benchmem-windows,verify -S %s | FileCheck %s

target triple = "x86_64-pc-linux-gnu"

@mark = private constant [19 x i8] c"benchmem.benchmark\00", section "llvm.metadata"
@skip = private constant [16 x i8] c"benchmem.ignore\00", section "llvm.metadata"
@file = private constant [4 x i8] c"x.c\00", section "llvm.metadata"
@llvm.global.annotations = appending global [2 x { ptr, ptr, ptr, i32, ptr }] [{ ptr, ptr, ptr, i32, ptr } { ptr @chosen, ptr @mark, ptr @file, i32 1, ptr null }, { ptr, ptr, ptr, i32, ptr } { ptr @bench_skipped, ptr @skip, ptr @file, i32 2, ptr null }], section "llvm.metadata"

; CHECK: @benchmem.bench.bench_two_ways = private constant {{.*}}section "benchmem_benches"

; CHECK: define i32 @bench_two_ways(i1 %c) #[[NOINLINE:[0-9]+]]
; CHECK-NEXT: entry:
; CHECK-NEXT: %slot = alloca i32
; CHECK-NEXT: call void @__benchmem_enter(ptr @benchmem.bench.bench_two_ways, ptr nocapture readonly null)
; CHECK: a:
; CHECK-NEXT: call void @__benchmem_leave(ptr @benchmem.bench.bench_two_ways)
; CHECK-NEXT: ret i32 1
; CHECK: b:
; CHECK-NEXT: call void @__benchmem_leave(
; CHECK-NEXT: ret i32 2
; CHECK-NOT: landingpad
define i32 @bench_two_ways(i1 %c) nounwind {
entry:
  %slot = alloca i32
  br i1 %c, label %a, label %b
a:
  ret i32 1
b:
  ret i32 2
}

; CHECK-LABEL: define void @BM_throws(
; CHECK: invoke void @other()
; CHECK: call void @__benchmem_leave(
; CHECK-NEXT: ret void
; CHECK: landingpad { ptr, i32 }
; CHECK-NEXT: cleanup
; CHECK-NEXT: call void @__benchmem_leave(
; CHECK-NEXT: resume
define void @BM_throws() {
  call void @other()
  ret void
}

; C++: the unqualified name counts.
; CHECK-LABEL: define void @_ZN2ns11bench_plainEi(
; CHECK: call void @__benchmem_enter(
define void @_ZN2ns11bench_plainEi(i32 %n) nounwind {
  ret void
}

; CHECK-LABEL: define void @chosen(
; CHECK: call void @__benchmem_enter(ptr @benchmem.bench.chosen
define void @chosen() nounwind {
  ret void
}

; CHECK: define void @bench_always() #[[ALWAYS:[0-9]+]]
; CHECK: call void @__benchmem_enter(
define void @bench_always() nounwind alwaysinline {
  ret void
}

; Before a musttail call, since nothing may come after it.
; CHECK-LABEL: define void @bench_must(
; CHECK: call void @__benchmem_leave(
; CHECK-NEXT: musttail call void @bench_must()
; CHECK-NEXT: ret void
define void @bench_must() nounwind {
  musttail call void @bench_must()
  ret void
}

; None of these is one.
; CHECK-NOT: call void @__benchmem_enter(
define void @bench_skipped() nounwind {
  ret void
}
define void @bench_setup() nounwind {
  ret void
}
define void @bench_main() nounwind {
  ret void
}
define void @my_bench_x() nounwind {
  ret void
}
define available_externally void @bench_elsewhere() nounwind {
  ret void
}
define void @bench_bare() naked nounwind {
  unreachable
}
declare void @bench_declared()
declare void @other()

; CHECK: attributes #[[NOINLINE]] = { noinline nounwind }
; CHECK: attributes #[[ALWAYS]] = { alwaysinline nounwind }
