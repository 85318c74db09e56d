#!/usr/bin/env python3
"""How large the parts of the tree are that should stay small.

usage: scripts/sizes.py            prints them beside their limits
       scripts/sizes.py --check    prints what is beyond its limit only (scripts/lint)
"""

import collections
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SFTILE = "include/SparseFlow/Dialect/SFTile/IR"
CONVERSION = "lib/Conversion/SparseFlowToSFTile"
# Inputs of fuzzing and results, a file each.
ANY_NUMBER = re.compile(r"fuzz/corpus/|bench/results$")
# The heading of a task in CONTRIBUTING.md, what begins its list, and files at most.
TASKS = (("a codec", "## How to add a codec", "1. ", 8),
         ("an operand source of an atom", "## How to add an atom", "apart:\n\n1. ", 8),
         ("a target", "## How to add a target", "1. ", 4))


def tracked():
    """Files of the tree, also those that are new."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"], cwd=ROOT,
        capture_output=True, text=True, check=True).stdout.split("\n")
    return sorted({file for file in listed if file and (ROOT / file).is_file()})


def text(file):
    return (ROOT / file).read_text()


def task_files(heading, start):
    """Items of the numbered list in a section of CONTRIBUTING.md."""
    section = text("CONTRIBUTING.md").split(heading + "\n")[1].split("\n## ")[0]
    if start not in section:
        sys.exit(f"error: CONTRIBUTING.md: expected a numbered list in '{heading}'")
    items = re.split(r"^\d+\. ", start[-3:] + section.split(start, 1)[1], flags=re.M)
    # What follows the list is no item.
    return len(items) - 1


def measures():
    """(what, number, limit, where)."""
    files = tracked()
    definitions = "".join(text(file) for file in files
                          if file.startswith(SFTILE) and file.endswith(".td"))
    operations = re.findall(r"^def SFTile_\w+\s*:\s*SFTile_(?:Thread)?Op<", definitions,
                            re.M)
    interfaces = re.findall(r"^def SFTile_(\w*Atom)Interface\b", definitions, re.M)
    yield "operations of sftile", len(operations), 42, SFTILE
    yield "interfaces of atoms", len(interfaces), 5, SFTILE + "/SFTileInterfaces.td"
    conversion = [file for file in files if file.startswith(CONVERSION + "/")]
    yield "lines of the conversion to sftile", \
        sum(text(file).count("\n") for file in conversion), 1500, CONVERSION
    for what, heading, start, limit in TASKS:
        yield f"files that {what} touches", task_files(heading, start), limit, \
            "CONTRIBUTING.md"
    rooms = collections.Counter(os.path.dirname(file) for file in files)
    rooms = [(count, room) for room, count in rooms.items() if not ANY_NUMBER.match(room)]
    limit = 22
    for count, room in sorted((r for r in rooms if r[0] > limit), reverse=True) or \
            [max(rooms)]:
        yield "files of the largest folder", count, limit, room
    yield "lines of the README", text("README.md").count("\n"), 120, "README.md"
    for pattern, what, limit in ((r"\.(cpp|h|py|cu|cuh)$", "source", 600),
                                 (r"\.td$", "TableGen file", 800)):
        sources = [(text(file).count("\n"), file) for file in files
                   if re.search(pattern, file)]
        for count, file in sorted((s for s in sources if s[0] > limit),
                                  reverse=True) or [max(sources)]:
            yield f"lines of the longest {what}", count, limit, file


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    found = list(measures())
    if sys.argv[1:]:
        beyond = [row for row in found if row[1] > row[2]]
        for what, number, limit, where in beyond:
            print(f"{where}: {what}: expected at most {limit}, found {number}; split it "
                  "by idea")
        return 1 if beyond else 0
    print("| what | number | at most | where |\n|---|---|---|---|")
    for what, number, limit, where in found:
        print(f"| {what} | {number} | {limit} | `{where}` |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
