# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
foreach(module gate match measure save)
    benchmem_add_unit_test(results_${module}
        benchmem_test_profile benchmem_results)
endforeach()
