# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Builds and runs one program at every level, and holds its figures.

    each_build.py [--levels="-O0 -O2"] [--no-lto] [--flags=FLAGS]
                  [--figures=OPTIONS] CHECKFILE SOURCE...

For each -O level, without LTO, with full and with thin LTO (where lld is
there): the figures of the program that benchmem-cc builds are checked by
FileCheck against CHECKFILE, and its totals must be those of the program that
plain clang builds with the same flags, counted by a preloaded library that
knows nothing of benchmem (test/real/count.c).

Prefixes: CHECK always; O0 or OPT by level; LTO or NOLTO by mode.
"""
import argparse
import os
import shlex
import subprocess
import sys

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "../real"))
sys.dont_write_bytecode = True

import witness  # noqa: E402  (beside the scripts of test/real)

LEVELS = "-O0 -Og -O1 -O2 -O3 -Os -Oz"


def run(command, **kwargs):
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, check=False, **kwargs
    )
    if done.returncode:
        sys.exit(
            "exit %d: %s\n%s%s"
            % (
                done.returncode,
                shlex.join(command),
                done.stdout.decode(errors="replace"),
                done.stderr.decode(errors="replace"),
            )
        )
    return done.stdout.decode()


def compile_and_link(compiler, flags, sources, output):
    """Compiles each source apart, as a real build does, then links."""
    objects = []
    for i, source in enumerate(sources):
        objects.append("%s.%d.o" % (output, i))
        run([compiler(source)] + flags + ["-c", source, "-o", objects[-1]])
    run([compiler(*sources)] + flags + objects + ["-o", output])


def is_cxx(*sources):
    return any(source.endswith((".cpp", ".cc")) for source in sources)


def ours(*sources):
    name = "benchmem-c++" if is_cxx(*sources) else "benchmem-cc"
    return os.path.join(os.environ["BT_BIN"], name)


def plain(*sources):
    name = "clang++" if is_cxx(*sources) else "clang"
    return os.path.join(os.environ["BT_LLVM"], name)


def check(build, options):
    level, lto = build
    name = "%s%s" % (level, "".join(lto)) if lto else level
    flags = [level] + lto + shlex.split(options.flags)
    profile = name.strip("-") + ".bmem"

    compile_and_link(ours, flags, options.source, "./ours" + name)
    run(["./ours" + name], env={**os.environ, "BENCHMEM_OUTPUT": profile})
    figures = run(
        [sys.executable, os.path.join(here, "figures.py")]
        + shlex.split(options.figures)
        + [profile]
    )
    with open(profile + ".txt", "w", encoding="utf-8") as out:
        out.write(figures)

    prefixes = ["CHECK", "O0" if level == "-O0" else "OPT", "LTO" if lto else "NOLTO"]
    done = subprocess.run(
        [
            os.path.join(os.environ["BT_LLVM"], "FileCheck"),
            "--match-full-lines",
            "--dump-input-context=30",
            "--allow-unused-prefixes",
            "--check-prefixes=" + ",".join(prefixes),
            "--input-file=%s.txt" % profile,
            options.checkfile,
        ],
        check=False,
    )
    if done.returncode:
        sys.exit("figures differ at %s" % name)

    compile_and_link(plain, flags, options.source, "./plain" + name)
    seen = witness.parse_totals(figures.splitlines()[0])
    expected, done = witness.counted(os.environ["BT_COUNT"], ["./plain" + name])
    del expected["zero_sized"]
    if done.returncode or seen != expected:
        sys.exit(
            "totals differ from the plain build's at %s:\n  benchmem %s\n  counter  %s"
            % (name, seen, expected)
        )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--levels", default=LEVELS)
    parser.add_argument("--no-lto", action="store_true")
    parser.add_argument("--flags", default="")
    parser.add_argument("--figures", default="")
    parser.add_argument("checkfile")
    parser.add_argument("source", nargs="+")
    options = parser.parse_args()

    modes = [[]]
    if not options.no_lto and os.path.exists(os.path.join(os.environ["BT_LLVM"], "ld.lld")):
        modes += [["-flto", "-fuse-ld=lld"], ["-flto=thin", "-fuse-ld=lld"]]
    for mode in modes:
        for level in options.levels.split():
            if mode and level == "-Og":
                continue  # the linker knows no -Og
            check((level, mode), options)


if __name__ == "__main__":
    main()
