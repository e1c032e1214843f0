# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kills a program at random moments, and holds its profile to what it said.

    kill_at_random.py PROGRAM N      prints "PROFILE PUBLISHED" N times
    kill_at_random.py check FIGURES PUBLISHED
"""
import mmap
import os
import random
import struct
import subprocess
import sys
import time


def run_and_kill(program, number):
    with open("page%d" % number, "wb") as page:
        page.write(b"\0" * 4096)
    profile = "k%d.bmem" % number
    child = subprocess.Popen(
        [program, "page%d" % number],
        env={**os.environ, "BENCHMEM_OUTPUT": profile},
    )
    with open("page%d" % number, "r+b") as page:
        shared = mmap.mmap(page.fileno(), 4096)
        while struct.unpack_from("<Q", shared)[0] == 0:
            time.sleep(0.001)
        time.sleep(random.random() * 0.02)
        child.kill()
        child.wait()
        print(profile, struct.unpack_from("<Q", shared)[0])


def check(figures, published):
    with open(figures, encoding="utf-8") as lines:
        words = dict(w.split("=") for w in lines.readline().split()[1:])
    # At most the one call in flight is more than what was published.
    if int(words["allocations"]) - published not in (0, 1):
        sys.exit("allocations=%s, published %d" % (words["allocations"], published))


if sys.argv[1] == "check":
    check(sys.argv[2], int(sys.argv[3]))
else:
    for i in range(int(sys.argv[2])):
        run_and_kill(sys.argv[1], i)
