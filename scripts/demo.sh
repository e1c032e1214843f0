#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# From a bare Debian 12 to a first profile: installs what is missing, builds a
# release into build/, compiles an example with it, runs it and reports.
set -eu
cd "$(dirname "$0")/.."

scripts/install-deps.sh build
export CC="${CC:-clang-19}" CXX="${CXX:-clang++-19}"
cmake --preset release -DBENCHMEM_TESTS=OFF
cmake --build build

# Shows a command line and runs it.
show() {
    echo
    echo "\$ $*"
    "$@"
}

export PATH="$PWD/build/bin:$PATH"
mkdir -p build/demo
cd build/demo
rm -rf .benchmem

show benchmem-cc -O2 ../../examples/kdtree.c -o kdtree
show ./kdtree
show benchmem-report --worst allocated
