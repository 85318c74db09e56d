#!/usr/bin/env python3
"""Kernels of tensor ops against NumPy in float64.

tensor_ops.py [--compile | --exec] TOOL DIRECTORY [OPTION...] [-- CASE... | -- I/N]

Each case is a program, its arguments and what it means. Programs run on a
device with the options given; every element is compared. Integers go in and out
as floats, exactly. --compile only writes bundles, which --exec (its tool: sparseflow-exec)
runs on a machine without the compiler. I/N: every Nth case, from number I on.
"""

import subprocess
import sys
import zlib
from pathlib import Path

import numpy as np

CASES = {}


def case(function):
    CASES[function.__name__] = function
    return function


def dims(rank):
    return [f"d{i}" for i in range(rank)]


def tensor(shape, element):
    return "tensor<" + "".join(f"{s}x" for s in shape) + element + ">"


class Program:
    """Text of a function whose arguments are arrays."""

    def __init__(self):
        self.arguments, self.lines, self.count, self.sizes = [], [], 0, {}

    def argument(self, array, shape=None, element=None):
        """`shape` has a name ("?T") for each dynamic dimension."""
        element = element or {"float16": "f16", "float32": "f32"}[str(array.dtype)]
        shape = shape or array.shape
        for name, size in zip(shape, array.shape):
            if isinstance(name, str):
                self.sizes[name] = size
        shape = ["?" if isinstance(s, str) else s for s in shape]
        name = f"%a{len(self.arguments)}"
        self.arguments.append((name, tensor(shape, element), array))
        return name

    def add(self, text):
        self.count += 1
        name = f"%v{self.count}"
        self.lines.append(f"  {name} = {text}")
        return name

    def empty(self, shape, element, source=()):
        """`source`: (value, type, dimension) of each dynamic one."""
        sizes = []
        for value, kind, dim in source:
            index = self.add(f"arith.constant {dim} : index")
            sizes.append(self.add(f"tensor.dim {value}, {index} : {kind}"))
        return self.add(f"tensor.empty({', '.join(sizes)}) : {tensor(shape, element)}")

    def fill(self, value, shape, element, source=()):
        init = self.empty(shape, element, source)
        constant = self.add(f"arith.constant {value} : {element}")
        kind = tensor(shape, element)
        return self.add(f"linalg.fill ins({constant} : {element}) outs({init} : {kind}) -> {kind}")

    def generic(self, rank, reads, writes, body, reduced=(), captured=""):
        """reads and writes: (value, type, map); body: lines."""
        operands = reads + writes
        maps = ", ".join(f"affine_map<({', '.join(dims(rank))}) -> ({m})>" for _, _, m in operands)
        kinds = ", ".join('"reduction"' if i in reduced else '"parallel"' for i in range(rank))
        ins = ""
        if reads:
            ins = f"ins({', '.join(v for v, _, _ in reads)} : {', '.join(t for _, t, _ in reads)}) "
        outs = f"outs({', '.join(v for v, _, _ in writes)} : {', '.join(t for _, t, _ in writes)})"
        names = [f"%in{i}" for i in range(len(reads))] + [f"%out{i}" for i in range(len(writes))]
        def scalar(kind):
            return kind[:-1].split("<", 1)[1].split("x")[-1]
        arguments = ", ".join(f"{n}: {scalar(t)}" for n, (_, t, _) in zip(names, operands))
        results = ", ".join(t for _, t, _ in writes)
        self.count += 1
        name = f"%v{self.count}"
        multiple = f":{len(writes)}" if len(writes) > 1 else ""
        self.lines.append(f"  {name}{multiple} = linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} {ins}{outs} {{\n  ^bb0({arguments}):\n    " + "\n    ".join(body) + f"\n  }} -> ({results})")
        return name

    def text(self, results):
        arguments = ", ".join(f"{n}: {t}" for n, t, _ in self.arguments)
        types = ", ".join(t for _, t in results)
        values = ", ".join(v for v, _ in results)
        return (f"func.func @f({arguments}) -> ({types}) {{\n" + "\n".join(self.lines)
                + f"\n  return {values} : {types}\n}}\n")


def identity(rank):
    return ", ".join(dims(rank))


def random(rng, *shape, kind=np.float16):
    return rng.standard_normal(shape).astype(kind)


def unary(p, value, shape, body, element="f16", out="f16", read=None, source=()):
    rank = len(shape)
    init = p.empty(shape, out, source)
    return p.generic(rank, [(value, read[0], read[1]) if read else (value, tensor(shape, element), identity(rank))],
                     [(init, tensor(shape, out), identity(rank))], body)


