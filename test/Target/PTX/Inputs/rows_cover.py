"""Fails unless each matmul row of a schedule table is in one rows-*.test of its target.

Usage: rows_cover.py FOLDER TABLE.json
"""

import json
import re
import sys
from pathlib import Path

folder, table = Path(sys.argv[1]), sys.argv[2]
tests = []  # (target, kinds) of each call of check_rows.py
for test in sorted(folder.glob("rows-*.test")):
    for target, kinds in re.findall(r"schedules\.json (\w+) %t(?: \"(.*?)\")?",
                                    test.read_text(encoding="utf-8")):
        tests.append((target, kinds or ".*"))
count, targets = 0, set()
with open(table, encoding="utf-8") as file:
    rows = [row for row in json.load(file)["rows"] if row["op"] == "matmul"]
for row in rows:
    for target in row["targets"]:
        found = sum(target == name and re.fullmatch(kinds, row["weights"]) is not None
                    for name, kinds in tests)
        if found != 1:
            sys.exit(f"row {row['name']} ({row['weights']}) for {target} is in {found} "
                     "tests, expected 1")
        count += 1
        targets.add(target)
print(f"{count} rows of {len(targets)} targets in {len(tests)} tests")
