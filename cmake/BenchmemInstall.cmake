# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# What a prefix holds beyond the targets' own install rules.
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
