#!/usr/bin/env python3
"""Keeps the prose of Markdown pages that people write within 100 columns.

usage: scripts/markdown_lines.py           prints lines that are longer (scripts/lint)
       scripts/markdown_lines.py --wrap    fills the paragraphs that have such lines anew

Tables, headings, code, HTML, and what cannot be divided, such as a link's target or a
code span, may be longer. Pages that a generator writes are its own matter: those that
say so at their beginning, tables between markers, and results of benchmarks.
"""

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
COLUMNS = 100
GENERATED = re.compile(r"^<!-- (?:Made|Written) by ", re.MULTILINE)
ITEM = re.compile(r"^(\s*(?:[*+-]|\d+[.)])\s+)\S")
FENCE = re.compile(r"^\s*(```|~~~)")
# Words in one piece: links and code spans with what touches them.
WORD = re.compile(r"(?:\[[^\][]*\]\([^)\s]*\)|`+[^`]*`+|\]\([^)]*\)|[^\s`])+")
# What would be no prose at the beginning of a line.
BLOCK = re.compile(r"(?:[*+-]|\d+[.)])$|[#>|<=~]|```|-+$")


def pages():
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"],
        cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n")
    for name in sorted({name for name in listed if name and (ROOT / name).is_file()}):
        if name.startswith("bench/results/") and not name.endswith("/README.md"):
            continue
        head = "\n".join((ROOT / name).read_text(encoding="utf-8").split("\n")[:8])
        if not GENERATED.search(head):
            yield name


def paragraphs(lines):
    """(first line, line behind the last one, indentation of all lines but the first)."""
    fence = region = False
    start, indent, content, blank = None, 0, 0, True
    for number, line in enumerate(lines + [""]):
        text = line.strip()
        item = ITEM.match(line)
        width = len(line) - len(line.lstrip())
        marker = re.match(r"<!-- .*: (begin|end) -->$", text)
        fenced = fence or FENCE.match(line)
        if FENCE.match(line):
            fence = not fence
        if marker:
            region = marker.group(1) == "begin"
        if text and not item and width < content and blank:
            content = 0
        other = (not text or fenced or region or marker or text[0] in "|#<>"
                 or start is None and not item and width >= content + 4)
        if start is not None and (other or item):
            yield start, number, indent
            start = None
        if not other and start is None:
            start = number
            content = indent = len(item.group(1)) if item else width
            if not item:
                content = width
        blank = not text


def fill(lines, indent):
    """The words of a paragraph in lines as long as they may be."""
    first = ITEM.match(lines[0])
    head = first.group(1) if first else lines[0][:len(lines[0]) - len(lines[0].lstrip())]
    words = []
    for word in WORD.findall(" ".join([lines[0][len(head):]] + lines[1:])):
        if words and BLOCK.match(word):
            words[-1] += " " + word
        else:
            words.append(word)
    result, line = [], head + words[0]
    for word in words[1:]:
        if len(line) + 1 + len(word) > COLUMNS:
            result.append(line)
            line = " " * indent + word
        else:
            line += " " + word
    return result + [line]


def long_paragraphs(lines):
    """Those that are not as short as they could be, and what they should be."""
    for start, end, indent in paragraphs(lines):
        old = lines[start:end]
        if all(len(line) <= COLUMNS for line in old) or any(
                line.endswith("  ") for line in old):
            continue
        new = fill(old, indent)
        if sum(len(line) > COLUMNS for line in new) < sum(
                len(line) > COLUMNS for line in old):
            yield start, end, new


def main():
    if sys.argv[1:] not in ([], ["--wrap"]):
        sys.exit(__doc__)
    found = False
    for name in pages():
        lines = (ROOT / name).read_text(encoding="utf-8").split("\n")
        for start, end, new in reversed(list(long_paragraphs(lines))):
            if sys.argv[1:]:
                lines[start:end] = new
                continue
            found = True
            long = [n for n in range(start, end) if len(lines[n]) > COLUMNS]
            print(f"{name}:{long[0] + 1}: prose of {len(lines[long[0]])} columns: expected "
                  f"at most {COLUMNS}; run scripts/markdown_lines.py --wrap")
        if sys.argv[1:]:
            text = "\n".join(lines)
            if text != (ROOT / name).read_text(encoding="utf-8"):
                (ROOT / name).write_text(text, encoding="utf-8")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
