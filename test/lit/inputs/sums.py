# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds a merged profile's report against those of its parts.

    sums.py PARTS.json MERGED.json
"""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    parts = json.load(file)["profiles"]
with open(sys.argv[2], encoding="utf-8") as file:
    merged = json.load(file)

totals = merged["totals"]
for key in (
    "allocations",
    "frees",
    "allocated_bytes",
    "freed_bytes",
    "live_bytes",
    "live_blocks",
    "inherited_bytes",
    "inherited_blocks",
    "unknown_frees",
    "temporary",
):
    assert totals[key] == sum(p["totals"][key] for p in parts), key

peaks = [p["totals"]["peak_bytes"] for p in parts]
assert totals["peak_bytes"] is None
assert totals["peak_upper_bound_bytes"] == sum(peaks)
spread = totals["peak_bytes_over_processes"]
assert (spread["min"], spread["max"]) == (min(peaks), max(peaks)), spread
assert abs(spread["mean"] - sum(peaks) / len(peaks)) < 1e-6, spread

# Every process is there, as it was.
assert len(merged["processes"]) == len(parts)
for part in parts:
    (process,) = [p for p in merged["processes"] if p["pid"] == part["pid"]]
    for key in ("rank", "parent_pid", "start_ns", "host", "program", "command", "end"):
        assert process[key] == part[key], key
    for key in ("allocations", "allocated_bytes", "peak_bytes", "live_bytes"):
        assert process[key] == part["totals"][key], key

# Sites are one where their ids are.
for site in merged["sites"]:
    same = [s for p in parts for s in p["sites"] if s["id"] == site["id"]]
    for key in ("allocations", "frees", "allocated_bytes", "at_peak_bytes", "live_bytes"):
        assert site[key] == sum(s[key] for s in same), (site, key)
    assert site["peak_bytes"] is None
    assert site["peak_bytes_over_processes"]["max"] == max(s["peak_bytes"] for s in same)
ids = [site["id"] for site in merged["sites"]]
assert sorted(ids) == sorted({s["id"] for p in parts for s in p["sites"]})
assert sum(s["at_peak_bytes"] for s in merged["sites"]) == sum(peaks)
