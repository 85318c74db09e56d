"""Writes the files of bad-input.test that text cannot hold."""

import os
import sys

root = sys.argv[1]


def write(name, data):
    with open(os.path.join(root, name), "wb") as file:
        file.write(data)


write("nul.mlir", b"func.func \0 @f() { return }\n")
write("utf8.mlir", b"func.func \xff\xfe @f() { return }\n")
write("crlf.mlir", b"func.func @f() {\r\n  return\r\n}\r\n")
write("modules.mlir", b"module {\n" * 5000 + b"}\n" * 5000)
write("shallow.mlir", b"module {\n" * 500 + b"}\n" * 500)
write("types.mlir",
      b"func.func private @f(" + b"tuple<" * 5000 + b">" * 5000 + b")\n")
# Arrows, comparisons and strings close no bracket.
write("hidden.mlir",
      b"module attributes {a = \">>>>\", b = affine_set<(d) : (d >= 0)>} {\n"
      b"func.func private @g() -> ()\n"
      + b"module {\n" * 4999 + b"}\n" * 5000)
write("code.mlirbc", b"ML\xefR" + bytes(64))
os.mkfifo(os.path.join(root, "fifo"))
