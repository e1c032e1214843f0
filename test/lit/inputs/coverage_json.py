# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the JSON of examples/coverage.c to what was counted by hand.

usage: coverage_json.py REPORT COVERAGE
"""
import json
import sys

report, coverage = (json.load(open(path)) for path in sys.argv[1:])

totals = coverage["coverage"]
assert totals == {"sites": 8, "reached": 4, "percent": 50, "benchmarks": 2}, totals
functions = {f["function"]: (f["reached"], f["sites"]) for f in coverage["functions"]}
assert functions == {
    "list_new": (2, 2),
    "list_push": (1, 1),
    "list_copy": (0, 2),
    "list_join": (0, 1),
    "list_name": (1, 2),
}, functions
assert [(f["reached"], f["sites"]) for f in coverage["files"]] == [(4, 8)]

# One site has one id in every report, and is reached if it allocated.
sites = {site["id"]: site for site in coverage["sites"]}
active = {site["id"] for site in report["sites"] if site["kind"] != "outside"}
assert len(sites) == 8
assert active == {i for i, site in sites.items() if site["reached"] != "no"}
counts = {}
for benchmark in report["benchmarks"]:
    for site in benchmark["sites"]:
        counts[site["id"]] = counts.get(site["id"], 0) + site["allocations"]
assert counts == {i: s["allocations"] for i, s in sites.items() if s["allocations"]}
