# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a plain and a recorded program in the same ways and compares them.

    same_behaviour.py TABLE PLAIN RECORDED

Each line `CASE: NAME | SCRIPT` of the file TABLE is a way: bash runs SCRIPT in
an empty folder, where $X is the program. Standard output and exit status must
be the same, and standard error too but for one line of the recorder. Each way
is run without BENCHMEM_OUTPUT and with it. `CASE(root):` and `CASE(mount):`
are left out where the machine does not allow them.
"""
import os
import re
import subprocess
import sys

TIMEOUT = 300  # of what hangs; a busy machine may take its time


def cases(path, allowed):
    with open(path, encoding="utf-8") as table:
        for line in table:
            found = re.match(r"\W*CASE(?:\((\w+)\))?: ([\w-]+) \| (.*)$", line)
            if found and (not found[1] or found[1] in allowed):
                yield found[2], found[3]


def allowances():
    mount = ["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"]
    if os.geteuid() == 0:
        yield "root"
        if not subprocess.run(mount, capture_output=True, check=False).returncode:
            yield "mount"


def run(folder, script, program, output):
    os.makedirs(folder)
    environment = dict(os.environ, X=program)
    if output:
        environment["BENCHMEM_OUTPUT"] = os.path.join(os.getcwd(), folder, "p.bmem")
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=TIMEOUT,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr.splitlines()


def without_names(line):
    """bash names the program by its path and number."""
    return re.sub(rb"/\S*|\d+", b"", line)


def problem(plain, recorded):
    if recorded[0] != plain[0]:
        return "status %d, not %d" % (recorded[0], plain[0])
    if recorded[1] != plain[1]:
        return "stdout %r, not %r" % (recorded[1], plain[1])
    rest = list(recorded[2])
    for line in plain[2]:
        same = [x for x in rest if without_names(x) == without_names(line)]
        if not same:
            return "stderr lacks %r: %r" % (line, recorded[2])
        rest.remove(same[0])
    if len(rest) > 1 or any(not line.startswith(b"benchmem: ") for line in rest):
        return "more on stderr: %r" % rest
    return None


def main():
    table, plain, recorded = sys.argv[1], *map(os.path.abspath, sys.argv[2:4])
    wrong = count = 0
    ways = os.path.basename(recorded) + ".ways"
    for name, script in cases(table, list(allowances())):
        want = run(os.path.join(ways, name, "plain"), script, plain, False)
        for output in (False, True):
            where = os.path.join(ways, name, "named" if output else "default")
            got = run(where, script, recorded, output)
            what = problem(want, got)
            count += 1
            if what:
                wrong += 1
                print("%s: %s" % (where, what))
    print("%d ways, %d wrong" % (count, wrong))
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
