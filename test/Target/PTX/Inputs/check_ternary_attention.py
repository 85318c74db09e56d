"""Takes kernels with ternary keys and values for one target through ptxas.

Usage: check_ternary_attention.py TARGET FOLDER [PART/PARTS]

Of sm_90a, those of its programs whose number is PART modulo PARTS.
The compiler runs ptxas, and refuses spills, local memory, advisories and warnings.
Then, of the loop of a kernel whose values are ternary too: keys and values are read
16 bytes a lane, from global memory into registers; nothing goes through shared
memory, and there is no barrier. Kernels of one query whose products are of bytes have
as many as a page needs, and warps meet once, behind the loop. Kernels of sm_90a whose warps expand planes are told
by their products, and these, and the matrix stores of numbers, are counted; where a kernel in front does, it stores
16 bytes a lane, as many times as it has positions and octets.
"""

import os
import re
import subprocess
import sys

target, folder = sys.argv[1:3]
part, parts = map(int, (*sys.argv[3:], "0/1")[0].split("/"))
CASES = ((64, "keys", "head : f32", "causal", "1"),
         (64, "both", "token : f32", "causal", "?"),
         (128, "keys", "token : f32", "causal", "?"),
         (128, "both", "token : f32", "window = 100 : i64", "?"),
         (128, "both", "32 : f16", "causal", "1"),
         (128, "both", "32 : f16", "causal", "?"))
# D, mode, scale of keys and of values, mask: for MMAs of warpgroups.
EXPANDED = ((64, "keys", "head : f32", "", "causal"),
            (64, "both", "head : f16", "32 : f32", "causal, window = 500 : i64"),
            (128, "keys", "head : f32", "", "causal"),
            (128, "both", "head : f32", "head : f32", "causal"),
            (128, "both", "128 : f16", "64 : f16", "scale = 0.1 : f32"),
            (96, "both", "head : f32", "32 : f32", "causal"))
WIDE = """func.func @f(%q: tensor<4x16x2048x{d}xf16>, %k: tensor<4x4x2112x{d}xf16, #sparseflow.ternary<key_planes, scale = {s}>>, %v: tensor<4x4x2112x{d}xf16{v}>) -> tensor<4x16x2048x{d}xf16> {{
  %o = sparseflow.attention %q, %k, %v {{{m}}}
    : tensor<4x16x2048x{d}xf16>, tensor<4x4x2112x{d}xf16, #sparseflow.ternary<key_planes, scale = {s}>>, tensor<4x4x2112x{d}xf16{v}> -> tensor<4x16x2048x{d}xf16>
  return %o : tensor<4x16x2048x{d}xf16>
}}
"""
PROGRAM = """func.func @f(%q: tensor<?x8x{n}x{d}xf16>, %k: tensor<?x2x?x{d}xf16, #sparseflow.ternary<key_planes, scale = {s}>>, %v: tensor<?x2x?x{d}xf16{v}>, %n: tensor<?xi32>) -> tensor<?x8x{n}x{d}xf16> {{
  %o = sparseflow.attention %q, %k, %v lengths(%n : tensor<?xi32>) {{{m}}}
    : tensor<?x8x{n}x{d}xf16>, tensor<?x2x?x{d}xf16, #sparseflow.ternary<key_planes, scale = {s}>>, tensor<?x2x?x{d}xf16{v}> -> tensor<?x8x{n}x{d}xf16>
  return %o : tensor<?x8x{n}x{d}xf16>
}}
"""
os.makedirs(folder, exist_ok=True)
kernels = 0


def compiled(path, text):
    with open(path + ".mlir", "w", encoding="utf-8") as file:
        file.write(text)
    command = ["sparseflow", "compile", path + ".mlir", "--target", target, "--emit",
               "bundle", "-o", path]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{text}\n{done.stderr}")
    return open(f"{path}/f.{target}.ptx", encoding="utf-8").read().split(".entry ")[1:]


