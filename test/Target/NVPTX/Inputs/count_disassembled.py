"""Compares tensor_instructions of a report with what nvdisasm prints:
count_disassembled.py NVDISASM REPORT CUBIN"""

import json
import re
import subprocess
import sys

text = subprocess.run([sys.argv[1], "-c", sys.argv[3]], capture_output=True, check=True,
                      encoding="utf-8").stdout
found, kernel = {}, None
for line in text.splitlines():
    if section := re.search(r"\.section\s+\.text\.(\w+)", line):
        kernel = section[1]
    # The instruction, and its result unless that is RZ.
    elif re.search(r"\b[HIDBQ]G?MMA\S* (?!RZ)", line):
        found[kernel] = found.get(kernel, 0) + 1
with open(sys.argv[2], encoding="utf-8") as file:
    report = json.load(file)
counted = {kernel["name"]: kernel["tensor_instructions"]
           for kernel in report["targets"][0]["kernels"] if "tensor_instructions" in kernel}
print("equal" if counted == found and found else f"counted {counted}, found {found}")
