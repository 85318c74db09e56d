"""Writes the table that sparseflow-exec --tune would if the first candidates won.

Usage: first_tuned.py OUT TABLE.json, where OUT is what sparseflow tune --compile-only
wrote. test/unit/tools/tune_test.cpp says what a winner's row is.
"""

import json
import sys

out, path = sys.argv[1:]
index = json.load(open(out + "/tune.json", encoding="utf-8"))
rows = []
for shape in index["shapes"]:
    row = shape["candidates"][0]["row"]
    row.update(name="tuned." + shape["weights"], min_n=shape["n"], max_n=shape["n"],
               min_k=shape["k"], max_k=shape["k"], max_tokens=shape["t"])
    rows.append(row)
with open(path, "w", encoding="utf-8") as file:
    json.dump({"format": "sparseflow-schedules", "version": 1,
               "rows": rows + index["base_rows"]}, file)
