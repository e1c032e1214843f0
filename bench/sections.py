# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is measured: programs, threads, costs apart from running, tools."""
import os
import re
import statistics
import subprocess
import sys

import catalog
from measuring import LONG, Cell, Failed
from variants import Variant

PLAIN = Variant("plain", "clang -O2")


def say(text):
    print("bench.py: " + text, file=sys.stderr, flush=True)


def same(program, a, b):
    if not program.times:
        return a == b
    return re.sub(program.times, "", a) == re.sub(program.times, "", b)


class Bench:
    def __init__(self, options, measuring, toolchains):
        self.options = options
        self.measuring = measuring
        self.toolchains = toolchains

    def path(self, program, variant):
        return catalog.built(
            program, self.toolchains[variant.toolchain], self.options.work
        )

    def run(self, program, variant, load, path):
        arguments = getattr(program, load)
        return self.measuring.run(variant, path, arguments, program.options)

    def pair(self, program, variant, before, load, paths, cell):
        """One measured run and the plain one behind it, which is returned."""
        run, text = self.run(program, variant, load, paths[variant.name])
        after, plain_text = self.run(program, PLAIN, load, paths["plain"])
        if not same(program, text, plain_text):
            raise Failed("other output")
        cell.runs.append(run)
        cell.plain.append(after)
        cell.cpu.append(run.cpu * 2 / max(before.cpu + after.cpu, 1e-6))
        cell.wall.append(run.wall * 2 / max(before.wall + after.wall, 1e-6))
        return after

    def at_load(self, program, variants, load):
        """Cells by variant, of variants that share a load."""
        cells = {v.name: Cell() for v in variants}
        paths = {"plain": self.path(program, PLAIN)}
        for variant in variants:
            try:
                paths[variant.name] = self.path(program, variant)
            except subprocess.CalledProcessError:
                cells[variant.name].fault = "not built"
        before = self.run(program, PLAIN, load, paths["plain"])[0]
        for number in range(self.options.rounds):
            for variant in variants:
                cell = cells[variant.name]
                most = min(variant.rounds or self.options.rounds, self.options.rounds)
                if cell.fault or number >= most or any(r.wall > LONG for r in cell.runs):
                    continue
                try:
                    before = self.pair(program, variant, before, load, paths, cell)
                except Failed as fault:
                    cell.fault = str(fault)
        return cells

    def program(self, program, variants):
        """Cells by the name of the variant."""
        cells = {}
        wanted = [v for v in variants if program.threaded or not v.threaded_only]
        for load in ("full", "part", "small"):
            of_load = [v for v in wanted if self.load_of(v) == load]
            if of_load:
                cells.update(self.at_load(program, of_load, load))
        return cells

    def load_of(self, variant):
        quick = {"full": "part", "part": "small"}
        return quick.get(variant.load, "small") if self.options.quick else variant.load

    def instructions(self, program, variants):
        """Ratios of instructions under callgrind, by variant."""
        ratios = {}
        count = self.measuring.callgrind
        try:
            plain = count(PLAIN, self.path(program, PLAIN), program.small)
            for variant in variants:
                path = self.path(program, variant)
                ratios[variant.name] = (
                    count(variant, path, program.small, program.options) / plain
                )
        except Failed as fault:
            say("%s: %s" % (program.name, fault))
        return ratios

    # ---- threads ----

    def threads(self, variants):
        """Millions of pairs a second of one and two threads, by variant."""
        pairs = next(p for p in catalog.catalog(self.options.work) if p.name == "pairs")
        nr = 2000000 if self.options.quick else 20000000
        speeds = {v.name: {1: [], 2: []} for v in [PLAIN, *variants]}
        for _ in range(self.options.rounds):
            for variant in [PLAIN, *variants]:
                path = self.path(pairs, variant)
                for threads in (1, 2):
                    arguments = [str(nr), str(threads)]
                    run, _ = self.measuring.run(variant, path, arguments)
                    speeds[variant.name][threads].append(nr * threads / run.wall / 1e6)
        return speeds

    # ---- costs apart from running ----

    def compile_time(self):
        """CPU seconds of sqlite3.c -O2, pair by pair."""
        tree = catalog.sqlite_tree(self.options.work)
        output = os.path.join(self.options.work, "sqlite3.o")
        arguments = ["-O2", "-c", os.path.join(tree, "sqlite3.c"), "-o", output]
        seconds = {"plain": [], "ours": []}
        for _ in range(1 if self.options.quick else 3):
            for name, times in seconds.items():
                compiler = self.toolchains[name].cc
                run, _ = self.measuring.run(
                    PLAIN, compiler[0], [*compiler[1:], *arguments]
                )
                times.append(run.cpu)
        return seconds

    def start_up(self, off):
        """Milliseconds of `int main(void) { return 0; }`, run by run."""
        full = Variant("full", "", "ours")
        program = catalog.Program(
            "empty", catalog.build_own("empty.c"), "", full=[], part=[], small=[]
        )
        times = {v.name: [] for v in (PLAIN, full, off)}
        for _ in range(20 if self.options.quick else 200):
            for variant in (PLAIN, full, off):
                run, _ = self.run(program, variant, "full", self.path(program, variant))
                times[variant.name].append((run.cpu * 1e3, run.wall * 1e3))
        return times

    def small_profile(self):
        """Bytes of the profile of 10 million allocations at three sites."""
        program = catalog.Program(
            "three", catalog.build_own("three_sites.c"), "", full=[], part=[], small=[]
        )
        ours = Variant("full", "", "ours")
        return self.run(program, ours, "full", self.path(program, ours))[0].profile

    # ---- tools ----

    def tools(self):
        """(what, command, seconds of CPU, of wall time, MiB), run by run."""
        folder = os.path.join(self.options.work, "scale")
        os.makedirs(folder, exist_ok=True)
        for what, sizes, commands in TOOLS:
            profiles = self.profiles(folder, what, sizes)
            for words in commands:
                name, *arguments = words.split()
                path = os.path.join(self.options.bin, "benchmem-" + name)
                if not os.path.exists(path):
                    continue
                arguments = [profiles.get(word, word) for word in arguments]
                run = self.best_of(path, arguments)
                yield what, words, run

    def best_of(self, path, arguments):
        runs = []
        for _ in range(1 if self.options.quick else 3):
            try:
                runs.append(self.measuring.run(PLAIN, path, arguments)[0])
            except Failed as fault:
                return str(fault)
            if runs[-1].wall > LONG:
                break
        middle = sorted(runs, key=lambda run: run.cpu)[len(runs) // 2]
        middle.rss = statistics.median(run.rss for run in runs)
        return middle

    def profiles(self, folder, what, sizes):
        paths = {}
        for number, key in enumerate(("PROFILE", "OTHER"), 1):
            path = os.path.join(folder, "%s-%d.bmem" % (what.replace(" ", "-"), number))
            with open(path, "wb") as out:
                subprocess.run(
                    [self.options.make_profile, *sizes, "seed=%d" % number],
                    stdout=out,
                    check=True,
                )
            paths[key] = path
        return paths


FORMATS = ("pprof", "folded", "speedscope", "dhat", "massif", "callgrind", "csv", "ndjson")

# What each profile is, its sizes, and the tools' command lines for it.
TOOLS = (
    (
        "100,000 sites, 1,000,000 paths",
        ("sites=100000", "paths=1000000", "depth=20"),
        (
            "report PROFILE",
            "report --by path --top 0 --format json -o out PROFILE",
            "report --format json -o out PROFILE",
            "flamegraph -o out.html PROFILE",
            "compare PROFILE OTHER",
            *("export --format %s -o out PROFILE" % name for name in FORMATS),
        ),
    ),
    (
        "10,000 benchmarks",
        ("sites=20", "benchmarks=10000"),
        (
            "report PROFILE",
            "report --format json -o out PROFILE",
            "flamegraph -o out.html PROFILE",
            "compare PROFILE OTHER",
            "export --format pprof -o out PROFILE",
        ),
    ),
)
