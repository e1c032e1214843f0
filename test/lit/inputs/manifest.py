# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A manifest has an entry for each workload and repetition, with every key.

    manifest.py FILE.json REPETITIONS
"""
import json
import os
import re
import sys

path, repetitions = sys.argv[1], int(sys.argv[2])
with open(path, encoding="utf-8") as file:
    manifest = json.load(file)
entries = manifest["measurements"]
assert manifest["schema_version"] == 1

keys = (
    "workload_id group suites mode repetition memory_methodology_version pid timestamp revision"
    " dirty platform machine compiler flags program command environment"
).split()
for entry in entries:
    for key in keys:
        assert key in entry, (key, entry)
    assert entry["memory_methodology_version"] == 1
    assert entry["group"] == "touching" and entry["suites"] == ["standard"], entry
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", entry["timestamp"])
    assert "clang" in entry["compiler"], entry
    assert entry["program"] == os.path.realpath("a"), entry
    if entry["mode"] == "rss":
        assert 0 < entry["setup_peak_rss_bytes"] <= entry["peak_rss_bytes"], entry
        assert entry["shared_process"] is False
        assert "allocation_high_water_bytes" not in entry
    else:
        mib = int(entry["workload_id"].split("=")[1].rstrip("]"))
        assert entry["allocation_high_water_bytes"] == mib << 20, entry
        assert os.path.exists(entry["capture"]), entry
        assert "peak_rss_bytes" not in entry

ids = ["resident.c::bench_touch[mib=%d]" % n for n in (96, 8)]
found = sorted((e["workload_id"], e["repetition"]) for e in entries)
assert found == sorted((i, r + 1) for i in ids for r in range(repetitions)), found
if entries[0]["mode"] == "rss":
    assert len({e["pid"] for e in entries}) == len(entries), "a process each"
