# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Upstream's own test suites, under clang and under benchmem-cc.

    suites.py --bin BUILD/bin --clang CLANG [--work DIR] [PROJECT...]

Gets Debian's source of each project (sources.py), builds it twice as its
authors say, with nothing changed but CC and CXX, and runs its whole suite in
both. Each test must have the same result, the configured headers must be
equal to the byte, and no profile may be left outside .benchmem/ or by a
feature test. Prints how many tests there are and how many passed.

Exit: 0 all equal, 1 a difference, 77 no sources to be had.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from typing import Callable

import sources
from projects import JOBS, run
from real import stray_profiles

PLAIN, OURS = "clang", "bench"


class Difference(Exception):
    pass


@dataclass
class Suite:
    name: str
    package: str
    configure: Callable
    results: Callable  # (tree) -> {test: result}
    headers: tuple = ()
    needs: tuple = ("make",)
    folder: str = "."
    check: tuple = ("check",)
    environment: dict = field(default_factory=dict)


def automake_results(tree):
    """The results that automake's test driver leaves beside each test."""
    results = {}
    for where, _, names in os.walk(tree):
        for name in (n for n in names if n.endswith(".trs")):
            path = os.path.join(where, name)
            with open(path, encoding="utf-8", errors="replace") as lines:
                found = [l.split()[1] for l in lines if l.startswith(":test-result:")]
            for number, result in enumerate(found):
                test = os.path.relpath(path, tree)
                results["%s %d" % (test, number)] = result
    return results


def printed_results(pattern):
    """Results from what `make` printed: groups `test` and `result`."""

    def results(tree):
        with open(os.path.join(tree, "suite.log"), encoding="utf-8") as log:
            found = re.finditer(pattern, log.read(), re.M)
            return {"%d %s" % (i, m["test"]): m["result"] for i, m in enumerate(found)}

    return results


def counted_results(pattern, *logs):
    """Results where a log says no more than how many of `all` `failed`."""

    def results(tree):
        found = {}
        for log in logs:
            with open(os.path.join(tree, log), encoding="utf-8") as lines:
                counts = re.search(pattern, lines.read())
            for i in range(int(counts["all"])):
                passed = i >= int(counts["failed"])
                found["%s %d" % (log, i)] = "PASS" if passed else "FAIL"
        return found

    return results


def configure(*options, autoreconf=False):
    def step(tree, cc, cxx):
        if autoreconf:
            run(tree, "autoreconf", "-fi")
        run(tree, "./configure", *options, CC=cc, CXX=cxx)

    return step


AUTOTOOLS = ("make", "autoreconf", "automake", "libtoolize")

SUITES = [
    Suite(
        name="zlib",
        package="zlib",
        configure=configure(),
        check=("test",),
        results=printed_results(r"^\s*\*\*\* (?P<test>.*) test (?P<result>\w+) \*\*\*$"),
        headers=("zconf.h",),
    ),
    Suite(
        name="expat",
        package="expat",
        folder="expat",
        configure=configure("--without-docbook", autoreconf=True),
        results=counted_results(
            r"Checks: (?P<all>\d+), Failed: (?P<failed>\d+)",
            *("tests/runtests.log", "tests/runtestspp.log"),
        ),
        headers=("expat_config.h",),
        needs=AUTOTOOLS,
    ),
    Suite(
        name="libyaml",
        package="libyaml",
        configure=configure(autoreconf=True),
        results=automake_results,
        headers=("include/config.h",),
        needs=AUTOTOOLS,
    ),
    Suite(
        name="libpng",
        package="libpng1.6",
        configure=configure("--disable-maintainer-mode"),
        results=automake_results,
        headers=("config.h",),
    ),
    Suite(
        name="jq",
        package="jq",
        configure=lambda tree, cc, cxx: (
            run(tree, "autoreconf", "-i", ACLOCAL="aclocal -I m4"),
            run(
                tree,
                *("./configure", "--disable-maintainer-mode", "--disable-docs"),
                *("--disable-valgrind", "--with-oniguruma=no", "--disable-shared"),
                CC=cc,
                CXX=cxx,
            ),
        ),
        results=automake_results,
        needs=AUTOTOOLS + ("bison", "flex"),
    ),
    Suite(
        name="xz",
        package="xz-utils",
        configure=configure("--disable-maintainer-mode", "--disable-doc"),
        results=automake_results,
        headers=("config.h",),
    ),
]


