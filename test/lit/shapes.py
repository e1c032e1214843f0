# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The paths of a profile in one line each, the largest first.

    shapes.py PROFILE [--native]

Bytes, then function:line of each frame, outermost first; "(jump)" where the
frame was left by one, "(inlined)", "[module]" for foreign frames, which
with --native have their names.
"""
import json
import os
import subprocess
import sys

report = os.path.join(os.environ["BT_BIN"], "benchmem-report")
text = subprocess.run(
    [report, "--format", "json", "--by", "path", "--worst", "allocated", sys.argv[1]],
    stdout=subprocess.PIPE,
    check=True,
).stdout


def shape(frame):
    if frame["module"] and "--native" not in sys.argv:
        return "[%s]" % os.path.basename(frame["module"])
    name = "%s:%s" % (frame["function"], frame["line"] or 0)
    return name + "(inlined)" * frame["inlined"] + "(jump)" * frame["tail"]


for path in json.loads(text)["paths"]:
    print(path["allocated_bytes"], *map(shape, path["frames"]))
