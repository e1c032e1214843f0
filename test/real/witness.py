# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Totals of a plainly built program, by witnesses that know nothing of ours.

    witness.py FIGURES PROGRAM ARGS...

runs the program under the preloaded counter (count.c, its path in BT_COUNT)
and stops unless the first line of FIGURES, as test/lit/figures.py prints
it, gives the same totals. As a module: `counted` and `dhat`.
"""
import os
import re
import struct
import subprocess
import sys
import tempfile

class NoTotals(Exception):
    pass


NAMES = ("allocations", "frees", "allocated", "live", "peak", "unknown_frees", "failed")


def counted(library, command, **kwargs):
    """Runs command under the counter; its totals and the finished process."""
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "counters")
        environment = dict(kwargs.pop("env", os.environ))
        environment.update(LD_PRELOAD=library, COUNT_OUTPUT=output)
        done = subprocess.run(command, env=environment, check=False, **kwargs)
        with open(output, "rb") as counters:
            words = struct.unpack("<8Q", counters.read(64))
    return {**dict(zip(NAMES, words)), "zero_sized": words[7]}, done


def dhat(command, **kwargs):
    """Runs command under valgrind's DHAT; bytes, blocks and peak."""
    with tempfile.TemporaryDirectory() as folder:
        log = os.path.join(folder, "log")
        done = subprocess.run(
            [
                "valgrind",
                "--tool=dhat",
                "--run-libc-freeres=no",
                "--run-cxx-freeres=no",
                "--trace-children=no",
                "--dhat-out-file=/dev/null",
                "--log-file=" + log,
                *command,
            ],
            check=False,
            **kwargs,
        )
        with open(log, encoding="utf-8", errors="replace") as lines:
            text = lines.read()
    total = re.search(r"Total: +([\d,]+) bytes in ([\d,]+) blocks", text)
    peak = re.search(r"At t-gmax: +([\d,]+) bytes", text)
    if not total or not peak:
        raise NoTotals("valgrind gave no totals:\n" + text)
    numbers = [int(n.replace(",", "")) for n in (*total.groups(), peak[1])]
    return dict(zip(("allocated", "allocations", "peak"), numbers)), done


def parse_totals(line):
    """The `totals` line of figures.py."""
    values = {name: 0 for name in NAMES}
    values.update((n, int(v)) for n, v in (w.split("=") for w in line.split()[1:]))
    return {name: values[name] for name in NAMES}


def main():
    figures, command = sys.argv[1], sys.argv[2:]
    with open(figures, encoding="utf-8") as lines:
        seen = parse_totals(lines.readline())
    expected, done = counted(os.environ["BT_COUNT"], command)
    del expected["zero_sized"]
    if done.returncode:
        sys.exit("exit %d: %s" % (done.returncode, " ".join(command)))
    if seen != expected:
        sys.exit("totals differ:\n  benchmem %s\n  counter  %s" % (seen, expected))


if __name__ == "__main__":
    main()
