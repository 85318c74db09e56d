#!/usr/bin/env python3
"""Kernels of sparseflow.hadamard against NumPy: the bits of its definition, and float64.

hadamard.py SPARSEFLOW DIRECTORY [OPTION...] [-- CASE...]
hadamard.py --compile SPARSEFLOW DIRECTORY [OPTION...] [-- CASE...]
hadamard.py --exec SPARSEFLOW_EXEC DIRECTORY [OPTION...] [-- CASE...]

A case is ROWSxK/BLOCK/TYPE/TYPE OF THE SIGNS, "-" for none. Every element is compared.
--compile only writes bundles, which --exec runs on a machine without the compiler.
"""

import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np

# By block: one warp has several blocks, one, and a part of one; odd rows, none; tails of
# the grid; every type of x and signs.
CASES = """
5x128/64/f16/f16 3x192/64/f32/f32 7x64/64/bf16/- 0x64/64/f16/f16
3x384/128/f16/f32 2x256/256/bf16/bf16 1x512/512/f32/f16
5x1536/512/f16/f16 3x1024/1024/f16/- 1x2048/1024/f32/f32
3x2048/2048/f16/f16 1x6144/2048/bf16/f32 2x4096/2048/f32/f32
3x4096/4096/f16/bf16 1x4096/4096/f32/-
1x8192/8192/f16/f16 2x8192/8192/f32/f32
1x16384/16384/bf16/bf16 1x16384/16384/f32/f16
""".split()


def rounded(values, kind):
    """float32 rounded to the type, as float32."""
    if kind == "f32":
        return values.astype(np.float32)
    if kind == "f16":
        with np.errstate(over="ignore"):
            return values.astype(np.float16).astype(np.float32)
    bits = values.astype(np.float32).view(np.uint32)
    even = bits + 0x7FFF + (bits >> 16 & 1)
    nan = np.isnan(values)
    return np.where(nan, np.float32(np.nan), (even & 0xFFFF0000).view(np.float32))


def stored(values, kind):
    """As files hold them: bf16 as its bits."""
    if kind == "bf16":
        return (values.view(np.uint32) >> 16).astype(np.uint16)
    return values.astype({"f16": np.float16, "f32": np.float32}[kind])


def loaded(array):
    if array.dtype == np.uint16:
        return (array.astype(np.uint32) << 16).view(np.float32)
    return array.astype(np.float32)


def transform(x, signs, block, kind):
    """The definition, in the arithmetic of `kind`."""
    v = x.astype(kind)
    if signs is not None:
        v = v * signs.astype(kind)
    half = 1
    while half < block:
        v = v.reshape(-1, 2, half)
        v = np.stack([v[:, 0] + v[:, 1], v[:, 0] - v[:, 1]], axis=1)
        half *= 2
    scale = np.float32(block ** -0.5) if kind == np.float32 else block ** -0.5
    return v.reshape(x.shape) * kind(scale)


