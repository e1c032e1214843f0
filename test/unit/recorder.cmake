# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tests of the recorder's core, built without interposition and with the
# test's own attribution; once more under ThreadSanitizer.
set(recorder_dir ${PROJECT_SOURCE_DIR}/runtime)
set(recorder_core)
foreach(module access batch benchmarks blocks file file_fork head ledger maxima
        measure memory nodes options purse record saves slab stop text threads timeline
        windows)
    list(APPEND recorder_core ${recorder_dir}/${module}.c)
endforeach()

function(benchmem_add_recorder_library name)
    add_library(${name} STATIC recorder_core.c recorder_model.c
        ${recorder_core})
    target_include_directories(${name} PUBLIC ${PROJECT_SOURCE_DIR})
    target_compile_options(${name} PUBLIC
        $<$<STREQUAL:${CMAKE_SYSTEM_PROCESSOR},x86_64>:-mcx16> ${ARGN})
    target_link_options(${name} PUBLIC ${ARGN})
    target_link_libraries(${name} PUBLIC benchmem_profile
        PRIVATE benchmem_warnings)
endfunction()

benchmem_add_recorder_library(benchmem_test_recorder)
foreach(module access account blocks file maxima memory options saves
        threads)
    benchmem_add_unit_test(recorder_${module} benchmem_test_recorder)
endforeach()

include(CheckCSourceCompiles)
set(CMAKE_REQUIRED_FLAGS -fsanitize=thread)
check_c_source_compiles("int main(void) { return 0; }" BENCHMEM_HAS_TSAN)
unset(CMAKE_REQUIRED_FLAGS)
if(BENCHMEM_HAS_TSAN AND NOT BENCHMEM_SANITIZE)
    benchmem_add_recorder_library(benchmem_test_recorder_tsan
        -fsanitize=thread)
    add_executable(test_recorder_tsan test_recorder_threads.c)
    target_link_libraries(test_recorder_tsan PRIVATE
        benchmem_test_recorder_tsan benchmem_warnings PkgConfig::cmocka)
    set_target_properties(test_recorder_tsan PROPERTIES
        RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/test/unit)
    add_test(NAME unit/recorder_tsan COMMAND test_recorder_tsan)
    # It does not start where addresses are too random for it, and a container
    # keeps it from asking for others.
    set_tests_properties(unit/recorder_tsan PROPERTIES
        SKIP_REGULAR_EXPRESSION "FATAL: ThreadSanitizer: ")
endif()
