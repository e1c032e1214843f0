# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Libraries of others, as imported targets. docs/dependencies.md says why
# each was chosen.
find_package(PkgConfig REQUIRED)
pkg_check_modules(jansson REQUIRED IMPORTED_TARGET jansson>=2.13)
pkg_check_modules(smartcols REQUIRED IMPORTED_TARGET smartcols)
pkg_check_modules(dw REQUIRED IMPORTED_TARGET libdw libelf)
pkg_check_modules(sqlite REQUIRED IMPORTED_TARGET sqlite3>=3.35)
pkg_check_modules(pq REQUIRED IMPORTED_TARGET libpq)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
if(BENCHMEM_TESTS)
    pkg_check_modules(cmocka REQUIRED IMPORTED_TARGET cmocka)
endif()

# msgpack-c: `msgpack` and msgpackc in Debian 12, `msgpack-c` since 6.0.
pkg_search_module(msgpack REQUIRED IMPORTED_TARGET msgpack msgpack-c)

# libiberty comes without a pkg-config file.
find_library(BENCHMEM_IBERTY iberty REQUIRED)
find_path(BENCHMEM_IBERTY_INCLUDE libiberty/demangle.h REQUIRED)
add_library(iberty UNKNOWN IMPORTED)
set_target_properties(iberty PROPERTIES
    IMPORTED_LOCATION ${BENCHMEM_IBERTY}
    INTERFACE_INCLUDE_DIRECTORIES ${BENCHMEM_IBERTY_INCLUDE})