def inputs(rng, rows, k, kind):
    """Numbers of many magnitudes; in the rows behind the first, what is special."""
    x = rng.standard_normal((rows, k)) * 2.0 ** rng.integers(-6, 6, (rows, k))
    x[:, rng.integers(0, k, 3)] *= 30
    if rows > 1:
        x[1, ::2] = -0.0
        x[1, 1::2] = 0.0
        x[1, 3] = 6e-8 if kind == "f16" else 1e-41
    if rows > 2:
        x[2, k // 2] = np.inf
        x[2, 1] = np.nan if k > 64 else -np.inf
    return rounded(x, kind)


def check(name, x, signs, block, kind, found):
    expected = rounded(transform(x, signs, block, np.float32), kind)
    same = (expected.view(np.uint32) == found.view(np.uint32)) | \
        (np.isnan(expected) & np.isnan(found))
    if not same.all():
        place = tuple(int(i) for i in np.argwhere(~same)[0])
        sys.exit(f"{name}: {np.count_nonzero(~same)} of {same.size} elements are not what the "
                 f"definition says, the first at {place}: {found[place]!r}, expected {expected[place]!r}")
    # The definition's bound, beside the exact transform.
    blocks = np.isfinite(x).reshape(-1, block).all(axis=1)
    if not blocks.any():
        return
    exact = transform(x, signs, block, np.float64).reshape(-1, block)[blocks]
    size = np.abs(x.astype(np.float64) * (1 if signs is None else signs)).reshape(-1, block)[blocks]
    bound = (np.log2(block) + 2) * 2.0 ** -24 * size.sum(axis=1, keepdims=True) * block ** -0.5
    digits = {"f16": 2.0 ** -11, "bf16": 2.0 ** -8, "f32": 0}[kind]
    # Denormal numbers have fewer digits, those of products in front of the sums, too.
    least = {"f16": 2.0 ** -25}.get(kind, 0) + 2.0 ** -148 * block ** 0.5
    error = np.abs(found.reshape(-1, block)[blocks] - exact)
    bound = bound + digits * (np.abs(exact) + bound) + least
    if (error > bound).any():
        sys.exit(f"{name}: an error of up to {(error / bound).max()} times the bound")


def program(rows, k, block, kind, signed):
    tensor = f"tensor<?x{k}x{kind}>"
    given, clause = f"%x: {tensor}", ""
    if signed != "-":
        given += f", %signs: tensor<{k}x{signed}>"
        clause = f" signs(%signs : tensor<{k}x{signed}>)"
    return (f"func.func @f({given}) -> {tensor} {{\n"
            f"  %y = sparseflow.hadamard %x{clause} block {block} : {tensor}\n"
            f"  return %y : {tensor}\n}}\n")


def run(case, mode, tool, folder, options):
    size, block, kind, signed = case.split("/")
    rows, k = (int(n) for n in size.split("x"))
    block = int(block)
    rng = np.random.default_rng(zlib.crc32(case.encode()))
    x = inputs(rng, rows, k, kind)
    arrays = [stored(x, kind)]
    if signed != "-":
        signs = rng.choice(np.float32([-1, 1]), k)
        if k % 3 == 0:
            signs = rounded(signs * rng.uniform(0.5, 2, k), signed)
        arrays.append(stored(signs, signed))
    folder = folder / case.replace("/", "_")
    folder.mkdir(parents=True, exist_ok=True)
    source, bundle, out = folder / "p.mlir", folder / "bundle", folder / "y.npy"
    if mode != "--exec":
        source.write_text(program(rows, k, block, kind, signed))
    command = [tool, "run", str(source), "-o", str(out)]
    if mode == "--compile":
        command = [tool, "compile", str(source), "--emit", "bundle", "-o", str(bundle)]
    elif mode == "--exec":
        command = [tool, str(bundle), "--save-result", str(out)]
    if mode != "--compile":
        for number, array in enumerate(arrays):
            np.save(folder / f"a{number}.npy", array)
            command += ["--arg", f"{number}={folder / f'a{number}.npy'}"]
    done = subprocess.run(command + options, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{case}: {' '.join(command + options)}\n{done.stdout}{done.stderr}")
    if mode == "--compile":
        return
    found = loaded(np.load(out))
    if found.shape != x.shape:
        sys.exit(f"{case}: expected the shape {x.shape}, found {found.shape}")
    check(case, x, signs if signed != "-" else None, block, kind, found)
    print(f"{case}: ok", flush=True)


def main():
    arguments, cases = sys.argv[1:], CASES
    if "--" in arguments:
        split = arguments.index("--")
        arguments, cases = arguments[:split], arguments[split + 1:]
    mode = arguments.pop(0) if arguments[0] in ("--compile", "--exec") else ""
    tool, folder, *options = arguments
    for case in cases:
        run(case, mode, tool, Path(folder), options)


if __name__ == "__main__":
    main()
