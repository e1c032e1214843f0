# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every path of real programs against libunwind's.

    paths.py --bin BUILD/test/real/check/bin [--work DIR] [--full] [PROJECT...]

Builds Lua, SQLite and jq with a benchmem-cc whose recorder asks libunwind
about each stack that it walks (check_stack.c), runs a workload of each, and
prints a Markdown table. Frames that were left by a jump are on no stack, and
so no part of the comparison. Exit: 0 all equal, 1 a difference, 77 no
sources to be had.
"""
import argparse
import os
import shutil
import subprocess
import sys

import projects
import sources

DEFAULT = ("lua", "sqlite3", "jq")


def compare(tree, command, work):
    result = os.path.join(work, "stacks.txt")
    if os.path.exists(result):
        os.unlink(result)
    profile = os.path.join(work, "paths.bmem")
    if os.path.exists(profile):
        os.unlink(profile)
    subprocess.run(
        command,
        cwd=tree,
        env={
            **os.environ,
            "BENCHMEM_OUTPUT": profile,
            "BENCHMEM_CHECK_STACKS": result,
        },
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        check=True,
    )
    with open(result, encoding="ascii") as lines:
        numbers = [int(word) for word in lines.readline().split()]
        return numbers, lines.read()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--work", default="paths")
    parser.add_argument("--full", action="store_true")
    parser.add_argument("project", nargs="*")
    options = parser.parse_args()
    work = os.path.abspath(options.work)
    compiler = os.path.join(os.path.abspath(options.bin), "benchmem-cc")
    good = True

    print("| program | workload | stacks compared | frames | routes | different |")
    print("| --- | --- | --- | --- | --- | --- |")
    for project in projects.chosen(options.project or DEFAULT, False):
        missing = [tool for tool in project.needs if not shutil.which(tool)]
        if missing:
            sys.exit("paths.py: %s needs %s" % (project.name, " ".join(missing)))
        try:
            source = sources.fetch(
                project.package, os.path.join(work, "src"), project.patched
            )
        except sources.Unavailable as error:
            print("paths.py: skipped, no sources: %s" % error)
            return 77
        tree = os.path.join(work, "check", project.name)
        shutil.rmtree(tree, ignore_errors=True)
        shutil.copytree(source, tree, symlinks=True)
        project.build(tree, compiler)
        project.prepare(tree, not options.full)
        for name, command in project.workloads(not options.full):
            numbers, first = compare(tree, command, work)
            stacks, frames, routes, different = numbers
            print(
                "| {} | {} | {:,} | {:,} | {:,} | {:,} |".format(
                    project.name, name, stacks, frames, routes, different
                )
            )
            if different or not stacks:
                good = False
                print(first)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