@case
def transpose(rng):
    for m, n, kind, element in [(40, 72, np.float16, "f16"), (33, 7, np.float32, "f32")]:
        p, x = Program(), random(rng, m, n, kind=kind)
        a = p.argument(x)
        y = unary(p, a, [n, m], [f"linalg.yield %in0 : {element}"], out=element,
                  read=(tensor([m, n], element), "d1, d0"))
        yield p, [(y, tensor([n, m], element))], [x.T], 0


@case
def head_permute(rng):
    p, x = Program(), random(rng, 2, 5, 3, 16)
    a = p.argument(x, shape=["B", "S", 3, 16])
    kind = "tensor<?x?x3x16xf16>"
    y = unary(p, a, ["?", 3, "?", 16], ["linalg.yield %in0 : f16"], read=(kind, "d0, d2, d1, d3"),
              source=[(a, kind, 0), (a, kind, 1)])
    yield p, [(y, "tensor<?x3x?x16xf16>")], [x.transpose(0, 2, 1, 3)], 0


@case
def rope(rng):
    """Slices, a negation, a concatenation and products in one kernel."""
    p, x, c = Program(), random(rng, 2, 7, 16), random(rng, 7, 16)
    a, b = p.argument(x), p.argument(c)
    low = p.add(f"tensor.extract_slice {a}[0, 0, 0] [2, 7, 8] [1, 1, 1] : tensor<2x7x16xf16> to tensor<2x7x8xf16>")
    high = p.add(f"tensor.extract_slice {a}[0, 0, 8] [2, 7, 8] [1, 1, 1] : tensor<2x7x16xf16> to tensor<2x7x8xf16>")
    minus = unary(p, high, [2, 7, 8], ["%n = arith.negf %in0 : f16", "linalg.yield %n : f16"])
    turned = p.add(f"tensor.concat dim(2) {minus}, {low} : (tensor<2x7x8xf16>, tensor<2x7x8xf16>) -> tensor<2x7x16xf16>")
    init = p.empty([2, 7, 16], "f32")
    kind = "tensor<2x7x16xf16>"
    y = p.generic(3, [(a, kind, identity(3)), (turned, kind, identity(3)), (b, "tensor<7x16xf16>", "d1, d2")],
                  [(init, "tensor<2x7x16xf32>", identity(3))],
                  ["%0 = arith.extf %in0 : f16 to f32", "%1 = arith.extf %in1 : f16 to f32",
                   "%2 = arith.extf %in2 : f16 to f32", "%3 = arith.mulf %1, %2 : f32",
                   "%4 = arith.addf %0, %3 : f32", "linalg.yield %4 : f32"])
    wide = x.astype(np.float64)
    expected = wide + np.concatenate([-wide[..., 8:], wide[..., :8]], -1) * c.astype(np.float64)
    yield p, [(y, "tensor<2x7x16xf32>")], [expected], 1e-6


@case
def slices(rng):
    for n, offset, size, stride in [(24, 8, 8, 1), (23, 3, 9, 2)]:
        p, x = Program(), random(rng, 5, n)
        a = p.argument(x, shape=["T", n])
        zero = p.add("arith.constant 0 : index")
        t = p.add(f"tensor.dim {a}, {zero} : tensor<?x{n}xf16>")
        kind = f"tensor<?x{size}xf16>"
        part = p.add(f"tensor.extract_slice {a}[0, {offset}] [{t}, {size}] [1, {stride}] : tensor<?x{n}xf16> to {kind}")
        y = unary(p, part, ["?", size], ["%0 = arith.negf %in0 : f16", "linalg.yield %0 : f16"], read=(kind, identity(2)),
                  source=[(a, f"tensor<?x{n}xf16>", 0)])
        yield p, [(y, kind)], [-x[:, offset:offset + size * stride:stride]], 0


@case
def concat(rng):
    for sizes in [(8, 16, 24), (3, 5, 1)]:
        for axis in (0, 1):
            p = Program()
            shapes = [(s, 16) if axis == 0 else (6, s) for s in sizes]
            arrays = [random(rng, *shape) for shape in shapes]
            names = [p.argument(array) for array in arrays]
            expected = np.concatenate(arrays, axis)
            kinds = ", ".join(tensor(shape, "f16") for shape in shapes)
            y = p.add(f"tensor.concat dim({axis}) {', '.join(names)} : ({kinds}) -> {tensor(expected.shape, 'f16')}")
            yield p, [(y, tensor(expected.shape, "f16"))], [expected], 0


