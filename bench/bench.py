# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What recording costs, beside plain clang and other heap profilers.

Builds the programs of catalog.py with clang -O2 and with benchmem-cc -O2 (and
once more for MemProf), runs them in turn, and prints tables. README.md tells
what is measured and how.
"""
import argparse
import dataclasses
import json
import os
import shutil
import subprocess
import sys

sys.dont_write_bytecode = True

import catalog  # noqa: E402
import measuring  # noqa: E402
import sections  # noqa: E402
import tables  # noqa: E402
import variants  # noqa: E402

SECTIONS = ("programs", "threads", "costs", "tools")
SLACK = "1048576"  # bytes, of the mode slack


def words(text):
    return [word for word in text.split(",") if word]


def parse():
    peers = list(variants.PEERS)
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("--bin", required=True, help="folder of benchmem-cc and the tools")
    add("--clang", default="clang-19", help="the plain compiler")
    add("--work", default="bench-work", help="folder for sources, builds and runs")
    add("--make-profile", help="test/make_profile of a build, for the section tools")
    add("--sections", type=words, default=list(SECTIONS), help=",".join(SECTIONS))
    add("--programs", type=words, help="those of catalog.py, parted by commas")
    add("--modes", type=words, help="of the recorder: full,sites,off,saves,slack")
    add("--peers", type=words, help="none, or of: " + ",".join(peers))
    add("--rounds", type=int, default=5, help="pairs of each cell (5)")
    add("--quick", action="store_true", help="one round, small loads, no peers")
    add("--callgrind", action="store_true", help="count instructions too")
    add("--format", choices=("md", "json"), default="md")
    add("-o", "--output", help="a file instead of standard output")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds: at least 1")
    if options.quick:
        options.rounds = 1
    options.bin = os.path.abspath(options.bin)
    options.work = os.path.abspath(options.work)
    check_names(parser, options)
    return options


def check_names(parser, options):
    """Refuses what there is not, and puts the defaults."""
    known = {
        "sections": SECTIONS,
        "programs": [p.name for p in catalog.catalog(options.work)],
        "modes": list(variants.modes(SLACK)),
        "peers": list(variants.PEERS),
    }
    if options.peers == ["none"] or (options.peers is None and options.quick):
        options.peers = []
    for kind, names in known.items():
        given = getattr(options, kind)
        if given is None:
            setattr(options, kind, list(names))
            continue
        for name in given:
            if name not in names:
                parser.error("--%s: no %s; there are %s" % (kind, name, ", ".join(names)))
    if "tools" in options.sections and not options.make_profile:
        parser.error("the section tools needs --make-profile, or leave it out by --sections")
    if options.callgrind and not shutil.which("valgrind"):
        parser.error("--callgrind needs valgrind")


def choose(options):
    """The variants that can run, and what is said of the others."""
    modes, missing = variants.modes(SLACK), []
    chosen = [modes[name] for name in options.modes]
    if not variants.has_slack(options.bin):
        chosen = [variant for variant in chosen if variant.name != "slack"]
    for name in options.peers:
        lacking = variants.PEERS[name].missing()
        if lacking:
            missing.append("%s (no %s)" % (name, lacking))
        else:
            chosen.append(variants.PEERS[name])
    return chosen, missing


def toolchains(options):
    plus = options.clang.replace("clang", "clang++")
    ours = [os.path.join(options.bin, name) for name in ("benchmem-cc", "benchmem-c++")]
    parts = [ours[0]]
    for where, _, names in os.walk(os.path.join(options.bin, "../lib")):
        parts += [os.path.join(where, n) for n in sorted(names) if n.endswith((".a", ".so"))]
    flag = ["-fmemory-profile"]
    follow = [[command, "--benchmem-access"] for command in ours]
    return {
        "plain": catalog.Toolchain("plain", [options.clang], [plus]),
        "ours": catalog.Toolchain("ours", ours[:1], ours[1:], parts),
        "access": catalog.Toolchain("access", *follow, parts),
        "memprof": catalog.Toolchain("memprof", [options.clang, *flag], [plus, *flag]),
    }


def measure_programs(bench, options, chosen, found):
    found["programs"], found["instructions"] = {}, {}
    for program in catalog.catalog(options.work):
        if program.name not in options.programs:
            continue
        sections.say(program.name)
        try:
            found["programs"][program.name] = bench.program(program, chosen)
        except catalog.sources.Unavailable as error:
            sections.say("%s left out: no source: %s" % (program.name, error))
            continue
        if options.callgrind:
            ours = [v for v in chosen if v.toolchain == "ours" and not v.threaded_only]
            found["instructions"][program.name] = bench.instructions(program, ours)


def measure(options, chosen):
    bench = sections.Bench(
        options, measuring.Measuring(options.work), toolchains(options)
    )
    found = {}
    if "programs" in options.sections:
        measure_programs(bench, options, chosen, found)
    if "threads" in options.sections:
        sections.say("threads")
        found["threads"] = bench.threads([v for v in chosen if v.toolchain == "ours"])
    if "costs" in options.sections:
        sections.say("costs")
        found["costs"] = {
            "compile": bench.compile_time(),
            "start_up": bench.start_up(variants.modes(SLACK)["off"]),
            "profile": bench.small_profile(),
        }
    if "tools" in options.sections:
        sections.say("tools")
        found["tools"] = list(bench.tools())
    return bench, found


# ---- output ----


def as_json(found, machine, missing):
    def plain(value):
        if dataclasses.is_dataclass(value):
            return dataclasses.asdict(value)
        raise TypeError(type(value))

    found = {"schema_version": 1, "machine": machine, "missing": missing, **found}
    return json.dumps(found, default=plain, indent=1) + "\n"


def programs_text(bench, found, chosen):
    results = found["programs"]
    ours = [v.name for v in chosen if v.toolchain == "ours"]
    peers = [v.name for v in chosen if v.toolchain != "ours"]
    text = "## In short\n\n"
    text += "Means over the programs, as ratios to plain `clang -O2`:\n\n"
    text += tables.summary_table(results, chosen, bench.load_of)
    text += "\n" + tables.added_text(results, "full", peers) + "\n"
    text += "".join("- %s: %s\n" % (v.name, v.what) for v in chosen)
    if ours:
        text += "\n## CPU time over plain\n\n" + tables.program_table(results, ours, ours[0])
    if peers:
        text += "\n## CPU time of others over plain\n\n"
        text += "Plain is that of the first one's load.\n\n"
        text += tables.program_table(results, peers, peers[0])
    if "full" in ours:
        text += "\n## Wall time, memory and profile, whole call paths\n\n"
        text += tables.memory_table(results, "full")
    if found["instructions"]:
        names = [v.name for v in chosen if v.toolchain == "ours" and not v.threaded_only]
        text += "\n## Instructions over plain, under callgrind, small loads\n\n"
        text += tables.instruction_table(found["instructions"], names)
    return text


def as_markdown(bench, found, chosen, machine, missing, options):
    text = "# What recording costs\n\n"
    text += "Written by `bench/run.sh`; bench/README.md tells how to read it.\n\n"
    text += "%(date)s, %(cpu)s, %(cores)d cores, %(memory_gib)d GiB, %(libc)s, %(clang)s.\n" % machine
    text += "Median of up to %d pairs and their range." % options.rounds
    text += " Quick: loads one step smaller.\n\n" if options.quick else "\n\n"
    if missing:
        text += "Not installed: %s.\n\n" % ", ".join(missing)
    if "programs" in found:
        text += programs_text(bench, found, chosen)
    if "threads" in found:
        text += "\n## Threads: million pairs of malloc and free a second\n\n"
        text += tables.thread_table(found["threads"])
    if "costs" in found:
        text += "\n## Compile time, start-up, profile\n\n" + tables.cost_table(found["costs"])
    if "tools" in found:
        text += "\n## Tools\n\nMade-up profiles; CPU time is the median of three runs.\n\n"
        text += tables.tools_table(found["tools"])
    return text


def faults(found):
    return [
        "%s, %s: %s" % (program, name, cell.fault)
        for program, cells in found.get("programs", {}).items()
        for name, cell in cells.items()
        if cell.fault
    ]


def main():
    options = parse()
    os.makedirs(options.work, exist_ok=True)
    for name in [name for name in os.environ if name.startswith("BENCHMEM_")]:
        del os.environ[name]
    tool = os.path.join(options.work, "measure")
    source = os.path.join(catalog.here, "measure.c")
    subprocess.run([options.clang, "-O2", source, "-o", tool], check=True)
    chosen, missing = choose(options)
    bench, found = measure(options, chosen)
    machine = tables.machine()
    if options.format == "json":
        text = as_json(found, machine, missing)
    else:
        text = as_markdown(bench, found, chosen, machine, missing, options)
    if options.output and options.output != "-":
        with open(options.output, "w", encoding="utf-8") as out:
            out.write(text)
    else:
        sys.stdout.write(text)
    for fault in faults(found):
        sections.say(fault)
    return 1 if any(f for f in faults(found) if ", full:" in f) else 0


if __name__ == "__main__":
    sys.exit(main())
