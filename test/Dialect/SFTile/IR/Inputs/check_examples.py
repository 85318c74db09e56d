"""Checks that every example in an ODS file is part of a test.

Usage: check_examples.py FILE.td TEST.mlir... The examples are fragments of
kernels, so the tests define what they use; here they are compared as text, with
runs of blanks as one. Fails, naming the example, if a test does not hold it, and
names every operation that has no example.
"""

import re
import sys


def words(text):
    return " ".join(text.split())


source = open(sys.argv[1], encoding="utf-8").read()
tests = words("\n".join(open(path, encoding="utf-8").read()
                        for path in sys.argv[2:]))
examples = re.findall(r"```mlir\n(.*?)```", source, re.S)
if not examples:
    sys.exit(f"{sys.argv[1]}: expected examples in ```mlir blocks, found none")
for example in examples:
    if words(example) not in tests:
        sys.exit(f"{sys.argv[1]}: expected this example in a test:\n{example}")
ops = re.findall(r'^def \w+Op\s*: \w+_Op<"([\w.]+)"', source, re.M)
ops += ["thread." + op for op in re.findall(
    r'^def \w+Op\s*: \w+_ThreadOp<"([\w.]+)"', source, re.M)]
missing = [op for op in ops if not any(
    f"sftile.{op}" in example for example in examples)]
if missing:
    sys.exit(f"{sys.argv[1]}: expected an example for each of {missing}")
print(f"{len(examples)} examples are tested")
