# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds each path of a report (--by path, JSON) against the size of its blocks.

    sizes_tell_paths.py REPORT LEAST

The program asks at each path for blocks of 16 bytes and a number that the
lines of the path make: (code * 31 + line) % 9973, from 0 at the outermost. At
least LEAST paths must be found.
"""
import json
import sys

report, least = sys.argv[1:]
with open(report, encoding="utf-8") as file:
    told = json.load(file)
kinds = {site["id"]: site["kind"] for site in told["sites"]}

checked = 0
for path in told["paths"]:
    frames = [f for f in path["frames"] if f["line"]]
    if kinds.get(path["site"]) not in ("malloc", "realloc"):
        continue
    code = 0
    for frame in frames:
        code = (code * 31 + frame["line"]) % 9973
    expected = path["allocations"] * (16 + code)
    if path["allocated_bytes"] != expected:
        shown = " ".join(f"{f['function']}:{f['line']}" for f in frames)
        sys.exit(f"{shown}: {path['allocated_bytes']} bytes, not {expected}")
    checked += 1
if checked < int(least):
    sys.exit(f"only {checked} paths")
