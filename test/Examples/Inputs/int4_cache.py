"""What examples/int4_cache.mlir reads: int4_cache.py DIRECTORY.

A Hadamard matrix over 8, lengths before and behind the call, and a table whose unused
entry is no page.
"""

import sys

import npyfile

directory = sys.argv[1]
rows = [[1]]
while len(rows) < 64:
    rows = [row + row for row in rows] + [row + [-x for x in row] for row in rows]
npyfile.write(directory + "/rotation.npy", (64, 64), [x / 8 for row in rows for x in row])
npyfile.write(directory + "/n.npy", (2,), [63, 128], "<i4")
npyfile.write(directory + "/all.npy", (2,), [64, 129], "<i4")
npyfile.write(directory + "/table.npy", (2, 3), [7, -1, 9, 2, 5, 0], "<i4")
