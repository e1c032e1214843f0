# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Real programs: builds them with clang and with benchmem-cc, and compares.

    real.py --bin BUILD/bin --clang CLANG --counter LIBCOUNT [--work DIR]
            [--small] [--no-dhat] [PROJECT...]

Gets Debian's source of each project (sources.py), builds it twice by its own
build system with nothing changed but the compiler, runs its own tests and a
workload under both, and prints a Markdown table. Output and test results
must be identical. Allocations, allocated bytes and peak must be those of the
plain build, to the byte, under two independent witnesses: a preloaded counter
(count.c) and valgrind's DHAT.

DHAT counts a block of no bytes as one byte: their number, by the counter, is
taken off its total, and its peak may be larger by at most that number.
Nothing else is explained away.

Exit: 0 all equal, 1 a difference, 77 no sources to be had.
"""
import argparse
import json
import os
import shutil
import subprocess
import sys

import projects
import sources
import witness

# Equal in length: some programs allocate by the length of their own path.
PLAIN, OURS = "clang", "bench"


class Difference(Exception):
    pass


def tree_of(project, variant, options):
    """A fresh copy of the project's source."""
    source = sources.fetch(
        project.package, os.path.join(options.work, "src"), project.patched
    )
    tree = os.path.join(options.work, variant, project.name)
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(source, tree, symlinks=True)
    return tree


def stray_profiles(tree):
    """Profiles of feature tests, and any outside .benchmem.

    Tools that a build compiles and runs are programs like any other, whose
    profiles belong into .benchmem.
    """
    stray = []
    for where, _, names in os.walk(tree):
        for name in (n for n in names if n.endswith(".bmem")):
            of_a_test = name.startswith(("conftest", "cmTC_", "a.out"))
            if of_a_test or os.path.basename(where) != ".benchmem":
                stray.append(os.path.join(where, name))
    return stray


def build(project, variant, options):
    tree = tree_of(project, variant, options)
    compiler = options.clang
    if variant == OURS:
        compiler = os.path.join(options.bin, "benchmem-cc")
    print("# %s: build with %s" % (project.name, compiler), file=sys.stderr)
    project.build(tree, compiler)
    left = stray_profiles(tree)
    if left:
        raise Difference("%s: its build left %s" % (project.name, " ".join(left)))
    return tree


def run_tests(project, trees):
    if not project.tests:
        return "-"
    got = {variant: project.tests(tree) for variant, tree in trees.items()}
    if got[PLAIN] != got[OURS]:
        raise Difference(
            "%s: its tests differ:\n--- clang\n%s\n--- benchmem-cc\n%s"
            % (project.name, got[PLAIN], got[OURS])
        )
    return "equal (%d lines)" % len(got[PLAIN].splitlines())


