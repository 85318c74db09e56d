"""Writes a `sparseflow` with the defect that the environment names, over the real one.

Usage: defects.py FOLDER REAL
"""

import os
import sys

folder, real = sys.argv[1:]
path = os.path.join(folder, "sparseflow")
with open(path, "w", encoding="utf-8") as file:
    file.write(f"""#!{sys.executable}
import os, re, subprocess, sys
defect, words = os.environ["DEFECT"], sys.argv[1:]
if defect == "crash":
    sys.stderr.write("sparseflow: internal error\\n")
    sys.exit(5)
if defect == "sim" and "sim" in words:
    print("check    result 0: WRONG, 8 elements against float64")
    sys.exit(4)
code = subprocess.call([{real!r}, *words])
if defect == "meaning" and "manifest" in words:
    # Every constant of the reference is one more than the program's, and sums are
    # differences.
    path = words[words.index("-o") + 1]
    text = open(path).read()
    open(path, "w").write(text.replace('"addf"', '"subf"').replace('"mulf"', '"addf"'))
sys.exit(code)
""")
os.chmod(path, 0o755)
