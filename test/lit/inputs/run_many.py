# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs PROGRAM N times, each in another folder, environment and locale."""
import os
import subprocess
import sys

program, count = os.path.abspath(sys.argv[1]), int(sys.argv[2])
for i in range(1, count + 1):
    folder = "d" * i
    os.mkdir(folder)
    subprocess.run(
        [program],
        cwd=folder,
        check=True,
        env={
            "BENCHMEM_OUTPUT": os.path.abspath("r%d.bmem" % i),
            "LC_ALL": ("C", "C.UTF-8")[i % 2],
            "PADDING": "x" * (i * 37),
        },
    )
