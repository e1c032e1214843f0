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

# BENCHMEM_TOOLING: the shared Clang and LLVM, which benchmem-sites links.
# Debian's clang needs them itself, so they cost no further package.
execute_process(COMMAND ${BENCHMEM_LLVM_CONFIG} --libdir
    OUTPUT_VARIABLE BENCHMEM_LLVM_LIBDIR OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
foreach(library clang-cpp LLVM)
    find_library(BENCHMEM_${library}_LIBRARY NO_DEFAULT_PATH
        PATHS ${BENCHMEM_LLVM_LIBDIR}
        NAMES ${library}
            lib${library}.so.${BENCHMEM_LLVM_VERSION}.1
            lib${library}.so.${BENCHMEM_LLVM_VERSION}
        DOC "shared library of Clang's or LLVM's parts, for benchmem-sites")
endforeach()
set(BENCHMEM_TOOLING "")
if(BENCHMEM_clang-cpp_LIBRARY AND BENCHMEM_LLVM_LIBRARY AND
   EXISTS ${BENCHMEM_LLVM_INCLUDE}/clang/Tooling/JSONCompilationDatabase.h)
    set(BENCHMEM_TOOLING ${BENCHMEM_clang-cpp_LIBRARY} ${BENCHMEM_LLVM_LIBRARY})
else()
    message(STATUS "benchmem-sites is left out: no libclang-cpp and libLLVM in "
        "${BENCHMEM_LLVM_LIBDIR}: install libclang-cpp${BENCHMEM_LLVM_VERSION}")
endif()
