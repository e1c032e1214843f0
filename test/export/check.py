# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check.py FORMAT PROFILE: exports a profile in every way that a format has,
lets a reader that is not ours read each file, and holds what it read against
the totals of benchmem-report, to the byte.

BT_BIN is the folder of the commands, BT_READERS that of the npm packages.
"""
import csv
import json
import os
import re
import subprocess
import sys

BIN = os.environ["BT_BIN"]
READERS = os.environ["BT_READERS"]
HERE = os.path.dirname(os.path.abspath(__file__))

# Option, key of the figure in each row, and of the total.
METRICS = {
    "peak": ("at_peak_bytes", "peak_bytes"),
    "allocated": ("allocated_bytes", "allocated_bytes"),
    "allocations": ("allocations", "allocations"),
    "leaked": ("live_bytes", "live_bytes"),
}
FLAMEGRAPH = "/usr/share/perl5/Devel/NYTProf/flamegraph.pl"


def run(*command, status=0):
    done = subprocess.run(command, capture_output=True, check=False)
    assert done.returncode == status, (command, done)
    assert not done.stderr, (command, done.stderr)
    return done.stdout.decode()


def export(name, profile, *options):
    out = "out." + name
    run(BIN + "/benchmem-export", "--format", name, "-f", "-o", out,
        *options, profile)
    return out


def add_up(sites):
    keys = [row for row, _ in METRICS.values()] + ["live_blocks"]
    return {key: sum(site[key] for site in sites) for key in keys}


def read_report(profile):
    """The windows of a profile: None for the process, ids of benchmarks."""
    report = json.loads(run(BIN + "/benchmem-report", "--format", "json",
                            profile))
    windows = {None: add_up(report["sites"])}
    for metric, (row, total) in METRICS.items():
        assert windows[None][row] == report["totals"][total], metric
    params = {None: {}}
    for benchmark in report["benchmarks"]:
        windows[benchmark["id"]] = add_up(benchmark["sites"])
        params[benchmark["id"]] = benchmark["params"]
    return windows, params


def chosen(window):
    return ["--process"] if window is None else ["--benchmark", window]


# ---- formats of one window and one metric ----


def total_of_folded(path, metric):
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n").rsplit(" ", 1) for line in file]
    assert all(int(number) > 0 for _, number in lines), path
    total = sum(int(number) for _, number in lines)
    if os.path.exists(FLAMEGRAPH) and total:
        picture = run("perl", FLAMEGRAPH, "--countname", "units", path)
        whole = re.search(r"<title>all \(([0-9,]+) units, 100%\)", picture)
        assert int(whole.group(1).replace(",", "")) == total, whole.group(0)
    return total


def total_of_massif(path, metric):
    text = run("ms_print", "--threshold=0", path)
    rows = re.findall(r"^ +(\d+) +([\d,]+) +([\d,]+) +([\d,]+) +0 +0$", text,
                      re.M)
    rows = [[int(n.replace(",", "")) for n in row] for row in rows]
    assert [row[0] for row in rows] == list(range(len(rows))), rows
    assert [row[1] for row in rows] == sorted(row[1] for row in rows), rows
    tops = re.findall(r"^\d+\.\d\d% \(([\d,]+)B\) \(heap allocation", text,
                      re.M)
    if rows[1][2]:
        assert int(tops[0].replace(",", "")) == rows[1][2], (tops, rows)
    return rows[1][2]


def total_of_callgrind(path, metric):
    text = run("callgrind_annotate", "--threshold=100", "--auto=no", path)
    total = re.search(r"^ *([\d,.]+) .*PROGRAM TOTALS", text, re.M).group(1)
    total = 0 if total == "." else int(total.replace(",", ""))
    own = re.findall(r"^ *([\d,]+) \([ \d.]+%\)  (?!PROGRAM)", text, re.M)
    assert sum(int(n.replace(",", "")) for n in own) == total, text
    text = run("callgrind_annotate", "--threshold=100", "--auto=no",
               "--inclusive=yes", path)
    for number in re.findall(r"^ *([\d,]+) \(", text, re.M):
        assert int(number.replace(",", "")) <= total, text
    return total


def check_one_window(name, profile, read):
    windows, _ = read_report(profile)
    for window, totals in windows.items():
        for metric, (key, _) in METRICS.items():
            path = export(name, profile, "--metric", metric, *chosen(window))
            total = read(path, metric)
            assert total == totals[key], (window, metric, total, totals)


# ---- formats of all windows ----


def sums_of_csv(path, key):
    sums = {}
    with open(path, encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, strict=True):
            assert None not in row and None not in row.values(), row
            window = row["benchmark"] or None
            sums[window] = sums.get(window, 0) + int(row[key])
            last = row["stack"].split(";")[-1]
            assert row["function"] in last, row
            if row["file"]:
                name = os.path.basename(row["file"])
                assert "%s:%s" % (name, row["line"]) in last, row
    return sums


def sums_of_ndjson(path, key):
    sums = {}
    with open(path, encoding="utf-8") as file:
        for line in file:
            row = json.loads(line)
            window = row["benchmark"]
            assert (window is None) <= (row["params"] == {}), row
            sums[window] = sums.get(window, 0) + row[key]
            for of in ("function", "file", "line", "column"):
                assert row[of] == row["frames"][-1][of] or (
                    row["kind"] == "outside"), row
    return sums


def check_rows(name, profile, read):
    windows, _ = read_report(profile)
    for metric, (key, _) in METRICS.items():
        wanted = {w: t[key] for w, t in windows.items() if t[key]}
        sums = read(export(name, profile, "--metric", metric), key)
        assert sums == wanted, (metric, sums, wanted)
        for window in windows:
            path = export(name, profile, "--metric", metric, *chosen(window))
            alone = {w: t for w, t in wanted.items() if w == window}
            assert read(path, key) == alone, (metric, window)


def check_speedscope(profile):
    windows, _ = read_report(profile)
    for metric, (key, _) in METRICS.items():
        path = export("speedscope", profile, "--metric", metric)
        run("node", HERE + "/read_speedscope.mjs", READERS, path)
        with open(path, encoding="utf-8") as file:
            data = json.load(file)
        assert len(data["profiles"]) == len(windows)
        ends = []
        for part, (window, totals) in zip(data["profiles"], windows.items()):
            assert window is None or part["name"].startswith(window), part
            assert sum(part["weights"]) == part["endValue"] == totals[key]
            assert len(part["weights"]) == len(part["samples"])
            frames = len(data["shared"]["frames"])
            assert all(0 <= i < frames for s in part["samples"] for i in s)
            ends.append(totals[key])
        assert ends[data["activeProfileIndex"]] == max(ends)


def check_dhat(profile):
    windows, _ = read_report(profile)
    for window, totals in windows.items():
        path = export("dhat", profile, *chosen(window))
        read = json.loads(run("node", HERE + "/read_dhat.mjs", path))
        assert read == totals, (window, read, totals)


# ---- pprof ----

PPROF_KEYS = ["allocations", "allocated_bytes", "live_blocks", "live_bytes"]


def check_labels(labels, params):
    for name, value in params.items():
        if isinstance(value, int) and not isinstance(value, bool):
            assert labels[name] == value, (labels, params)
        else:
            assert isinstance(labels[name], str), (labels, params)
    assert labels["kind"] and labels["at"] in ("peak", "end"), labels


def sums_of_pprof(path, params, at):
    read = json.loads(run("node", HERE + "/read_pprof.mjs", READERS, path))
    assert read["types"] == ["alloc_objects/count", "alloc_space/bytes",
                             "inuse_objects/count", "inuse_space/bytes"]
    assert read["period"] == "1"
    assert any(at in comment for comment in read["comments"]), read["comments"]
    sums = {}
    for sample in read["samples"]:
        values = [int(value) for value in sample["values"]]
        assert min(values) >= 0 < max(values), sample
        labels = sample["labels"]
        window = labels.get("benchmark")
        check_labels(labels, params[window])
        assert labels["at"] == at and sample["frames"], sample
        sums.setdefault(window, [0, 0, 0, 0])
        sums[window] = [a + b for a, b in zip(sums[window], values)]
    return sums


def check_pprof(profile):
    windows, params = read_report(profile)
    for at in ("peak", "end"):
        by_default = [w for w in windows if w is not None] or [None]
        choices = [([], by_default)]
        choices += [(chosen(window), [window]) for window in windows]
        for options, inside in choices:
            path = export("pprof", profile, "--at", at, *options)
            sums = sums_of_pprof(path, params, at)
            for window in inside:
                totals = windows[window]
                got = sums.get(window, [0, 0, 0, 0])
                used = "at_peak_bytes" if at == "peak" else "live_bytes"
                assert got[0] == totals["allocations"], (window, got)
                assert got[1] == totals["allocated_bytes"], (window, got)
                assert got[3] == totals[used], (window, got)
                assert at == "peak" or got[2] == totals["live_blocks"], got
                assert bool(got[2]) >= bool(got[3]), got
            assert set(sums) <= set(inside), (sums, inside)


# Stacks can be longer than the csv module expects.
csv.field_size_limit(1 << 24)

CHECKS = {
    "folded": lambda p: check_one_window("folded", p, total_of_folded),
    "massif": lambda p: check_one_window("massif", p, total_of_massif),
    "callgrind": lambda p: check_one_window("callgrind", p,
                                            total_of_callgrind),
    "csv": lambda p: check_rows("csv", p, sums_of_csv),
    "ndjson": lambda p: check_rows("ndjson", p, sums_of_ndjson),
    "speedscope": check_speedscope,
    "dhat": check_dhat,
    "pprof": check_pprof,
}

if __name__ == "__main__":
    CHECKS[sys.argv[1]](sys.argv[2])
