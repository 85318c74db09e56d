"""Takes kernels with ternary keys and values for one target through ptxas.

Usage: check_ternary_attention.py TARGET FOLDER

The compiler runs ptxas, and refuses spills, local memory, advisories and warnings.
Then, of the loop of a kernel whose values are ternary too: keys and values are read
16 bytes a lane, from global memory into registers; nothing goes through shared
memory, and there is no barrier.
"""

import os
import re
import subprocess
import sys

target, folder = sys.argv[1:]
CASES = ((64, "keys", "head : f32", "causal", "1"),
         (64, "both", "token : f32", "causal", "?"),
         (128, "keys", "token : f32", "causal", "?"),
         (128, "both", "token : f32", "window = 100 : i64", "?"),
         (128, "both", "32 : f16", "causal", "1"))
PROGRAM = """func.func @f(%q: tensor<?x8x{n}x{d}xf16>, %k: tensor<?x2x?x{d}xf16, #sparseflow.ternary<key_planes, scale = {s}>>, %v: tensor<?x2x?x{d}xf16{v}>, %n: tensor<?xi32>) -> tensor<?x8x{n}x{d}xf16> {{
  %o = sparseflow.attention %q, %k, %v lengths(%n : tensor<?xi32>) {{{m}}}
    : tensor<?x8x{n}x{d}xf16>, tensor<?x2x?x{d}xf16, #sparseflow.ternary<key_planes, scale = {s}>>, tensor<?x2x?x{d}xf16{v}> -> tensor<?x8x{n}x{d}xf16>
  return %o : tensor<?x8x{n}x{d}xf16>
}}
"""
os.makedirs(folder, exist_ok=True)
kernels = 0
for number, (d, mode, scale, mask, queries) in enumerate(CASES):
    path = os.path.join(folder, f"t{number}")
    values = ("" if mode == "keys" else
              f", #sparseflow.ternary<value_planes, scale = {scale}>")
    with open(path + ".mlir", "w", encoding="utf-8") as file:
        file.write(PROGRAM.format(n=queries, d=d, s=scale, v=values, m=mask))
    command = ["sparseflow", "compile", path + ".mlir", "--target", target, "--emit",
               "bundle", "-o", path]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{open(path + '.mlir').read()}\n{done.stderr}")
    ptx = open(f"{path}/f.{target}.ptx", encoding="utf-8").read()
    for kernel in ptx.split(".entry ")[1:]:
        kernels += 1
        if kernel.split("(")[0].endswith("_merge"):
            continue
        if not re.search(r"ld\.global\S*\.v4\.(b32|u32)", kernel):
            sys.exit(f"{path}: expected words of 16 bytes a lane")
        if mode == "both" and re.search(r"bar\.|\.shared|ldmatrix", kernel):
            sys.exit(f"{path}: expected planes to need no shared memory")
print(f"{target}: {len(CASES)} programs, {kernels} kernels")