def check_expanded():
    turn = list(enumerate(EXPANDED))[part::parts]
    for number, (d, mode, keys, values, mask) in turn:
        path = os.path.join(folder, f"e{number}")
        values = ("" if mode == "keys" else
                  f", #sparseflow.ternary<value_planes, scale = {values}>")
        first = compiled(path, WIDE.format(d=d, s=keys, v=values, m=mask))[0]
        # A tile of 128 keys: a warp stores a quarter of its matrices, four at once.
        tiles = -(-d // 64) * (1 if mode == "keys" else 2)
        stores = len(re.findall(r"stmatrix\S*x4", first))
        if stores == 0 or stores % (16 * 2 // 4 * tiles):
            sys.exit(f"{path}: found {stores} matrix stores for {tiles} tiles")
        products = len(re.findall(r"wgmma\.mma_async", first))
        # The scores of a stage, and of another with its values, and values alone.
        if products == 0 or products % (-(-d // 16) + 8):
            sys.exit(f"{path}: found {products} products")
        if ("cp.async.bulk.tensor.4d.shared" not in first or
                "setmaxnreg" not in first):
            sys.exit(f"{path}: expected queries by tensor maps, and roles")
    print(f"{target}: {len(turn)} programs expand planes")


def check_front():
    front = list(enumerate(case for case in CASES if case[4] == "?"))[part::parts]
    for number, (d, mode, scale, mask, queries) in front:
        path = os.path.join(folder, f"f{number}")
        values = ("" if mode == "keys" else
                  f", #sparseflow.ternary<value_planes, scale = {scale}>")
        text = PROGRAM.format(n=queries, d=d, s=scale, v=values, m=mask)
        (kernel,) = [kernel for kernel in compiled(path, text)
                     if kernel.split("(")[0].endswith("_dequantize")]
        stores = len(re.findall(r"st\.global\S*\.v4", kernel))
        if stores != 8 * (1 if mode == "keys" else 2):
            sys.exit(f"{path}: found {stores} stores of 16 bytes")
    print(f"{target}: {len(front)} programs expand planes in front")


if target == "sm_90a":
    check_expanded()
    check_front()
    sys.exit(0)

def check_bytes(path, kernel, d):
    """64 keys, then as many features: 16 rows and a depth of 32 a product."""
    expected = 4 * -(-d // 64) * 2 + -(-d // 16) * 2
    products = len(re.findall(r"mma\.sync\S*m16n8k32\S*s32\.s8\.s8\.s32", kernel))
    moves = len(re.findall(r"movmatrix\.sync\S*trans", kernel))
    if products != expected or moves != 4 or "m16n8k16" in kernel:
        sys.exit(f"{path}: expected {expected} int8 MMAs and 4 transposing "
                 f"moves, found {products} and {moves}")
    barriers = len(re.findall(r"\bbar\S*\.sync", kernel))
    if barriers != 1 or "ldmatrix" in kernel:
        sys.exit(f"{path}: expected one barrier, found {barriers}")


byteKernels = 0
for number, (d, mode, scale, mask, queries) in enumerate(CASES):
    path = os.path.join(folder, f"t{number}")
    values = ("" if mode == "keys" else
              f", #sparseflow.ternary<value_planes, scale = {scale}>")
    for kernel in compiled(path, PROGRAM.format(n=queries, d=d, s=scale, v=values,
                                                m=mask)):
        kernels += 1
        if kernel.split("(")[0].endswith("_merge"):
            continue
        if not re.search(r"ld\.global\S*\.v4\.(b32|u32)", kernel):
            sys.exit(f"{path}: expected words of 16 bytes a lane")
        if ".s8.s8." in kernel:
            check_bytes(path, kernel, d)
            byteKernels += 1
        elif mode == "both" and re.search(r"bar\.|\.shared|ldmatrix", kernel):
            sys.exit(f"{path}: expected planes to need no shared memory")
if byteKernels == 0:
    sys.exit("expected kernels of bytes")
print(f"{target}: {len(CASES)} programs, {kernels} kernels")
