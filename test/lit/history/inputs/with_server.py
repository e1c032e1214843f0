# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command with a PostgreSQL server of its own, on a socket in a folder
of its own: a port could be taken by another before the server has it.

    with_server.py COMMAND...

The server lives as long as the command, which finds its URL in DB. As root, which the server refuses to be, it runs as postgres.
"""
import glob
import os
import pwd
import secrets
import shutil
import subprocess
import sys
import tempfile


def main():
    command = sys.argv[1:]
    programs = sorted(glob.glob("/usr/lib/postgresql/*/bin"))[-1]
    root = os.getuid() == 0
    # A folder that the server's user can reach, whatever the test's is.
    folder = tempfile.mkdtemp(prefix="benchmem-pg.", dir="/tmp")
    if root:
        os.chown(folder, pwd.getpwnam("postgres").pw_uid, -1)
    prefix = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if root else []

    def run(name, *args):
        subprocess.run([*prefix, os.path.join(programs, name), *args], check=True,
                       cwd=folder, stdout=subprocess.DEVNULL)

    data = os.path.join(folder, "data")
    password = secrets.token_hex(8)
    with open(os.path.join(folder, "password"), "w") as f:
        f.write(password)
    if root:
        os.chown(os.path.join(folder, "password"), pwd.getpwnam("postgres").pw_uid, -1)
    options = f"-c listen_addresses= -c unix_socket_directories={folder}"
    try:
        run("initdb", "-D", data, "-U", "tester", "-A", "scram-sha-256", "--no-sync",
            f"--pwfile={folder}/password")
        run("pg_ctl", "-D", data, "-o", options, "-l", os.path.join(folder, "log"), "-w", "-t", "300", "start")
        try:
            url = f"postgresql://tester:{password}@/postgres?host={folder}"
            return subprocess.run(command, env={**os.environ, "DB": url}).returncode
        finally:
            run("pg_ctl", "-D", data, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


sys.exit(main())
