"""Writes the programs of ternary.test: ternary.py FOLDER"""

import os
import sys

from products import product

FLOATS = """\
func.func @f(%x: tensor<?x{k}x{type}>, %w: {weight}, %b: tensor<{n}xf32>) -> tensor<?x{n}x{type}> {{
  %y = sparseflow.matmul %x, %w epilogue(%b : tensor<{n}xf32>) as [per_feature] {{
  ^bb0(%acc: f32, %bias: f32):
    %0 = arith.addf %acc, %bias : f32
    %1 = arith.truncf %0 : f32 to {type}
    sparseflow.yield %1 : {type}
  }} : tensor<?x{k}x{type}>, {weight} -> tensor<?x{n}x{type}>
  return %y : tensor<?x{n}x{type}>
}}
"""


def quantized(n, k, weight):
    return product("f", n, k, "f16", weight, quantized=True)


def write(name, text):
    path = os.path.join(sys.argv[1], name + ".mlir")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


for kind in ("f16", "bf16", "i8"):
    for n, k in ((70, 50), (200, 136), (136, 1000), (192, 2304)):
        type = "f16" if kind == "i8" else kind
        scale = "row : f32" if n != 200 else "tensor : f16"
        weight = (f"tensor<{n}x{k}x{type}, "
                  f"#sparseflow.ternary<codes, scale = {scale}>>")
        write(f"{kind}_{n}x{k}", quantized(n, k, weight) if kind == "i8" else
              FLOATS.format(n=n, k=k, type=type, weight=weight))

for storage in ("two_four", "two_four_zero"):
    for n, k in ((70, 52), (136, 1000), (192, 2304)):
        weight = (f"tensor<{n}x{k}xf16, "
                  f"#sparseflow.ternary<{storage}, scale = row : f32>>")
        write(f"{storage}_{n}x{k}", quantized(n, k, weight))

# K ends within a stage, and MMAs do.
for name, storage in (("i8", "codes"), ("two_four", "two_four")):
    weight = f"tensor<200x600xf16, #sparseflow.ternary<{storage}, scale = row : f32>>"
    write(f"{name}_200x600", quantized(200, 600, weight))

# Kept pairs and activations of 16 bits.
for storage, type, n, k in (("two_four", "f16", 70, 52), ("two_four", "bf16", 136, 1000),
                            ("two_four_zero", "f16", 136, 1000),
                            ("two_four", "f16", 192, 2304),
                            ("two_four_zero", "bf16", 192, 2304)):
    weight = (f"tensor<{n}x{k}x{type}, "
              f"#sparseflow.ternary<{storage}, scale = row : f32>>")
    write(f"{storage}_{type}_{n}x{k}",
          FLOATS.format(n=n, k=k, type=type, weight=weight))

# Scales of groups of kept pairs.
for name, storage, scale, type in (
        ("pairs32", "two_four", "32 : f32", "f16"),
        ("pairs64", "two_four_zero", "64 : bf16", "bf16"),
        ("pairs256", "two_four", "256 : f16", "f16")):
    weight = f"tensor<136x1000x{type}, #sparseflow.ternary<{storage}, scale = {scale}>>"
    write(f"{name}_i8", quantized(136, 1000, weight.replace("bf16, #", "f16, #")))
    write(f"{name}_{type}", FLOATS.format(n=136, k=1000, type=type, weight=weight))

# Scales of groups and planes: the loop over K multiplies with them.
for name, scale in (("group32", "32 : f16"), ("group64", "64 : f32"),
                    ("group256", "256 : bf16"),
                    ("planes", "row : f32, planes = 2"),
                    ("both", "128 : f16, planes = 2"),
                    ("tensors", "tensor : f32, planes = 2")):
    for n, k in ((200, 600), (72, 1200)):
        weight = (f"tensor<{n}x{k}xf16, "
                  f"#sparseflow.ternary<codes, scale = {scale}>>")
        write(f"{name}_{n}x{k}",
              FLOATS.format(n=n, k=k, type="f16", weight=weight))
        write(f"{name}_i8_{n}x{k}", quantized(n, k, weight))

# Four bits: scales of every scope.
for name, scale in (("tensor", "tensor : f32"), ("row", "row : f16"),
                    ("g32", "32 : f16"), ("g64", "64 : bf16"), ("g128", "128 : f16"),
                    ("g256", "256 : f32")):
    for n, k, type in ((70, 50, "bf16"), (136, 1000, "f16"), (192, 2304, "f16"),
                       (200, 330, "bf16")):
        for storage in ("int4", "int8"):
            weight = (f"tensor<{n}x{k}x{type}, "
                      f"#sparseflow.quantized<{storage}, scale = {scale}>>")
            write(f"{storage}_{name}_{n}x{k}",
                  FLOATS.format(n=n, k=k, type=type, weight=weight))

# Results as they are summed: parts of integers are exact, so that nothing but the
# last bits of f32 is lost.
write("sums", quantized(72, 1200, "tensor<72x1200xf16, #sparseflow.ternary<codes, "
                                  "scale = 64 : f32, planes = 2>>")
      .replace("?x72xf16", "?x72xf32").replace("%1 = arith.truncf %0 : f32 to f16", "")
      .replace("yield %1 : f16", "yield %0 : f32"))
