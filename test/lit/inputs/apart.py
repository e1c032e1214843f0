# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each figure of a run of all modes was taken by its own mode, in each pass."""
import json
import sys

run = json.load(sys.stdin)
(bench,) = run["benchmarks"]
for key in ("peak_bytes", "allocated_bytes", "allocations", "time_ns", "peak_rss_bytes", "setup_peak_rss_bytes"):
    values = [p[key] for p in bench["passes"] if key in p]
    assert len(values) == 2, (key, bench)
    if key == "peak_bytes":
        assert values == [1000, 1000], bench
    else:
        assert all(v > 0 for v in values), (key, bench)
