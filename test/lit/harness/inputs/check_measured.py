# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_measured.py time|rss: holds the JSON of time-and-rss.c on stdin."""
import json
import sys

MIB = 1 << 20
data = json.load(sys.stdin)
benchmarks = {b["name"] + str(b["params"].get("mib", "")): b for b in data["benchmarks"]}
assert list(benchmarks) == ["bench_nothing", "bench_touch4", "bench_touch64"], benchmarks
assert data["complete"] and data["totals"]["allocations"] == 0, data["totals"]
assert len(benchmarks["bench_touch4"]["passes"]) == 2

passes = [p for b in data["benchmarks"] for p in b["passes"]]
for p in passes:
    for key in ("peak_bytes", "allocated_bytes", "allocations", "retained_bytes"):
        assert p[key] is None, p
    assert ("time_ns" in p) == (sys.argv[1] == "time"), p
    assert ("peak_rss_bytes" in p) == (sys.argv[1] == "rss"), p

if sys.argv[1] == "time":
    # Touching 64 MiB cannot take less than a microsecond.
    assert benchmarks["bench_touch64"]["passes"][0]["time_ns"] > 1000, passes
else:
    before = 0
    for p in passes:
        assert before <= p["setup_peak_rss_bytes"] <= p["peak_rss_bytes"], passes
        before = p["peak_rss_bytes"]
    big = benchmarks["bench_touch64"]["passes"][0]
    # The last pages of the first 4 MiB may still be resident: 60 of 64. The
    # kernel tells both less exactly the more processors there are.
    assert big["peak_rss_bytes"] - big["setup_peak_rss_bytes"] > 50 * MIB, big
    assert big["peak_rss_bytes"] < 100 * MIB, big
