"""Functions that gather rows of a table, and ids for them."""

import sys

import npyfile

# Each with the shape of its ids, as the file and as its loops have it, the rows of its
# table and what its body says for the row.
BODY = "    %at = arith.index_cast %id : i64 to index\n"
FUNCTIONS = {
    "embed": ("?", "?", "50257", BODY),
    "clamped": ("?", "?", "50257", """    %said = arith.index_cast %id : i64 to index
    %least = arith.maxsi %said, %c0 : index
    %at = arith.minsi %least, %last : index
"""),
    "wrapped": ("2x4", "8", "50257", """    %negative = arith.cmpi slt, %id, %zero : i64
    %behind = arith.addi %id, %rows : i64
    %row = arith.select %negative, %behind, %id : i64
    %at = arith.index_cast %row : i64 to index
"""),
    "masked": ("?", "?", "50257", BODY),
}

TEXT = """func.func @{name}(%given: tensor<{shape}xi64> {{sparseflow.name = "ids"}},
    %table: tensor<{rows}x16xf16> {{sparseflow.name = "table"}}) -> tensor<{loops}x16xf16> {{
  %c0 = arith.constant 0 : index
  %zero = arith.constant 0 : i64
  %rows = arith.constant 50257 : i64
  %last = arith.constant 50256 : index
  %none = arith.constant 0.0 : f16
{prologue}  %r = linalg.generic {{indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}}
      ins(%ids : tensor<{loops}xi64>) outs(%e : tensor<{loops}x16xf16>) {{
  ^bb0(%id: i64, %out: f16):
{body}    %j = linalg.index 1 : index
    %v = tensor.extract %table[%at, %j] : tensor<{rows}x16xf16>
{epilogue}  }} -> tensor<{loops}x16xf16>
  return %r : tensor<{loops}x16xf16>
}}
"""

# One sum of the rows that are named.
SUMMED = """func.func @summed(%ids: tensor<4xi64> {sparseflow.name = "ids"},
    %table: tensor<?x16xf32> {sparseflow.name = "table"}) -> tensor<16xf32> {
  %none = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16xf32>
  %start = linalg.fill ins(%none : f32) outs(%e : tensor<16xf32>) -> tensor<16xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(j, i) -> (i)>, affine_map<(j, i) -> (j)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%ids : tensor<4xi64>) outs(%start : tensor<16xf32>) {
  ^bb0(%id: i64, %sum: f32):
    %at = arith.index_cast %id : i64 to index
    %j = linalg.index 0 : index
    %v = tensor.extract %table[%at, %j] : tensor<?x16xf32>
    %next = arith.addf %sum, %v : f32
    linalg.yield %next : f32
  } -> tensor<16xf32>
  return %r : tensor<16xf32>
}
"""


def text(name, shape, loops, rows, body):
    ids = "%given"
    prologue = ""
    if shape != loops:
        prologue = f"  %ids = tensor.collapse_shape %given [[0, 1]] : tensor<{shape}xi64> into tensor<{loops}xi64>\n"
        ids = "%ids"
    size = ""
    if loops == "?":
        prologue += f"  %n = tensor.dim %given, %c0 : tensor<{shape}xi64>\n"
        size = "%n"
    prologue += f"  %e = tensor.empty({size}) : tensor<{loops}x16xf16>\n"
    epilogue = "    linalg.yield %v : f16\n"
    if name == "masked":
        epilogue = """    %inside = arith.cmpi slt, %id, %rows : i64
    %kept = arith.select %inside, %v, %none : f16
    linalg.yield %kept : f16
"""
    return TEXT.format(name=name, shape=shape, loops=loops, rows=rows, prologue=prologue, body=body,
                       epilogue=epilogue).replace("%ids :", f"{ids} :")


folder = sys.argv[1]
with open(f"{folder}/ids.mlir", "w") as file:
    for function, parts in FUNCTIONS.items():
        file.write(text(function, *parts))
    file.write(SUMMED)
npyfile.write(f"{folder}/last.npy", (4,), [1, 2, 50256, 50257], "<i8")
npyfile.write(f"{folder}/zeros.npy", (4,), [0, 0, 0, 0], "<i8")
npyfile.write(f"{folder}/wrapped.npy", (2, 4), [1, 2, 5, 7, 9, -50257, -60000, 1], "<i8")
