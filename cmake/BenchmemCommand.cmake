# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# benchmem_add_command(NAME SOURCE...): a command and its man page, which it
# prints itself from its table of options.
function(benchmem_add_command name)
    add_executable(${name} ${ARGN})
    target_link_libraries(${name} PRIVATE benchmem_base benchmem_warnings)
    set(page ${PROJECT_BINARY_DIR}/share/man/man1/${name}.1)
    add_custom_command(OUTPUT ${page}
        COMMAND ${CMAKE_COMMAND} -E make_directory
            ${PROJECT_BINARY_DIR}/share/man/man1
        COMMAND $<TARGET_FILE:${name}> --man-page=${page}
        DEPENDS ${name} VERBATIM)
    add_custom_target(${name}.1 ALL DEPENDS ${page})
    install(TARGETS ${name} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(FILES ${page} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endfunction()
