# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_google.py FILE: holds Google Benchmark's JSON of google-benchmark.cpp."""
import json
import sys

BYTES = {
    "BM_vector/100": 100,
    "BM_vector/5000": 5000,
    "BM_old/x:3/y:7": 21,
    "BM_old/x:4/y:8": 32,
    "BM_paused": 16,
    "BM_nothing": 0,
    "BM_type<int>": 4,
    "BM_type<double>": 8,
    "BM_capture/ten": 10,
    "BM_capture/twenty": 20,
    "Fix/Name": 9,
    "sort_words": 11,
}

with open(sys.argv[1], encoding="utf-8") as file:
    found = {b["name"]: b for b in json.load(file)["benchmarks"]}
assert list(found) == list(BYTES), list(found)
for name, size in BYTES.items():
    b = found[name]
    assert b["allocs_per_iter"] == (1 if size else 0), b
    assert b["max_bytes_used"] == size, b
    assert b["net_heap_growth"] == 0, b
    # The library asks for the memory of some iterations, at most 16.
    total = b["total_allocated_bytes"]
    assert total % size == 0 and 1 <= total // size <= 16 if size else total == 0, b
