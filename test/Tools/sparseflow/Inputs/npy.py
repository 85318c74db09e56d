"""f16 matrices as .npy, without numpy.

npy.py write FILE ROWS COLUMNS VALUE...   rows of the values, repeated
npy.py read FILE                          the shape and the distinct values
"""

import sys

import npyfile

if sys.argv[1] == "write":
    path, rows, columns = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    values = [float(text) for text in sys.argv[5:]]
    count = rows * columns
    data = (values * (count // len(values) + 1))[:count]
    npyfile.write(path, (rows, columns), data)
else:
    shape, values = npyfile.read(sys.argv[2])
    print(*shape, end=": ")
    print(*sorted(set(values)))
