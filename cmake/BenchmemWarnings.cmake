# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# benchmem_warnings: what every C target of the project is compiled with.
add_library(benchmem_warnings INTERFACE)
target_compile_options(benchmem_warnings INTERFACE
    $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wshadow -Wstrict-prototypes
      -Wmissing-prototypes -Wvla -Wformat=2 -Wundef -Wimplicit-fallthrough>
    $<$<BOOL:${BENCHMEM_WERROR}>:-Werror>)
target_compile_definitions(benchmem_warnings INTERFACE
    _GNU_SOURCE BENCHMEM_VERSION="${PROJECT_VERSION}")
