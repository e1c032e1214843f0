; Every object with code needs a recorder of the same version, by name, even if
; the linker drops what is not used.
; RUN: %opt -passes=benchmem-instrument -S %s | FileCheck %s
; RUN: %opt -passes=benchmem-instrument -S /dev/null | FileCheck --check-prefix=EMPTY %s

target triple = "x86_64-pc-linux-gnu"

; CHECK: @benchmem.link = private global ptr @benchmem_link_with_benchmem_cc_v1, section "benchmem_link"{{.*}}align 8
; CHECK: @llvm.used = appending global [1 x ptr] [ptr @benchmem.link]
; EMPTY-NOT: benchmem_link_with
define void @f() {
  ret void
}
