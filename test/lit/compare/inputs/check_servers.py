# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check_servers.py FORMAT FILE [COUNT]...: fails if the file is not of its format."""
import json
import re
import sys
import xml.etree.ElementTree as ElementTree

LEVELS = {"none", "note", "warning", "error"}


def junit(text, *counts):
    root = ElementTree.fromstring(text)
    assert root.tag == "testsuites"
    (suite,) = root
    cases = list(suite)
    failures = sum(case.find("failure") is not None for case in cases)
    skipped = sum(case.find("skipped") is not None for case in cases)
    got = (len(cases), failures, skipped)
    for element in (root, suite):
        told = tuple(int(element.get(k)) for k in ("tests", "failures", "skipped"))
        assert told == got, (told, got)
    for case in cases:
        assert case.tag == "testcase" and case.get("classname") and case.get("name")
    assert got[1:] == counts[1:], got


def sarif(text, count):
    document = json.loads(text)
    assert document["version"] == "2.1.0" and document["$schema"]
    (run,) = document["runs"]
    driver = run["tool"]["driver"]
    rules = {rule["id"] for rule in driver["rules"]}
    assert driver["name"] and all(r["shortDescription"]["text"] for r in driver["rules"])
    assert len(run["results"]) == count, len(run["results"])
    for result in run["results"]:
        assert result["ruleId"] in rules and result["level"] in LEVELS
        assert result["message"]["text"]
        assert all(result["partialFingerprints"].values())
        for location in result["locations"]:
            place = location["physicalLocation"]
            assert re.fullmatch(r"[A-Za-z0-9/._~%-]+", place["artifactLocation"]["uri"])
            assert place["region"]["startLine"] >= 1


def annotations(text, errors, warnings):
    lines = [line for line in text.splitlines() if line.startswith("::")]
    pattern = r"::(error|warning) ([a-z]+=[^,:\r\n]*)(,[a-z]+=[^,:\r\n]*)*::[^\r\n]+"
    assert all(re.fullmatch(pattern, line) for line in lines), lines
    kinds = [line.split(" ")[0] for line in lines]
    assert (kinds.count("::error"), kinds.count("::warning")) == (errors, warnings)


def action(text):
    entries = json.loads(text)
    names = [entry["name"] for entry in entries]
    assert names and len(set(names)) == len(names)
    for entry in entries:
        assert isinstance(entry["value"], (int, float)) and entry["unit"]
        assert isinstance(entry.get("range", ""), str)


def bencher(text):
    document = json.loads(text)
    assert document
    for name, measures in document.items():
        assert 0 < len(name) <= 1024 and measures
        for measure in measures.values():
            assert measure["lower_value"] <= measure["value"] <= measure["upper_value"]


def gobench(text):
    for line in text.splitlines():
        assert re.fullmatch(
            r"Benchmark[^a-z\s]\S* 1( \d+ \S+/op)+|Unit \S+( \S+=\S+)+|[a-z]\S*: \S+", line
        ), line


with open(sys.argv[2], encoding="utf-8") as file:
    globals()[sys.argv[1]](file.read(), *map(int, sys.argv[3:]))
