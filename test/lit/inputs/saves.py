# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the saves of a profile against those that its program worked out.

    saves.py REPORT PROFILE EXPECTED

A line of EXPECTED is `process|bench site|function|type NAME BYTES`; the name of
a site is its line.
"""
import json
import subprocess
import sys

REPORT, PROFILE, EXPECTED = sys.argv[1:]


def report(*options):
    text = subprocess.check_output([REPORT, PROFILE, "--format", "json", *options])
    return json.loads(text)


def of_sites(sites):
    return {str(s["line"]): s["saves_bytes"] for s in sites if s["line"]}


def of_groups(*options):
    return {g["key"]: g["saves_bytes"] for g in report(*options)["groups"]}


whole = report()
bench = ["--benchmark", "bench_mix"]
found = {
    ("process", "site"): of_sites(whole["sites"]),
    ("process", "function"): of_groups("--by", "function"),
    ("process", "type"): of_groups("--by", "type"),
    ("bench", "site"): of_sites(whole["benchmarks"][0]["sites"]),
    ("bench", "function"): of_groups("--by", "function", *bench),
    ("bench", "type"): of_groups("--by", "type", *bench),
}
lines = [line.split() for line in open(EXPECTED, encoding="utf-8")]
assert len(lines) == 2 * (6 + 4 + 3), lines
for whose, level, *name, saves in lines:
    got = found[whose, level].get(" ".join(name), "nothing")
    assert got == int(saves), (whose, level, name, saves, got)
assert any(int(line[-1]) for line in lines), lines
