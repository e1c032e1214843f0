# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a suite 20 times in other folders, environments and layouts, and
wants the same table each time.

    same_tables.py BENCHMEM-RUN SUITE
"""
import os
import shutil
import subprocess
import sys

run, suite = sys.argv[1:3]
tables = set()
for number in range(20):
    folder = os.path.abspath("d" * (1 + number * 3))
    os.makedirs(folder)
    environment = {
        **os.environ,
        "FILL": "x" * (number * 97),
        **{"FURTHER_%d" % i: "y" for i in range(number)},
    }
    command = [run, "--repeats", "2", suite]
    if number % 2:
        command = ["setarch", "--addr-no-randomize", *command]
    if number % 3 == 1:  # another path of the same program
        shutil.copy(suite, folder)
        command[-1] = "./suite"
    done = subprocess.run(
        command, cwd=folder, env=environment, check=True, capture_output=True, text=True
    )
    tables.add(done.stdout)
if len(tables) != 1:
    sys.exit("%d different tables:\n%s" % (len(tables), "\n".join(tables)))
assert "bench_sort" in tables.pop()