@case
def concat_dynamic(rng):
    """A cache grows: past keys, then new ones; the batch is a symbol, too."""
    p, past, new = Program(), random(rng, 2, 5, 8), random(rng, 2, 3, 8)
    a, b = p.argument(past, shape=["B", "P", 8]), p.argument(new, shape=["B", 3, 8])
    whole = p.add(f"tensor.concat dim(1) {a}, {b} : (tensor<?x?x8xf16>, tensor<?x3x8xf16>) -> tensor<?x?x8xf16>")
    zero, one = p.add("arith.constant 0 : index"), p.add("arith.constant 1 : index")
    batch = p.add(f"tensor.dim {a}, {zero} : tensor<?x?x8xf16>")
    length = p.add(f"tensor.dim {whole}, {one} : tensor<?x?x8xf16>")
    sums = p.fill("0.0", ["?", 8], "f32", [(a, "tensor<?x?x8xf16>", 0)])
    y = p.generic(3, [(whole, "tensor<?x?x8xf16>", "d0, d1, d2")], [(sums, "tensor<?x8xf32>", "d0, d2")],
                  ["%0 = arith.extf %in0 : f16 to f32", "%1 = arith.addf %0, %out0 : f32", "linalg.yield %1 : f32"], reduced=[1])
    expected = np.concatenate([past, new], 1).astype(np.float64).sum(1)
    yield p, [(y, "tensor<?x8xf32>")], [expected], 1e-5


@case
def pad_and_insert(rng):
    for width, low, high in [(16, 8, 8), (13, 2, 1)]:
        p, x, y = Program(), random(rng, 4, width), random(rng, 9, width + low + high)
        a, b = p.argument(x), p.argument(y)
        value = p.add("arith.constant -2.0 : f16")
        total = width + low + high
        padded = p.add(f"tensor.pad {a} low[1, {low}] high[2, {high}] {{\n  ^bb0(%i: index, %j: index):\n    tensor.yield {value} : f16\n  }} : tensor<4x{width}xf16> to tensor<7x{total}xf16>")
        z = p.add(f"tensor.insert_slice {padded} into {b}[1, 0] [7, {total}] [1, 1] : tensor<7x{total}xf16> into tensor<9x{total}xf16>")
        expected = y.copy()
        expected[1:8] = np.pad(x, [(1, 2), (low, high)], constant_values=-2)
        yield p, [(z, f"tensor<9x{total}xf16>")], [expected], 0


@case
def iota_and_mask(rng):
    """Integers, booleans and select: a causal mask, stored as i1 on its way."""
    n = 24
    p, x = Program(), random(rng, n, n)
    a = p.argument(x, shape=["T", "T"])
    kind = "tensor<?x?xf16>"
    source = [(a, kind, 0), (a, kind, 1)]
    numbers = p.generic(1, [], [(p.empty(["?"], "i64", source[:1]), "tensor<?xi64>", "d0")],
                        ["%0 = linalg.index 0 : index", "%1 = arith.index_cast %0 : index to i64", "linalg.yield %1 : i64"])
    mask = p.generic(2, [(numbers, "tensor<?xi64>", "d0"), (numbers, "tensor<?xi64>", "d1")],
                     [(p.empty(["?", "?"], "i1", source), "tensor<?x?xi1>", identity(2))],
                     ["%0 = arith.cmpi sle, %in1, %in0 : i64", "linalg.yield %0 : i1"])
    low = p.add("arith.constant -1.0 : f16")
    y = p.generic(2, [(mask, "tensor<?x?xi1>", identity(2)), (a, kind, identity(2))],
                  [(p.empty(["?", "?"], "f16", source), kind, identity(2))],
                  [f"%0 = arith.select %in0, %in1, {low} : f16", "linalg.yield %0 : f16"])
    yield p, [(y, kind)], [np.where(np.tri(n, dtype=bool), x, np.float16(-1))], 0


@case
def gather(rng):
    """Embeddings; ids that are out of range are clamped."""
    for width in (32, 5):
        ids = np.array([0, 3, 9, -4, 100, 1, 7], np.float32)
        p, table = Program(), random(rng, 10, width)
        a, b = p.argument(ids, shape=["T"]), p.argument(table)
        init = p.empty(["?", width], "f16", [(a, "tensor<?xf32>", 0)])
        y = p.generic(2, [(a, "tensor<?xf32>", "d0")], [(init, f"tensor<?x{width}xf16>", identity(2))],
                      ["%0 = arith.fptosi %in0 : f32 to i64", "%1 = arith.index_cast %0 : i64 to index",
                       "%2 = linalg.index 1 : index", f"%3 = tensor.extract {b}[%1, %2] : tensor<10x{width}xf16>",
                       "linalg.yield %3 : f16"])
        yield p, [(y, f"tensor<?x{width}xf16>")], [table[np.clip(ids, 0, 9).astype(int)]], 0


def reduction(p, value, kind, shape, axis, element, body, start, keep="f32"):
    rank = len(shape)
    kept = [i for i in range(rank) if i != axis]
    out = [shape[i] for i in kept]
    source = [(value, kind, i) for i in kept if shape[i] == "?"]
    init = p.fill(start, out, keep, source)
    return p.generic(rank, [(value, kind, identity(rank))],
                     [(init, tensor(out, keep), ", ".join(f"d{i}" for i in kept))], body, reduced=[axis]), tensor(out, keep)


