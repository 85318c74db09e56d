"""What ptxas would write, as far as the compiler looks into it: fake_cubin.py PTX CUBIN

An ELF file with a section of code for each kernel, which has an HMMA for each MMA of the
PTX. With DROP=KERNEL in the environment that kernel lacks one, with LOSE=KERNEL it is
not there.
"""

import os
import re
import struct
import sys

with open(sys.argv[1], encoding="utf-8") as file:
    parts = re.split(r"\.entry (\w+)", file.read())
names, code, sections = b"\0.shstrtab\0", b"", []
for kernel, text in zip(parts[1::2], parts[2::2]):
    if kernel == os.environ.get("LOSE"):
        continue
    count = len(re.findall(r"\b(?:wgmma\.mma_async|mma)\.s[py]", text))
    count -= kernel == os.environ.get("DROP")
    body = struct.pack("<QQ", 0x100C08723C, 0) * count
    sections.append((len(names), 1, 0, 0, 64 + len(code), len(body), 0, 0, 0, 0))
    names += b".text." + kernel.encode() + b"\0"
    code += body
sections = [(0,) * 10, (1, 3, 0, 0, 64 + len(code), len(names), 0, 0, 0, 0)] + sections
header = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 2, 190, 1, 0, 0,
                     64 + len(code) + len(names), 0, 64, 0, 0, 64, len(sections), 1)
with open(sys.argv[2], "wb") as file:
    file.write(header + code + names +
               b"".join(struct.pack("<IIQQQQIIQQ", *section) for section in sections))
