# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
foreach(module export_formats export_gzip export_pprof)
    benchmem_add_unit_test(${module} benchmem_test_profile benchmem_export)
endforeach()
target_link_options(test_export_gzip PRIVATE LINKER:--wrap=pthread_create)