SUM = ["%0 = arith.extf %in0 : f16 to f32", "%1 = arith.addf %0, %out0 : f32", "linalg.yield %1 : f32"]
HALF_SUM = ["%1 = arith.addf %in0, %out0 : f16", "linalg.yield %1 : f16"]
MAX = ["%0 = arith.extf %in0 : f16 to f32", "%1 = arith.maximumf %0, %out0 : f32", "linalg.yield %1 : f32"]


@case
def sums(rng):
    for shape, axis in [((5, 64), 1), ((3, 1000), 1), ((2, 3000), 1), ((2, 7, 33), 2), ((6, 40), 0), ((2, 9, 24), 1),
                        ((7, 5, 3), 1), ((100, 16), 0), ((24, 1), 1), ((3, 8, 1), 2)]:  # Rows of 1.
        p, x = Program(), random(rng, *shape)
        a = p.argument(x)
        y, kind = reduction(p, a, tensor(shape, "f16"), shape, axis, "f16", SUM, "0.0")
        yield p, [(y, kind)], [x.astype(np.float64).sum(axis)], 1e-5


@case
def sums_dynamic(rng):
    for m, n, axis in [(5, 64, 1), (3, 37, 1), (70, 24, 0), (4, 13, 0)]:
        p, x = Program(), random(rng, m, n)
        a = p.argument(x, shape=["M", "N"])
        y, kind = reduction(p, a, "tensor<?x?xf16>", ["?", "?"], axis, "f16", SUM, "0.0")
        yield p, [(y, kind)], [x.astype(np.float64).sum(axis)], 1e-5


@case
def many_sums(rng):
    """14 reductions at once, the i-th of x * s[kept] + i * r[]: s is one for what is folded."""
    for shape, axis in [((3, 40), 1), ((40, 24), 0), ((5, 1100), 1)]:
        p, x = Program(), random(rng, *shape, kind=np.float32)
        s, r = random(rng, shape[1 - axis], kind=np.float32), random(rng, 1, kind=np.float32)
        a, b, c = p.argument(x), p.argument(s), p.argument(r)
        kept, kind = f"d{1 - axis}", tensor([shape[1 - axis]], "f32")
        inits = [p.fill("0.0", [shape[1 - axis]], "f32") for _ in range(14)]
        body = ["%x = arith.mulf %in0, %in1 : f32"]
        for i in range(14):
            body += [f"%i{i} = arith.constant {i}.0 : f32", f"%r{i} = arith.mulf %in2, %i{i} : f32",
                     f"%t{i} = arith.addf %x, %r{i} : f32", f"%s{i} = arith.addf %out{i}, %t{i} : f32"]
        body.append(f"linalg.yield {', '.join(f'%s{i}' for i in range(14))} : {', '.join(['f32'] * 14)}")
        y = p.generic(2, [(a, tensor(shape, "f32"), identity(2)), (b, kind, kept), (c, "tensor<1xf32>", "0")],
                      [(init, kind, kept) for init in inits], body, reduced=[axis])
        sums = (x.astype(np.float64) * np.expand_dims(s.astype(np.float64), axis)).sum(axis)
        yield p, [(f"{y}#{i}", kind) for i in range(14)], [
            sums + shape[axis] * i * float(r[0]) for i in range(14)], 1e-5


@case
def sums_of_other_rows(rng):
    """x[m, :] + sum(z[m, :]), whose rows are longer, shorter, or of another dynamic size."""
    for n, k, dynamic in [(64, 2100, False), (96, 24, False), (24, 17, True), (5, 40, True)]:
        p, x, z = Program(), random(rng, 3, n, kind=np.float32), random(rng, 3, k)
        shape, other = (["?", "?"], ["?", "?"]) if dynamic else ([3, n], [3, k])
        a = p.argument(x, shape=["M", "N"] if dynamic else None)
        b = p.argument(z, shape=["M", "K"] if dynamic else None)
        own, kind = tensor(shape, "f32"), tensor(other, "f16")
        total, summed = reduction(p, b, kind, other, 1, "f16", SUM, "0.0")
        init = p.empty(shape, "f32", [(a, own, 0), (a, own, 1)] if dynamic else ())
        y = p.generic(2, [(a, own, identity(2)), (total, summed, "d0")], [(init, own, identity(2))],
                      ["%0 = arith.addf %in0, %in1 : f32", "linalg.yield %0 : f32"])
        yield p, [(y, own)], [x + z.astype(np.float64).sum(1)[:, None]], 1e-5


