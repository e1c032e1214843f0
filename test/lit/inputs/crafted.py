# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""crafted.py FOLDER: writes small profiles that cost much if they are believed.

Each is below 100 KB. Their names say what they do; all of them are profiles as
far as their first record goes.
"""
import os
import struct
import sys

SMALL = 90000


def pack(value):
    """msgpack of None, numbers, text, bytes and lists."""
    if value is None:
        return b"\xc0"
    if isinstance(value, int):
        if value < 128:
            return bytes([value])
        return struct.pack(">BQ", 0xCF, value)
    if isinstance(value, str):
        return struct.pack(">BI", 0xDB, len(value.encode())) + value.encode()
    if isinstance(value, bytes):
        return struct.pack(">BI", 0xC6, len(value)) + value
    return struct.pack(">BH", 0xDC, len(value)) + b"".join(pack(v) for v in value)


def words(*numbers):
    return struct.pack("<%dQ" % len(numbers), *numbers)


HEAD = pack([1, "benchmem", 1, "crafted", "/bin/p", "/", "host", 1, 0, 0])
STATE = pack([3, words(1, 0, 0, 0)])


def frame(index, name="f", inlined=0, file="a.c"):
    return pack([6, index, name, None, file, "/", 1, 1, inlined])


def site(index, frame_index, kind="malloc"):
    return pack([7, index, index, frame_index, kind, "malloc"])


def path(index, outer, frame_index, site_index=0):
    return pack([8, index, outer, frame_index, site_index])


def node(benchmark, site_index, path_index=0):
    return pack([15, benchmark, site_index, path_index, 0, words(1, 0, 8, 0, 8)])


def ledger(benchmark, live):
    return pack([12, benchmark, words(live, live, 0, 0)])


def profile(*records):
    return HEAD + STATE + b"".join(records)


def filled(make, *before):
    """As many records make(1), make(2), ... as fit."""
    data, number = profile(*before), 1
    while len(data) < SMALL:
        data += make(number)
        number += 1
    return data


def made():
    yield "nested-deep", profile(b"\x91" * SMALL)
    yield "nested-maps", profile(b"\x81" * SMALL)
    for name, head in (
        ("claims-text", b"\xdb"),
        ("claims-bytes", b"\xc6"),
        ("claims-list", b"\xdd"),
        ("claims-map", b"\xdf"),
        ("claims-extension", b"\xc9"),
    ):
        yield name, profile(head + b"\xff" * 4)
        yield name + "-in-a-record", profile(b"\x95\x06\x01" + head + b"\xff" * 4)
    yield "nothing-often", profile(b"\x90" * SMALL)
    yield "unknown-often", profile(b"\x91\x7f" * (SMALL // 2))
    yield "notes-often", filled(lambda i: pack([4, ""]))
    yield "same-index-often", filled(lambda i: frame(1))
    yield "great-index", profile(frame(2**63), site(2**63, 2**63), path(2**63, 0, 2**63))
    yield "sparse-indices", filled(lambda i: frame(i * 1000))
    yield "points-forward", profile(path(1, 2, 1), path(2, 1, 1), frame(1), frame(2, inlined=3))
    yield "points-at-itself", profile(frame(1, inlined=1), path(1, 1, 1))
    yield "deep-path", filled(
        lambda i: path(i, i - 1, 1, 1) + node(0, 1, i), frame(1), site(1, 1)
    )
    yield "deep-path-of-long-names", filled(
        lambda i: path(i, i - 1, 1, 1) + node(0, 1, i), frame(1, "f" * 30000), site(1, 1)
    )
    yield "deep-inlining", filled(lambda i: frame(i, inlined=i - 1))
    half = [frame(i, "f%d" % i, i - 1) for i in range(1, 1001)] + [site(1, 1000)]
    yield "deep-inlining-on-each-path", filled(
        lambda i: path(i, i - 1, 1000, 1) + node(0, 1, i), *half
    )
    yield "sites-of-a-long-name", filled(
        lambda i: site(i, 1) + node(0, i), frame(1, "f" * 30000)
    )
    yield "files-alike", filled(lambda i: frame(i, file="%d/" % i + "x/" * 20 + "a.c") + site(i, i) + node(0, i))
    yield "benchmarks", filled(
        lambda i: pack([10, i, "bench", 1]) + ledger(i, 8) + node(i, 1),
        frame(1),
        site(1, 1),
    )
    yield "benchmarks-of-a-long-name", filled(
        lambda i: pack([10, i, "b", i + 1]) + frame(i + 1, file="%d/" % i + "y/" * 30 + "b.c"),
        frame(1),
    )
    yield "parameters", filled(
        lambda i: pack([11, 1, "p", 1, i]), frame(1), pack([10, 1, "bench", 1])
    )
    yield "passes", filled(
        lambda i: pack([13, 1, words(i, 0, 1, 1, 1, 1)]), frame(1), pack([10, 1, "b", 1])
    )
    yield "threads", filled(lambda i: pack([9, i, i, "t", words(0, 0, 0)]))


def main():
    os.makedirs(sys.argv[1], exist_ok=True)
    for name, data in made():
        with open(os.path.join(sys.argv[1], "damaged-%s.bmem" % name), "wb") as out:
            out.write(data)


if __name__ == "__main__":
    main()
