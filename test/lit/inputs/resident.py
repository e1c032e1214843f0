# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds resident peaks of benchmem-run against time(1)'s, from small and
large parents.

    resident.py BENCHMEM-RUN     with ./a (benchmarks) and ./alone beside it
"""
import json
import os
import subprocess
import sys

RUN = sys.argv[1]
MIB = 1 << 20


def peaks(program, *options):
    if os.path.exists("x.json"):
        os.unlink("x.json")
        os.unlink("x.md")
    command = [RUN, "--mode", "rss", "-o", "x.json", *options, "--", *program]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with open("x.json", encoding="utf-8") as file:
        return [m for m in json.load(file)["measurements"] if m["mode"] == "rss"]


def by_time(program, **environment):
    """Bytes, as `time -v` has them: the least of three, as of ours."""
    best = None
    for _ in range(3):
        run = subprocess.run(
            ["/usr/bin/time", "-f", "%M", *program],
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env={**os.environ, **environment},
        )
        value = int(run.stderr.split()[-1]) * 1024
        best = value if best is None else min(best, value)
    return best


def close(ours, theirs, what):
    assert abs(ours - theirs) <= theirs / 100, (what, ours, theirs)


# A program without benchmarks is one workload, with the recorder off.
for size in ("16", "64"):
    found = peaks(["./alone", size], "--repeats", "3")
    assert [m["workload_id"] for m in found] == ["alone"] * 3, found
    assert all(m["setup_peak_rss_bytes"] is None for m in found), found
    ours = min(m["peak_rss_bytes"] for m in found)
    close(ours, by_time(["./alone", size], BENCHMEM_DISABLE="1"), size)

# A benchmark's process, through the end of the operation.
found = peaks(["./a"], "--repeats", "3", "--workload", "resident.c::bench_touch[mib=24]")
ours = min(m["peak_rss_bytes"] for m in found)
harness = "--quiet\n--in-process\n--mode\nrss\n--workload\nresident.c::bench_touch[mib=24]\n"
theirs = by_time(
    ["./a"],
    BENCHMEM_ARGUMENTS=harness,
    BENCHMEM_OPTIONS="measure=rss",
    BENCHMEM_OUTPUT="theirs.%p.bmem",
)
close(ours, theirs, "bench_touch")

# A large parent leaves no trace: this process holds 300 MiB from here on.
ballast = bytearray(300 * MIB)
for at in range(0, len(ballast), 4096):
    ballast[at] = 1
for m in peaks(["./alone", "1"]) + peaks(["./a"]):
    assert m["peak_rss_bytes"] < 50 * MIB, m
assert ballast[0] == 1
