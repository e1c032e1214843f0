# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
foreach(module export_formats export_pprof)
    benchmem_add_unit_test(${module} benchmem_test_profile benchmem_export)
endforeach()
