# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds an inventory of sources against what a build of them holds.

usage: same_sites.py INVENTORY COVERAGE REPORT

All three are JSON: of benchmem-sites, and of benchmem-report --coverage and
--elided. Each call of the binary is in the inventory by its id, with the same
texts; else the optimizer put another allocator into the place of one that is.
Each call of the inventory is in the binary, or was optimized away, or has
another in its place. Prints the numbers of calls on both sides, only in the
binary, and only in the inventory.
"""
import json
import sys

TEXTS = ("file", "dir", "line", "column", "function", "linkage_name", "kind",
         "callee", "type", "size_expr")
# What the optimizer makes of what.
REPLACED = {("malloc", "calloc"), ("realloc", "malloc"), ("strndup", "strdup")}

inventory, coverage, report = (json.load(open(path)) for path in sys.argv[1:])
listed = {site["id"]: site for site in inventory["sites"]}
built = {site["id"]: site for site in coverage["sites"]}
elided = {site["id"] for site in report.get("elided", [])}
assert len(listed) == len(inventory["sites"]), "an id came twice"


def place(site):
    return tuple(site[key] for key in ("file", "line", "column", "function"))


for ident in listed.keys() & built.keys():
    # Coverage tells the line that a call in a system header is charged to.
    if listed[ident]["system"]:
        continue
    for key in TEXTS:
        assert listed[ident][key] == built[ident][key], (key, listed[ident], built[ident])

there = {place(site): site["callee"] for site in listed.values()}
for ident in built.keys() - listed.keys():
    was = there.get(place(built[ident]))
    assert (was, built[ident]["callee"]) in REPLACED, ("not in the inventory", built[ident])
replaced = {place(built[ident]) for ident in built.keys() - listed.keys()}
for ident in listed.keys() - built.keys() - elided:
    assert place(listed[ident]) in replaced, ("not in the binary", listed[ident])

print("%d listed, %d built, %d built alone, %d listed alone" % (
    len(listed), len(built), len(built.keys() - listed.keys()),
    len(listed.keys() - built.keys())))