def make_tree(suite, variant, options):
    source = sources.fetch(suite.package, os.path.join(options.work, "src"))
    tree = os.path.join(options.work, variant, suite.name)
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(source, tree, symlinks=True)
    return os.path.join(tree, suite.folder)


def run_suite(suite, variant, options):
    """The tree after its suite ran; what fails is among its results."""
    tree = make_tree(suite, variant, options)
    cc, cxx = options.clang, options.clang + "++"
    if variant == OURS:
        cc = os.path.join(options.bin, "benchmem-cc")
        cxx = os.path.join(options.bin, "benchmem-c++")
    print("# %s with %s" % (suite.name, cc), file=sys.stderr)
    suite.configure(tree, cc, cxx)
    run(tree, "make", JOBS)
    done = subprocess.run(
        ["make", "-k", *suite.check],
        cwd=tree,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    with open(os.path.join(tree, "suite.log"), "wb") as log:
        log.write(done.stdout)
    return tree, done.returncode


def same_headers(suite, trees):
    for header in suite.headers:
        texts = []
        for tree in trees.values():
            with open(os.path.join(tree, header), "rb") as content:
                texts.append(content.read())
        if texts[0] != texts[1]:
            raise Difference("%s: %s differs" % (suite.name, header))


def compare(suite, options):
    """A row of the table."""
    trees, codes, results = {}, {}, {}
    for variant in (PLAIN, OURS):
        trees[variant], codes[variant] = run_suite(suite, variant, options)
        results[variant] = suite.results(trees[variant])
    same_headers(suite, trees)
    left = stray_profiles(trees[OURS])
    if left:
        raise Difference("%s: profiles are left: %s" % (suite.name, left))
    if not results[PLAIN]:
        raise Difference("%s: no test was found in its suite" % suite.name)
    if results[PLAIN] != results[OURS] or codes[PLAIN] != codes[OURS]:
        differing = sorted(
            test
            for test in {**results[PLAIN], **results[OURS]}
            if results[PLAIN].get(test) != results[OURS].get(test)
        )
        raise Difference(
            "%s: exit %s and %s; different: %s"
            % (suite.name, codes[PLAIN], codes[OURS], differing)
        )
    passed = [
        sum(r in ("PASS", "OK") for r in results[v].values())
        for v in (PLAIN, OURS)
    ]
    nr = len(results[PLAIN])
    equal = "%d equal" % len(suite.headers) if suite.headers else "-"
    return [suite.name, "%d of %d" % (passed[0], nr), "%d of %d" % (passed[1], nr), equal]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--bin", required=True)
    parser.add_argument("--clang", required=True)
    parser.add_argument("--work", default="suites")
    parser.add_argument("suite", nargs="*")
    options = parser.parse_args()
    for name in ("bin", "work"):
        setattr(options, name, os.path.abspath(getattr(options, name)))
    for name in [n for n in os.environ if n.startswith("BENCHMEM_")]:
        del os.environ[name]
    os.makedirs(options.work, exist_ok=True)

    unknown = set(options.suite) - {suite.name for suite in SUITES}
    if unknown:
        sys.exit("suites.py: no suite " + ", ".join(sorted(unknown)))
    rows, good = [], True
    for suite in SUITES:
        if options.suite and suite.name not in options.suite:
            continue
        missing = [tool for tool in suite.needs if not shutil.which(tool)]
        if missing:
            sys.exit("suites.py: %s needs %s" % (suite.name, " ".join(missing)))
        try:
            rows.append(compare(suite, options))
        except sources.Unavailable as error:
            print("suites.py: skipped, no sources: %s" % error)
            return 77
        except (Difference, subprocess.CalledProcessError) as error:
            print("suites.py: %s" % error)
            good = False
    print("| suite | passed with clang | passed with benchmem-cc | headers |")
    print("| --- | --- | --- | --- |")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
