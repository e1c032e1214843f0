# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""make_run.py ID[;LABEL=VALUE...] METRIC=VALUE[,VALUE...]... [-- ID ...] >FILE

A saved run for tests: benchmarks parted by --, each with the values of its
passes. Metrics are the names of options; parameters come from the id.
"""
import json
import re
import sys

KEYS = {
    "time": "time_ns",
    "peak": "peak_bytes",
    "allocated": "allocated_bytes",
    "allocations": "allocations",
    "leaked": "retained_bytes",
    "rss": "peak_rss_bytes",
}


def typed(text):
    return int(text) if re.fullmatch(r"-?\d+", text) else text


def benchmark(words):
    benchmark_id, *labels = words[0].split(";")
    file, name = benchmark_id.split("::", 1)
    name, _, params = name.partition("[")
    pairs = [p.split("=", 1) for p in params.rstrip("]").split(",") if p]
    passes = []
    for word in words[1:]:
        metric, values = word.split("=")
        for i, value in enumerate(values.split(",")):
            if i == len(passes):
                passes.append({})
            passes[i][KEYS[metric]] = int(value)
    extra = dict(label.split("=", 1) for label in labels)
    return {
        "id": benchmark_id,
        "name": name,
        "file": "src/" + file,
        "line": 7,
        "group": extra.pop("group", None),
        "params": {name: typed(value) for name, value in pairs},
        "labels": extra,
        "passes": passes,
    }


benchmarks, words = [], []
for word in sys.argv[1:] + ["--"]:
    if word != "--":
        words.append(word)
    elif words:
        benchmarks.append(benchmark(words))
        words = []
json.dump({"schema_version": 1, "benchmarks": benchmarks}, sys.stdout)