@case
def half_sum(rng):
    """Sums in f16 are accumulated in f32 and rounded once."""
    p, x = Program(), np.full((3, 512), 0.1, np.float16)
    a = p.argument(x)
    y, kind = reduction(p, a, "tensor<3x512xf16>", (3, 512), 1, "f16", HALF_SUM, "0.0", keep="f16")
    yield p, [(y, kind)], [x.astype(np.float64).sum(1)], 1e-3


@case
def maxima(rng):
    for shape, axis in [((4, 96), 1), ((4, 96), 0)]:
        p, x = Program(), random(rng, *shape)
        x[1, 5], x[2, 7], x[3] = np.nan, np.inf, -np.inf
        a = p.argument(x)
        y, kind = reduction(p, a, tensor(shape, "f16"), shape, axis, "f16", MAX, "0xFF800000")
        yield p, [(y, kind)], [x.astype(np.float64).max(axis)], 0


@case
def whole(rng):
    p, x = Program(), random(rng, 6, 50)
    a = p.argument(x)
    init = p.fill("1.0", [], "f32")
    y = p.generic(2, [(a, "tensor<6x50xf16>", identity(2))], [(init, "tensor<f32>", "")], SUM, reduced=[0, 1])
    yield p, [(y, "tensor<f32>")], [x.astype(np.float64).sum() + 1], 1e-5


@case
def argmax(rng):
    for shape, axis in [((5, 500), 1), ((3, 2500), 1), ((40, 16), 0)]:
        p, x = Program(), (rng.integers(0, 9, shape)).astype(np.float32)
        x[(0, *rng.integers(0, shape[1], 1))], x[2, -3:] = np.nan, np.nan  # The first one is the largest.
        a, kept = p.argument(x), [s for i, s in enumerate(shape) if i != axis]
        best, place = p.fill("0xFF800000", kept, "f32"), p.fill("0", kept, "i64")
        m = f"d{1 - axis}"
        pair = p.generic(2, [(a, tensor(shape, "f32"), identity(2))],
                         [(best, tensor(kept, "f32"), m), (place, tensor(kept, "i64"), m)],
                         [f"%0 = linalg.index {axis} : index", "%1 = arith.index_cast %0 : index to i64",
                          "%2 = arith.maximumf %in0, %out0 : f32", "%3 = arith.cmpf ogt, %in0, %out0 : f32",
                          "%4 = arith.select %3, %1, %out1 : i64", "linalg.yield %2, %4 : f32, i64"], reduced=[axis])
        y = unary(p, pair + "#1", kept, ["%0 = arith.sitofp %in0 : i64 to f32", "linalg.yield %0 : f32"], element="i64", out="f32")
        yield p, [(y, tensor(kept, "f32"))], [x.argmax(axis)], 0


def softmax_of(p, a, kind, shape, source):
    rank = len(shape)
    rows = ", ".join(dims(rank)[:-1])
    wide = p.generic(rank, [(a, kind, identity(rank))], [(p.empty(shape, "f32", source), tensor(shape, "f32"), identity(rank))],
                     ["%0 = arith.extf %in0 : f16 to f32", "linalg.yield %0 : f32"])
    f = tensor(shape, "f32")
    r = tensor(shape[:-1], "f32")
    outer = source[:-1] if shape[-1] == "?" else source
    top = p.generic(rank, [(wide, f, identity(rank))], [(p.fill("0xFF800000", shape[:-1], "f32", outer), r, rows)],
                    ["%0 = arith.maximumf %in0, %out0 : f32", "linalg.yield %0 : f32"], reduced=[rank - 1])
    e = p.generic(rank, [(wide, f, identity(rank)), (top, r, rows)], [(p.empty(shape, "f32", source), f, identity(rank))],
                  ["%0 = arith.subf %in0, %in1 : f32", "%1 = math.exp %0 : f32", "linalg.yield %1 : f32"])
    total = p.generic(rank, [(e, f, identity(rank))], [(p.fill("0.0", shape[:-1], "f32", outer), r, rows)],
                      ["%0 = arith.addf %in0, %out0 : f32", "linalg.yield %0 : f32"], reduced=[rank - 1])
    return p.generic(rank, [(e, f, identity(rank)), (total, r, rows)], [(p.empty(shape, "f16", source), kind, identity(rank))],
                     ["%0 = arith.divf %in0, %in1 : f32", "%1 = arith.truncf %0 : f32 to f16", "linalg.yield %1 : f16"])


