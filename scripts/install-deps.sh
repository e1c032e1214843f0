#!/bin/sh
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Installs from Debian what is missing: install-deps.sh [build|pages|test]
#   build   to build, install and use benchmem, but for HTML pages and charts
#   pages   that, and what these are made with (npm, when building) and drawn
#           with (Node, and rsvg-convert for .png and .pdf)
#   test    that, and what the tests use
# Asks for nothing where all of it is there. Needs root or sudo otherwise.
set -eu

build='cmake ninja-build pkgconf clang-19 llvm-19-dev libclang-19-dev
    libdw-dev libiberty-dev libjansson-dev libmsgpack-dev libsmartcols-dev
    libxxhash-dev uthash-dev
    libprotobuf-c-dev protobuf-c-compiler zlib1g-dev libisal-dev
    libsqlite3-dev libpq-dev'
test="llvm-19-tools libclang-rt-19-dev libcmocka-dev libunwind-dev gcc g++ make
    $(cat "$(dirname "$0")/../test/packages.txt" \
        "$(dirname "$0")/../test/packages-browser.txt")"

case "${1-build}" in
build) wanted=$build ;;
pages) wanted="$build npm librsvg2-bin" ;;
test) wanted="$build $test" ;;
*)
    echo "usage: install-deps.sh [build|pages|test]" >&2
    exit 2
    ;;
esac

missing=
for package in $wanted; do
    # Often there from elsewhere, with a nodejs that Debian's would replace.
    [ "$package" != npm ] || ! command -v npm >/dev/null || continue
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null) || :
    [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    as_root=
elif command -v sudo >/dev/null; then
    as_root=sudo
else
    echo "install-deps.sh: neither root nor sudo; missing:$missing" >&2
    exit 1
fi

echo "installing:$missing"
apt='env DEBIAN_FRONTEND=noninteractive apt-get -qq -o=Dpkg::Use-Pty=0'
$as_root $apt update
# shellcheck disable=SC2086 # words on purpose
$as_root $apt install -y --no-install-recommends $missing >/dev/null
