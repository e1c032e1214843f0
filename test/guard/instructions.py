# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Instructions that recording adds to a pair of malloc and free, or a realloc.

    instructions.py --cc BENCHMEM_CC --clang CLANG --table FILE [--work DIR]

Each program runs under callgrind with n and with 2n pairs, so that what it
costs to start falls out; what the plain program needs is taken off. Counts
do not depend on the machine's speed. A count above the table's by more than
its margin is an error; one as far below it asks for a new table. After a change
that is meant, put the printed table in its place.
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

MARGIN = 0.02
# How long threads run side by side is the scheduler's choice.
MARGINS = {"pairs-threads": 0.15}
HERE = os.path.dirname(os.path.abspath(__file__))
PAIRS = os.path.join(HERE, "../../bench/programs/pairs.c")
RECURSION = os.path.join(HERE, "recursion.c")
REALLOCS = os.path.join(HERE, "reallocs.c")

# name: source, first argument, pairs of one unit of it, other arguments, options
CASES = {
    "pairs": (PAIRS, 20000, 1, [], "paths=full"),
    "pairs-sites": (PAIRS, 20000, 1, [], "paths=sites"),
    "pairs-threads": (PAIRS, 10000, 2, ["2"], "slack=1048576"),
    "pairs-saves": (PAIRS, 20000, 1, [], "saves=1"),
    "recursion": (RECURSION, 100, 127, [], "paths=full"),
    "recursion-sites": (RECURSION, 100, 127, [], "paths=sites"),
    "reallocs": (REALLOCS, 20000, 1, [], "paths=full"),
    "off": (PAIRS, 20000, 1, [], None),
}


def count(program, arguments, options, work):
    # Nothing of the caller's: the environment's size moves the stack.
    env = {"PATH": os.environ["PATH"], "BENCHMEM_OUTPUT": "g.bmem"}
    if options is None:
        env["BENCHMEM_DISABLE"] = "1"
    else:
        env["BENCHMEM_OPTIONS"] = options
    done = subprocess.run(
        ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program]
        + arguments,
        cwd=work,
        env=env,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=True,
    )
    for name in os.listdir(work):
        if name.endswith(".bmem"):
            os.unlink(os.path.join(work, name))
    return int(re.search(r"Collected : (\d+)", done.stderr)[1])


def per_pair(program, case, work):
    _, n, pairs, more, options = case
    counts = [count(program, [str(k * n), *more], options, work) for k in (1, 2)]
    return (counts[1] - counts[0]) / (n * pairs)


def build(compiler, source, output):
    subprocess.run([compiler, "-O2", "-pthread", source, "-o", output], check=True)
    # Valgrind 3.19 gives up on the DWARF of clang 19.
    subprocess.run(["strip", "-g", output], check=True)


def measure(options, work):
    found = {}
    for name, case in CASES.items():
        stem = os.path.splitext(os.path.basename(case[0]))[0]
        counts = []
        for kind, compiler in (("plain", options.clang), ("ours", options.cc)):
            program = "./%s.%s" % (stem, kind)
            if not os.path.exists(os.path.join(work, program)):
                build(compiler, case[0], os.path.join(work, program))
            counts.append(per_pair(program, case, work))
        found[name] = round(counts[1] - counts[0])
    return found


def read_table(path):
    with open(path, encoding="utf-8") as lines:
        rows = [line.split() for line in lines if not line.startswith("#")]
    return {name: int(added) for name, added in rows}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--cc", required=True)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--table", required=True)
    parser.add_argument("--work")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.work) as work:
        found = measure(options, work)
    table = read_table(options.table)
    failed = set(found) != set(table)
    for name, added in found.items():
        print("%s %d" % (name, added))
        allowed = max(1, MARGINS.get(name, MARGIN) * table.get(name, 0))
        change = added - table.get(name, 0)
        if abs(change) > allowed:
            print("  # %+d: the table says %s" % (change, table.get(name)))
        failed |= change > allowed
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
