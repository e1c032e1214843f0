; A redirected call keeps its place, tail kind, bundles, metadata and those
; attributes that are true of the hook; an invoke stays an invoke.
; RUN: %opt -passes=benchmem-tag,benchmem-instrument,verify -S %s | FileCheck %s

target triple = "x86_64-pc-linux-gnu"

; CHECK-LABEL: define ptr @tail(
; CHECK: %r = tail call noalias dereferenceable_or_null(8) ptr @__benchmem_malloc(i64 noundef 8, ptr @benchmem.uses.tail, ptr null) [[KEPT:#[0-9]+]], !custom [[MD:![0-9]+]]
; CHECK-NEXT: ret ptr %r
define ptr @tail() {
  %r = tail call noalias dereferenceable_or_null(8) ptr @malloc(i64 noundef 8) #1, !custom !0
  ret ptr %r
}

; CHECK-LABEL: define ptr @notail(
; CHECK: notail call ptr @__benchmem_malloc(i64 8, ptr @benchmem.uses.notail, ptr null) [ "bundle"(i32 7) ]
define ptr @notail() {
  %r = notail call ptr @malloc(i64 8) [ "bundle"(i32 7) ]
  ret ptr %r
}

; CHECK-LABEL: define ptr @unwinds(
; CHECK: invoke noundef nonnull ptr @__benchmem__Znwm(i64 noundef 4, ptr @benchmem.uses.unwinds, ptr null)
; CHECK-NEXT: to label %done unwind label %pad
define ptr @unwinds() personality ptr @__gxx_personality_v0 {
  %r = invoke noundef nonnull ptr @_Znwm(i64 noundef 4) #2
          to label %done unwind label %pad
done:
  ret ptr %r
pad:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}

; A musttail call shares its caller's prototype, which the hook's is not.
; CHECK-LABEL: define ptr @must(
; CHECK: musttail call ptr @malloc(i64 %n)
; CHECK-NOT: benchmem-site
define ptr @must(i64 %n) {
  %r = musttail call ptr @malloc(i64 %n)
  ret ptr %r
}

; The declaration of a hook says no more than its calls rely on.
; CHECK: declare noalias ptr @__benchmem_malloc(i64, ptr, ptr) [[DECL:#[0-9]+]]
; CHECK-DAG: attributes [[KEPT]] = { nounwind allocsize(0) }
; CHECK-DAG: attributes [[DECL]] = { nounwind willreturn }
; CHECK: [[MD]] = !{!"kept"}

declare noalias ptr @malloc(i64) #0
declare ptr @_Znwm(i64) nobuiltin
declare i32 @__gxx_personality_v0(...)

attributes #0 = { nofree nounwind willreturn allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" }
attributes #1 = { nounwind allockind("alloc,uninitialized") allocsize(0) memory(inaccessiblemem: readwrite) "alloc-family"="malloc" }
attributes #2 = { builtin allocsize(0) }
!0 = !{!"kept"}
