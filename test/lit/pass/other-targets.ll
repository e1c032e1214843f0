; There is a recorder for x86-64 and AArch64 Linux; other code stays plain.
; RUN: sed s/TRIPLE/x86_64-pc-linux-gnu/ %s | %opt -passes='default<O2>' -S | FileCheck %s
; RUN: sed s/TRIPLE/aarch64-unknown-linux-gnu/ %s | %opt -passes='default<O2>' -S | FileCheck %s
; RUN: sed s/TRIPLE/riscv64-unknown-linux-gnu/ %s | %opt -passes='default<O2>' -S | FileCheck --check-prefix=PLAIN %s
; RUN: sed s/TRIPLE/x86_64-pc-linux-gnux32/ %s | %opt -passes='default<O2>' -S | FileCheck --check-prefix=PLAIN %s
; RUN: sed s/TRIPLE/x86_64-apple-macosx/ %s | %opt -passes='default<O2>' -S | FileCheck --check-prefix=PLAIN %s
; RUN: sed s/TRIPLE/wasm32-unknown-unknown/ %s | %opt -passes='default<O2>' -S | FileCheck --check-prefix=PLAIN %s

target triple = "TRIPLE"

; CHECK: call {{.*}}@__benchmem_malloc(
; PLAIN-NOT: benchmem
; PLAIN: call {{.*}}@malloc(
; PLAIN-NOT: benchmem
define ptr @f() {
  %r = call ptr @malloc(i64 8)
  ret ptr %r
}
declare ptr @malloc(i64)
