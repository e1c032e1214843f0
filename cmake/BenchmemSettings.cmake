# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Language levels, build type and where things lie: the build tree has the
# layout of an installed prefix, so that commands run from build/bin.
include(GNUInstallDirs)

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS ON)
set(CMAKE_CXX_STANDARD 17)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)

# Relative to the prefix and to the build folder alike. Commands look for
# the plugin and the runtime in ../lib/benchmem beside themselves.
set(BENCHMEM_LIBDIR lib/benchmem)
set(BENCHMEM_BIN ${PROJECT_BINARY_DIR}/bin)
set(BENCHMEM_LIB ${PROJECT_BINARY_DIR}/${BENCHMEM_LIBDIR})
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${BENCHMEM_BIN})

# Generated headers and the public ones, as users include them.
add_library(benchmem_headers INTERFACE)
target_include_directories(benchmem_headers INTERFACE
    ${PROJECT_SOURCE_DIR}/include)
