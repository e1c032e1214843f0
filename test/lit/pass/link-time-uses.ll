; For the linker's optimizer, uses have names that are equal where they are, so
; that ThinLTO can import the function; private ones in sections forbid it.
; RUN: %opt -passes='benchmem-tag,benchmem-instrument<lto>' -S %s -o lto.ll
; RUN: FileCheck %s < lto.ll
; RUN: opt -module-summary lto.ll -o lto.bc && llvm-dis lto.bc -o - | FileCheck --check-prefix=SUMMARY %s

target triple = "x86_64-pc-linux-gnu"

; CHECK: @__benchmem_use.[[HASH:[0-9a-f]+]] = linkonce_odr hidden global { i32, i32, i32, i32 } {{.*}}section "benchmem_uses"
; CHECK-NOT: !associated
; CHECK: call ptr @__benchmem_malloc(i64 8, ptr @__benchmem_use.[[HASH]], ptr null)
; SUMMARY: gv: (name: "f", summaries: {{.*}}notEligibleToImport: 0
define ptr @f() !dbg !4 {
  %r = call ptr @malloc(i64 8), !dbg !6
  ret ptr %r, !dbg !6
}

; The optimizer of the link may inline what other objects define.
; CHECK-LABEL: define available_externally ptr @inline(
; CHECK: call ptr @__benchmem_malloc(
define available_externally ptr @inline() !dbg !7 {
  %r = call ptr @malloc(i64 8), !dbg !8
  ret ptr %r, !dbg !8
}
declare ptr @malloc(i64)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "a.c", directory: "/d")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 5}
!4 = distinct !DISubprogram(name: "f", file: !1, line: 1, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !{})
!6 = !DILocation(line: 2, column: 3, scope: !4)
!7 = distinct !DISubprogram(name: "inline", file: !1, line: 5, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 6, column: 3, scope: !7)
