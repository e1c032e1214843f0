# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The real programs: how each is built by its own means, tested and run.

A project is built inside `tree` with one compiler; `tests(tree)` gives the
results of its own tests as text without times; `prepare(tree)` makes the
inputs; `workloads` are (name, command) with paths relative to the tree, so
that both builds run the same command line.
"""
import json
import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from typing import Callable, Optional

WORKLOADS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "workloads")
JOBS = "-j%d" % (os.cpu_count() or 1)


def run(tree, *command, **variables):
    """Runs a step; its output, which is shown only where it fails."""
    done = subprocess.run(
        command,
        cwd=tree,
        env={**os.environ, **variables},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        check=False,
    )
    if done.returncode:
        print(done.stdout)
        raise subprocess.CalledProcessError(done.returncode, command)
    return done.stdout


def copy_workload(tree, *names):
    for name in names:
        shutil.copy(os.path.join(WORKLOADS, name), tree)


def make_json(tree, records):
    """Deterministic records: nested, with text that needs escapes."""
    data = {
        "records": [
            {
                "id": i,
                "name": "name \u00fc %d \"quoted\"" % (i * 7919 % 1009),
                "scores": [i / 7, -i, i * i % 1000],
                "nested": {"even": i % 2 == 0, "none": None, "text": "x" * (i % 60)},
            }
            for i in range(records)
        ]
    }
    with open(os.path.join(tree, "input.json"), "w", encoding="utf-8") as out:
        json.dump(data, out)


@dataclass
class Project:
    name: str
    package: str
    build: Callable
    prepare: Callable
    workloads: Callable
    tests: Optional[Callable] = None
    needs: tuple = ()
    patched: bool = True
    small: bool = False


def build_lua(tree, compiler):
    run(tree, "make", JOBS, "linux", "CC=%s -std=gnu99" % compiler)


def prepare_lua(tree, _small):
    copy_workload(tree, "trees.lua", "strings.lua")


def lua_workloads(small):
    trees, strings = ("9", "3000") if small else ("14", "100000")
    yield "binary trees", ["src/lua", "trees.lua", trees]
    yield "strings", ["src/lua", "strings.lua", strings]
    yield "compiler", ["src/luac", "-o", "out.luac", "strings.lua"]


def build_cjson(tree, compiler):
    run(
        tree,
        "cmake",
        "-B",
        "build",
        "-DCMAKE_C_COMPILER=" + compiler,
        "-DCMAKE_BUILD_TYPE=Release",
        "-DENABLE_CJSON_UTILS=On",
    )
    run(tree, "cmake", "--build", "build", JOBS)
    copy_workload(tree, "roundtrip.c")
    run(
        tree,
        *(compiler, "-O2", "-I.", "roundtrip.c", "-o", "roundtrip"),
        *("-Lbuild", "-lcjson", "-Wl,-rpath,$ORIGIN/build"),
    )


def test_cjson(tree):
    text = run(tree, "ctest", "--test-dir", "build")
    return "\n".join(re.findall(r"Test +#\d+: \S+ \.+ +\w+", text))


def prepare_cjson(tree, small):
    make_json(tree, 50 if small else 1000)


def cjson_workloads(small):
    yield "round trip", ["./roundtrip", "input.json", "5" if small else "40"]


def build_jq(tree, compiler):
    run(tree, "autoreconf", "-i", ACLOCAL="aclocal -I m4")
    run(
        tree,
        *("./configure", "--disable-maintainer-mode", "--disable-docs"),
        *("--disable-valgrind", "--with-oniguruma=no", "--disable-shared"),
        CC=compiler,
    )
    run(tree, "make", JOBS)


def test_jq(tree):
    # Its tests of regular expressions fail without oniguruma: with both.
    run(tree, "make", "-k", "-i", "check")
    results = []
    for name in sorted(os.listdir(os.path.join(tree, "tests"))):
        if name.endswith(".trs"):
            with open(os.path.join(tree, "tests", name), encoding="utf-8") as lines:
                results += [name + " " + l.strip() for l in lines if l.startswith(":")]
    return "\n".join(results)


def prepare_jq(tree, small):
    make_json(tree, 100 if small else 3000)


def jq_workloads(_small):
    # Without shared libraries ./jq is the program, not libtool's script.
    jq = "./jq"
    yield "identity", [jq, ".", "input.json"]
    yield "group", [
        jq,
        "-c",
        "[.records[] | {name, sum: (.scores | add)}] | group_by(.name)"
        " | map({(.[0].name): (map(.sum) | add)}) | add",
        "input.json",
    ]
    yield "strings", [jq, "-r", ".records[] | .name + .nested.text | @uri", "input.json"]


def build_sqlite(tree, compiler):
    options = ("--disable-tcl", "--disable-readline", "--disable-shared")
    # It would grow its arrays by malloc_usable_size, whose answers under
    # valgrind are those of valgrind's allocator: four allocations more.
    without = {"ac_cv_func_malloc_usable_size": "no"}
    run(tree, "./configure", *options, CC=compiler, **without)
    run(tree, "make", JOBS, "sqlite3", "fuzzcheck")


def test_sqlite(tree):
    text = run(tree, "./fuzzcheck", "test/fuzzdata1.db", "--limit-mem", "0")
    return re.sub(r"[\d.]+ seconds.*", "", text)


def prepare_sqlite(tree, _small):
    copy_workload(tree, "load.sql")


def sqlite_workloads(_small):
    yield "memory", ["./sqlite3", "-batch", ":memory:", ".read load.sql"]
    yield "file", ["./sqlite3", "-batch", "", ".read load.sql"]


PROJECTS = [
    Project(
        name="lua",
        package="lua5.4",
        build=build_lua,
        prepare=prepare_lua,
        workloads=lua_workloads,
        needs=("make",),
        patched=False,  # Debian's build system is libtool's; upstream's is make
        small=True,
    ),
    Project(
        name="cjson",
        package="cjson",
        build=build_cjson,
        prepare=prepare_cjson,
        workloads=cjson_workloads,
        tests=test_cjson,
        needs=("cmake", "ctest", "make"),
        small=True,
    ),
    Project(
        name="jq",
        package="jq",
        build=build_jq,
        prepare=prepare_jq,
        workloads=jq_workloads,
        tests=test_jq,
        needs=("autoreconf", "libtoolize", "automake", "bison", "flex", "make"),
    ),
    Project(
        name="sqlite3",
        package="sqlite3",
        build=build_sqlite,
        prepare=prepare_sqlite,
        workloads=sqlite_workloads,
        tests=test_sqlite,
        needs=("tclsh", "make"),
    ),
]


def chosen(names, small):
    unknown = set(names) - {project.name for project in PROJECTS}
    if unknown:
        raise SystemExit("real.py: no project " + ", ".join(sorted(unknown)))
    return [
        project
        for project in PROJECTS
        if (project.name in names if names else project.small or not small)
    ]
