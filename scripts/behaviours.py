#!/usr/bin/env python3
"""Checks docs/testing.md: the test that a row names is there and has the row's word.

usage: scripts/behaviours.py

Prints what is wrong, a line each, and exits with 1 if anything is.
"""

import re
import sys
from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs/testing.md"
ROW = re.compile(r"^\| .* \| (\[.*\)) \| `(.+)` \|$")
LINK = re.compile(r"\]\(([^)]+)\)")


def findings():
    rows = 0
    for number, line in enumerate(PAGE.read_text(encoding="utf-8").splitlines(), 1):
        if not line.startswith("| ") or line.startswith("| Behaviour |"):
            continue
        row = ROW.match(line)
        if not row:
            yield f"docs/testing.md:{number}: expected a behaviour, links and a word"
            continue
        rows += 1
        for link in LINK.findall(row[1]):
            test = (PAGE.parent / link).resolve()
            if not test.is_file():
                yield f"docs/testing.md:{number}: there is no {link}; name the test that holds this"
            elif row[2] not in test.read_text(encoding="utf-8"):
                yield f"docs/testing.md:{number}: {link} does not have '{row[2]}'"
    if not rows:
        yield "docs/testing.md: expected rows, found none"


def main():
    found = list(findings())
    print("\n".join(found), end="\n" if found else "")
    sys.exit(bool(found))


if __name__ == "__main__":
    main()
