; Running everything again changes nothing: fat LTO does so.
; RUN: %opt -passes=benchmem-tag,benchmem-windows,benchmem-instrument -S %s -o once.ll
; RUN: %opt -passes=benchmem-tag,benchmem-windows,benchmem-instrument -S once.ll -o twice.ll
; RUN: diff <(tail -n +2 once.ll) <(tail -n +2 twice.ll)
; RUN: %opt -passes=benchmem-tag,benchmem-tag,benchmem-windows,benchmem-windows,benchmem-instrument,benchmem-instrument -S %s -o each.ll
; RUN: diff <(tail -n +2 once.ll) <(tail -n +2 each.ll)
; RUN: FileCheck %s < once.ll

target triple = "x86_64-pc-linux-gnu"

; CHECK: call ptr @__benchmem_malloc(
; CHECK-NOT: __benchmem___benchmem
define ptr @bench_f() nounwind {
  %r = call ptr @malloc(i64 8)
  ret ptr %r
}
declare ptr @malloc(i64)