@case
def softmax(rng):
    for array, names in [((3, 5, 40), (3, 5, 40)), ((2, 3, 2000), (2, 3, 2000)), ((2, 3, 17), ("B", 3, "N")), ((3, 64), (3, "N"))]:
        p, x = Program(), random(rng, *array) * np.float16(3)
        a = p.argument(x, shape=list(names))
        shape = ["?" if isinstance(s, str) else s for s in names]
        kind = tensor(shape, "f16")
        y = softmax_of(p, a, kind, shape, [(a, kind, i) for i, s in enumerate(shape) if s == "?"])
        wide = np.exp(x.astype(np.float64) - x.astype(np.float64).max(-1, keepdims=True))
        yield p, [(y, kind)], [wide / wide.sum(-1, keepdims=True)], 1e-3


@case
def layer_norm(rng):
    """Mean, variance, scale and shift: one kernel; the residual is read once."""
    for n, rows in [(256, 9), (384, 3), (2048, 2), (130, 4), (40000, 1)]:
        p, x = Program(), random(rng, rows, n)
        g, h = random(rng, n), random(rng, n)
        a, b, c = p.argument(x, shape=["T", n]), p.argument(g), p.argument(h)
        kind, f, r = f"tensor<?x{n}xf16>", f"tensor<?x{n}xf32>", "tensor<?xf32>"
        source = [(a, kind, 0)]
        wide = p.generic(2, [(a, kind, identity(2))], [(p.empty(["?", n], "f32", source), f, identity(2))],
                         ["%0 = arith.extf %in0 : f16 to f32", "linalg.yield %0 : f32"])
        total = p.generic(2, [(wide, f, identity(2))], [(p.fill("0.0", ["?"], "f32", source), r, "d0")],
                          ["%0 = arith.addf %in0, %out0 : f32", "linalg.yield %0 : f32"], reduced=[1])
        count = p.add(f"arith.constant {float(n)} : f32")
        small = p.add("arith.constant 1.0e-5 : f32")
        mean = p.generic(1, [(total, r, "d0")], [(p.empty(["?"], "f32", source), r, "d0")],
                         [f"%0 = arith.divf %in0, {count} : f32", "linalg.yield %0 : f32"])
        centred = p.generic(2, [(wide, f, identity(2)), (mean, r, "d0")], [(p.empty(["?", n], "f32", source), f, identity(2))],
                            ["%0 = arith.subf %in0, %in1 : f32", "linalg.yield %0 : f32"])
        squares = p.generic(2, [(centred, f, identity(2))], [(p.fill("0.0", ["?"], "f32", source), r, "d0")],
                            ["%0 = arith.mulf %in0, %in0 : f32", "%1 = arith.addf %0, %out0 : f32", "linalg.yield %1 : f32"], reduced=[1])
        scale = p.generic(1, [(squares, r, "d0")], [(p.empty(["?"], "f32", source), r, "d0")],
                          [f"%0 = arith.divf %in0, {count} : f32", f"%1 = arith.addf %0, {small} : f32", "%2 = math.rsqrt %1 : f32", "linalg.yield %2 : f32"])
        y = p.generic(2, [(centred, f, identity(2)), (scale, r, "d0"), (b, f"tensor<{n}xf16>", "d1"), (c, f"tensor<{n}xf16>", "d1")],
                      [(p.empty(["?", n], "f32", source), f, identity(2))],
                      ["%0 = arith.extf %in2 : f16 to f32", "%1 = arith.extf %in3 : f16 to f32", "%2 = arith.mulf %in0, %in1 : f32",
                       "%3 = arith.mulf %2, %0 : f32", "%4 = arith.addf %3, %1 : f32", "linalg.yield %4 : f32"])
        w = x.astype(np.float64)
        v = w - w.mean(1, keepdims=True)
        expected = v / np.sqrt((v * v).mean(1, keepdims=True) + 1e-5) * g.astype(np.float64) + h.astype(np.float64)
        yield p, [(y, f)], [expected], 1e-5


PRODUCTS = [("bmk,bkn>bmn", {"b": 2, "m": 9, "n": 24, "k": 16}, "f32"), ("bmk,bnk>bmn", {"b": 1, "m": 64, "n": 128, "k": 64}, "f32"),
            ("bkm,bkn>bmn", {"b": 2, "m": 70, "n": 200, "k": 72}, "f32"), ("bkm,bnk>bmn", {"b": 2, "m": 130, "n": 40, "k": 24}, "f16"),
            ("bmk,bkn>bmn", {"b": 1, "m": 65, "n": 129, "k": 33}, "f32"), ("bkm,bkn>bmn", {"b": 2, "m": 7, "n": 2, "k": 5}, "f16"),
            ("BShgk,BThk>BhgST", {"B": 2, "S": 40, "T": 72, "h": 2, "g": 2, "k": 16}, "f32"),
            ("BShgk,BThk>BhgST", {"B": 1, "S": 5, "T": 3, "h": 3, "g": 1, "k": 24}, "f32")]
