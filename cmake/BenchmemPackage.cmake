# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How other projects find the reader of profiles and the main of programs with
# benchmem.h: Benchmem::profile and Benchmem::main for CMake, benchmem-profile
# and benchmem-main for pkg-config, all free of this build's paths. Component
# `dev`, which can be installed without the commands.
include(CMakePackageConfigHelpers)

set(BENCHMEM_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Benchmem)
set(BENCHMEM_PKGCONFIG_DIR ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(TARGETS benchmem_profile EXPORT BenchmemProfileTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
install(FILES ${PROJECT_SOURCE_DIR}/profile/profile.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/benchmem COMPONENT dev)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/benchmem
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT dev
    FILES_MATCHING PATTERN "*.h")
foreach(part Profile Main)
    install(EXPORT Benchmem${part}Targets NAMESPACE Benchmem::
        DESTINATION ${BENCHMEM_CMAKE_DIR} COMPONENT dev)
endforeach()

configure_package_config_file(
    ${PROJECT_SOURCE_DIR}/cmake/BenchmemConfig.cmake.in
    ${PROJECT_BINARY_DIR}/BenchmemConfig.cmake
    INSTALL_DESTINATION ${BENCHMEM_CMAKE_DIR})
write_basic_package_version_file(
    ${PROJECT_BINARY_DIR}/BenchmemConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES
    ${PROJECT_BINARY_DIR}/BenchmemConfig.cmake
    ${PROJECT_BINARY_DIR}/BenchmemConfigVersion.cmake
    DESTINATION ${BENCHMEM_CMAKE_DIR} COMPONENT dev)

# The prefix is that of the .pc file itself, so that a copied tree works.
file(RELATIVE_PATH BENCHMEM_PC_TO_PREFIX
    /prefix/${BENCHMEM_PKGCONFIG_DIR} /prefix)
foreach(part profile main)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/benchmem-${part}.pc.in
        ${PROJECT_BINARY_DIR}/benchmem-${part}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/benchmem-${part}.pc
        DESTINATION ${BENCHMEM_PKGCONFIG_DIR} COMPONENT dev)
endforeach()
