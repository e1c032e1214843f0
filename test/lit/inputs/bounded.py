# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""bounded.py FOLDER COMMAND...: runs COMMAND on each profile of FOLDER.

Each run must end by itself, with exit 0 or 2, no signal, and one line on
stderr where it is 2; it may take a second of processor time and 64 MiB of
resident memory.
"""
import os
import resource
import sys
import tempfile

SECONDS, MEMORY = 1, 64 << 20


def run(command):
    """Status of wait, processor time, resident bytes, stderr."""
    with tempfile.TemporaryFile() as errors:
        pid = os.fork()
        if not pid:
            resource.setrlimit(resource.RLIMIT_CPU, (10 * SECONDS, 10 * SECONDS))
            os.dup2(os.open(os.devnull, os.O_RDWR), 1)
            os.dup2(errors.fileno(), 2)
            os.execv(command[0], command)
        _, status, usage = os.wait4(pid, 0)
        errors.seek(0)
        time = usage.ru_utime + usage.ru_stime
        return status, time, usage.ru_maxrss * 1024, errors.read()


def main():
    folder, command = sys.argv[1], sys.argv[2:]
    names = sorted(os.listdir(folder))
    for name in names:
        status, time, memory, errors = run(command + [os.path.join(folder, name)])
        told = "%s: status %#x, %.2f s, %d KiB: %r" % (
            *(name, status, time, memory >> 10),
            errors[:300],
        )
        if os.WIFSIGNALED(status) or os.WEXITSTATUS(status) not in (0, 2):
            sys.exit(told)
        if os.WEXITSTATUS(status) == 2 and errors.count(b"\n") != 1:
            sys.exit(told)
        if time > SECONDS or memory > MEMORY:
            sys.exit(told)
    print("%d profiles" % len(names))


if __name__ == "__main__":
    main()