WIDE_PRODUCT = ["%0 = arith.extf %in0 : f16 to f32", "%1 = arith.extf %in1 : f16 to f32", "%2 = arith.mulf %0, %1 : f32",
                "%3 = arith.addf %2, %out0 : f32", "linalg.yield %3 : f32"]


@case
def product(rng):
    """Products of two activations in any order of dimensions; dimensions in capitals are dynamic."""
    for spec, sizes, out in PRODUCTS:
        parts = spec.replace(">", ",").split(",")
        order = parts[2] + "k"
        p, arrays = Program(), [random(rng, *(sizes[d] for d in part)) * np.float16(0.25) for part in parts[:2]]
        names = [p.argument(x, shape=[d if d.isupper() else sizes[d] for d in part]) for x, part in zip(arrays, parts)]
        kinds = [tensor(["?" if d.isupper() else sizes[d] for d in part], e) for part, e in zip(parts, ("f16", "f16", out))]
        source = [next((n, t, part.index(d)) for n, t, part in zip(names, kinds, parts) if d in part) for d in parts[2] if d.isupper()]
        init = p.fill("0.0", ["?" if d.isupper() else sizes[d] for d in parts[2]], out, source)
        maps = [", ".join(f"d{order.index(d)}" for d in part) for part in parts]
        body = ["%0 = arith.mulf %in0, %in1 : f16", "%1 = arith.addf %0, %out0 : f16", "linalg.yield %1 : f16"] if out == "f16" else WIDE_PRODUCT
        y = p.generic(len(order), list(zip(names, kinds, maps)), [(init, kinds[2], maps[2])], body, reduced=[len(order) - 1])
        expected = np.einsum(spec.replace(">", "->"), *(x.astype(np.float64) for x in arrays))
        yield p, [(y, kinds[2])], [expected], 1e-5 if out == "f32" else 1e-3


def norm_of(p, a, kind, shape, weights, n):
    """The root mean square of rows, and a scale."""
    f, r = tensor(shape, "f32"), tensor(shape[:-1], "f32")
    wide = p.generic(2, [(a, kind, identity(2))], [(p.empty(shape, "f32"), f, identity(2))],
                     ["%0 = arith.extf %in0 : f16 to f32", "linalg.yield %0 : f32"])
    squares = p.generic(2, [(wide, f, identity(2))], [(p.fill("0.0", shape[:-1], "f32"), r, "d0")],
                        ["%0 = arith.mulf %in0, %in0 : f32", "%1 = arith.addf %0, %out0 : f32", "linalg.yield %1 : f32"], reduced=[1])
    count, small = p.add(f"arith.constant {float(n)} : f32"), p.add("arith.constant 1.0e-5 : f32")
    scale = p.generic(1, [(squares, r, "d0")], [(p.empty(shape[:-1], "f32"), r, "d0")],
                      [f"%0 = arith.divf %in0, {count} : f32", f"%1 = arith.addf %0, {small} : f32", "%2 = math.rsqrt %1 : f32", "linalg.yield %2 : f32"])
    return p.generic(2, [(wide, f, identity(2)), (scale, r, "d0"), (weights, tensor([n], "f16"), "d1")],
                     [(p.empty(shape, "f16"), kind, identity(2))],
                     ["%0 = arith.mulf %in0, %in1 : f32", "%1 = arith.truncf %0 : f32 to f16", "%2 = arith.mulf %1, %in2 : f16", "linalg.yield %2 : f16"])


LARGE = 4096


@case
def large_copy(rng):
    p, x = Program(), random(rng, LARGE, LARGE)
    a = p.argument(x)
    y = unary(p, a, x.shape, ["%0 = arith.negf %in0 : f16", "linalg.yield %0 : f16"])
    yield p, [(y, tensor(x.shape, "f16"))], [-x], 0


@case
def large_rms_norm(rng):
    p, x, g = Program(), random(rng, LARGE, LARGE), random(rng, LARGE)
    a, b = p.argument(x), p.argument(g)
    y = norm_of(p, a, tensor(x.shape, "f16"), list(x.shape), b, LARGE)
    w = x.astype(np.float64)
    yield p, [(y, tensor(x.shape, "f16"))], [w / np.sqrt((w * w).mean(1, keepdims=True) + 1e-5) * g.astype(np.float64)], 2e-3


@case
def large_softmax(rng):
    p, x = Program(), random(rng, LARGE, LARGE)
    a = p.argument(x)
    y = softmax_of(p, a, tensor(x.shape, "f16"), list(x.shape), [])
    e = np.exp(x.astype(np.float64))
    yield p, [(y, tensor(x.shape, "f16"))], [e / e.sum(1, keepdims=True)], 1e-3


