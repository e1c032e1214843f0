# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tests that compile programs with benchmem-cc, run them and read profiles.

Every test starts in an empty folder of its own, %t, with nothing of
BENCHMEM_* in its environment. RUN lines are bash. The usual shape:

    // A sentence of intent.
    // RUN: %benchmem-cc -O2 %s -o a && BENCHMEM_OUTPUT=p.bmem ./a
    // RUN: %figures p.bmem | %filecheck
    ...
    S = malloc(10); // CHECK: site x.c:[[@LINE]] main malloc allocations=1 ...

%figures prints one line a fact and asserts every identity on the way (see
figures.py), and once more over every profile that a test leaves behind
(checked_format.py). %shapes prints each path on one line (see shapes.py). %filecheck matches whole lines of its input.
%each-build builds and runs a program at every -O level with and without LTO,
and holds its totals against those that a plain build has under an
independent counter.
`| has PATTERN` is `| grep -q PATTERN` that reads all of its input.
%split puts the parts of a test (`//--- name`) into the test's folder.
"""
import glob
import os
import shutil
import subprocess
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
sys.dont_write_bytecode = True

from checked_format import CheckedShTest  # noqa: E402

config.name = "benchmem"
config.suffixes = [".c", ".cpp", ".ll", ".test"]
config.excludes = ["inputs", "CMakeLists.txt", "lit.cfg.py"]
config.test_format = CheckedShTest(
    checker=config.check_profile,
    preamble_commands=[
        # Folders that a test may not write into, with what root left in them.
        "{ test ! -e %t || chmod -R u+rwx %t; } && rm -rf %t && mkdir -p %t && cd %t",
        # grep -q ends early, and pipefail takes its writer's SIGPIPE amiss.
        'has() { test -n "$(grep "$@")"; }',
    ],
)

here = config.test_source_root


def in_llvm(name):
    return os.path.join(config.llvm_bindir, name)


def command(name):
    return os.path.join(config.bin_dir, name)


python = config.python
settings = {
    "BENCHMEM_TEST_BIN": config.bin_dir,
    "BENCHMEM_TEST_LLVM": config.llvm_bindir,
    "BENCHMEM_TEST_COUNT": config.count_library,
    "BENCHMEM_TEST_CHECK": config.check_profile,
}

# A program under test must not be steered by the caller's environment.
for name in list(config.environment):
    if name.startswith("BENCHMEM_"):
        del config.environment[name]
for name in ("HOME", "TMPDIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"):
    if name in os.environ:
        config.environment[name] = os.environ[name]
config.environment["LC_ALL"] = "C.UTF-8"
config.environment["NO_COLOR"] = "1"
config.environment["PATH"] = os.pathsep.join(
    [config.llvm_bindir, os.environ.get("PATH", "/usr/bin:/bin")]
)

# env -u: figures.py and each-build read where things lie from BT_*.
helper_env = "env " + " ".join(
    "%s='%s'" % (key.replace("BENCHMEM_TEST_", "BT_"), value)
    for key, value in settings.items()
)
filecheck = "%s --match-full-lines --dump-input-context=30" % in_llvm("FileCheck")

# Longer names first: lit replaces in order, wherever a name occurs.
config.substitutions += [
    ("%benchmem-c\\+\\+", command("benchmem-c++")),
    ("%benchmem-cc", command("benchmem-cc")),
    ("%benchmem-run", command("benchmem-run")),
    ("%each-build", "%s '%s' %s/each_build.py" % (helper_env, python, here)),
    ("%figures", "%s '%s' %s/figures.py" % (helper_env, python, here)),
    ("%shapes", "%s '%s' %s/shapes.py" % (helper_env, python, here)),
    ("%witness", "%s '%s' %s/../real/witness.py" % (helper_env, python, here)),
    ("%python", python),
    ("%report", command("benchmem-report")),
    ("%sites", command("benchmem-sites")),
    ("%flamegraph", command("benchmem-flamegraph")),
    ("%compare", command("benchmem-compare")),
    ("%plot", command("benchmem-plot")),
    ("%history", command("benchmem-history")),
    ("%sweep", command("benchmem-sweep")),
    ("%bisect", command("benchmem-bisect")),
    ("%text-profile", os.path.join(config.build_dir, "test/make_text_profile")),
    ("%make-profile", os.path.join(config.build_dir, "test/make_profile")),
    ("%check", config.check_profile or "false"),
    ("%clangxx", in_llvm("clang++")),
    ("%clang", in_llvm("clang")),
    ("%filecheck-part", "%s %%s --dump-input-context=30" % in_llvm("FileCheck")),
    ("%filecheck", filecheck + " %s"),
    ("%plain-cc", config.c_compiler),
    ("%split", "split-file %s parts && mv parts/* . && rmdir parts"),
    ("%cmake", config.cmake),
    ("%count-library", config.count_library),
    ("%bindir", config.bin_dir),
    ("%docs", os.path.join(config.source_dir, "docs")),
    ("%rtdir", config.lib_dir),
    ("%include", os.path.join(config.source_dir, "include")),
    ("%inputs", os.path.join(here, "inputs")),
    ("%examples", os.path.join(config.source_dir, "examples")),
]


def have(*programs):
    path = config.environment["PATH"]
    return all(shutil.which(program, path=path) for program in programs)


# Debian's other allocators, as they are preloaded.
other_allocators = [
    path
    for name in ("jemalloc", "mimalloc", "tcmalloc_minimal")
    for path in glob.glob("/usr/lib/*/lib%s.so.[0-9]" % name)
]
if other_allocators:
    config.available_features.add("other-allocators")
    config.substitutions.append(("%other-allocators", " ".join(other_allocators)))
musl = "/usr/lib/x86_64-linux-musl"
if os.path.exists(os.path.join(musl, "libc.a")):
    config.available_features.add("musl")
    config.substitutions.append(("%musl", musl))
if os.path.exists(in_llvm("../lib/LLVMgold.so")):
    config.available_features.add("gold-plugin")
if glob.glob("/usr/lib/postgresql/*/bin/initdb"):
    config.available_features.add("postgresql")
if os.path.exists("/usr/include/benchmark/benchmark.h"):
    config.available_features.add("google-benchmark")
if have("ld.lld"):
    config.available_features.add("lld")
for tool in ("valgrind", "autoconf", "meson", "ccache", "musl-gcc"):
    if have(tool):
        config.available_features.add(tool)
if glob.glob("/usr/include/python3*/Python.h"):
    config.available_features.add("python3-dev")
if os.path.exists(os.path.join(config.build_dir, "web/flamegraph.html")):
    config.available_features.add("pages")
if os.path.exists(command("benchmem-sites")):
    config.available_features.add("tooling")
if config.sanitized:
    config.available_features.add("sanitized")


def may_trace():
    """Some containers keep processes from tracing their own children."""
    asks = "import ctypes, sys; sys.exit(ctypes.CDLL(None).ptrace(0, 0, 0, 0) != 0)"
    return not subprocess.run([python, "-c", asks], check=False).returncode


def heeds_set_user_id():
    """Root's programs may be called by others, on disks that are not nosuid."""
    command = (
        "d=$(mktemp -d /var/tmp/benchmem-suid.XXXXXX) && cp $(command -v id) $d/id &&"
        " chmod 755 $d && chmod 4755 $d/id && setpriv --reuid=65534 --clear-groups $d/id -u;"
        " rm -r $d"
    )
    done = subprocess.run(["sh", "-c", command], capture_output=True, check=False)
    return done.stdout == b"0\n"


if sys.platform == "linux" and may_trace():
    config.available_features.add("ptrace")
    if have("gdb"):
        config.available_features.add("gdb")
if sys.platform == "linux" and os.geteuid() == 0:
    config.available_features.add("root")
    mount = ["unshare", "-m", "mount", "-t", "tmpfs", "none", "/mnt"]
    if not subprocess.run(mount, capture_output=True, check=False).returncode:
        config.available_features.add("mount")
    if heeds_set_user_id():
        config.available_features.add("set-user-id")
