#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# run.sh CMAKE BUILD-FOLDER WORK-FOLDER MAKE_PROFILE, with CC and CXX set
set -eu

cmake=$1
build=$2
work=$3
make_profile=$4
here=$(cd "$(dirname "$0")" && pwd)

rm -rf "$work"
mkdir -p "$work"
"$cmake" --install "$build" --component dev --prefix "$work/first" >/dev/null
mv "$work/first" "$work/prefix" # nothing may hold the prefix's name
"$make_profile" sites=3 benchmarks=1 >"$work/x.bmem"

# Its benchmarks, and their times: no recorder is in these.
bench() {
    "$1" --list >"$work/output"
    printf 'bench.c::bench_sum[n=%d]\n' 10 1000 | cmp - "$work/output" || exit 1
    "$1" --repeats 2 >"$work/output"
    test "$(grep -c '^bench.c::bench_sum.* 2 .*s$' "$work/output")" = 2 || exit 1
}

check() {
    "$1" "$work/x.bmem" >"$work/output"
    cmp "$work/output" "$here/expected" || exit 1
}

"$cmake" -S "$here/project" -B "$work/build" \
    -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
"$cmake" --build "$work/build" >/dev/null
check "$work/build/in_c"
check "$work/build/in_cxx"
bench "$work/build/bench"
bench "$work/build/bench_cxx"

export PKG_CONFIG_PATH="$work/prefix/lib/pkgconfig"
for file in "$work"/prefix/lib/*/pkgconfig; do # Debian's lib/<triplet>
    PKG_CONFIG_PATH="$PKG_CONFIG_PATH:$file"
done
# shellcheck disable=SC2046 # words on purpose
$CC "$here/project/use.c" -o "$work/by_pkg_config" \
    $(pkg-config --cflags --libs benchmem-profile)
check "$work/by_pkg_config"
# shellcheck disable=SC2046 # words on purpose
$CC "$here/project/bench.c" -o "$work/bench" \
    $(pkg-config --cflags --libs benchmem-main)
bench "$work/bench"

# A program with benchmarks needs nothing of what reading profiles does.
PKG_CONFIG_LIBDIR=/nonexistent PKG_CONFIG_PATH= "$cmake" -S "$here/benchmarks" \
    -B "$work/benchmarks" -DCMAKE_PREFIX_PATH="$work/prefix" >/dev/null
"$cmake" --build "$work/benchmarks" >/dev/null
bench "$work/benchmarks/bench"
