# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""damage.py REPORT PROFILE N: reads N cut and N flipped copies of PROFILE.

Each must end by itself within two seconds of processor time and 256 MiB of
address space (the shared libraries of the report included), with exit 0 or 2 and one line on
stderr where it is 2. Every byte of the used part is among the N where N is
large enough; else N are picked evenly.
"""
import resource
import subprocess
import sys

report, profile, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
with open(profile, "rb") as content:
    data = content.read()
used = len(data.rstrip(b"\0"))


def limit():
    resource.setrlimit(resource.RLIMIT_AS, (256 << 20, 256 << 20))
    resource.setrlimit(resource.RLIMIT_CPU, (2, 2))


def attempt(name, content):
    with open("damaged.bmem", "wb") as out:
        out.write(content)
    try:
        done = subprocess.run(
            [report, "--format", "json", "damaged.bmem"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=300,
            check=False,
            preexec_fn=limit,
        )
    except subprocess.TimeoutExpired:
        sys.exit("%s: hangs" % name)
    lines = done.stderr.count(b"\n")
    if done.returncode not in (0, 2) or (done.returncode == 2 and lines != 1):
        sys.exit("%s: exit %d\n%s" % (name, done.returncode, done.stderr.decode()))


step = max(1, used // count)
for i in range(0, used, step):
    attempt("cut at %d" % i, data[:i])
    attempt("flipped at %d" % i, data[:i] + bytes([data[i] ^ 0xFF]) + data[i + 1 :])
