# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# protobuf-c, what compresses its messages, and benchmem_protobuf(FILE.proto VARIABLE): the sources
# that protoc-c makes of FILE.proto, in the current binary folder. ISA-L takes
# the place of zlib where it is there.
pkg_check_modules(protobuf_c REQUIRED IMPORTED_TARGET GLOBAL libprotobuf-c)
pkg_check_modules(zlib REQUIRED IMPORTED_TARGET GLOBAL zlib)
pkg_check_modules(isal IMPORTED_TARGET GLOBAL libisal)
find_program(BENCHMEM_PROTOC_C NAMES protoc-c REQUIRED
    DOC "compiler of protobuf-c (protobuf-c-compiler)")

function(benchmem_protobuf file variable)
    cmake_path(GET file STEM name)
    set(made ${CMAKE_CURRENT_BINARY_DIR}/${name}.pb-c.c
        ${CMAKE_CURRENT_BINARY_DIR}/${name}.pb-c.h)
    add_custom_command(OUTPUT ${made}
        COMMAND ${BENCHMEM_PROTOC_C} --c_out=${CMAKE_CURRENT_BINARY_DIR}
            --proto_path=${CMAKE_CURRENT_SOURCE_DIR} ${file}
        DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${file} VERBATIM)
    set(${variable} ${made} PARENT_SCOPE)
endfunction()
