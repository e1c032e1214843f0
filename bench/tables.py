# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The figures as Markdown."""
import os
import platform
import statistics
import subprocess
import time

from measuring import geometric_mean, spread

MIB = 1 << 20


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "|" + " --- |" * len(heads)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def first_line(*command):
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        return done.stdout.partition("\n")[0]
    except (OSError, subprocess.CalledProcessError):
        return ""


def machine():
    """What kind of machine this is, without its name."""
    model = platform.machine()
    with open("/proc/cpuinfo", encoding="utf-8") as lines:
        for line in lines:
            if line.startswith("model name"):
                model = line.partition(":")[2].strip()
                break
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return {
        "date": time.strftime("%Y-%m-%d"),
        "cpu": model,
        "cores": os.cpu_count(),
        "memory_gib": round(memory / 2**30),
        "libc": " ".join(platform.libc_ver()),
        "clang": first_line("clang-19", "--version"),
    }


def size_text(size):
    return "%.1f MiB" % (size / MIB) if size >= MIB else "%.0f KiB" % (size / 1024)


def median_of(runs, name):
    return statistics.median(getattr(run, name) for run in runs)


def cell_text(cell, which="cpu"):
    if cell is None:
        return ""
    values = getattr(cell, which)
    if not values:
        return cell.fault or ""
    return spread(values) + (" (%s)" % cell.fault if cell.fault else "")


def middles(results, name, which="cpu"):
    """The medians of a variant's ratios, of all programs that have them."""
    found = [cells[name] for cells in results.values() if name in cells]
    return [statistics.median(getattr(c, which)) for c in found if getattr(c, which)]


def program_table(results, names, plain_of):
    """Rows of programs: ratios of CPU time of each variant."""
    heads = ["program", "plain"] + names
    rows = []
    for program, cells in results.items():
        plain = cells[plain_of].plain if plain_of in cells else []
        row = [program, "%.2f s" % median_of(plain, "cpu") if plain else ""]
        rows.append(row + [cell_text(cells.get(name)) for name in names])
    for what, value in (("geometric mean", geometric_mean), ("largest", max)):
        ratios = [middles(results, name) for name in names]
        rows.append([what, ""] + ["%.2f" % value(r) if r else "" for r in ratios])
    return table(heads, rows)


def rss_over(cell):
    return median_of(cell.runs, "rss") / median_of(cell.plain, "rss")


def summary_table(results, variants, load_of):
    """A row for each variant: means over the programs."""
    heads = ["variant", "load", "pairs", "CPU", "largest", "wall", "peak RSS", "profile"]
    rows = []
    for variant in variants:
        cells = [c[variant.name] for c in results.values() if variant.name in c]
        cells = [cell for cell in cells if cell.runs]
        if not cells:
            rows.append([variant.name, load_of(variant)] + [""] * 6)
            continue
        cpu = middles(results, variant.name)
        pairs = sorted({len(cell.runs) for cell in cells})
        rows.append(
            [
                variant.name,
                load_of(variant),
                "-".join(str(n) for n in dict.fromkeys((pairs[0], pairs[-1]))),
                "%.2f" % geometric_mean(cpu),
                "%.2f" % max(cpu),
                "%.2f" % geometric_mean(middles(results, variant.name, "wall")),
                "%.2f" % geometric_mean([rss_over(cell) for cell in cells]),
                size_text(max(cell.runs[-1].profile for cell in cells)),
            ]
        )
    return table(heads, rows)


def memory_table(results, name):
    heads = ["program", "plain wall", "wall ratio", "plain RSS", "RSS", "ratio", "profile"]
    rows = []
    for program, cells in results.items():
        cell = cells.get(name)
        if not cell or not cell.runs:
            continue
        plain = median_of(cell.plain, "rss") / 1024
        ours = median_of(cell.runs, "rss") / 1024
        rows.append(
            [
                program,
                "%.2f s" % median_of(cell.plain, "wall"),
                cell_text(cell, "wall"),
                "%.1f MiB" % plain,
                "%.1f MiB" % ours,
                "%.2f" % (ours / plain),
                size_text(cell.runs[-1].profile),
            ]
        )
    return table(heads, rows)


def added(results, name):
    """Geometric mean of what a variant adds, in plain runs."""
    return geometric_mean([ratio - 1 for ratio in middles(results, name)])


def added_text(results, ours, peers):
    """How many times less the recorder adds than each peer does."""
    if not middles(results, ours):
        return ""
    own = added(results, ours)
    parts = [
        "%s %.1f (%.0f times)" % (name, added(results, name), added(results, name) / own)
        for name in peers
        if middles(results, name)
    ]
    text = "What is added to a plain run's CPU time, geometric mean: %s %.2f" % (ours, own)
    return text + "".join(", " + part for part in parts) + ".\n"


def instruction_table(counts, names):
    rows = [
        [program] + ["%.3f" % ratios[n] if n in ratios else "" for n in names]
        for program, ratios in counts.items()
    ]
    means = [[r[n] for r in counts.values() if n in r] for n in names]
    rows.append(
        ["geometric mean"] + ["%.3f" % geometric_mean(m) if m else "" for m in means]
    )
    return table(["program"] + names, rows)


def thread_table(speeds):
    heads = ["variant", "1 thread", "2 threads", "scaling", "of plain's scaling"]
    scaling = {
        name: [two / one for one, two in zip(by[1], by[2])] for name, by in speeds.items()
    }
    rows = []
    for name, by in speeds.items():
        of_plain = [a / b for a, b in zip(scaling[name], scaling["plain"])]
        rows.append(
            [name, spread(by[1], "%.1f"), spread(by[2], "%.1f"), spread(scaling[name])]
            + [spread(of_plain)]
        )
    return table(heads, rows)


def cost_table(costs):
    ratios = [o / p for p, o in zip(costs["compile"]["plain"], costs["compile"]["ours"])]
    starts = costs["start_up"]
    rows = [["compile time of sqlite3.c -O2, CPU over clang's", spread(ratios), "1.10"]]
    for name, what in (("full", "recorded"), ("off", "recording off")):
        runs = list(zip(starts["plain"], starts[name]))
        more = [statistics.median(b[i] - a[i] for a, b in runs) for i in (0, 1)]
        rows.append(
            [
                "start-up and end of an empty main over plain, %s" % what,
                "%.2f ms CPU, %.2f ms wall" % tuple(more),
                "2 ms" if name == "full" else "",
            ]
        )
    rows.append(
        [
            "profile of 10 million allocations at three sites",
            size_text(costs["profile"]),
            "64 KiB",
        ]
    )
    return table(["what", "figure", "goal"], rows)


def tools_table(rows):
    heads = ["profile", "command", "CPU", "wall", "peak RSS"]
    lines = []
    for what, words, run in rows:
        if isinstance(run, str):
            lines.append([what, "`%s`" % words, run, "", ""])
            continue
        lines.append(
            [
                what,
                "`%s`" % words,
                "%.2f s" % run.cpu,
                "%.2f s" % run.wall,
                "%.0f MiB" % (run.rss / 1024),
            ]
        )
    return table(heads, lines)
