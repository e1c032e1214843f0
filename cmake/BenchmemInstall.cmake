# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What a prefix holds beyond the targets' own install rules.
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md
    DESTINATION ${CMAKE_INSTALL_DOCDIR})
# What the README links to, in the folders that it names.
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES bench/README.md bench/RESULTS.md
    DESTINATION ${CMAKE_INSTALL_DOCDIR}/bench)
install(FILES test/README.md DESTINATION ${CMAKE_INSTALL_DOCDIR}/test)
install(FILES docs/man/benchmem-cc.1 docs/man/benchmem-c++.1
    DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
if(BENCHMEM_DISPATCHER)
    install(FILES docs/man/benchmem.1
        DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
