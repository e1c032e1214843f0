# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# How other projects find the reader of profiles: Benchmem::profile for
# CMake, benchmem-profile for pkg-config, both free of this build's paths.
# Component `dev`, which can be installed without the commands.
include(CMakePackageConfigHelpers)

set(BENCHMEM_CMAKE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/Benchmem)
set(BENCHMEM_PKGCONFIG_DIR ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

install(TARGETS benchmem_profile EXPORT BenchmemTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT dev)
install(FILES ${PROJECT_SOURCE_DIR}/profile/profile.h
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/benchmem COMPONENT dev)
install(EXPORT BenchmemTargets NAMESPACE Benchmem::
    DESTINATION ${BENCHMEM_CMAKE_DIR} COMPONENT dev)

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
configure_file(${PROJECT_SOURCE_DIR}/cmake/benchmem-profile.pc.in
    ${PROJECT_BINARY_DIR}/benchmem-profile.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/benchmem-profile.pc
    DESTINATION ${BENCHMEM_PKGCONFIG_DIR} COMPONENT dev)
