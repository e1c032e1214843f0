# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Damages the tables of a binary and asks for its coverage each time.

usage: damage_tables.py WHOLE BINARY COMMAND
BINARY is what the profile in .benchmem names. Its time is kept at 0, so that
it counts as the file that ran.
"""
import os
import random
import subprocess
import sys

whole, binary, command = sys.argv[1:]
data = open(whole, "rb").read()
shoff = int.from_bytes(data[40:48], "little")
count = int.from_bytes(data[60:62], "little")
names = int.from_bytes(data[62:64], "little")


def section(index):
    at = shoff + 64 * index
    word = lambda o, n: int.from_bytes(data[at + o : at + o + n], "little")
    return word(0, 4), word(24, 8), word(32, 8)


names_at = section(names)[1]
targets = [(0, 64), (shoff, 64 * count)]
for index in range(count):
    name, offset, size = section(index)
    text = data[names_at + name : data.index(b"\0", names_at + name)]
    if text.startswith(b"benchmem_") or text == b".rodata":
        targets.append((offset, size))
assert len(targets) > 3

results = {0: 0, 2: 0}
dice = random.Random(1)
for round in range(150):
    damaged = bytearray(data)
    offset, size = targets[round % len(targets)]
    for _ in range(dice.choice([1, 4, 64])):
        at = offset + dice.randrange(size)
        damaged[at] = dice.choice([0, 1, 0x7F, 0x80, 0xFF, dice.randrange(256)])
    if round % 10 == 9:
        damaged = damaged[: dice.randrange(len(damaged))]
    open(binary, "wb").write(damaged)
    os.utime(binary, (0, 0))
    run = subprocess.run(
        [command, "--coverage", "--format", "json", "-f", "--lcov", "o.info"],
        capture_output=True,
        timeout=300,
    )
    assert run.returncode in results, (round, run)
    if run.returncode == 2:
        assert len(run.stderr.splitlines()) == 1 and not run.stdout, (round, run)
    run.stdout.decode()
    results[run.returncode] += 1
assert all(results.values()), results
