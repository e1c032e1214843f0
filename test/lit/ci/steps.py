# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the `run:` steps of the job in docs/ci.md as its server would.

    steps.py DOCUMENT BRANCH

Each step is a shell with -e; after one fails, only steps with `if: failure()`
or `always()` are run. Prints each step's name and status; the exit status is
the job's.
"""
import re
import subprocess
import sys

document, branch = sys.argv[1:3]
job = re.search(r"```yaml\n(.*?)```", open(document, encoding="utf-8").read(), re.S).group(1)

STEP = re.compile(r"^      - ", re.M)
failed = False
for step in STEP.split(job)[1:]:
    name = re.search(r"name: (.*)", step)
    condition = re.search(r"^        if: (.*)$", step, re.M)
    block = re.search(r"^        run: \|\n((?:          .*\n)+)", step, re.M)
    line = re.search(r"^        run: (?!\|)(.*)$", step, re.M)
    if not (block or line):
        continue
    wants = condition.group(1) if condition else "success()"
    runs = {
        "success()": not failed,
        "failure()": failed,
        "always()": True,
        "github.ref == 'refs/heads/main'": not failed and branch == "main",
    }[wants]
    if not runs:
        continue
    text = re.sub(r"^          ", "", block.group(1), flags=re.M) if block else line.group(1)
    status = subprocess.run(["sh", "-e", "-c", text]).returncode
    print(f"step {name.group(1)}: {status}", flush=True)
    failed |= status != 0
sys.exit(failed)
