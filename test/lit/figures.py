# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints the figures of profiles as lines that FileCheck can hold.

    figures.py [--callee] [--column] [--type] [--dir] [--full-path]
               [--temporary] [--passes] [--access] [--no-check] PROFILE...

    totals allocations=2 frees=1 allocated=128 freed=28 peak=128 live=100 blocks=1
    end status=0
    site t.c:4 mk malloc allocations=2 frees=1 allocated=128 peak=128 at_peak=128 live=100
    outside allocations=1 frees=0 ...
    bench t.c::bench_x[n=1] passes=2 peak=8 allocated=8 allocations=1 retained=0
    bench-site t.c:9 bench_x malloc allocations=2 ...
    access t.c:4 blocks=1 bytes=8 unseen=0 untouched=4 never_written=4 never_read=4 idle=0 reached=4

--access prints what became of the bytes of each site, and no other lines.

Sites are in the order of file, line and column. A total that is usually 0
(unknown_frees, failed, dropped, inherited_bytes, inherited_blocks) is only
printed where it is not. A file is shown by its last component.

Every identity of the profile is asserted on the way: by the project's own
checker on the profile itself, and by this script on the JSON.
"""
import argparse
import json
import os
import subprocess
import sys

ACCESS_KEYS = (
    "followed_blocks",
    "followed_bytes",
    "unseen_bytes",
    "untouched_bytes",
    "never_written_bytes",
    "never_read_bytes",
    "idle_bytes",
    "reached_bytes",
)
PASS_KEYS = ("peak_bytes", "allocated_bytes", "allocations", "retained_bytes")
RARE = {
    "unknown_frees": "unknown_frees",
    "failed_allocations": "failed",
    "dropped": "dropped",
    "inherited_bytes": "inherited_bytes",
    "inherited_blocks": "inherited_blocks",
}


def read(profile):
    """The profile as `benchmem-report --format json` gives it."""
    report = os.path.join(os.environ["BT_BIN"], "benchmem-report")
    run = subprocess.run(
        [report, "--format", "json", profile],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    if run.returncode:
        sys.exit(
            "benchmem-report %s: exit %d\n%s"
            % (profile, run.returncode, run.stderr.decode(errors="replace"))
        )
    return json.loads(run.stdout.decode("utf-8"))


def check_file(profile):
    checker = os.environ.get("BT_CHECK")
    if checker:
        subprocess.run([checker, profile], check=True, stdout=subprocess.DEVNULL)


def walk(value, where=""):
    """Every number of a JSON value, with its path."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from walk(inner, "%s.%s" % (where, key))
    elif isinstance(value, list):
        for i, inner in enumerate(value):
            yield from walk(inner, "%s[%d]" % (where, i))
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield where, value


def check_identities(data):
    """Stops with the identity that does not hold."""

    def hold(what, left, right):
        if left != right:
            sys.exit("identity broken: %s: %s is not %s" % (what, left, right))

    totals, sites = data["totals"], data["sites"]
    hold(
        "allocations + inherited - frees = live blocks",
        totals["allocations"] + totals["inherited_blocks"] - totals["frees"],
        totals["live_blocks"],
    )
    hold(
        "allocated + inherited - freed = live",
        totals["allocated_bytes"] + totals["inherited_bytes"] - totals["freed_bytes"],
        totals["live_bytes"],
    )
    for key in ("allocations", "frees", "allocated_bytes", "live_bytes", "live_blocks"):
        hold("sites sum to " + key, sum(s[key] for s in sites), totals[key])
    if "followed_bytes" in totals:
        for key in ACCESS_KEYS:
            hold("sites sum to " + key, sum(s[key] for s in sites), totals[key])
    hold(
        "at_peak sums to peak",
        sum(s["at_peak_bytes"] for s in sites),
        # Of several processes, the sum of their peaks.
        totals.get("peak_upper_bound_bytes", totals["peak_bytes"]),
    )
    for site in sites:
        if site["peak_bytes"] is not None and site["at_peak_bytes"] > site["peak_bytes"]:
            sys.exit("identity broken: at_peak exceeds the site's peak: %r" % site)
    for bench in data["benchmarks"]:
        if bench["passes"] and bench["sites"]:
            hold(
                "at_peak of %s sums to its largest peak" % bench["id"],
                sum(s["at_peak_bytes"] for s in bench["sites"]),
                max(p["peak_bytes"] for p in with_more(bench)),
            )
    params = [b["params"] for b in data["benchmarks"]]
    for where, number in walk({k: v for k, v in data.items() if k != "benchmarks"}):
        if number < 0:
            sys.exit("negative number at %s: %s" % (where, number))
    for where, number in walk([{**b, "params": {}} for b in data["benchmarks"]]):
        if number < 0:
            sys.exit("negative number at benchmarks%s: %s" % (where, number))
    hold("params are objects", all(isinstance(p, dict) for p in params), True)
    if data["complete"] and not data["end"]:
        sys.exit("complete, but its end is not known")


