# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ways to run a program: plain, modes of the recorder, other profilers.

`{dir}` in an environment or a command stands for the folder that the run may
write to; all that it leaves there is its profile.
"""
import glob
import os
import shutil
import subprocess
from dataclasses import dataclass, field

LIBRARIES = ("/usr/lib/*/", "/usr/lib/", "/usr/local/lib/")


@dataclass
class Variant:
    name: str
    what: str
    toolchain: str = "plain"
    command: list = field(default_factory=list)  # before the program
    environment: dict = field(default_factory=dict)
    load: str = "full"
    rounds: int = 0  # at most; 0: as many as asked for
    threaded_only: bool = False

    def missing(self):
        """What is not installed, or None."""
        for word in self.command[:1] + list(self.environment.get("LD_PRELOAD", "").split()):
            if not word.startswith("/") and not shutil.which(word):
                return word
        return None


def library(pattern):
    """A shared library by its pattern, or a name that tells what is missing."""
    for folder in LIBRARIES:
        found = sorted(glob.glob(folder + pattern))
        if found:
            return found[0]
    return pattern


def modes(slack):
    recorded = {"toolchain": "ours"}
    return {
        "full": Variant("full", "whole call paths, the default", **recorded),
        "sites": Variant(
            "sites",
            "sites only, `paths=sites`",
            environment={"BENCHMEM_OPTIONS": "paths=sites"},
            **recorded,
        ),
        "off": Variant(
            "off",
            "recording off, `BENCHMEM_DISABLE=1`",
            environment={"BENCHMEM_DISABLE": "1"},
            **recorded,
        ),
        "saves": Variant(
            "saves",
            "whole call paths, and what the peak falls by without each line, `saves=1`",
            environment={"BENCHMEM_OPTIONS": "saves=1"},
            **recorded,
        ),
        "slack": Variant(
            "slack",
            "whole call paths, `slack=%s`" % slack,
            environment={"BENCHMEM_OPTIONS": "slack=%s" % slack},
            threaded_only=True,
            **recorded,
        ),
    }


def jemalloc(sample):
    settings = "prof:true,prof_final:true,lg_prof_sample:%d,prof_prefix:{dir}/je"
    return {
        "LD_PRELOAD": library("libjemalloc.so.2"),
        "MALLOC_CONF": settings % sample,
    }


PEERS = {
    "access": Variant(
        "access",
        "benchmem-cc `--benchmem-access`: what is read and written is followed too",
        "access",
        load="part",
        rounds=3,
    ),
    "heaptrack": Variant(
        "heaptrack",
        "heaptrack, in the program alone: neither its interpreter nor the packing",
        environment={
            "LD_PRELOAD": library("heaptrack/libheaptrack_preload.so"),
            "DUMP_HEAPTRACK_OUTPUT": "{dir}/heaptrack.raw",
        },
        load="part",
        rounds=3,
    ),
    "memprof": Variant(
        "memprof", "MemProf, `-fmemory-profile`", "memprof", load="part", rounds=3
    ),
    "jemalloc": Variant(
        "jemalloc",
        "jemalloc's profiler, sampling each 512 KiB",
        environment=jemalloc(19),
        load="part",
        rounds=3,
    ),
    "jemalloc-exact": Variant(
        "jemalloc-exact",
        "jemalloc's profiler, `lg_prof_sample:0`",
        environment=jemalloc(0),
        load="small",
        rounds=1,
    ),
    "gperftools": Variant(
        "gperftools",
        "gperftools' heap profiler",
        environment={
            "LD_PRELOAD": library("libtcmalloc.so.4"),
            "HEAPPROFILE": "{dir}/gp",
        },
        load="small",
        rounds=1,
    ),
    "dhat": Variant(
        "dhat",
        "DHAT of valgrind",
        command=["valgrind", "-q", "--tool=dhat", "--dhat-out-file={dir}/dhat"],
        load="small",
        rounds=1,
    ),
    "massif": Variant(
        "massif",
        "massif of valgrind",
        command=["valgrind", "-q", "--tool=massif", "--massif-out-file={dir}/massif"],
        load="small",
        rounds=1,
    ),
}


def has_slack(tools):
    """True if the recorder has the option slack."""
    done = subprocess.run(
        [os.path.join(tools, "benchmem-run"), "--help"], stdout=subprocess.PIPE, text=True
    )
    return "slack" in done.stdout
