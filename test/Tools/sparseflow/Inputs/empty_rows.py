"""empty_rows.py FILE: safetensors with one matrix of 2^40 rows, no columns."""

import struct
import sys

header = b'{"w":{"dtype":"F16","shape":[1099511627776,0],"data_offsets":[0,0]}}'
with open(sys.argv[1], "wb") as file:
    file.write(struct.pack("<Q", len(header)) + header)