def with_more(bench):
    """The passes that are kept singly, and the extremes of the others."""
    passes = list(bench["passes"])
    more = bench.get("more_passes")
    if more:
        for which in ("min", "max"):
            passes.append({key: more[key][which] for key in PASS_KEYS})
    return passes


def figures_of(site):
    return (
        "allocations={allocations} frees={frees} allocated={allocated_bytes}"
        " peak={peak_bytes} at_peak={at_peak_bytes} live={live_bytes}".format(**site)
    )


def shown_file(site, options):
    name = site["file"] or "?"
    return name if options.full_path else name.rsplit("/", 1)[-1]


def site_line(word, site, options):
    if site["kind"] == "outside":
        return "%s-outside %s" % (word, figures_of(site)) if word != "site" else (
            "outside " + figures_of(site)
        )
    where = "%s:%s" % (shown_file(site, options), site["line"])
    if options.column:
        where += ":%s" % site["column"]
    line = "%s %s %s %s %s" % (
        word,
        where,
        site["function"],
        site["kind"],
        figures_of(site),
    )
    if options.temporary:
        line += " temporary=%s" % site["temporary"]
    if options.callee:
        line += " callee=%s" % site["callee"]
    if options.type:
        line += " type=%s" % site["type"]
    if options.dir:
        line += " dir=%s" % site["dir"]
    return line


def access_line(site, options):
    where = "outside"
    if site["kind"] != "outside":
        where = "%s:%s" % (shown_file(site, options), site["line"])
    figures = " ".join(
        "%s=%s" % (key.replace("followed_", "").replace("_bytes", ""), site[key])
        for key in ACCESS_KEYS
    )
    return "access %s %s" % (where, figures)


def order(site):
    name = (site["file"] or "~").rsplit("/", 1)[-1]
    return (
        name,
        site["line"] or 0,
        site["column"] or 0,
        site["function"] or "",
        site["kind"],
        site["callee"] or "",
    )


def end_line(data):
    end = data["end"] or {}
    words = ["%s=%s" % (k, end[k]) for k in ("status", "signal") if k in end]
    words += ["exec"] if end.get("exec") else []
    line = "end " + (" ".join(words) or "unknown")
    return line if data["complete"] else line + " incomplete"


def bench_lines(bench, options):
    passes = with_more(bench)
    count = len(bench["passes"])
    if bench.get("more_passes"):
        count += bench["more_passes"]["count"]
    least = {key: min(p[key] for p in passes) for key in PASS_KEYS} if passes else {}
    text = " ".join(
        "%s=%s" % (name, least.get(key))
        for name, key in (
            ("peak", "peak_bytes"),
            ("allocated", "allocated_bytes"),
            ("allocations", "allocations"),
            ("retained", "retained_bytes"),
        )
    )
    yield "bench %s passes=%d %s" % (bench["id"], count, text)
    if options.passes:
        for number, one in enumerate(bench["passes"], 1):
            yield (
                "pass %d peak={peak_bytes} allocated={allocated_bytes}"
                " allocations={allocations} retained={retained_bytes}" % number
            ).format(**one)
    for site in sorted(bench["sites"], key=order):
        yield site_line("bench-site", site, options)


def lines(data, options):
    totals = data["totals"]
    line = (
        "totals allocations={allocations} frees={frees} allocated={allocated_bytes}"
        " freed={freed_bytes} peak={peak_bytes} live={live_bytes}"
        " blocks={live_blocks}".format(**totals)
    )
    for key, name in RARE.items():
        if totals[key]:
            line += " %s=%s" % (name, totals[key])
    yield line
    yield end_line(data)
    for site in sorted(data["sites"], key=order):
        yield site_line("site", site, options)
    for bench in data["benchmarks"]:
        yield from bench_lines(bench, options)


def main():
    parser = argparse.ArgumentParser()
    for flag in ("callee", "column", "type", "dir", "full-path", "temporary"):
        parser.add_argument("--" + flag, action="store_true")
    parser.add_argument("--passes", action="store_true")
    parser.add_argument("--access", action="store_true")
    parser.add_argument("--no-check", action="store_true")
    parser.add_argument("profile", nargs="+")
    options = parser.parse_args()

    for profile in options.profile:
        if not os.path.exists(profile):
            sys.exit("no profile %s" % profile)
        if not options.no_check:
            check_file(profile)
        data = read(profile)
        check_identities(data)
        if options.access:
            for site in sorted(data["sites"], key=order):
                print(access_line(site, options))
            continue
        for line in lines(data, options):
            print(line)


if __name__ == "__main__":
    main()
