# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs programs and pairs them with plain ones.

Every measured run has a plain run before and one behind it, and its ratio is
to their mean: what drifts on the machine meanwhile drifts for both.
"""
import os
import re
import shutil
import statistics
import subprocess
from dataclasses import dataclass, field

LONG = 8.0  # seconds of wall time after which a cell is content with one pair
FAULTS = {142: "too slow"}  # see measure.c


class Failed(Exception):
    """A run that ended badly or printed something else."""


@dataclass
class Run:
    cpu: float  # seconds, of user and system
    wall: float
    rss: int  # KiB
    profile: int  # bytes


@dataclass
class Cell:
    """What one variant of one program gave, pair by pair."""

    runs: list = field(default_factory=list)
    plain: list = field(default_factory=list)
    cpu: list = field(default_factory=list)  # ratios
    wall: list = field(default_factory=list)
    fault: str = ""


def size_of(folder):
    return sum(
        os.path.getsize(os.path.join(where, name))
        for where, _, names in os.walk(folder)
        for name in names
    )


class Measuring:
    def __init__(self, work):
        self.work = work
        self.folder = os.path.join(work, "run")
        self.figures = os.path.join(work, "figures")
        self.measure = os.path.join(work, "measure")
        self.output = os.path.join(work, "output")

    def environment(self, variant, options):
        env = {k: v for k, v in os.environ.items() if not k.startswith("BENCHMEM_")}
        if variant.toolchain == "ours":
            env["BENCHMEM_OUTPUT"] = "{dir}/ours.bmem"
        env.update(variant.environment)
        if options and variant.toolchain == "ours":
            given = env.get("BENCHMEM_OPTIONS")
            env["BENCHMEM_OPTIONS"] = ":".join(filter(None, [given, options]))
        return {k: v.replace("{dir}", self.folder) for k, v in env.items()}

    def fresh_folder(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)

    def run(self, variant, path, arguments, options=""):
        """One run; the Run and what it printed."""
        self.fresh_folder()
        env = self.environment(variant, options)
        command = [word.replace("{dir}", self.folder) for word in variant.command]
        # measure is no program to record: env sets what is to be preloaded.
        setting = ["env"] + ["%s=%s" % (k, env.pop(k)) for k in ("LD_PRELOAD",) if k in env]
        command = setting * (len(setting) > 1) + command + [path, *arguments]
        with open(self.output, "wb") as output:
            done = subprocess.run(
                [self.measure, self.figures, *command],
                env=env,
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.DEVNULL,
                check=False,
            )
        if done.returncode:
            raise Failed(FAULTS.get(done.returncode, "exit %d" % done.returncode))
        with open(self.figures, encoding="utf-8") as line:
            cpu, wall, rss = (int(word) for word in line.read().split())
        with open(self.output, encoding="utf-8", errors="replace") as output:
            text = output.read()
        run = Run(cpu / 1e6, wall / 1e6, rss, size_of(self.folder))
        self.fresh_folder()
        return run, text

    def callgrind(self, variant, path, arguments, options=""):
        """Instructions of one run."""
        self.fresh_folder()
        log = os.path.join(self.work, "callgrind.log")
        tool = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null"]
        done = subprocess.run(
            [*tool, "--log-file=" + log, path, *arguments],
            env=self.environment(variant, options),
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            check=False,
        )
        with open(log, encoding="utf-8", errors="replace") as lines:
            found = re.search(r"Collected : (\d+)", lines.read())
        if done.returncode or not found:
            raise Failed("callgrind: exit %d" % done.returncode)
        return int(found[1])


def spread(values, form="%.2f"):
    """"1.12 (1.10-1.15)", or the value alone."""
    if len(values) == 1:
        return form % values[0]
    ends = (statistics.median(values), min(values), max(values))
    return (form + " (" + form + "-" + form + ")") % ends


def geometric_mean(values):
    return statistics.geometric_mean(max(v, 1e-3) for v in values)
