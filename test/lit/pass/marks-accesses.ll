; --benchmem-access: what may be heap is marked before it is read or written, once for each stretch without a call; nothing else is.
; RUN: %opt '-passes=benchmem-tag,benchmem-instrument<access>,verify' -S %s | FileCheck %s
; Without the option, nothing is.
; RUN: %opt -passes=benchmem-tag,benchmem-instrument,verify -S %s | FileCheck --check-prefix=OFF %s
; OFF-NOT: __benchmem_access
; Running it twice changes nothing more.
; RUN: %opt '-passes=benchmem-tag,benchmem-instrument<access>,benchmem-instrument,verify' -S %s -o twice.ll
; RUN: %opt '-passes=benchmem-tag,benchmem-instrument<access>,verify' -S %s -o once.ll && cmp once.ll twice.ll

target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

; CHECK-DAG: @__benchmem_access_view = external hidden global ptr
; CHECK-DAG: @__benchmem_access_of_inline = weak_odr constant i8 1
; CHECK-DAG: @__benchmem_access_of_hidden = weak_odr hidden constant i8 1
; CHECK-DAG: @__benchmem_access_of_unknown = extern_weak constant i8
; CHECK-NOT: @__benchmem_access_of_local
; CHECK-NOT: @__benchmem_access_of_strlen
; CHECK-NOT: @__benchmem_access_of_free

@global = global i64 0
@tls = thread_local global i64 0
declare void @unknown(ptr, ptr)
declare void @free(ptr)
declare i64 @strlen(ptr)
declare i32 @snprintf(ptr, i64, ptr, ...)
declare ptr @fgets(ptr, i32, ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.lifetime.start.p0(i64, ptr)
declare ptr @llvm.threadlocal.address.p0(ptr)
declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)
declare void @llvm.masked.scatter.v2i32.v2p0(<2 x i32>, <2 x ptr>, i32, <2 x i1>)

