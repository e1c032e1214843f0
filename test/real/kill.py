# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kills an allocating program at random moments, and holds what is left.

    kill.py --bin BUILD/bin --check CHECK_PROFILE [--work DIR] [--seed N] [N]

Builds killed.c and kills it N times (200): with one thread inside benchmarks
and with four threads that hand blocks to each other; by SIGKILL, SIGTERM,
SIGSEGV and SIGABRT; at any moment of its first 20 ms of work, and also while
it starts; alone and under benchmem-run. Where this machine lets us make a
memory cgroup, the kernel's out-of-memory killer does it a few times more.

Each profile must open, its identities must hold (CHECK_PROFILE), and its
figures must be those that the program published last, plus at most the one
call that each thread was in. A program that was killed before its first call
may have left no profile, or one that is still empty; these are counted apart.
Prints how many were killed by what.

Exit: 0 all of them held, 1 the first that did not.
"""
import argparse
import contextlib
import json
import mmap
import os
import random
import signal
import struct
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SIGNALS = [signal.SIGKILL] * 3 + [signal.SIGTERM, signal.SIGSEGV, signal.SIGABRT]
KEYS = ("allocations", "frees", "allocated_bytes", "freed_bytes")
KINDS = ("malloc", "calloc", "aligned", "realloc")

# struct page of killed.c
HEAD = struct.Struct("<8Q")
SLOT = struct.Struct("<17Q")
PAGE_SIZE = HEAD.size + 8 * SLOT.size


class Broken(Exception):
    pass


class Page:
    """What the program publishes."""

    def __init__(self, path):
        with open(path, "wb") as page:
            page.write(b"\0" * PAGE_SIZE)
        with open(path, "r+b") as page:
            self.bytes = mmap.mmap(page.fileno(), PAGE_SIZE)

    def head(self):
        return HEAD.unpack_from(self.bytes)[:3]

    def slots(self):
        """(done, next) of each thread that has begun to work."""
        _, threads, _ = self.head()
        for i in range(threads):
            words = SLOT.unpack_from(self.bytes, HEAD.size + i * SLOT.size)
            at = 1 + words[0] % 2 * 8
            yield words[at : at + 4], words[at + 4 : at + 8]

    def bounds(self):
        """The least and the most that each of KEYS may be."""
        low, high = [0] * 4, [0] * 4
        for done, following in self.slots():
            for i in range(4):
                low[i] += done[i]
                high[i] += done[i] + following[i]
        return dict(zip(KEYS, zip(low, high)))

    def wait_for_work(self, child):
        while not all(any(done) for done, _ in self.slots()) or not self.head()[0]:
            if child.poll() is not None:
                raise Broken("ended by itself: %d" % child.returncode)
            time.sleep(0.0005)


def read(profile, options):
    """The report; the checker says whether every identity holds."""
    for command in (
        [options.check, profile],
        [os.path.join(options.bin, "benchmem-report"), "--format", "json", profile],
    ):
        done = subprocess.run(command, capture_output=True, check=False)
        if done.returncode:
            raise Broken("%s: exit %d: %r" % (command, done.returncode, done.stderr))
    return json.loads(done.stdout)


def hold(what, value, bounds):
    if not bounds[0] <= value <= bounds[1]:
        raise Broken("%s is %d, published %d to %d" % (what, value, *bounds))


def check_figures(data, page):
    """The sites of killed.c; starting a thread allocates too, elsewhere."""
    sites = [site for site in data["sites"] if site["kind"] in KINDS]
    bounds = page.bounds()
    for key in ("allocations", "frees", "allocated_bytes"):
        hold(key, sum(site[key] for site in sites), bounds[key])
    live = [
        bounds["allocated_bytes"][0] - bounds["freed_bytes"][1],
        bounds["allocated_bytes"][1] - bounds["freed_bytes"][0],
    ]
    hold("live_bytes", sum(site["live_bytes"] for site in sites), live)


def check_passes(data, page):
    """With one thread every call was inside a benchmark."""
    _, _, left = page.head()
    bench = data["benchmarks"][0]
    more = bench.get("more_passes")
    passes = len(bench["passes"]) + (more["count"] if more else 0)
    allocations = sum(one["allocations"] for one in bench["passes"])
    allocations += more["allocations"]["sum"] if more else 0
    hold("passes", passes, (left, left + 1))
    hold("allocations of the passes", allocations, page.bounds()["allocations"])


def check(profile, page, threads, options):
    data = read(profile, options)
    check_figures(data, page)
    if threads == 1 and data["benchmarks"]:
        check_passes(data, page)
    return data


def start(name, threads, runs, options):
    page = Page(name + ".page")
    command = [options.program, name + ".page", str(threads)]
    environment = dict(os.environ, BENCHMEM_OUTPUT=name + ".bmem")
    if runs:
        run = os.path.join(options.bin, "benchmem-run")
        command = [run, "-q", "-o", name + ".bmem", "--"] + command
    return page, subprocess.Popen(
        command,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def kill_one(number, options):
    """A word for the summary."""
    threads = random.choice((1, 4))
    runs = number % 5 == 4
    early = number % 5 == 3
    how = random.choice(SIGNALS)
    name = "k%d" % number
    page, child = start(name, threads, runs, options)
    if not early:
        page.wait_for_work(child)
    time.sleep(random.random() * (0.005 if early else 0.02))
    os.kill(page.head()[0] if runs else child.pid, how)
    _, stderr = child.communicate()
    expected = 128 + how if runs else -how
    if child.returncode != expected or (stderr and not runs):
        raise Broken("exit %d, not %d: %r" % (child.returncode, expected, stderr))

    profile = name + ".bmem"
    if early and not any(high for _, high in page.bounds().values()):
        with contextlib.suppress(FileNotFoundError):
            if os.path.getsize(profile):
                read(profile, options)
                return how.name + " before its first call"
        return "before there was a profile"
    data = check(profile, page, threads, options)
    if runs and data["end"] != {"signal": how}:
        raise Broken("its end is told as %s, not signal %d" % (data["end"], how))
    return how.name + (" under benchmem-run" if runs else "")


class Cgroup:
    """A memory cgroup of our own, of either version, or None as its path."""

    PLACES = (
        ("/sys/fs/cgroup/memory", "memory.limit_in_bytes"),
        ("/sys/fs/cgroup", "memory.max"),
    )

    def __init__(self, limit):
        self.path = None
        for root, file in self.PLACES:
            path = os.path.join(root, "benchmem-kill-%d" % os.getpid())
            try:
                os.mkdir(path)
                self.path = path
                self.write(file, limit)
                self.keep_from_swap(limit)
                return
            except OSError:
                self.remove()

    def keep_from_swap(self, limit):
        """Else it goes on until that is full, too."""
        for file, value in (("memory.memsw.limit_in_bytes", limit), ("memory.swap.max", 0)):
            if os.path.exists(os.path.join(self.path, file)):
                self.write(file, value)

    def write(self, file, value):
        with open(os.path.join(self.path, file), "w", encoding="ascii") as out:
            out.write(str(value))

    def enter(self):
        self.write("cgroup.procs", os.getpid())

    def remove(self):
        if self.path:
            os.rmdir(self.path)
        self.path = None


def run_out_of_memory(number, options):
    """The kernel kills a program that touches more than its cgroup may hold."""
    cgroup = Cgroup(32 << 20)
    if not cgroup.path:
        return None
    name = "oom%d" % number
    page = Page(name + ".page")
    try:
        done = subprocess.run(
            [options.greedy, name + ".page"],
            env=dict(os.environ, BENCHMEM_OUTPUT=name + ".bmem"),
            preexec_fn=cgroup.enter,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    finally:
        cgroup.remove()
    if done.returncode != -signal.SIGKILL:
        raise Broken("not killed for memory: exit %d" % done.returncode)
    check(name + ".bmem", page, 0, options)
    return "out of memory"


def build(source, options):
    program = os.path.join(options.work, source)
    command = [os.path.join(options.bin, "benchmem-cc"), "-O2", "-pthread"]
    subprocess.run(
        command + [os.path.join(HERE, source + ".c"), "-o", program], check=True
    )
    return program


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--check", required=True)
    parser.add_argument("--work", default="kill")
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("kills", type=int, nargs="?", default=200)
    options = parser.parse_args()
    for name in ("bin", "check", "work"):
        setattr(options, name, os.path.abspath(getattr(options, name)))

    random.seed(options.seed)
    os.makedirs(options.work, exist_ok=True)
    for name in os.listdir(options.work):
        os.unlink(os.path.join(options.work, name))
    for name in [n for n in os.environ if n.startswith("BENCHMEM_")]:
        del os.environ[name]
    options.program = build("killed", options)
    options.greedy = build("greedy", options)
    os.chdir(options.work)

    tally = {}
    for number in range(options.kills + 5):
        ends = kill_one if number < options.kills else run_out_of_memory
        try:
            word = ends(number, options)
        except Broken as error:
            sys.exit("kill %d of seed %d: %s" % (number, options.seed, error))
        tally[word] = tally.get(word, 0) + 1
    without = tally.pop(None, 0)
    for word, count in sorted(tally.items()):
        print("%4d  %s" % (count, word))
    if without:
        print("no memory cgroup can be made here: nothing was killed for memory")
    print("%4d  killed, and every profile held" % sum(tally.values()))


if __name__ == "__main__":
    main()
