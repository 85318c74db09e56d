"""Takes every row of a schedule table for one target through ptxas.

Usage: check_rows.py TABLE.json TARGET FOLDER [KINDS]

Writes programs that make the compiler use each row (from a table without families, which
would serve most of their tokens; families-*.test compiles those), or those whose weights match
KINDS, a regular expression: products of 2:4, ternary and dense weights with a bias
(without, for rows that allow no operand, and behind a norm, for rows by which blocks compute
one; with the other rows avoided, for those that stand behind others of the same limits; of 8-bit activations with an odd N and two operands more, and of dense weights with more features, for rows behind
those with such limits), of f16 with a depth that no row splits and
of bf16 with one that a row may split. Each is compiled to a bundle, for which the compiler runs
ptxas and refuses spills, local memory, advisories and warnings. Then, for each:

  * the rows that the kernels name are those of the table;
  * the PTX holds as many products as the IR, and no mma.sp without ordered
    metadata, which ptxas calls slow on future machines;
  * the tile level of one for each kind of weight, printed and compiled from there,
    gives the same bytes.
"""

import json
import os
import re
import subprocess
import sys

from products import product

BIASED = """\
func.func @{name}(%x: tensor<?x{k}x{type}>, %w: {weight}, %b: tensor<{n}x{type}>) -> tensor<?x{n}x{type}> {{
  %y = sparseflow.matmul %x, %w epilogue(%b : tensor<{n}x{type}>) as [per_feature] {{
  ^bb0(%acc: f32, %bias: {type}):
    %0 = arith.extf %bias : {type} to f32
    %1 = arith.addf %acc, %0 : f32
    %2 = arith.truncf %1 : f32 to {type}
    sparseflow.yield %2 : {type}
  }} : tensor<?x{k}x{type}>, {weight} -> tensor<?x{n}x{type}>
  return %y : tensor<?x{n}x{type}>
}}
"""

# Odd N and two operands of the result's size, which rows with limits leave to others.
ADDED = """\
func.func @{name}(%x: tensor<?x{k}xf16>, %w: {weight}, %a: tensor<?x{n}xf16>, %b: tensor<?x{n}xf16>) -> tensor<?x{n}xf16> {{
  %q, %s = sparseflow.quantize %x : tensor<?x{k}xf16> -> tensor<?x{k}xi8>, tensor<?xf32>
  %y = sparseflow.matmul %q, %w epilogue(%s, %a, %b : tensor<?xf32>, tensor<?x{n}xf16>, tensor<?x{n}xf16>) as [per_token, full, full] {{
  ^bb0(%acc: f32, %scale: f32, %first: f16, %second: f16):
    %0 = arith.mulf %acc, %scale : f32
    %1 = arith.extf %first : f16 to f32
    %2 = arith.extf %second : f16 to f32
    %3 = arith.addf %0, %1 : f32
    %4 = arith.addf %3, %2 : f32
    %5 = arith.truncf %4 : f32 to f16
    sparseflow.yield %5 : f16
  }} : tensor<?x{k}xi8>, {weight} -> tensor<?x{n}xf16>
  return %y : tensor<?x{n}xf16>
}}
"""

# Rows that a block computes, of one token.
NORMED = """\
func.func @{name}(%x: tensor<?x{k}x{type}>, %w: {weight}) -> tensor<?x{n}x{type}> {{
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0.0 : f32
  %t = tensor.dim %x, %c0 : tensor<?x{k}x{type}>
  %e = tensor.empty(%t) : tensor<?x{k}x{type}>
  %s = tensor.empty(%t) : tensor<?xf32>
  %none = linalg.fill ins(%zero : f32) outs(%s : tensor<?xf32>) -> tensor<?xf32>
  %squares = linalg.generic {{
    indexing_maps = [affine_map<(t, k) -> (t, k)>, affine_map<(t, k) -> (t)>], iterator_types = ["parallel", "reduction"]
  }} ins(%x : tensor<?x{k}x{type}>) outs(%none : tensor<?xf32>) {{
  ^bb0(%a: {type}, %sum: f32):
    %0 = arith.extf %a : {type} to f32
    %1 = arith.mulf %0, %0 : f32
    %2 = arith.addf %sum, %1 : f32
    linalg.yield %2 : f32
  }} -> tensor<?xf32>
  %h = linalg.generic {{
    indexing_maps = [affine_map<(t, k) -> (t, k)>, affine_map<(t, k) -> (t)>, affine_map<(t, k) -> (t, k)>], iterator_types = ["parallel", "parallel"]
  }} ins(%x, %squares : tensor<?x{k}x{type}>, tensor<?xf32>) outs(%e : tensor<?x{k}x{type}>) {{
  ^bb0(%a: {type}, %sum: f32, %o: {type}):
    %0 = arith.extf %a : {type} to f32
    %1 = math.rsqrt %sum : f32
    %2 = arith.mulf %0, %1 : f32
    %3 = arith.truncf %2 : f32 to {type}
    linalg.yield %3 : {type}
  }} -> tensor<?x{k}x{type}>
  %y = sparseflow.matmul %h, %w {{
  ^bb0(%acc: f32):
    %0 = arith.truncf %acc : f32 to {type}
    sparseflow.yield %0 : {type}
  }} : tensor<?x{k}x{type}>, {weight} -> tensor<?x{n}x{type}>
  return %y : tensor<?x{n}x{type}>
}}
"""

