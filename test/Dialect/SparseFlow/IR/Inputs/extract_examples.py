"""Prints the MLIR examples in the descriptions of an ODS file.

Usage: extract_examples.py OPS.td. Examples are separated by `// -----`. Fails
when an op has no example that holds it, so that documentation cannot fall
behind.
"""

import re
import sys

text = open(sys.argv[1], encoding="utf-8").read()
ops = re.findall(r'^def \w+Op : \w+_Op<"([\w.]+)"', text, re.M)
examples = re.findall(r"```mlir\n(.*?)```", text, re.S)
missing = [op for op in ops
           if not any(f"sparseflow.{op} " in example for example in examples)]
if not ops or missing:
    sys.exit(f"expected an example for every op, found none for {missing or 'any'}")
print("\n// -----\n".join(examples))
