#!/usr/bin/env python3
"""Lists the errors that no test expects.

usage: scripts/untested_diagnostics.py [--check | --update] [FILE...]

Reads the C++ of lib, tools and runtime (or the files that are named) for calls that
make an error, takes the pieces of its text, and looks for them in the tests. A text
that a test has only in part, because it breaks the line elsewhere, is found by words.

--check   exits with 1 if an error is in no test and not in
          scripts/untested_diagnostics.txt, or if a line there is out of date
--update  writes that list anew; it is to become shorter
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LIST = ROOT / "scripts/untested_diagnostics.txt"
FOLDERS = ("lib", "tools", "runtime")
TESTS = (".mlir", ".test", ".cpp", ".py", ".c", ".ll", ".json", ".md", ".sh")
CALL = re.compile(r"\b(emitOpError|emitError|emitOptionalError|createStringError|refuse|"
                  r"invalidArgument|formatError|unsupported|error|errorAt|fail)\s*\(|"
                  r"\breason\s*=(?!=)")
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
# What names a message: a piece of so many characters, or half of the longest.
ENOUGH = 24
MOST = 48


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


def unescaped(text):
    return text.replace('\\"', '"').replace("\\n", " ").replace("\\\\", "\\")


def pieces(code):
    """Adjacent literals joined, in the order of the statement, and divided by what
    llvm::formatv fills in."""
    code = re.sub(r"//[^\n]*", "", code)
    found, last = [], None
    for match in LITERAL.finditer(code):
        text = unescaped(match[1])
        if last is not None and not code[last:match.start()].strip():
            found[-1] += text
        else:
            found.append(text)
        last = match.end()
    return [" ".join(part.split()) for piece in found
            for part in re.split(r"\{\d[^}]*\}", piece)]


def errors(path):
    """(line, pieces, longest first) of each error of a file."""
    text = path.read_text()
    for match in CALL.finditer(text):
        found = sorted(pieces(statement(text, match.start())), key=len, reverse=True)
        # An error of MLIR's that repeats another, or one whose text is elsewhere.
        if found and len(found[0].split()) >= 3:
            yield text.count("\n", 0, match.start()) + 1, found


def is_tested(found, tests):
    longest = found[0]
    half = min(MOST, max(20, len(longest) // 2))
    return (longest[:half] in tests or longest[-half:] in tests or
            any(len(piece) >= ENOUGH and piece in tests for piece in found))


def read_tests():
    text = " ".join(
        " ".join(unescaped(re.sub(r'"\s*\n\s*R?"\(?', "", path.read_text(errors="replace")))
                 .split())
        for folder in ("test", "python/tests", "docs/tutorials")
        for path in sorted((ROOT / folder).rglob("*")) if path.suffix in TESTS)
    return re.sub(r"\{\{|\}\}", "", text)


def main():
    arguments = sys.argv[1:]
    mode = arguments.pop(0) if arguments and arguments[0].startswith("--") else ""
    if mode not in ("", "--check", "--update"):
        sys.exit(__doc__)
    files = [Path(name).resolve() for name in arguments] or sorted(
        path for folder in FOLDERS for path in (ROOT / folder).rglob("*.cpp"))
    tests = read_tests()
    count, untested = 0, []
    for path in files:
        for line, found in errors(path):
            count += 1
            if not is_tested(found, tests):
                untested.append((path.relative_to(ROOT), line, found[0]))
    if mode == "--update":
        LIST.write_text("".join(sorted({f"{path}: {text}\n" for path, _, text in untested})))
    elif mode == "--check":
        known = set(LIST.read_text().splitlines())
        seen = {f"{path}: {text}" for path, _, text in untested}
        for path, line, text in untested:
            if f"{path}: {text}" not in known:
                print(f"{path}:{line}: no test expects '{text}'")
        for text in sorted(known - seen):
            print(f"{LIST.relative_to(ROOT)}: tested or gone, remove it: {text}")
        sys.exit(known != seen)
    else:
        for path, line, text in untested:
            print(f"{path}:{line}: {text}")
        print(f"{len(untested)} of {count} errors are in no test")


if __name__ == "__main__":
    main()
