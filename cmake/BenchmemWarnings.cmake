# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# benchmem_warnings: what every C target of the project is compiled with.
add_library(benchmem_warnings INTERFACE)
target_compile_options(benchmem_warnings INTERFACE
    $<$<COMPILE_LANGUAGE:C>:-Wall -Wextra -Wshadow -Wstrict-prototypes
      -Wmissing-prototypes -Wvla -Wformat=2 -Wundef -Wimplicit-fallthrough>
    $<$<BOOL:${BENCHMEM_WERROR}>:-Werror>)
target_compile_definitions(benchmem_warnings INTERFACE
    _GNU_SOURCE BENCHMEM_VERSION="${PROJECT_VERSION}")

# -DBENCHMEM_SANITIZE=address,undefined: the C parts but the recorder, which
# lives in other people's processes and is tested there.
define_property(TARGET PROPERTY BENCHMEM_UNSANITIZED)
if(BENCHMEM_SANITIZE)
    set(sanitized $<NOT:$<BOOL:$<TARGET_PROPERTY:BENCHMEM_UNSANITIZED>>>)
    target_compile_options(benchmem_warnings INTERFACE
        $<$<AND:${sanitized},$<COMPILE_LANGUAGE:C>>:-fsanitize=${BENCHMEM_SANITIZE}>
        $<$<AND:${sanitized},$<COMPILE_LANGUAGE:C>>:-fno-sanitize-recover=all>)
    target_link_options(benchmem_warnings INTERFACE
        $<${sanitized}:-fsanitize=${BENCHMEM_SANITIZE}>)
endif()
