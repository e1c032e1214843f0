# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
foreach(module export_formats export_pprof)
    benchmem_add_unit_test(${module} benchmem_test_profile benchmem_export
        PkgConfig::zlib)
endforeach()
benchmem_add_unit_test(export_gzip benchmem_gzip_zlib)
target_link_options(test_export_gzip PRIVATE LINKER:--wrap=pthread_create)
if(isal_FOUND)
    benchmem_add_unit_test(export_gzip_isal benchmem_gzip_isal
        PkgConfig::zlib)
endif()
