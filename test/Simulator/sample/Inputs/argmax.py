#!/usr/bin/env python3
"""The position of the largest logit, without logits, against NumPy.

argmax.py TOOL DIRECTORY [OPTION...] [-- CASE...]

Logits are what a full operand of the epilogue has, times an accumulator of 1: any
numbers. NumPy's rule is the one that every device has: NaN is larger than any number, and of
equal logits the first counts. CASE is TYPE,TOKENS,FEATURES,K[,random]; random cases are
sums of small integers, with many ties, and have a soft cap.
"""

import subprocess
import sys
from pathlib import Path

import numpy as np

TYPES = {"f16": np.float16, "f32": np.float32}


def program(element, n, k, is_random):
    full = "tensor<?xNxf32>".replace("N", str(n))
    y, x, w = f"tensor<?x{n}x{element}>", f"tensor<?x{k}xf16>", f"tensor<{n}x{k}xf16>"
    if is_random:
        epilogue = """
    %cap = arith.constant 16.0 : f32
    %0 = arith.divf %acc, %cap : f32
    %1 = math.tanh %0 : f32
    %v = arith.mulf %1, %cap : f32"""
    else:
        epilogue = "\n    %v = arith.mulf %acc, %e : f32"
    rounded = ("%h = arith.truncf %v : f32 to f16\n    sparseflow.yield %h : f16"
               if element == "f16" else "sparseflow.yield %v : f32")
    return f"""
func.func @f(%x: {x}, %w: {w}, %r: {full}) -> tensor<?xi64> {{
  %c0 = arith.constant 0 : index
  %t = tensor.dim %x, %c0 : {x}
  %y = sparseflow.matmul %x, %w epilogue(%r : {full}) as [full] {{
  ^bb0(%acc: f32, %e: f32):{epilogue}
    {rounded}
  }} : {x}, {w} -> {y}
  %least = arith.constant 0x{'FC00' if element == 'f16' else 'FF800000'} : {element}
  %none = arith.constant 0 : i64
  %e0 = tensor.empty(%t) : tensor<?x{element}>
  %e1 = tensor.empty(%t) : tensor<?xi64>
  %i0 = linalg.fill ins(%least : {element}) outs(%e0 : tensor<?x{element}>) -> tensor<?x{element}>
  %i1 = linalg.fill ins(%none : i64) outs(%e1 : tensor<?xi64>) -> tensor<?xi64>
  %z:2 = linalg.generic {{indexing_maps = [affine_map<(t, n) -> (t, n)>, affine_map<(t, n) -> (t)>, affine_map<(t, n) -> (t)>],
      iterator_types = ["parallel", "reduction"]}} ins(%y : {y}) outs(%i0, %i1 : tensor<?x{element}>, tensor<?xi64>) {{
  ^bb0(%in: {element}, %best: {element}, %at: i64):
    %n = linalg.index 1 : index
    %p = arith.index_cast %n : index to i64
    %m = arith.maximumf %in, %best : {element}
    %c = arith.cmpf ogt, %in, %best : {element}
    %s = arith.select %c, %p, %at : i64
    linalg.yield %m, %s : {element}, i64
  }} -> (tensor<?x{element}>, tensor<?xi64>)
  return %z#1 : tensor<?xi64>
}}
"""


def logits(rng, tokens, n):
    """Rows of every kind that the rule is about, in turn."""
    rows = rng.integers(-9, 9, (tokens, n)).astype(np.float32)
    for number, row in enumerate(rows):
        at = rng.integers(0, n, 4)
        kind = number % 9
        if kind == 1:
            row[at[:2]] = np.nan
        elif kind == 2:
            row[at] = np.inf
        elif kind == 3:
            row[at], row[at[0]] = np.inf, np.nan
        elif kind == 4:
            row[:] = -np.inf
        elif kind == 5:
            row[:], row[at] = -np.inf, -65504
        elif kind == 6:
            row[:] = np.where(rng.integers(0, 2, n), 0.0, -0.0)
        elif kind == 7:
            row[:], row[at] = -1, [2.0 ** -24, 2.0 ** -24, -0.0, 0.0]
        elif kind == 8:
            row[:] = np.nan
    return rows


def main():
    arguments, cases = sys.argv[1:], []
    if "--" in arguments:
        split = arguments.index("--")
        arguments, cases = arguments[:split], arguments[split + 1:]
    tool, folder, *options = arguments
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for number, case in enumerate(cases):
        element, tokens, n, k, *rest = case.split(",")
        tokens, n, k = int(tokens), int(n), int(k)
        rng = np.random.default_rng(number)
        x, w = np.zeros((tokens, k), np.float16), np.zeros((n, k), np.float16)
        r = logits(rng, tokens, n)
        x[:, 0], w[:, 0], want = 1, 1, r.astype(TYPES[element])
        if rest:
            x[:], w[:] = rng.integers(-3, 4, x.shape), rng.integers(-3, 4, w.shape)
            # Where tanh rounds, equal sums are equal: larger ones may be, too.
            want = x.astype(np.float64) @ w.astype(np.float64).T
        (folder / "p.mlir").write_text(program(element, n, k, bool(rest)))
        command = [tool, "run", folder / "p.mlir", "-o", folder / "y.npy"] + options
        for name, array in zip("xwr", (x, w, r)):
            np.save(folder / f"{name}.npy", array)
            command += ["--arg", f"{name}={folder / name}.npy"]
        result = subprocess.run([str(part) for part in command], capture_output=True, text=True)
        if result.returncode:
            sys.exit(f"{case}: {result.stdout}{result.stderr}")
        got = np.load(folder / "y.npy")
        if rest:
            capped = lambda v: (16 * np.tanh(v / 16)).astype(TYPES[element])
            rows = np.arange(tokens)
            good = capped(want[rows, got]) >= capped(want.max(1)) * (1 - 2e-3)
        else:
            good = got == want.argmax(1)
        if got.shape != (tokens,) or not good.all():
            row = int(np.argwhere(~good)[0])
            sys.exit(f"{case}: row {row}: {got[row]}, expected {want[row].argmax()}")
        print(f"{case}: ok", flush=True)


if __name__ == "__main__":
    main()
