# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kills a program again and again and looks at what its profile says.

    killed_saves.py PROGRAM REPORT CHECK

The program writes a byte once its peak was there, and goes on until it is
killed: test/lit/saves/killed.c, whose three lines save 61, 5 and no blocks.
"""
import csv
import os
import random
import signal
import subprocess
import sys
import time

PROGRAM, REPORT, CHECK = sys.argv[1:]
SIZE, RUNS = 1000, 40
generator = random.Random(1)
known = 0

for run in range(RUNS):
    path = "k%d.bmem" % run
    env = dict(os.environ, BENCHMEM_OPTIONS="saves=1", BENCHMEM_OUTPUT=path)
    with subprocess.Popen([PROGRAM], env=env, stdout=subprocess.PIPE) as child:
        assert child.stdout.read(1) == b"x"
        time.sleep(generator.random() * 0.004)
        child.send_signal(signal.SIGKILL)
    subprocess.run([CHECK, path], check=True, stdout=subprocess.DEVNULL)
    text = subprocess.check_output([REPORT, path, "--format", "csv"], text=True)
    rows = sorted(csv.DictReader(text.splitlines()), key=lambda row: int(row["line"] or 0))
    rows = [row for row in rows if row["line"]]
    assert len(rows) == 3, rows
    if "saves_bytes" not in rows[0]:
        continue
    known += all(row["saves_bytes"] for row in rows)
    for row, saves in zip(rows, (61 * SIZE, 5 * SIZE, 0)):
        # Not there: the call under way was this line's.
        if row["saves_bytes"]:
            assert abs(int(row["saves_bytes"]) - saves) <= SIZE, (path, row)

assert known > RUNS // 2, known
