# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Searches on from the corpora with libFuzzer, for a bounded time.

    search.py --seconds N --fuzzers FOLDER --work FOLDER NAME=CORPUS:CORPUS...

Runs FOLDER/fuzzer_NAME for N seconds each, as many at a time as there are
processors, and prints how many inputs each tried. What a fuzzer finds new
stays in the work folder, and is where it goes on the next time; an input that
breaks something is kept there too, is named, and makes this exit with 1.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys

LIMITS = ["-timeout=10", "-rss_limit_mb=1024", "-max_len=131072"]


def search(name, corpora, options):
    """The finished process; its statistics are in stderr."""
    found = os.path.join(options.work, name)
    os.makedirs(found, exist_ok=True)
    return subprocess.run(
        [
            os.path.join(options.fuzzers, "fuzzer_" + name),
            "-max_total_time=%d" % options.seconds,
            "-print_final_stats=1",
            "-artifact_prefix=%s/%s-" % (options.work, name),
            *LIMITS,
            found,
            *corpora,
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        errors="replace",
        check=False,
    )


def statistic(text, name):
    found = re.search(r"stat::%s: *(\d+)" % name, text)
    return int(found.group(1)) if found else 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=int, default=15)
    parser.add_argument("--fuzzers", required=True)
    parser.add_argument("--work", required=True)
    parser.add_argument("targets", nargs="+")
    options = parser.parse_args()

    targets = dict(target.split("=", 1) for target in options.targets)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = {
            name: pool.submit(search, name, corpora.split(":"), options)
            for name, corpora in targets.items()
        }
    total, broken = 0, []
    for name, run in runs.items():
        done = run.result()
        tried = statistic(done.stderr, "number_of_executed_units")
        total += tried
        print(
            "%-18s %9d inputs %7d a second"
            % (name, tried, statistic(done.stderr, "average_exec_per_sec"))
        )
        if done.returncode:
            broken.append(name)
            lines = done.stderr.splitlines()
            print("\n".join(l for l in lines if not l.startswith(("#", "\t"))))
    print("%-18s %9d inputs" % ("in all", total))
    if broken:
        sys.exit("broken: " + ", ".join(broken))


if __name__ == "__main__":
    main()
