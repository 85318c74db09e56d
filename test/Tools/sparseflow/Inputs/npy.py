"""f16 matrices as .npy, without numpy.

npy.py write FILE ROWS COLUMNS VALUE...   rows of the values, repeated
npy.py read FILE                          the shape and the distinct values
"""

import ast
import struct
import sys

MAGIC = b"\x93NUMPY\x01\x00"

if sys.argv[1] == "write":
    path, rows, columns = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    values = [float(text) for text in sys.argv[5:]]
    header = str({"descr": "<f2", "fortran_order": False,
                  "shape": (rows, columns)}).encode()
    header += b" " * (-(len(MAGIC) + 3 + len(header)) % 64) + b"\n"
    count = rows * columns
    data = (values * (count // len(values) + 1))[:count]
    with open(path, "wb") as file:
        file.write(MAGIC + struct.pack("<H", len(header)) + header +
                   struct.pack(f"<{count}e", *data))
else:
    with open(sys.argv[2], "rb") as file:
        data = file.read()
    end = 10 + struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10:end].decode())
    assert data[:8] == MAGIC and header["descr"] == "<f2", header
    values = struct.unpack(f"<{(len(data) - end) // 2}e", data[end:])
    print(*header["shape"], end=": ")
    print(*sorted(set(values)))