TERNARY = ", #sparseflow.ternary<codes, scale = row : f32>"
# The type of scales of rows that want that of the activations.
EXACT = TERNARY.replace("row", "64").replace("f32", "TYPE")
# What the weights of a row are called: the kind of program and its encoding.
KINDS = {"2:4": ("sparse", ", #sparseflow.nm<2:4>"), "dense": ("dense", ""),
         "ternary": ("ternary", TERNARY), "ternary_i8": ("quantized", TERNARY),
         "ternary24_i8": ("sparse_quantized", TERNARY.replace("codes", "two_four")),
         "ternary_groups": ("groups", TERNARY.replace("row", "64")),
         "ternary_groups exact": ("groups_exact", EXACT),
         "ternary_groups_i8": ("groups_quantized", TERNARY.replace("row", "64")),
         "ternary24": ("sparse_ternary", TERNARY.replace("codes", "two_four")),
         "ternary24_groups": ("sparse_groups", TERNARY.replace("codes", "two_four_zero").replace("row", "64"))}


def compile(source, target, table, emit, output):
    command = ["sparseflow", "compile", source, "--target", target,
               "--schedule-file", table, "--emit", emit, "--remarks", "-o", output]
    result = subprocess.run(command, capture_output=True, text=True)
    # Kernels of no row would be compiled again.
    if result.returncode or "[fallback]" in result.stderr:
        sys.exit(f"{' '.join(command)}\n{result.stderr}")


