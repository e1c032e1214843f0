# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs a command with a PostgreSQL server of its own on loopback.

    with_server.py COMMAND...

The server lives as long as the command, which finds its URL in DB. As root, which the server refuses to be, it runs as postgres.
"""
import glob
import os
import pwd
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


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

    data, port = os.path.join(folder, "data"), free_port()
    password = secrets.token_hex(8)
    with open(os.path.join(folder, "password"), "w") as f:
        f.write(password)
    if root:
        os.chown(os.path.join(folder, "password"), pwd.getpwnam("postgres").pw_uid, -1)
    options = f"-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories="
    try:
        run("initdb", "-D", data, "-U", "tester", "-A", "scram-sha-256", "--no-sync",
            f"--pwfile={folder}/password")
        run("pg_ctl", "-D", data, "-o", options, "-l", os.path.join(folder, "log"), "-w", "start")
        try:
            url = f"postgresql://tester:{password}@127.0.0.1:{port}/postgres"
            return subprocess.run(command, env={**os.environ, "DB": url}).returncode
        finally:
            run("pg_ctl", "-D", data, "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


sys.exit(main())
