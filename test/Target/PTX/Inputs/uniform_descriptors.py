"""Counts what products of a warpgroup wait for besides each other.

Usage: uniform_descriptors.py PROGRAM.mlir FOLDER

Compiles the program for sm_90a and reads the machine code of its first kernel: how
many products there are, and how many moves from ordinary to uniform registers stand
between one product and the next of a chain (at most 30 instructions on). A product
reads its descriptors from uniform registers, and such a move waits until the product
before has read them.

The machine code is not documented. Its instructions are 16 bytes long; the numbers
below are the lowest 12 bits of an instruction, as nvdisasm names them.
"""

import pathlib
import struct
import subprocess
import sys

PRODUCTS, MOVE = (0x9F0, 0xDF0), 0x2CA

program, folder = sys.argv[1:]
subprocess.run(["sparseflow", "compile", program, "--target", "sm_90a", "--emit",
                "bundle", "-o", folder], check=True)
image = next(pathlib.Path(folder).glob("*.cubin")).read_bytes()
table, = struct.unpack_from("<Q", image, 0x28)
count, names = struct.unpack_from("<HH", image, 0x3C)
sections = [struct.unpack_from("<IIQQQQ", image, table + 64 * i) for i in range(count)]
text = {}
for section in sections:
    start = sections[names][4] + section[0]
    name = image[start:image.index(b"\0", start)].decode()
    if name.startswith(".text."):
        code = image[section[4]:section[4] + section[5]]
        text[name] = [struct.unpack_from("<Q", code, at)[0] & 0xFFF
                      for at in range(0, len(code), 16)]
code = next(code for name, code in text.items() if name.endswith("_a"))
products = [at for at, number in enumerate(code) if number in PRODUCTS]
moves = sum(code[first:second].count(MOVE)
            for first, second in zip(products, products[1:]) if second - first <= 30)
print(f"{len(products)} products, {moves} moves between them")