@case
def large_sums(rng):
    for axis in (0, 1):
        p, x = Program(), random(rng, LARGE, LARGE)
        a = p.argument(x)
        y, kind = reduction(p, a, tensor(x.shape, "f16"), x.shape, axis, "f16", SUM, "0.0")
        yield p, [(y, kind)], [x.astype(np.float64).sum(axis)], 1e-5


@case
def large_transpose(rng):
    p, x = Program(), random(rng, LARGE, LARGE)
    a = p.argument(x)
    y = unary(p, a, x.shape, ["linalg.yield %in0 : f16"], read=(tensor(x.shape, "f16"), "d1, d0"))
    yield p, [(y, tensor(x.shape, "f16"))], [x.T], 0


@case
def large_head_permute(rng):
    p, x = Program(), random(rng, 16, 256, 64, 64)
    a = p.argument(x)
    out = [16, 64, 256, 64]
    y = unary(p, a, out, ["linalg.yield %in0 : f16"], read=(tensor(x.shape, "f16"), "d0, d2, d1, d3"))
    yield p, [(y, tensor(out, "f16"))], [x.transpose(0, 2, 1, 3)], 0


@case
def large_gather(rng):
    ids = rng.integers(0, 50000, 16384).astype(np.float32)
    p, table = Program(), random(rng, 50000, 1024)
    a, b = p.argument(ids), p.argument(table)
    y = p.generic(2, [(a, "tensor<16384xf32>", "d0")], [(p.empty([16384, 1024], "f16"), "tensor<16384x1024xf16>", identity(2))],
                  ["%0 = arith.fptosi %in0 : f32 to i64", "%1 = arith.index_cast %0 : i64 to index",
                   "%2 = linalg.index 1 : index", f"%3 = tensor.extract {b}[%1, %2] : tensor<50000x1024xf16>",
                   "linalg.yield %3 : f16"])
    yield p, [(y, "tensor<16384x1024xf16>")], [table[ids.astype(int)]], 0


def run(name, command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        sys.exit(f"{name}: exit {result.returncode}\n{' '.join(command)}\n{result.stdout}{result.stderr}")
    return result.stdout


def check(mode, tool, folder, options, name, program, results, expected, tolerance):
    folder.mkdir(parents=True, exist_ok=True)
    source, bundle, result = folder / "p.mlir", folder / "bundle", folder / "y.npy"
    if mode != "--exec":
        source.write_text(program.text(results))
    if mode == "--compile":
        return run(name, [tool, "compile", str(source), "--emit", "bundle", "-o", str(bundle)] + options)
    command = [tool, "run", str(source), "-o", str(result)]
    if mode == "--exec":
        command = [tool, str(bundle), "--save-result", str(result), "--repeat", "20"]
        command += ["--time", "20"] if "large" in name else []
    command += options
    for number, (_, _, array) in enumerate(program.arguments):
        path = folder / f"a{number}.npy"
        np.save(path, array)
        command += ["--arg", f"{number}={path}"]
    output = run(name, command)
    if "large" in name:
        print(*(line for line in output.splitlines() if "time" in line), sep="\n")
    for number, want in enumerate(expected):
        path = folder / ("y.npy" if len(expected) == 1 else f"y.{number}.npy")
        got = np.load(path).astype(np.float64)
        want = np.asarray(want, np.float64)
        if got.shape != want.shape:
            sys.exit(f"{name}: shape {got.shape}, expected {want.shape}")
        both = np.isnan(got) & np.isnan(want) | (got == want)
        with np.errstate(invalid="ignore"):
            error = np.where(both, 0, np.abs(got - want))
        limit = tolerance * max(1.0, float(np.nanmax(np.abs(np.where(np.isfinite(want), want, 0)), initial=0)))
        bad = ~(error <= limit)
        if bad.any():
            at = tuple(int(i) for i in np.argwhere(bad)[0])
            sys.exit(f"{name}: {int(bad.sum())} of {want.size} wrong, first at {at}: {got[at]}, expected {want[at]}\n{' '.join(command)}")


def main():
    arguments = sys.argv[1:]
    chosen = list(CASES)
    if "--" in arguments:
        split = arguments.index("--")
        arguments, chosen = arguments[:split], arguments[split + 1:]
        if "/" in chosen[0]:
            chosen = list(CASES)[int(chosen[0][0])::int(chosen[0][2])]
    mode = arguments.pop(0) if arguments[0] in ("--compile", "--exec") else ""
    tool, folder, *options = arguments
    for name in chosen:
        if name.startswith("large") and not mode:
            continue
        rng = np.random.default_rng(zlib.crc32(name.encode()))
        for number, (program, results, expected, tolerance) in enumerate(CASES[name](rng)):
            check(mode, tool, Path(folder) / f"{name}{number}", options, f"{name} {number}", program, results, expected, tolerance)
            print(f"{name} {number}: ok", flush=True)


if __name__ == "__main__":
    main()