; The check: region, marks, clock.
; CHECK-LABEL: define i64 @inline(
define i64 @inline(ptr %p) {
; CHECK: %[[MAP:.*]] = load ptr, ptr @__benchmem_access_view
; CHECK: %[[A:.*]] = ptrtoint ptr %p to i64
; CHECK: lshr i64 %[[A]], 26
; CHECK: and i64 {{.*}}, 2097151
; CHECK: getelementptr i8, ptr %[[MAP]], i64 8
; CHECK: %[[ORIGIN:.*]] = load ptr
; CHECK: icmp ne ptr %[[ORIGIN]], null
; CHECK: shl i32 43690,
; CHECK: %[[CELL:.*]] = getelementptr i64, ptr %[[ORIGIN]]
; CHECK: load atomic i32, ptr %[[CELL]] monotonic
; CHECK: br i1 {{.*}}, label %{{.*}}, label %{{.*}}, !prof
; CHECK: call preserve_allcc void @__benchmem_access_mark(ptr %p, i32
; CHECK: load atomic i32, ptr %[[MAP]] monotonic
; CHECK: store atomic i32
; CHECK: %v = load i64, ptr %p
  %v = load i64, ptr %p, align 8
; CHECK-NEXT: ret i64 %v
  ret i64 %v
}

; A second access of the same bytes is not marked again until a call; one of
; the other kind is marked with the first.
; CHECK-LABEL: define hidden void @hidden(
define hidden void @hidden(ptr %p) {
; CHECK: shl i32 255,
; CHECK: load i32, ptr %p
; CHECK-NOT: __benchmem
; CHECK: store i32
  %v = load i32, ptr %p, align 4
  %w = add i32 %v, 1
  store i32 %w, ptr %p, align 4
; CHECK-NOT: __benchmem
; CHECK: call void @free(ptr %p)
  call void @free(ptr %p)
; CHECK: shl i32 85,
; CHECK: store i32 0
  store i32 0, ptr %p, align 4
; The block behind knows what was checked before.
; CHECK-NOT: __benchmem
; CHECK: store i32 1
  br label %next
next:
  store i32 1, ptr %p, align 4
; CHECK: ret void
  ret void
}

; CHECK-LABEL: define internal i64 @local(
define internal i64 @local(ptr byval(i64) %given) {
; CHECK-NOT: __benchmem
  %v = alloca i64
  %array = alloca [4 x i64]
  call void @llvm.lifetime.start.p0(i64 8, ptr %v)
  store i64 1, ptr %v
  %at = getelementptr [4 x i64], ptr %array, i64 0, i64 2
  store i64 1, ptr %at
  %a = load i64, ptr @global
  %t = call ptr @llvm.threadlocal.address.p0(ptr @tls)
  %b = load i64, ptr %t
  %c = load i64, ptr %given
  %d = load i64, ptr addrspace(257) null
  call void @llvm.memset.p0.i64(ptr %array, i8 0, i64 32, i1 false)
  %e = load volatile i64, ptr @global, !nosanitize !0
  %n = call i64 @strlen(ptr @global)
; CHECK: ret i64
  ret i64 %c
}

; What may lie in two cells asks first; what is larger than some cells calls.
; CHECK-LABEL: define void @wide(
define void @wide(ptr %p, ptr %q, ptr %r) {
; CHECK: icmp ugt i64 {{.*}}, 8
; CHECK: call preserve_allcc void @__benchmem_access_range(ptr %p, i64 8, i32 1)
; CHECK: store i64 1, ptr %p, align 1
  store i64 1, ptr %p, align 1
; CHECK-NOT: icmp ugt
; CHECK: @__benchmem_access_mark(ptr %q, i32 1431655765)
; CHECK: @__benchmem_access_mark(ptr %{{.*}}, i32 1431655765)
; CHECK: store <8 x i32>
  store <8 x i32> zeroinitializer, ptr %q, align 32
; CHECK-NOT: @__benchmem_access_mark
; CHECK: call preserve_allcc void @__benchmem_access_range(ptr %r, i64 128, i32 1)
  store <32 x i32> zeroinitializer, ptr %r, align 128
; CHECK: atomicrmw
; CHECK: ret void
  %o = atomicrmw add ptr %q, i64 1 monotonic
  ret void
}

; CHECK-LABEL: define void @intrinsics(
define void @intrinsics(ptr %p, ptr %q, i64 %n, <4 x i1> %m, <2 x ptr> %ps, <2 x i1> %ms) {
; CHECK: call preserve_allcc void @__benchmem_access_range(ptr %q, i64 %n, i32 2)
; CHECK-NEXT: call preserve_allcc void @__benchmem_access_range(ptr %p, i64 %n, i32 1)
; CHECK-NEXT: call void @llvm.memcpy
  call void @llvm.memcpy.p0.p0.i64(ptr %p, ptr %q, i64 %n, i1 false)
; CHECK: %[[BITS:.*]] = bitcast <4 x i1> %m to i4
; CHECK: %[[LANES:.*]] = zext i4 %[[BITS]] to i64
; CHECK: call preserve_allcc void @__benchmem_access_lanes(ptr %p, i64 4, i64 %[[LANES]], i32 2)
  %v = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %p, i32 4, <4 x i1> %m, <4 x i32> zeroinitializer)
; CHECK: select i1 {{.*}}, i64 4, i64 0
; CHECK: call preserve_allcc void @__benchmem_access_range(ptr {{.*}}, i32 1)
; CHECK: select i1 {{.*}}, i64 4, i64 0
; CHECK: call preserve_allcc void @__benchmem_access_range(ptr {{.*}}, i32 1)
  call void @llvm.masked.scatter.v2i32.v2p0(<2 x i32> zeroinitializer, <2 x ptr> %ps, i32 4, <2 x i1> %ms)
; CHECK: ret void
  ret void
}

@format = constant [10 x i8] c"%d %s %p\0A\00"
; CHECK-LABEL: define void @calls(
define void @calls(ptr %p, ptr %q, ptr %s) {
  %v = alloca i64
; Only what may be heap escapes, where no marker says that the callee is known.
; CHECK: icmp eq ptr @__benchmem_access_of_unknown, null
; CHECK: call preserve_allcc void @__benchmem_access_escape(ptr %p)
; CHECK-NOT: @__benchmem_access_escape
; CHECK: call void @unknown
  call void @unknown(ptr %p, ptr %v)
; CHECK: call preserve_allcc void @__benchmem_access_string(ptr %p, i64 -1, i32 2)
; CHECK: call i64 @strlen
  call i64 @strlen(ptr %p)
; The format says what is a string; how much was written is known afterwards.
; CHECK-NEXT: call preserve_allcc void @__benchmem_access_string(ptr %q, i64 -1, i32 2)
; CHECK-NEXT: %[[R:.*]] = call i32 (ptr, i64, ptr, ...) @snprintf
; CHECK: call i64 @llvm.umin.i64({{.*}}, i64 10)
; CHECK: call preserve_allcc void @__benchmem_access_range(ptr %p, i64 {{.*}}, i32 1)
  call i32 (ptr, i64, ptr, ...) @snprintf(ptr %p, i64 10, ptr @format, i32 1, ptr %q, ptr %s)
; CHECK: %line = call ptr @fgets
; CHECK-NEXT: call preserve_allcc void @__benchmem_access_string(ptr %line, i64 -1, i32 1)
  %line = call ptr @fgets(ptr %p, i32 10, ptr %s)
; CHECK-NEXT: ret void
  ret void
}

!0 = !{}
