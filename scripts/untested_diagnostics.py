#!/usr/bin/env python3
"""Lists the errors of the compiler that no test expects.

usage: scripts/untested_diagnostics.py [FILE...]

Reads the C++ of lib and tools (or the files that are named) for calls that make an
error, takes the longest piece of text of each, and looks for it in the tests. A text
that a test has only in part, because it breaks the line elsewhere, is found by words.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTS = (".mlir", ".test", ".cpp", ".py", ".c", ".ll", ".json", ".md")
CALL = re.compile(r"\b(emitOpError|emitError|emitOptionalError|createStringError|refuse|"
                  r"invalidArgument|formatError|unsupported|error|fail)\s*\(")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')


def statement(text, start):
    """From `start` to the end of the statement, strings skipped."""
    depth, at = 0, start
    while at < len(text):
        if text[at] == '"':
            at = LITERAL.match(text, at).end() if LITERAL.match(text, at) else at + 1
            continue
        if text.startswith("//", at):
            at = text.find("\n", at)
            continue
        depth += text[at] in "([{"
        depth -= text[at] in ")]}"
        if depth < 0 or (text[at] == ";" and depth == 0):
            break
        at += 1
    return text[start:at]


def pieces(code):
    """Adjacent literals joined, in the order of the statement."""
    code = re.sub(r"//[^\n]*", "", code)
    found, last = [], None
    for match in LITERAL.finditer(code):
        text = match[1].replace('\\"', '"').replace("\\n", " ")
        if last is not None and not code[last:match.start()].strip():
            found[-1] += text
        else:
            found.append(text)
        last = match.end()
    return found


def errors(path):
    """(line, longest piece) of each error of a file."""
    text = path.read_text()
    for match in CALL.finditer(text):
        found = pieces(statement(text, match.start()))
        longest = max(found, key=len, default="").strip()
        # An error of MLIR's that repeats another, or one whose text is elsewhere.
        if len(longest.split()) >= 3:
            yield text.count("\n", 0, match.start()) + 1, longest


def main():
    files = [Path(name).resolve() for name in sys.argv[1:]] or sorted(
        path for folder in ("lib", "tools") for path in (ROOT / folder).rglob("*.cpp"))
    tests = " ".join(
        " ".join(re.sub(r'"\s*\n\s*"', "", path.read_text(errors="replace")).split())
        for folder in ("test", "python/tests", "docs/tutorials")
        for path in sorted((ROOT / folder).rglob("*")) if path.suffix in TESTS)
    tests = re.sub(r"\{\{|\}\}", "", tests)
    count = known = 0
    for path in files:
        for line, text in errors(path):
            count += 1
            words = " ".join(text.split())
            # Half of a text names it: tests often expect its beginning.
            half = words[:max(20, len(words) // 2)]
            if half in tests or words[len(words) // 2:] in tests:
                known += 1
            else:
                print(f"{path.relative_to(ROOT)}:{line}: {words}")
    print(f"{count - known} of {count} errors are in no test")


if __name__ == "__main__":
    main()
