"""fatbin.py FILE: what a fatbin holds, one line an image."""

import struct
import sys

with open(sys.argv[1], "rb") as file:
    data = file.read()
magic, version, header, payload = struct.unpack_from("<IHHQ", data)
assert magic == 0xBA55ED50 and header + payload == len(data), data[:16]
at = header
while at < len(data):
    kind, version, header, size = struct.unpack_from("<HHIQ", data, at)
    target = struct.unpack_from("<I", data, at + 28)[0]
    image = data[at + header:at + header + size]
    print({1: "ptx", 2: "cubin"}[kind], f"sm_{target}",
          "ELF" if image.startswith(b"\x7fELF") else "")
    at += header + size
