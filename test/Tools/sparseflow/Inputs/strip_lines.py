"""Prints PTX without .loc and .file (and an empty section), without labels that are only there for
them, and without comments and empty lines."""

import re
import sys

with open(sys.argv[1]) as file:
    text = file.read()
for line in text.splitlines():
    line = line.split("//")[0].rstrip()
    if re.match(r"\s*\.(loc|file|section\s+\.debug_macinfo)\b", line) or re.match(r"\$L__(tmp|func_(begin|end))\d+:", line):
        continue
    if line:
        print(line)
