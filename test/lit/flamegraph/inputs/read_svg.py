# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a line for each box of a picture: row, width and title.

Fails if there is anything but boxes and texts, or if a row is wider than all.
"""
import sys
import xml.etree.ElementTree as ET

SVG = "{http://www.w3.org/2000/svg}"
ALLOWED = {SVG + name for name in ("svg", "g", "rect", "text", "title")}

root = ET.parse(sys.argv[1]).getroot()
widths = {}
for element in root.iter():
    assert element.tag in ALLOWED, element.tag
    assert "style" not in element.attrib, element.attrib
    assert not any(key.startswith("on") for key in element.attrib)
for box in root.iter(SVG + "g"):
    rect = box.find(SVG + "rect")
    row = round((float(rect.get("y")) - 52) / 18)
    width = float(rect.get("width"))
    widths[row] = widths.get(row, 0) + width
    print(row, round(width), box.find(SVG + "title").text)
for row, width in widths.items():
    assert width < 1181, (row, width)
