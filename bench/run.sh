#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Prints what recording costs, with the build in build/ or $BENCHMEM_BUILD;
# arguments go to bench.py, `--help` lists them.
set -eu
start=$PWD
cd "$(dirname "$0")/.."
build=$(cd "${BENCHMEM_BUILD:-build}" && pwd)
here=$PWD/bench
cd "$start"
exec python3 "$here/bench.py" --bin "$build/bin" --work "$build/bench" \
    --make-profile "$build/test/make_profile" "$@"
