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
# lives in other people's processes and is tested there. With BENCHMEM_FUZZERS
# they also tell libFuzzer which of their code an input reached.
option(BENCHMEM_FUZZERS "Build the libFuzzer programs (needs clang)" OFF)
define_property(TARGET PROPERTY BENCHMEM_UNSANITIZED)
if(BENCHMEM_FUZZERS AND NOT BENCHMEM_SANITIZE)
    message(FATAL_ERROR "BENCHMEM_FUZZERS wants BENCHMEM_SANITIZE, as the "
        "preset asan has it: without, a fuzzer sees few of the faults")
endif()
if(BENCHMEM_SANITIZE)
    set(sanitized $<NOT:$<BOOL:$<TARGET_PROPERTY:BENCHMEM_UNSANITIZED>>>)
    set(sanitized_c $<AND:${sanitized},$<COMPILE_LANGUAGE:C>>)
    target_compile_options(benchmem_warnings INTERFACE
        $<${sanitized_c}:-fsanitize=${BENCHMEM_SANITIZE}>
        $<${sanitized_c}:-fno-sanitize-recover=all>
        $<${sanitized_c}:-fno-omit-frame-pointer>
        $<$<AND:${sanitized_c},$<CONFIG:Debug>>:-O1>
        $<$<AND:${sanitized_c},$<BOOL:${BENCHMEM_FUZZERS}>>:-fsanitize=fuzzer-no-link>)
    target_link_options(benchmem_warnings INTERFACE
        $<${sanitized}:-fsanitize=${BENCHMEM_SANITIZE}>)
endif()
