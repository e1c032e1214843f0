# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""read_output.py KIND FILE TEXTS: reads what a tool wrote of the hostile
profile as its reader would, and holds what was read against the texts.

TEXTS are lines of `make_hostile_profile --list`. KIND is one of the functions
below that begin with read_.
"""
import csv
import html.parser
import json
import subprocess
import sys
import unicodedata
import xml.etree.ElementTree as ET

FORMULA = ("=", "+", "-", "@", "\t", "\r")


def characters(data):
    """(bytes, character) of UTF-8; the character of a bad byte is None."""
    while data:
        for size in range(1, 5):
            try:
                yield data[:size], data[:size].decode("utf-8")
                break
            except UnicodeDecodeError:
                continue
        else:
            size = 1
            yield data[:1], None
        data = data[size:]


def hexadecimal(data):
    return "".join("\\x%02x" % byte for byte in data)


def as_read(data):
    """How a text is in JSON: whole, but for bytes that are no UTF-8."""
    return "".join(c if c is not None else hexadecimal(b) for b, c in characters(data))


def is_odd(character):
    return (
        character is None
        or unicodedata.category(character) == "Cc"
        or character in "\u061c\u200e\u200f\u2028\u2029\ufeff\ufffe\uffff"
        or "\u202a" <= character <= "\u202e"
        or "\u2066" <= character <= "\u2069"
    )


def as_shown(data):
    """How a text is for people: with nothing that a terminal would obey."""
    return "".join(hexadecimal(b) if is_odd(c) else c for b, c in characters(data))


def demand_plain(text):
    for c in text:
        assert c == "\n" or not is_odd(c), "%r in %r" % (c, text)


def text_of(path):
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()


# ---- one function for each kind of output ----


def read_plain(path, texts):
    """Nothing for a terminal to obey, and every text is there."""
    text = text_of(path)
    demand_plain(text)
    for data, _ in texts:
        assert as_shown(data).strip() in text, data


def read_lines(path, texts):
    """Only the first: a format of lines may replace what parts its fields."""
    demand_plain(text_of(path))


def read_json(path, texts):
    json.loads(text_of(path))


def read_ndjson(path, texts):
    rows = [json.loads(line) for line in text_of(path).split("\n")[:-1]]
    functions = {row["function"] for row in rows}
    assert {as_read(data) for data, _ in texts} <= functions


def read_report(path, texts):
    """The report's JSON has every text as it is, with its bytes."""
    data = json.loads(text_of(path))
    assert data["command"] == [as_read(text) for text, _ in texts]
    sites = {site["allocated_bytes"]: site for site in data["sites"]}
    benchmarks = {b["passes"][0]["allocated_bytes"]: b for b in data["benchmarks"]}
    for text, size in texts:
        name = as_read(text)
        for key in ("function", "dir", "kind", "callee", "type"):
            assert sites[size][key] == name, (key, name, sites[size])
        assert benchmarks[size]["params"] == {name: name}, benchmarks[size]
        assert benchmarks[size]["name"] == name


def is_number(cell):
    try:
        float(cell)
        return True
    except ValueError:
        return False


def read_cells(path, _texts):
    """Rows of one length in each part, and no formula; the parts."""
    text = text_of(path)
    demand_plain(text)
    parts = text.split("\n\n")
    for part in parts:
        rows = list(csv.reader(part.splitlines(keepends=True), strict=True))
        assert len({len(row) for row in rows}) == 1, part
        for cell in (cell for row in rows for cell in row):
            assert not cell.startswith(FORMULA) or is_number(cell), cell
    return parts


def read_csv(path, texts):
    """The same, and every function as it is shown."""
    parts = read_cells(path, texts)
    rows = csv.DictReader(parts[0].splitlines(keepends=True), strict=True)
    functions = {row["function"] for row in rows}
    for data, _ in texts:
        mark = "'" if as_read(data).startswith(FORMULA) else ""
        assert mark + as_shown(data) in functions, data


class Elements(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.tags, self.attributes, self.texts = {}, [], []

    def handle_starttag(self, tag, attrs):
        self.tags[tag] = self.tags.get(tag, 0) + 1
        self.attributes += [name for name, _ in attrs]

    def handle_data(self, data):
        self.texts.append(data)


def elements_of(text):
    elements = Elements()
    elements.feed(text)
    elements.close()
    return elements


def read_markdown(path, texts):
    """What GitHub's Markdown makes of it: tables of text, nothing else."""
    demand_plain(text_of(path))
    done = subprocess.run(
        ["cmark-gfm", "--unsafe", "-e", "table", "-e", "strikethrough", path],
        capture_output=True,
        check=True,
    )
    elements = elements_of(done.stdout.decode("utf-8"))
    # Lists and bold words are the report's own: as many as in any report.
    cells = {"table", "thead", "tbody", "tr", "th", "td", "p", "blockquote"}
    own = {tag: n for tag, n in elements.tags.items() if tag not in cells}
    assert own == {"h2": 1, "h3": 2, "ul": 1, "li": 4, "strong": 4}, own
    assert set(elements.attributes) <= {"align"}, elements.attributes
    assert elements.tags["table"] >= 1
    text = "".join(elements.texts)
    for data, _ in texts:
        assert as_shown(data).strip() in text, data


def read_page(path, texts):
    """The page has the elements of a harmless one; its data cannot end."""
    text = text_of(path)
    harmless = elements_of(text_of("harmless.html"))
    elements = elements_of(text)
    assert elements.tags == harmless.tags, (elements.tags, harmless.tags)
    assert elements.attributes == harmless.attributes
    block = text.split('type="application/json"')[1].split(">", 1)[1]
    data, rest = block.split("</script>", 1)
    assert "<" not in data
    names = json.dumps(json.loads(data), ensure_ascii=False)
    for data, _ in texts:
        assert json.dumps(as_shown(data), ensure_ascii=False)[1:-1] in names, data
    assert rest.count("<script") == text_of("harmless.html").count("<script") - 1


def read_svg(path, texts):
    svg = "{http://www.w3.org/2000/svg}"
    allowed = {svg + name for name in ("svg", "g", "rect", "text", "title")}
    titles = []
    for element in ET.parse(path).getroot().iter():
        assert element.tag in allowed, element.tag
        assert not any(k.startswith("on") or ":" in k for k in element.attrib)
        titles.append(element.text or "")
    text = "\n".join(titles)
    demand_plain(text)


def main():
    kind, path, listed = sys.argv[1:]
    with open(listed, encoding="ascii") as lines:
        texts = [line.rstrip("\n").split(" ") for line in lines]
    texts = [(bytes.fromhex(data), int(size)) for data, size in texts]
    globals()["read_" + kind](path, texts)


if __name__ == "__main__":
    main()
