# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the sizes of blocks against the function that is on their path.

    sizes_by_caller.py REPORT BELOW FUNCTION=SIZE...

Of each path of a report (--by path, JSON) that leads through BELOW, every
block must have the SIZE of the one FUNCTION that is on it as well; for each of
these there must be such a path.
"""
import json
import sys

report, below, *told = sys.argv[1:]
sizes = {name: int(size) for name, size in (t.split("=") for t in told)}
with open(report, encoding="utf-8") as file:
    paths = json.load(file)["paths"]

missing = set(sizes)
for path in paths:
    functions = {f["function"] for f in path["frames"]}
    for name in functions & set(sizes) if below in functions else ():
        expected = path["allocations"] * sizes[name]
        if path["allocated_bytes"] != expected:
            sys.exit(f"{name}: {path['allocated_bytes']} bytes, not {expected}")
        missing.discard(name)
if missing:
    sys.exit(f"no path: {missing}")
