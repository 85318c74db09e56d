"""Writes a safetensors file with f32 matrices of small random numbers:
weights.py FILE NAME=ROWSxCOLUMNS..."""

import json
import random
import struct
import sys

random.seed(1)
header, data = {}, bytearray()
for item in sys.argv[2:]:
    name, shape = item.split("=")
    rows, columns = map(int, shape.split("x"))
    begin = len(data)
    for _ in range(rows * columns):
        data += struct.pack("<f", random.uniform(-0.2, 0.2))
    header[name] = {"dtype": "F32", "shape": [rows, columns],
                    "data_offsets": [begin, len(data)]}
text = json.dumps(header).encode()
with open(sys.argv[1], "wb") as file:
    file.write(struct.pack("<Q", len(text)) + text + data)
