# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# benchmem_llvm: headers of the LLVM and Clang that the pass is built for.
# The plugin links nothing of them: the clang that loads it provides all.
find_program(BENCHMEM_LLVM_CONFIG
    NAMES llvm-config-${BENCHMEM_LLVM_VERSION} REQUIRED)
execute_process(COMMAND ${BENCHMEM_LLVM_CONFIG} --includedir
    OUTPUT_VARIABLE BENCHMEM_LLVM_INCLUDE OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${BENCHMEM_LLVM_CONFIG} --bindir
    OUTPUT_VARIABLE BENCHMEM_LLVM_BINDIR OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)

if(NOT EXISTS ${BENCHMEM_LLVM_INCLUDE}/clang/Frontend/FrontendAction.h)
    message(FATAL_ERROR "no Clang headers in ${BENCHMEM_LLVM_INCLUDE}: "
        "install libclang-${BENCHMEM_LLVM_VERSION}-dev")
endif()

add_library(benchmem_llvm INTERFACE)
target_include_directories(benchmem_llvm SYSTEM INTERFACE
    ${BENCHMEM_LLVM_INCLUDE})
target_compile_options(benchmem_llvm INTERFACE -fno-rtti -fno-exceptions)
target_compile_definitions(benchmem_llvm INTERFACE
    __STDC_CONSTANT_MACROS __STDC_FORMAT_MACROS __STDC_LIMIT_MACROS)
