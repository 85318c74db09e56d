#!/usr/bin/env python3
"""sparseflow.sample against its definition, in NumPy and Python's integers.

sample.py SPARSEFLOW DIRECTORY [OPTION...] [-- CASE...]
sample.py --compile SPARSEFLOW DIRECTORY [OPTION...] [-- CASE...]
sample.py --exec SPARSEFLOW_EXEC DIRECTORY [OPTION...] [-- CASE...]

A case is ROWSxV/TYPE. Every row has parameters of its own, and every token is compared.
--compile only writes bundles, which --exec runs on a machine without the compiler.
"""

import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np

# One logit, parts of a warp, a warp and a bit, several blocks of a cluster with and
# without a rest, one row and none.
CASES = """
12x1/f32 0x100/f32 40x5/f32 40x97/f16 24x1000/bf16 24x4096/f32 3x5000/f32
16x8192/f16 8x16411/f32
""".split()
MASK = 2 ** 32 - 1


def philox(seed, position):
    key = [seed & MASK, seed >> 32 & MASK]
    counter = [position & MASK, 0, 0, 0]
    for _ in range(10):
        a, b = 0xD2511F53 * counter[0], 0xCD9E8D57 * counter[2]
        counter = [b >> 32 ^ counter[1] ^ key[0], b & MASK,
                   a >> 32 ^ counter[3] ^ key[1], a & MASK]
        key = [key[0] + 0x9E3779B9 & MASK, key[1] + 0xBB67AE85 & MASK]
    return counter[0] | counter[1] << 32


def weights(l, temperature):
    """Of a row, as integers."""
    one = np.float32
    with np.errstate(all="ignore"):
        c = min(one(np.log2(np.e)) / temperature, np.finfo(one).max)
        y = (l.max() - l) * one(c)
    y = np.where(y < 63, y, one(63)).astype(one)
    n = np.floor(y)
    f = y - n
    p = np.full_like(f, one(0.00010902318))
    for factor in (-0.0012747481, 0.00957918, -0.05549076, 0.24022436, -0.69314706, 1):
        p = p * f + one(factor)
    whole = (p * one(2 ** 24)).astype(np.int64)
    return [int(w) << 16 >> int(k) for w, k in zip(whole, n)]


def sample(l, temperature, top_k, top_p, seed, position):
    """The token of a row of float32."""
    l = l + np.float32(0)
    if np.isnan(l).any() or np.isinf(l.max()):
        return -1
    if not temperature > 0:
        return int(l.argmax())
    w = weights(l, temperature)
    kept = np.ones(len(l), bool)
    if 1 <= top_k < len(l):
        kept = l >= np.sort(l)[-top_k]
    if not top_p >= 1:
        total = sum(w[i] for i in np.flatnonzero(kept))
        share = int(np.float64(top_p) * 2 ** 32) if top_p > 0 else 0
        limit, before, stay = max(1, total * share >> 32), 0, []
        for value in np.unique(l[kept])[::-1]:
            if before >= limit:
                break
            tie = np.flatnonzero(kept & (l == value))
            stay += list(tie)
            before += sum(w[i] for i in tie)
        kept = np.zeros(len(l), bool)
        kept[stay] = True
    place = philox(seed, position) * sum(w[i] for i in np.flatnonzero(kept)) >> 64
    for i in np.flatnonzero(kept):
        place -= w[i]
        if place < 0:
            return int(i)
    raise AssertionError("weights that do not sum to their sum")


def rounded(x, kind):
    if kind == "bf16":
        bits = x.astype(np.float32).view(np.uint32)
        keep = bits + 0x7FFF + (bits >> 16 & 1) & np.uint32(0xFFFF0000)
        return np.where(np.isnan(x), np.float32(np.nan), keep.view(np.float32))
    with np.errstate(over="ignore"):
        return x.astype({"f16": np.float16, "f32": np.float32}[kind]).astype(np.float32)


