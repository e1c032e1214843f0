# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The programs: how each is built with a compiler, and its three loads.

Loads are arguments for `full` (about half a second of plain clang), `part`
(about a tenth) and `small` (some hundredths), for tools that are slow.
A program is built once per toolchain and again when that changes.
"""
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from typing import Callable

here = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(here, "../test/real"))
sys.dont_write_bytecode = True

import projects  # noqa: E402  (beside the real programs)
import sources  # noqa: E402

WORKLOADS = os.path.join(here, "workloads")
LUA = os.path.join(here, "../test/real/workloads")
JQ_FILTER = (
    "[.records[] | {name, sum: (.scores | add), text: (.name + .nested.text | @uri)}]"
    " | group_by(.name) | map({(.[0].name): (map(.sum) | add)}) | add"
)
JQ_RECORDS = {"full": 30000, "part": 6000, "small": 1000}
SQLITE_OPTIONS = ["-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION"]


@dataclass
class Toolchain:
    """A pair of compilers; files: what they are made of, for the stamp."""

    name: str
    cc: list
    cxx: list
    files: list = field(default_factory=list)


@dataclass
class Program:
    name: str
    build: Callable  # (Toolchain, work folder) -> path of the program
    what: str
    full: list
    part: list
    small: list
    threaded: bool = False
    options: str = ""  # of the recorder
    times: str = ""  # pattern of what no two runs print alike


def run(*command, cwd=None):
    projects.run(cwd or here, *command)


# ---- builds ----


def source_of(package, work, patched=True):
    return sources.fetch(package, os.path.join(work, "src"), patched=patched)


def fresh_tree(package, toolchain, work, patched=True):
    tree = os.path.join(work, toolchain.name, package)
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(source_of(package, work, patched), tree, symlinks=True)
    return tree


def build_own(source):
    def build(toolchain, work):
        output = os.path.join(work, toolchain.name, source.replace(".", "-"))
        path = os.path.join(here, "programs", source)
        if source.endswith(".cc"):
            run(*toolchain.cxx, "-std=c++17", "-O2", path, "-o", output)
        else:
            run(*toolchain.cc, "-O2", "-pthread", path, "-o", output)
        return output

    build.source = os.path.join(here, "programs", source)
    return build


def build_lua(toolchain, work):
    tree = fresh_tree("lua5.4", toolchain, work, patched=False)
    projects.build_lua(tree, " ".join(toolchain.cc))
    return os.path.join(tree, "src/lua")


def build_mujs(toolchain, work):
    tree = fresh_tree("mujs", toolchain, work)
    compiler = "CC=" + " ".join(toolchain.cc)
    run("make", projects.JOBS, "build=release", "HAVE_READLINE=no", compiler, cwd=tree)
    return os.path.join(tree, "build/release/mujs")


def build_jq(toolchain, work):
    tree = fresh_tree("jq", toolchain, work)
    projects.build_jq(tree, " ".join(toolchain.cc))
    for records in JQ_RECORDS.values():
        folder = os.path.join(work, "json-%d" % records)
        if not os.path.isdir(folder):
            os.makedirs(folder)
            projects.make_json(folder, records)
    return os.path.join(tree, "jq")


def sqlite_tree(work):
    """SQLite's source with its amalgamation made."""
    tree = os.path.join(work, "sqlite")
    if not os.path.exists(os.path.join(tree, "sqlite3.c")):
        shutil.rmtree(tree, ignore_errors=True)
        shutil.copytree(source_of("sqlite3", work), tree, symlinks=True)
        run("./configure", "--disable-tcl", "--disable-readline", cwd=tree)
        run("make", "sqlite3.c", cwd=tree)
    return tree


def build_sqlite(toolchain, work):
    tree = sqlite_tree(work)
    output = os.path.join(work, toolchain.name, "speedtest1")
    files = ["-I.", "sqlite3.c", "test/speedtest1.c", "-o", output, "-lm"]
    run(*toolchain.cc, "-O2", *SQLITE_OPTIONS, *files, cwd=tree)
    return output


