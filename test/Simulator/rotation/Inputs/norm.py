# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a program: a norm, rotated or not, is quantized and multiplied.

Usage: norm.py TYPE K FORM BLOCK KIND

TYPE    f16, bf16 or f32
FORM    of the ternary weight: codes or two_four
BLOCK   of the rotation; 0 for none
KIND    rms, layer (a mean, two leading dimensions, no weight) or twice (the norm is
        returned, too)
"""

import sys

element, k, form, block, kind = sys.argv[1:]
is_layer = kind == "layer"
lead = "?x?" if is_layer else "?"
x, sums = f"tensor<{lead}x{k}x{element}>", f"tensor<{lead}xf32>"
names = "b, t" if is_layer else "t"
full, row, column = (f"affine_map<({names}, k) -> ({to})>"
                     for to in (f"{names}, k", names, "k"))
parallel = ", ".join(['"parallel"'] * lead.count("?"))
dims = ", ".join(f"%d{i}" for i in range(lead.count("?")))
bytes_ = f"tensor<{lead}x{k}xi8>"
weight = f"tensor<64x{k}xf16, #w>"
products = f"tensor<{lead}x64xf32>"
results = [products] + ([x] if kind == "twice" else [])
wide = lambda name, value: (f"    %{name} = arith.extf %{value} : {element} to f32"
                            if element != "f32" else
                            f"    %{name} = arith.addf %{value}, %minus_zero : f32")


def total(name, init, body):
    print(f"""  %{name} = linalg.generic {{
    indexing_maps = [{full}, {row}{', ' + row if init else ''}], iterator_types = [{parallel}, "reduction"]
  }} ins(%x{', %' + init if init else ''} : {x}{', ' + sums if init else ''}) outs(%none : {sums}) {{
  ^bb0(%a: {element}, {'%m: f32, ' if init else ''}%sum: f32):
{wide('wide', 'a')}
{body}
    %next = arith.addf %sum, %term : f32
    linalg.yield %next : f32
  }} -> {sums}""")


print(f"""#w = #sparseflow.ternary<{form}, scale = row : f32>
func.func @f(%x: {x}, %g: tensor<{k}x{element}>, %s: tensor<{k}xf32>, %w: {weight}) -> ({', '.join(results)}) {{
  %zero = arith.constant 0.0 : f32
  %minus_zero = arith.constant -0.0 : f32
  %k = arith.constant {k}.0 : f32
  %eps = arith.constant 1.0e-5 : f32""")
for i in range(lead.count("?")):
    print(f"""  %c{i} = arith.constant {i} : index
  %d{i} = tensor.dim %x, %c{i} : {x}""")
print(f"""  %empty = tensor.empty({dims}) : {x}
  %sums = tensor.empty({dims}) : {sums}
  %none = linalg.fill ins(%zero : f32) outs(%sums : {sums}) -> {sums}""")
if is_layer:
    total("mean", None, "    %term = arith.divf %wide, %k : f32")
    total("squares", "mean", """    %d = arith.subf %wide, %m : f32
    %term = arith.mulf %d, %d : f32""")
else:
    total("squares", None, "    %term = arith.mulf %wide, %wide : f32")
other, other_type, other_map = ("mean", sums, row) if is_layer else (
    "g", f"tensor<{k}x{element}>", column)
print(f"""  %norm = linalg.generic {{
    indexing_maps = [{full}, {row}, {other_map}, {full}], iterator_types = [{parallel}, "parallel"]
  }} ins(%x, %squares, %{other} : {x}, {sums}, {other_type}) outs(%empty : {x}) {{
  ^bb0(%a: {element}, %sq: f32, %o: {'f32' if is_layer else element}, %out: {element}):
{wide('wide', 'a')}
    %mean_square = arith.divf %sq, %k : f32
    %safe = arith.addf %mean_square, %eps : f32
    %factor = math.rsqrt %safe : f32""")
if is_layer:
    print("""    %centred = arith.subf %wide, %o : f32
    %y = arith.mulf %centred, %factor : f32""")
else:
    print(f"""{wide('gain', 'o')}
    %scaled = arith.mulf %wide, %factor : f32
    %y = arith.mulf %scaled, %gain : f32""")
print(f"    %rounded = arith.truncf %y : f32 to {element}\n    linalg.yield %rounded"
      if element != "f32" else "    linalg.yield %y", f": {element}\n  }} -> {x}")
read = "norm"
if block != "0":
    print(f"  %r = sparseflow.hadamard %{read} signs(%s : tensor<{k}xf32>) block {block} : {x}")
    read = "r"
print(f"""  %q, %scale = sparseflow.quantize %{read} : {x} -> {bytes_}, {sums}
  %y = sparseflow.matmul %q, %w epilogue(%scale : {sums}) as [per_token] {{
  ^bb0(%acc: f32, %ts: f32):
    %0 = arith.mulf %acc, %ts : f32
    sparseflow.yield %0 : f32
  }} : {bytes_}, {weight} -> {products}
  return %y{', %norm' if kind == 'twice' else ''} : {', '.join(results)}
}}""")
