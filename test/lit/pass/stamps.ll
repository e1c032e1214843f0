; The stamp of a function is emptied before anything is called, once for each
; activation, and handed to the hooks that the function calls.
; RUN: %opt -passes=benchmem-tag,benchmem-instrument,verify -S %s | FileCheck %s

target triple = "x86_64-pc-linux-gnu"

; Two calls of which each may allocate.
; CHECK-LABEL: define void @two(
; CHECK: [[STAMP:%.*]] = alloca i64, align 8, !benchmem.stamp
; CHECK-NEXT: store volatile i64 -1480332963, ptr [[STAMP]], align 8
; CHECK: call ptr @__benchmem_malloc(i64 8, ptr @benchmem.uses.two, ptr [[STAMP]])
define void @two() {
  %r = tail call ptr @malloc(i64 8)
  call void @use(ptr %r)
  ret void
}

; A loop is one activation, whatever way leads to it; early returns pay nothing.
; CHECK-LABEL: define void @loop(
; CHECK: [[STAMP:%.*]] = alloca i64, align 8, !benchmem.stamp
; CHECK-NOT: store
; CHECK: before:
; CHECK-NEXT: store volatile i64 -1480332963, ptr [[STAMP]], align 8
; CHECK-NEXT: br label %body
; CHECK: call ptr @__benchmem_malloc({{.*}}ptr [[STAMP]])
define void @loop(i64 %n) {
  %none = icmp eq i64 %n, 0
  br i1 %none, label %done, label %before
before:
  br label %body
body:
  %i = phi i64 [ 0, %before ], [ %next, %body ]
  %r = call ptr @malloc(i64 8)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %n
  br i1 %more, label %body, label %done
done:
  ret void
}

; Called once, it leads to one allocation: there is nothing to be known again.
; CHECK-LABEL: define ptr @once(
; CHECK-NOT: alloca
; CHECK: call ptr @__benchmem_malloc(i64 %n, ptr @benchmem.uses.once, ptr null)
define ptr @once(i64 %n) {
  %r = call ptr @malloc(i64 %n)
  %none = icmp eq ptr %r, null
  br i1 %none, label %fail, label %done
fail:
  call void @abort() noreturn
  unreachable
done:
  ret ptr %r
}

; One or the other, never both.
; CHECK-LABEL: define ptr @either(
; CHECK-NOT: alloca
; CHECK-COUNT-2: call ptr @__benchmem_malloc({{.*}}, ptr null)
define ptr @either(i1 %c) {
  br i1 %c, label %a, label %b
a:
  %x = call ptr @malloc(i64 1)
  br label %done
b:
  %y = call ptr @malloc(i64 2)
  br label %done
done:
  %r = phi ptr [ %x, %a ], [ %y, %b ]
  %n = call i32 @leaf(ptr %r)
  ret ptr %r
}
define i32 @leaf(ptr %p) {
  %n = load volatile i32, ptr %p
  ret i32 %n
}

; A jump leaves the frame, also from a block that is copied to become one.
; CHECK-LABEL: define ptr @jumps(
; CHECK-NOT: alloca
; CHECK-COUNT-2: tail call ptr @__benchmem_malloc({{.*}}, ptr null)
define ptr @jumps(i1 %c) {
  br i1 %c, label %a, label %b
a:
  %x = tail call ptr @malloc(i64 1)
  br label %done
b:
  %y = tail call ptr @malloc(i64 2)
  br label %done
done:
  %r = phi ptr [ %x, %a ], [ %y, %b ]
  ret ptr %r
}

; None of these allocates: no stamp.
; CHECK-LABEL: define i32 @frees(
; CHECK-NOT: alloca
; CHECK: ret i32
define i32 @frees(ptr %p, ptr %q) {
  %n = call i32 @reads(ptr %p)
  %m = call i32 @reads(ptr %q)
  call void @free(ptr %p)
  call void @free(ptr %q)
  call void @llvm.memset.p0.i64(ptr %p, i8 0, i64 8, i1 false)
  %sum = add i32 %n, %m
  ret i32 %sum
}

; An address that is given away would ask for a protector: only what lies in
; outer frames is found.
; CHECK-LABEL: define void @protected(
; CHECK: [[STAMP:%.*]] = alloca i64, align 8, !benchmem.stamp
; CHECK-NEXT: store volatile i64 -1480332963, ptr [[STAMP]]
; CHECK: call ptr @__benchmem_malloc({{.*}}, ptr null)
define void @protected() sspstrong {
  %r = call ptr @malloc(i64 8)
  call void @use(ptr %r)
  ret void
}

; A frame in two parts has no place for one.
; CHECK-LABEL: define void @split(
; CHECK-NOT: alloca
; CHECK: ret void
define void @split() safestack {
  %r = call ptr @malloc(i64 8)
  call void @use(ptr %r)
  ret void
}

declare ptr @malloc(i64)
declare void @free(ptr)
declare void @use(ptr)
declare void @abort() noreturn
declare i32 @reads(ptr) memory(argmem: read)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