def stamp_of(program, toolchain):
    files = toolchain.files + [getattr(program.build, "source", __file__)]
    marks = ["%s %d" % (f, os.stat(f).st_mtime_ns) for f in files]
    return "\n".join(toolchain.cc + toolchain.cxx + marks)


def built(program, toolchain, work, memory={}):
    """The path of a program, built if it is not there or not current."""
    key = (program.build, toolchain.name)
    if key in memory:
        return memory[key]
    name = getattr(program.build, "source", program.build.__name__)
    os.makedirs(os.path.join(work, toolchain.name), exist_ok=True)
    stamp = os.path.join(work, toolchain.name, os.path.basename(name) + ".stamp")
    wanted = stamp_of(program, toolchain)
    if os.path.exists(stamp):
        with open(stamp, encoding="utf-8") as text:
            path, _, made_by = text.read().partition("\n")
        if made_by == wanted and os.path.exists(path):
            memory[key] = path
            return path
    print("bench.py: building %s (%s)" % (program.name, toolchain.name), file=sys.stderr)
    path = program.build(toolchain, work)
    # Valgrind 3.19 gives up on the DWARF of clang 19.
    subprocess.run(["strip", "-g", path], check=True)
    with open(stamp, "w", encoding="utf-8") as text:
        text.write(path + "\n" + wanted)
    memory[key] = path
    return path


# ---- the list ----


def loads(prefix, full, part, small):
    """Arguments that differ in what follows the prefix."""
    return {
        name: prefix + [str(word) for word in words]
        for name, words in (("full", full), ("part", part), ("small", small))
    }


def catalog(work):
    jq = {
        load: ["-c", JQ_FILTER, os.path.join(work, "json-%d" % n, "input.json")]
        for load, n in JQ_RECORDS.items()
    }
    speedtest = [":memory:", "--size"]
    return [
        Program(
            "lua-trees",
            build_lua,
            "Lua 5.4, binary trees",
            **loads([LUA + "/trees.lua"], [17], [14], [11]),
        ),
        Program(
            "lua-strings",
            build_lua,
            "Lua 5.4, a table of strings",
            **loads([LUA + "/strings.lua"], [150000], [30000], [8000]),
        ),
        Program(
            "mujs",
            build_mujs,
            "mujs, objects, closures and strings",
            **loads([WORKLOADS + "/objects.js"], [120], [24], [6]),
        ),
        Program(
            "sqlite",
            build_sqlite,
            "SQLite's speedtest1, in memory",
            times=r"[0-9]+\.[0-9]+s",
            **loads(speedtest, [40], [10], [3]),
        ),
        Program(
            "jq",
            build_jq,
            "jq, grouping a generated file",
            **jq,
        ),
        Program(
            "containers",
            build_own("containers.cc"),
            "C++ standard containers",
            **loads([], [40], [8], [2]),
        ),
        Program(
            "bignum",
            build_own("bignum.c"),
            "factoring with small big numbers",
            **loads([], [1000000016000000063], [10000004400000259], [1000036000099]),
        ),
        Program(
            "minimize",
            build_own("minimize.c"),
            "two-level logic minimizer",
            **loads([], [35, 16, 150], [7, 16, 150], [8, 12, 100]),
        ),
        Program(
            "evaluate-50k",
            build_own("evaluate.c"),
            "recursive descent, 50,000 paths",
            **loads([], [3, 550, 300], [3, 550, 60], [3, 550, 12]),
        ),
        Program(
            "evaluate-3m",
            build_own("evaluate.c"),
            "recursive descent, 3 million paths",
            options="max_paths=8000000",
            **loads([], [4, 14000, 3], [4, 14000, 1], [4, 2000, 1]),
        ),
        Program(
            "pairs",
            build_own("pairs.c"),
            "malloc and free in a loop",
            **loads([], [50000000], [10000000], [1000000]),
        ),
        Program(
            "queue",
            build_own("queue.c"),
            "producer and consumer thread",
            threaded=True,
            **loads([], [6000000], [1200000], [200000]),
        ),
        Program(
            "threads",
            build_own("threads.c"),
            "200 threads, 8 at a time",
            threaded=True,
            **loads([], [200, 15000], [200, 3000], [40, 2000]),
        ),
    ]
