# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sum_of_calls.py FIGURES CALLS: allocations + dropped must be CALLS."""
import sys

with open(sys.argv[1], encoding="utf-8") as lines:
    words = dict(w.split("=") for w in lines.readline().split()[1:])
with open(sys.argv[2], encoding="utf-8") as text:
    calls = int(text.read())
counted = int(words["allocations"]) + int(words.get("dropped", 0))
if counted != calls or words["live"] != "0":
    sys.exit("%s is not %d calls" % (words, calls))
