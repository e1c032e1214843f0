# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command on a terminal; at gdb's prompt, asks for the stack and ends.

usage: in_gdb.py COMMAND...
"""
import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time

pid, terminal = pty.fork()
if pid == 0:
    # Of so many lines that gdb never asks whether to go on with the next page.
    size = struct.pack("HHHH", 10000, 200, 0, 0)
    fcntl.ioctl(0, termios.TIOCSWINSZ, size)
    os.environ["TERM"] = "dumb"
    os.execvp(sys.argv[1], sys.argv[1:])

output = b""
answers = [b"bt\n", b"kill\n", b"y\n", b"quit\n"]
end = time.time() + 300
while time.time() < end:
    if not select.select([terminal], [], [], 1)[0]:
        continue
    try:
        data = os.read(terminal, 65536)
    except OSError:
        break
    if not data:
        break
    output += data
    if output.endswith((b"(gdb) ", b"(y or n) ")) and answers:
        os.write(terminal, answers.pop(0))
else:
    os.kill(pid, 9)
sys.stdout.write(output.decode(errors="replace").replace("\r", ""))
