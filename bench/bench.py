# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What recording costs: plain clang -O2 against benchmem-cc -O2, in turn.

    bench.py --bin BUILD/bin --clang CLANG [--work DIR] [--rounds N]
             [--no-callgrind] [PROGRAM...]

Every round runs plain and ours one after the other, in alternating order,
and gives one ratio; the table shows their median and range, so that drift of
the machine does not. Instructions are those of one run under callgrind, which
has no noise. Prints Markdown.
"""
import argparse
import os
import re
import shutil
import statistics
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "../test/real"))
sys.dont_write_bytecode = True

import projects  # noqa: E402  (beside the real programs)
import sources  # noqa: E402

# name: (source of ours or None for Lua, arguments, arguments under callgrind)
LUA = os.path.join(here, "../test/real/workloads")
PROGRAMS = {
    "lua-trees": (None, [LUA + "/trees.lua", "18"], [LUA + "/trees.lua", "10"]),
    "lua-strings": (None, [LUA + "/strings.lua", "400000"], [LUA + "/strings.lua", "20000"]),
    "bignum": ("bignum.c", [], ["1000036000099"]),
    "pairs": ("pairs.c", [], ["200000"]),
}


def build_own(source, compiler, output):
    subprocess.run(
        [compiler, "-O2", os.path.join(here, source), "-o", output], check=True
    )


def build_lua(compiler, output, options):
    tree = output + "-tree"
    source = sources.fetch("lua5.4", os.path.join(options.work, "src"), patched=False)
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(source, tree, symlinks=True)
    projects.build_lua(tree, compiler)
    shutil.copy(os.path.join(tree, "src/lua"), output)


def build(names, options):
    """Paths of the plain and the recorded program of each name."""
    built, lua = {}, None
    ours = os.path.join(options.bin, "benchmem-cc")
    for name in names:
        source = PROGRAMS[name][0]
        pair = [os.path.join(options.work, (source or "lua") + s) for s in (".plain", ".ours")]
        if source or lua is None:
            for compiler, output in zip((options.clang, ours), pair):
                if source:
                    build_own("programs/" + source, compiler, output)
                else:
                    build_lua(compiler, output, options)
                # Valgrind 3.19 gives up on the DWARF of clang 19.
                subprocess.run(["strip", "-g", output], check=True)
        lua = lua or (pair if not source else None)
        built[name] = pair
    return built


def run_once(program, arguments, options):
    """CPU and wall time in seconds, RSS in KiB, output, profile's size."""
    profile = os.path.join(options.work, "bench.bmem")
    if os.path.exists(profile):
        os.unlink(profile)
    figures = os.path.join(options.work, "figures")
    done = subprocess.run(
        [os.path.join(options.work, "measure"), figures, program, *arguments],
        env={**os.environ, "BENCHMEM_OUTPUT": profile},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        check=True,
    )
    with open(figures, encoding="utf-8") as line:
        cpu, wall, rss = (int(word) for word in line.read().split())
    size = os.path.getsize(profile) if os.path.exists(profile) else 0
    return cpu / 1e6, wall / 1e6, rss, done.stdout, size


def instructions(program, arguments, options):
    log = os.path.join(options.work, "callgrind.log")
    subprocess.run(
        [
            "valgrind",
            "--tool=callgrind",
            "--callgrind-out-file=/dev/null",
            "--log-file=" + log,
            program,
            *arguments,
        ],
        env={**os.environ, "BENCHMEM_OUTPUT": os.path.join(options.work, "cg-%p.bmem")},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    with open(log, encoding="utf-8") as lines:
        return int(re.search(r"Collected : (\d+)", lines.read())[1])


def spread(values, form="%.2f"):
    return "%s (%s to %s)" % tuple(
        form % v for v in (statistics.median(values), min(values), max(values))
    )


def measure(name, pair, options):
    """One row of the table."""
    arguments = PROGRAMS[name][1]
    cpu, wall, plain_runs, our_runs = [], [], [], []
    for number in range(options.rounds):
        order = (0, 1) if number % 2 == 0 else (1, 0)
        runs = {which: run_once(pair[which], arguments, options) for which in order}
        if runs[0][3] != runs[1][3]:
            sys.exit("bench.py: %s: output differs" % name)
        plain_runs.append(runs[0])
        our_runs.append(runs[1])
        cpu.append(runs[1][0] / runs[0][0])
        wall.append(runs[1][1] / runs[0][1])
    row = [
        name,
        "%.2f s" % statistics.median(r[0] for r in plain_runs),
        spread(cpu),
        spread(wall),
        "%.1f" % (statistics.median(r[2] for r in plain_runs) / 1024),
        "%.1f" % (statistics.median(r[2] for r in our_runs) / 1024),
        "%.0f" % (our_runs[-1][4] / 1024),
    ]
    if options.callgrind:
        few = PROGRAMS[name][2]
        counts = [instructions(program, few, options) for program in pair]
        row.append("%.2f" % (counts[1] / counts[0]))
    return row, statistics.median(cpu)


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--clang", default="clang-19")
    parser.add_argument("--work", default="bench-work")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--no-callgrind", dest="callgrind", action="store_false")
    parser.add_argument("program", nargs="*")
    options = parser.parse_args()
    unknown = set(options.program) - set(PROGRAMS)
    if unknown:
        parser.error("no program " + ", ".join(sorted(unknown)))
    if options.rounds < 1:
        parser.error("--rounds: at least 1")
    options.bin = os.path.abspath(options.bin)
    options.work = os.path.abspath(options.work)
    options.callgrind &= bool(shutil.which("valgrind"))
    return options


def main():
    options = parse()
    for name in list(os.environ):
        if name.startswith("BENCHMEM_"):
            del os.environ[name]
    os.makedirs(options.work, exist_ok=True)
    build_own("measure.c", options.clang, os.path.join(options.work, "measure"))
    try:
        built = build(options.program or list(PROGRAMS), options)
    except sources.Unavailable as error:
        sys.exit("bench.py: no source of Lua: %s" % error)

    heads = ["program", "plain CPU", "CPU ratio", "wall ratio", "plain RSS MiB"]
    heads += ["RSS MiB", "profile KiB"] + ["instruction ratio"] * options.callgrind
    print("| " + " | ".join(heads) + " |")
    print("|" + " --- |" * len(heads))
    ratios = []
    for name, pair in built.items():
        row, ratio = measure(name, pair, options)
        ratios.append(ratio)
        print("| " + " | ".join(row) + " |", flush=True)
    print(
        "\nMedian and range of %d pairs; geometric mean of the CPU ratios %.2f."
        % (options.rounds, statistics.geometric_mean(ratios))
    )


if __name__ == "__main__":
    main()