def stored(x, kind):
    if kind == "bf16":
        return (x.view(np.uint32) >> 16).astype(np.uint16)
    return x.astype({"f16": np.float16, "f32": np.float32}[kind])


def inputs(rng, rows, size, kind):
    """Rows of every mode, and some with what is special."""
    l = rng.standard_normal((rows, size)) * rng.choice([0.1, 1, 4, 1000], (rows, 1))
    # Ties: few different logits.
    l[2::5] = np.rint(l[2::5])
    for row in range(0, rows, 7):
        l[row, rng.random(size) < 0.3] = -np.inf
    l[:, :1] = np.where(np.isinf(l[:, :1]), 0, l[:, :1])
    l[5::9] = rng.choice([0.0, -0.0, 1e-41, -3.0], (len(l[5::9]), size))
    if rows > 11:
        l[8, size // 2], l[9, size - 1], l[10] = np.nan, np.inf, -np.inf
        l[11, 0] = -np.nan
    temperature = rng.choice([0, 0.2, 0.7, 1, 1, 1.5, 5], rows)
    top_k = rng.choice([0, -3, 1, 2, 5, 40, size - 1, size, size + 1], rows)
    top_p = rng.choice([1, 1, 0.999, 0.9, 0.5, 0.1, 1e-6, 0, 2], rows)
    if rows > 20:
        temperature[12:19] = [-1, np.nan, 1e-40, 1e38, np.inf, 1e-3, 1]
        top_p[18] = np.nan
    seed = rng.integers(-2 ** 63, 2 ** 63, rows)
    position = rng.integers(0, 2 ** 20, rows)
    return (rounded(l, kind), temperature.astype(np.float32), top_k.astype(np.int32),
            top_p.astype(np.float32), seed, position.astype(np.int32))


def program(size, kind):
    logits = f"tensor<?x{size}x{kind}>"
    return (f"func.func @f(%l: {logits}, %t: tensor<?xf32>, %k: tensor<?xi32>,\n"
            "    %p: tensor<?xf32>, %s: tensor<?xi64>, %n: tensor<?xi32>) -> tensor<?xi32> {\n"
            "  %y = sparseflow.sample %l temperature(%t) top_k(%k) top_p(%p) seed(%s)\n"
            f"      position(%n) : {logits}\n  return %y : tensor<?xi32>\n}}\n")


def run(case, mode, tool, folder, options):
    size, kind = case.split("/")
    rows, size = (int(n) for n in size.split("x"))
    rng = np.random.default_rng(zlib.crc32(case.encode()))
    given = inputs(rng, rows, size, kind)
    folder = folder / case.replace("/", "_")
    folder.mkdir(parents=True, exist_ok=True)
    source, bundle, out = folder / "p.mlir", folder / "bundle", folder / "y.npy"
    if mode != "--exec":
        source.write_text(program(size, kind))
    command = [tool, "run", str(source), "-o", str(out)]
    if mode == "--compile":
        command = [tool, "compile", str(source), "--emit", "bundle", "-o", str(bundle)]
    elif mode == "--exec":
        command = [tool, str(bundle), "--save-result", str(out)]
    if mode != "--compile":
        for number, array in enumerate([stored(given[0], kind), *given[1:]]):
            np.save(folder / f"a{number}.npy", array)
            command += ["--arg", f"{number}={folder / f'a{number}.npy'}"]
    done = subprocess.run(command + options, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{case}: {' '.join(command + options)}\n{done.stdout}{done.stderr}")
    if mode == "--compile":
        return
    found = np.load(out).tolist()
    expected = [sample(*(each[row].item() if each.ndim == 1 and each is not given[1]
                         else each[row] for each in given)) for row in range(rows)]
    if found != expected:
        wrong = [row for row in range(rows) if found[row] != expected[row]]
        row = wrong[0]
        sys.exit(f"{case}: {len(wrong)} of {rows} tokens are not what the definition says; row "
                 f"{row}: {found[row]}, expected {expected[row]}, temperature {given[1][row]}, "
                 f"top_k {given[2][row]}, top_p {given[3][row]}")
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
