# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds resident peaks of benchmem-run against what time(1) and the program
say of the same process, from small and large parents. Never against another
process's: how much of its files a process has resident is the kernel's choice,
and so is how exactly a process's pages are counted from core to core.

    resident.py BENCHMEM-RUN     with ./a (benchmarks) and ./alone beside it
"""
import json
import os
import subprocess
import sys

RUN = sys.argv[1]
MIB = 1 << 20


def peaks(program, *options):
    for old in ("x.json", "x.md", "said"):
        if os.path.exists(old):
            os.unlink(old)
    command = [RUN, "--mode", "rss", "-o", "x.json", *options, "--", *program]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with open("x.json", encoding="utf-8") as file:
        return [m for m in json.load(file)["measurements"] if m["mode"] == "rss"]


def said():
    """Bytes, of the KiB that each process wrote last of all."""
    with open("said", encoding="utf-8") as file:
        return [int(line) * 1024 for line in file]


def held(found, mib):
    """Each is what its own process said, or what it needed from then on."""
    pairs = list(zip((m["peak_rss_bytes"] for m in found), said(), strict=True))
    for ours, theirs in pairs:
        assert mib * MIB * 0.95 <= theirs <= ours, (mib, ours, theirs)
        assert ours <= theirs * 1.01 + MIB / 2, (mib, ours, theirs)


# A program without benchmarks is one workload, with the recorder off.
found = peaks(["./alone", "96"], "--repeats", "3")
assert [m["workload_id"] for m in found] == ["alone"] * 3, found
assert all(m["setup_peak_rss_bytes"] is None for m in found), found
held(found, 96)

# To the byte what time(1) has: the kernel tells both of the same process.
for size in (16, 64):
    (m,) = peaks(["/usr/bin/time", "-o", "time", "-f", "%M", "./alone", str(size)])
    with open("time", encoding="utf-8") as file:
        assert m["peak_rss_bytes"] == int(file.read()) * 1024, (size, m)
    held([m], size)

# A benchmark's process, through the end of the operation.
found = peaks(["./a"], "--repeats", "3", "--workload", "resident.c::bench_touch[mib=96]")
held(found, 96)

# A large parent leaves no trace: this process holds 300 MiB from here on.
ballast = bytearray(300 * MIB)
for at in range(0, len(ballast), 4096):
    ballast[at] = 1
for m in peaks(["./alone", "1"]) + peaks(["./a"]):
    assert m["peak_rss_bytes"] < 150 * MIB, m
assert ballast[0] == 1
