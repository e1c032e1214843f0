#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs what is missing, builds a release into build/ and runs every test;
# then builds what reads and writes profiles into build-asan/ with the address
# and undefined behaviour sanitizers, and runs there the unit tests, the
# fuzzers and the tests of the tools. Arguments go to the first ctest; with
# any, there is no second.
set -eu
cd "$(dirname "$0")/.."

scripts/install-deps.sh test
export CC="${CC:-clang-19}" CXX="${CXX:-clang++-19}"
cmake --preset release -DBENCHMEM_TESTS=ON
cmake --build build
ctest --test-dir build --output-on-failure "$@"
[ $# = 0 ] || exit 0

cmake --preset asan
cmake --build build-asan
ctest --test-dir build-asan --output-on-failure -R '^(unit|fuzz)/|^lit-tools$'
