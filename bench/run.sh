#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Prints the table of what recording costs, with the build in build/;
# arguments go to bench.py.
set -eu
cd "$(dirname "$0")/.."
exec python3 bench/bench.py --bin build/bin --work build/bench "$@"