def ours(tree, command, options):
    """Output and totals of the instrumented program."""
    profile = os.path.join(tree, "real.bmem")
    if os.path.exists(profile):
        os.unlink(profile)
    done = subprocess.run(
        command,
        cwd=tree,
        env={**os.environ, "BENCHMEM_OUTPUT": profile},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    if options.check:
        subprocess.run([options.check, profile], check=True, stdout=subprocess.DEVNULL)
    report = os.path.join(options.bin, "benchmem-report")
    text = subprocess.run(
        [report, "--format", "json", profile], stdout=subprocess.PIPE, check=True
    ).stdout
    totals = json.loads(text)["totals"]
    return done, {
        "allocations": totals["allocations"],
        "frees": totals["frees"],
        "allocated": totals["allocated_bytes"],
        "live": totals["live_bytes"],
        "peak": totals["peak_bytes"],
        "unknown_frees": totals["unknown_frees"],
        "failed": totals["failed_allocations"],
    }


def same_output(name, plain, instrumented):
    for what in ("returncode", "stdout", "stderr"):
        if getattr(plain, what) != getattr(instrumented, what):
            raise Difference(
                "%s: %s differs:\n%.400r\n%.400r"
                % (name, what, getattr(plain, what), getattr(instrumented, what))
            )
    if plain.returncode:
        raise Difference("%s: exit %d: %r" % (name, plain.returncode, plain.stderr))


def verdict(wrong, seen, expected):
    if not wrong:
        return "equal"
    return "; ".join("%s %+d" % (name, seen[name] - expected[name]) for name in wrong)


def compare(project, workload, trees, options):
    """One row of the table."""
    name, command = workload
    quiet = {"stdin": subprocess.DEVNULL, "capture_output": True}
    counted, plain = witness.counted(options.counter, command, cwd=trees[PLAIN], **quiet)
    instrumented, seen = ours(trees[OURS], command, options)
    same_output(name, plain, instrumented)

    zero_sized = counted.pop("zero_sized")
    row = [project.name, name, seen["allocations"], seen["allocated"], seen["peak"]]
    faults = [k for k in counted if counted[k] != seen[k]]
    row.append(verdict(faults, seen, counted))

    if options.dhat:
        # Valgrind 3.19 gives up on the DWARF of clang 19, and needs none.
        program = os.path.join(trees[PLAIN], command[0])
        subprocess.run(["strip", "-g", program], check=True)
        dhat, _ = witness.dhat(command, cwd=trees[PLAIN], **quiet)
        dhat["allocated"] -= zero_sized
        # Those of the blocks of no bytes that were live at the peak.
        if 0 < dhat["peak"] - seen["peak"] <= zero_sized:
            dhat["peak"] = seen["peak"]
        wrong = [k for k in dhat if dhat[k] != seen[k]]
        row.append(verdict(wrong, seen, dhat))
        faults += wrong
    row.append(zero_sized)
    return row, not faults


def print_table(rows, options):
    heads = ["program", "workload", "allocations", "allocated B", "peak B", "counter"]
    heads += ["DHAT"] * options.dhat + ["zero-sized", "own tests"]
    print("| " + " | ".join(heads) + " |")
    print("|" + " --- |" * len(heads))
    for row in rows:
        cells = ["{:,}".format(c) if isinstance(c, int) else c for c in row]
        print("| " + " | ".join(cells) + " |")


def parse():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--counter", required=True)
    parser.add_argument("--check", default="")
    parser.add_argument("--work", default="real")
    parser.add_argument("--small", action="store_true")
    parser.add_argument("--no-dhat", dest="dhat", action="store_false")
    parser.add_argument("project", nargs="*")
    options = parser.parse_args()
    for name in ("bin", "counter", "work"):
        setattr(options, name, os.path.abspath(getattr(options, name)))
    if options.dhat and not shutil.which("valgrind"):
        sys.exit("real.py: no valgrind: install it, or say --no-dhat")
    return options


def main():
    options = parse()
    for name in list(os.environ):
        if name.startswith("BENCHMEM_"):
            del os.environ[name]
    chosen = projects.chosen(options.project, options.small)
    rows, good = [], True
    os.makedirs(options.work, exist_ok=True)
    for project in chosen:
        missing = [tool for tool in project.needs if not shutil.which(tool)]
        if missing:
            sys.exit("real.py: %s needs %s" % (project.name, " ".join(missing)))
        try:
            trees = {v: build(project, v, options) for v in (PLAIN, OURS)}
            tests = run_tests(project, trees)
            for tree in trees.values():
                project.prepare(tree, options.small)
            for workload in project.workloads(options.small):
                row, equal = compare(project, workload, trees, options)
                rows.append(row + [tests])
                good &= equal
        except sources.Unavailable as error:
            print("real.py: skipped, no sources: %s" % error)
            return 77
        except (
            Difference,
            subprocess.CalledProcessError,
            witness.NoTotals,
        ) as error:
            print("real.py: %s" % error)
            good = False
    print_table(rows, options)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
