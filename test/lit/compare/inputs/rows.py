# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""rows.py FILE: the rows of a comparison in JSON, one a line of text.

On the way it holds the document to the keys that docs/compare.md promises.
"""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    document = json.load(file)
assert document["schema_version"] == 1
assert {"series", "rows", "sites", "regressions", "renamed"} <= document.keys()
for site in document["sites"]:
    assert {
        "benchmark",
        "file",
        "line",
        "base_line",
        "function",
        "base_bytes",
        "head_bytes",
        "delta_bytes",
        "status",
    } <= site.keys()
for row in document["rows"]:
    assert len(row["values"]) == len(document["series"])
    assert len(row["change_percent"]) == len(document["series"])
    print(
        row["id"],
        row["metric"],
        row["stat"],
        row["values"],
        row["change_percent"],
        row["status"],
    )
