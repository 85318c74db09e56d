"""Checks the rows without keys of a causal attention with 4 more queries than
keys: the result (NAME.0.npy, f16 [1, H, S, D]) is zero there and nowhere else,
the log-sum-exp (NAME.1.npy, f32 [1, H, S]) -inf there and nowhere else.
"""

import ast
import math
import struct
import sys


def read(path, code, size):
    with open(path, "rb") as file:
        data = file.read()
    end = 10 + struct.unpack("<H", data[8:10])[0]
    shape = ast.literal_eval(data[10:end].decode())["shape"]
    count = (len(data) - end) // size
    return shape, struct.unpack(f"<{count}{code}", data[end:])


name = sys.argv[1]
(_, heads, rows, width), o = read(name + ".0.npy", "e", 2)
shape, lse = read(name + ".1.npy", "f", 4)
assert shape == (1, heads, rows), shape
for row in range(heads * rows):
    empty = row % rows < 4
    values = o[row * width:(row + 1) * width]
    assert all(value == 0 for value in values) == empty, (row, values)
    assert (lse[row] == -math.inf) == empty, (row, lse[row])
print(f"4 empty rows in each of {heads} heads")
