"""Runs the blocks of a Markdown page, in order, in a fresh directory.

A block behind a line with nothing but a path in backticks and a colon is that
file. A block of sh is run with `set -eux`; the lines of a block of text behind
it must be its output, in this order and whole lines each.

usage: run_page.py PAGE DIRECTORY [NAME=VALUE...]   (environment of the blocks)
"""

import os
import re
import subprocess
import sys

page, directory = sys.argv[1], sys.argv[2]
environment = dict(os.environ, **dict(item.split("=", 1) for item in sys.argv[3:]))
os.makedirs(directory)

lines = open(page, encoding="utf-8").read().split("\n")
blocks = []  # (language, name, text, line)
name, i = None, 0
while i < len(lines):
    fence = re.match(r"^```(\w*)$", lines[i])
    if not fence:
        title = re.match(r"^`([\w./-]+)`:$", lines[i])
        if title:
            name = title.group(1)
        elif lines[i].strip():
            name = None
        i += 1
        continue
    end = lines.index("```", i + 1)
    blocks.append((fence.group(1), name, "\n".join(lines[i + 1:end]) + "\n", i + 1))
    name, i = None, end + 1

output, ran, wrote = "", 0, 0
for language, name, text, line in blocks:
    if name:
        path = os.path.join(directory, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        open(path, "w", encoding="utf-8").write(text)
        wrote += 1
    elif language == "sh":
        result = subprocess.run(["bash", "-euxc", text], cwd=directory, env=environment,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if result.returncode != 0:
            sys.exit(f"{page}:{line}: status {result.returncode}\n{text}"
                     f"{result.stdout}{result.stderr}")
        output = result.stdout
        ran += 1
    elif language == "text":
        rest = output.split("\n")
        for expected in text.rstrip("\n").split("\n"):
            if expected not in rest:
                sys.exit(f"{page}:{line}: expected the line '{expected}' in\n{output}")
            rest = rest[rest.index(expected) + 1:]
    else:
        sys.exit(f"{page}:{line}: a block of '{language}' without a file name")
print(f"{wrote} files written, {ran} blocks run")
