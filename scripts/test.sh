#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs what is missing, builds a release into build/ and runs every test;
# arguments go to ctest.
set -eu
cd "$(dirname "$0")/.."

scripts/install-deps.sh test
export CC="${CC:-clang-19}" CXX="${CXX:-clang++-19}"
cmake --preset release -DBENCHMEM_TESTS=ON
cmake --build build
ctest --test-dir build --output-on-failure "$@"
