# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Holds the JSON of benchmem-report to the keys that its users rely on."""
import json
import sys

TOP = "schema_version complete command pid end totals sites benchmarks"
TOTALS = """allocations frees allocated_bytes freed_bytes peak_bytes live_bytes
    live_blocks unknown_frees failed_allocations dropped inherited_bytes
    inherited_blocks"""
SITE = """id file dir line column function linkage_name kind callee type
    allocations frees allocated_bytes peak_bytes at_peak_bytes live_bytes
    live_blocks temporary"""
BENCH = "id name file line params passes sites"
PASS = "peak_bytes allocated_bytes allocations retained_bytes"


def need(where, value, keys):
    missing = [key for key in keys.split() if key not in value]
    if missing:
        sys.exit("%s lacks %s" % (where, ", ".join(missing)))


with open(sys.argv[1], encoding="utf-8") as text:
    data = json.load(text)
need("the profile", data, TOP)
need("totals", data["totals"], TOTALS)
for site in data["sites"]:
    need("a site", site, SITE)
    if site["kind"] != "outside":
        assert site["line"] > 0 and site["column"] > 0, site
        assert site["file"] and site["dir"].startswith("/"), site
    else:
        assert site["file"] is None and site["dir"] is None, site
assert data["benchmarks"], "no benchmark"
for bench in data["benchmarks"]:
    need("a benchmark", bench, BENCH)
    for one in bench["passes"]:
        need("a pass", one, PASS)
    for site in bench["sites"]:
        need("a site of a benchmark", site, SITE)
assert data["schema_version"] == 1 and data["complete"] is True
assert data["end"] == {"status": 0}, data["end"]
assert data["command"][1:] == ["one", "two words"], data["command"]
assert data["benchmarks"][0]["id"] == "grouped.cpp::bench_vector[n=100]"
assert data["benchmarks"][0]["params"] == {"n": 100}
names = {s["linkage_name"] for s in data["sites"] if s["function"] == "grow"}
assert names == {"_Z4growi"}, names
