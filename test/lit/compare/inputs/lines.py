# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""lines.py FILE: the lines of a comparison in JSON, one a line of text."""
import json
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    document = json.load(file)
for site in document["sites"]:
    assert site["delta_bytes"] == site["head_bytes"] - site["base_bytes"], site
    print(
        site["benchmark"] or "process",
        "%s:%s" % (site["file"], site["line"]),
        "was",
        site["base_line"],
        site["function"],
        site["base_bytes"],
        site["head_bytes"],
        site["status"],
    )