def size(row, dimension, wanted):
    """A multiple of 64 near `wanted` within the limits of a row."""
    low = row.get(f"min_{dimension}", 0)
    high = row.get(f"max_{dimension}", 1 << 20)
    value = min(max(wanted, -(-low // 64) * 64), high // 64 * 64)
    if value < low:
        sys.exit(f"row {row['name']}: no multiple of 64 in its limits of "
                 f"{dimension}; extend this test")
    return value


def computes_rows(row):
    """Whether it is for rows that the blocks of a matmul compute."""
    pipeline = row["pipeline"]
    return pipeline["kind"] == "multistage" and pipeline.get("holds_activations", False)


def programs(rows):
    """(file name, text) of programs that use every row."""
    # Loops of few steps would be unrolled by LLVM, which multiplies products.
    for type, width, depth in (("f16", 256, 448), ("bf16", 2048, 16384)):
        # Rows with the same limits serve the same product, one for each class
        # of token numbers.
        # Stages of ternary weights are twice as deep. A 2:4 row for short depths
        # is used by the first program.
        shapes = {(row["weights"] + " exact" * row.get("exact_scales", False),
                   size(row, "n", width),
                   size(row, "k", depth * (3 if depth < 1024 and
                                           row["weights"].startswith("tern")
                                           else 1)),
                   row.get("max_operands") == 0, computes_rows(row))
                  for row in rows
                  if row["weights"] != "2:4" or row.get("max_k", depth) >= depth}
        for weights, n, k, plain, computes in sorted(shapes):
            kind, encoding = KINDS[weights]
            name = f"{kind}_{type}_{n}x{k}" + ("_plain" if plain else "") + \
                ("_normed" if computes else "")
            weight = f"tensor<{n}x{k}x{type}{encoding.replace('TYPE', type)}>"
            quantized = kind.endswith("quantized")
            if computes:
                yield name, NORMED.format(name=name, n=n, k=k, type=type, weight=weight)
            elif plain or quantized:
                yield name, product(name, n, k, type, weight, quantized)
            else:
                yield name, BIASED.format(name=name, n=n, k=k, type=type, weight=weight)
    # Rows that are taken where those before them would spill, with 2 planes.
    for row in rows:
        if not row["name"].endswith(".tight"):
            continue
        kind, encoding = KINDS[row["weights"]]
        n, k = 256, 1344
        name = f"{kind}_f16_{n}x{k}_tight"
        weight = f"tensor<{n}x{k}xf16{encoding.replace('>', ', planes = 2>')}>"
        avoided = ", ".join(f'"{other["name"]}"' for other in rows
                            if other["weights"] == row["weights"] and
                            other["name"] != row["name"])
        text = BIASED.format(name=name, n=n, k=k, type="f16", weight=weight)
        yield name, text.replace("  } : ", f"  }} {{sftile.avoid_schedules = [{avoided}]}} : ")
    # More features than rows have whose warps divide K: those behind them.
    shared = [row["max_n"] for row in rows if row["pipeline"].get("k_warps", 1) > 1 and "max_n" in row and
              row["pipeline"]["kind"] == "multistage"]
    for kind, text in (("dense", BIASED), ("dense_normed", NORMED)) if shared else ():
        n, k = max(shared) + 64, 448
        name = f"{kind}_f16_{n}x{k}_behind"
        yield name, text.format(name=name, n=n, k=k, type="f16", weight=f"tensor<{n}x{k}xf16>")
    for weights in sorted({row["weights"] for row in rows
                           if row["weights"].endswith("_i8") and "max_full_operands" in row}):
        kind, encoding = KINDS[weights]
        n, k = 257, 1344
        name = f"{kind}_f16_{n}x{k}_added"
        yield name, ADDED.format(name=name, n=n, k=k, weight=f"tensor<{n}x{k}xf16{encoding}>")


def rows_alone(table, folder):
    """A copy of the table without families."""
    with open(table, encoding="utf-8") as file:
        content = json.load(file)
    content.pop("families", None)
    path = os.path.join(folder, "rows.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(content, file)
    return path


def main():
    table, target, folder = sys.argv[1:4]
    kinds = sys.argv[4] if len(sys.argv) > 4 else ".*"
    rows = [row for row in json.load(open(table, encoding="utf-8"))["rows"]
            if target in row["targets"] and row["op"] == "matmul" and
            re.fullmatch(kinds, row["weights"])]
    if not rows:
        sys.exit(f"{table}: no row for {target}")
    os.makedirs(folder, exist_ok=True)
    table = rows_alone(table, folder)
    used, again, kernels, products = set(), set(), 0, 0
    for name, text in programs(rows):
        path = os.path.join(folder, name)
        with open(path + ".mlir", "w", encoding="utf-8") as file:
            file.write(text)
        compile(path + ".mlir", target, table, "bundle", path)
        ptx = open(f"{path}/{name}.{target}.ptx", encoding="utf-8").read()

        compile(path + ".mlir", target, table, "sftile", path + ".sftile.mlir")
        tiles = open(path + ".sftile.mlir", encoding="utf-8").read()
        used.update(re.findall(
            r'gpu\.func .*sftile\.schedule = #sftile\.schedule<"([^"]*)"', tiles))
        # As much work as the program itself, so for one of each kind of weight.
        if name.split("_f16_")[0] not in again and "_f16_" in name:
            again.add(name.split("_f16_")[0])
            compile(path + ".sftile.mlir", target, table, "ptx", path + ".ptx")
            if open(path + ".ptx", encoding="utf-8").read() != ptx:
                sys.exit(f"{path}.sftile.mlir: expected the PTX of {path}.mlir")

        compile(path + ".mlir", target, table, "nvvm", path + ".nvvm.mlir")
        nvvm = open(path + ".nvvm.mlir", encoding="utf-8").read()
        for op, instruction in (
                (r"nvvm\.mma\.sp\.sync", "mma.sp::ordered_metadata.sync"),
                (r"nvvm\.mma\.sync", "mma.sync.aligned"),
                # Hopper's products are the same text at both levels.
                (r"wgmma\.mma_async\.s", "wgmma.mma_async.s")):
            expected, found = len(re.findall(op, nvvm)), ptx.count(instruction)
            if expected != found:
                sys.exit(f"{name}: {expected} of {op} in the IR, {found} of "
                         f"{instruction} in PTX")
            products += found
        sparse = "mma.sp::ordered_metadata.sync" in ptx
        if sparse != name.startswith("sparse") or "mma.sp.sync" in ptx:
            sys.exit(f"{name}: expected mma.sp::ordered_metadata for 2:4 weights "
                     "and nothing else")
        kernels += ptx.count(".entry")

    names = {row["name"] for row in rows}
    if names - used:
        sys.exit(f"{table}: no program of this test uses {sorted(names - used)}; "
                 "another row for the same tokens, or the same limits, comes "
                 "first")
    print(f"{target}: {len(names)} rows, {kernels} kernels, {products} products")


if __name__ == "__main__":
    main()
