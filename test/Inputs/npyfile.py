"""Tensors as .npy files, without numpy.

write(path, shape, values, kind)   values row by row; kind as numpy writes it
read(path)                         the shape and the values
"""

import ast
import struct

MAGIC = b"\x93NUMPY\x01\x00"
CODES = {"<f2": "e", "<f4": "f", "<i4": "i", "<i8": "q"}


def write(path, shape, values, kind="<f2"):
    header = str({"descr": kind, "fortran_order": False,
                  "shape": tuple(shape)}).encode()
    header += b" " * (-(len(MAGIC) + 3 + len(header)) % 64) + b"\n"
    with open(path, "wb") as file:
        file.write(MAGIC + struct.pack("<H", len(header)) + header +
                   struct.pack("<%d%s" % (len(values), CODES[kind]), *values))


def read(path):
    with open(path, "rb") as file:
        data = file.read()
    assert data.startswith(MAGIC), path
    end = 10 + struct.unpack("<H", data[8:10])[0]
    header = ast.literal_eval(data[10:end].decode())
    code = CODES[header["descr"]]
    count = (len(data) - end) // struct.calcsize(code)
    return header["shape"], struct.unpack("<%d%s" % (count, code), data[end:])
