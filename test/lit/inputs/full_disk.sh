# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# full_disk.sh PROGRAM FILLED...: runs PROGRAM with its profile on a disk of
# 64 KiB of which FILLED are taken. It must print "done" and exit with 3.
program=$1
shift
mount -t tmpfs -o size=64k none full || exit 1
for filled; do
    dd if=/dev/zero of=full/filler bs=1k count="$filled" 2>/dev/null
    code=0
    BENCHMEM_OUTPUT=full/p.bmem "$program" >out 2>err || code=$?
    if [ "$code" != 3 ] || [ "$(cat out)" != done ] || [ "$(wc -l <err)" -gt 1 ]; then
        echo "$filled KiB taken: exit $code, $(cat out err)" >&2
        exit 1
    fi
    [ ! -s full/p.bmem ] || cp full/p.bmem "kept-$filled.bmem"
    rm -f full/*
done
