# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Evaluates a manifest's reference graph with NumPy (docs/formats/bundle.md)."""

import itertools
import math

import numpy as np

from .attention import attention
from .indices import check_indices
from .sampling import draw
from ..cache import TernaryCache, page_number
from ..dtypes import round_to, to_float
from ..errors import Error
from ..ternary import TernaryMatrix


def check_pattern(array, encoding, what):
    """Raises Error unless at most n of each m entries are not zero."""
    if encoding["kind"] != "nm":
        raise Error(f"{what}: is {encoding['kind']}, which this package does not "
                    "know; update it")
    n, m = encoding["n"], encoding["m"]
    axis = encoding.get("axis", array.ndim - 1)
    groups = np.moveaxis(array, axis, -1)
    # The bits of -0.0, in bf16, are no zero of NumPy.
    zeros = groups & 0x7FFF if array.dtype == np.uint16 else groups
    if zeros.shape[-1] % m:
        raise Error(f"{what}: {n}:{m} needs a multiple of {m} entries, found "
                    f"{zeros.shape[-1]}")
    counts = np.count_nonzero(zeros.reshape(*zeros.shape[:-1], -1, m), axis=-1)
    if (counts > n).any():
        place = np.argwhere(counts > n)[0]
        raise Error(f"{what}: expected {n}:{m}, found {counts[tuple(place)]} "
                    f"non-zeros in group {place[-1]} of row "
                    f"{list(place[:-1])}; prune it first (sparseflow.pack)")


def _each(function):
    """What NumPy lacks, for an array: of each element in double."""
    return lambda a: np.vectorize(function, otypes=[a.dtype])(a) if a.size else a


def _maximum(a, b):
    larger = np.where(np.signbit(a), b, a)
    return np.where(a == b, larger, np.maximum(a, b))


def _minimum(a, b):
    smaller = np.where(np.signbit(a), a, b)
    return np.where(a == b, smaller, np.minimum(a, b))


_OPERATIONS = {
    "extf": lambda a: a, "addf": np.add, "subf": np.subtract,
    "mulf": np.multiply, "divf": np.divide, "negf": np.negative,
    "maximumf": _maximum, "minimumf": _minimum, "maxnumf": np.fmax,
    "minnumf": np.fmin, "absf": np.abs, "exp": np.exp, "exp2": np.exp2,
    "log": np.log, "log2": np.log2, "sqrt": np.sqrt,
    "rsqrt": lambda a: a.dtype.type(1) / np.sqrt(a), "tanh": np.tanh,
    "erf": _each(math.erf), "erfc": _each(math.erfc), "expm1": np.expm1,
    "log1p": np.log1p, "atan": np.arctan, "cbrt": np.cbrt, "sinh": np.sinh,
    "cosh": np.cosh, "copysign": np.copysign, "sin": np.sin, "cos": np.cos, "floor": np.floor,
    "ceil": np.ceil, "powf": np.power, "trunc": np.trunc, "roundeven": np.rint,
    "divsi": lambda a, b: np.where(b == 0, np.nan, (a - np.fmod(a, b)) / b),
    "remsi": np.fmod,
    "floordivsi": lambda a, b: np.where(b == 0, np.nan, np.floor(a / b)),
    "andi": lambda a, b: _on_integers(np.bitwise_and, a, b),
    "ori": lambda a, b: _on_integers(np.bitwise_or, a, b),
    "xori": lambda a, b: _on_integers(np.bitwise_xor, a, b),
    "shli": lambda a, b: np.ldexp(a, b.astype(np.int64)),
    "shrsi": lambda a, b: np.floor(np.ldexp(a, -b.astype(np.int64))),
    "select": lambda c, a, b: np.where(c != 0, a, b),
    # One rounding for float32 inputs: products of two are exact in float64.
    "fma": lambda a, b, c: (a.astype(np.float64) * b + c).astype(a.dtype),
}


def _on_integers(function, a, b):
    """Bits of numbers that are integers; NaN where one is none."""
    finite = np.isfinite(a) & np.isfinite(b)
    result = function(np.where(finite, a, 0).astype(np.int64),
                      np.where(finite, b, 0).astype(np.int64))
    return np.where(finite, result, np.nan).astype(a.dtype)


def _load(tensor, indices):
    """Elements by their indices; what lies outside is NaN."""
    indices = np.broadcast_arrays(*indices) if indices else []
    inside = np.True_
    places = []
    for index, size in zip(indices, tensor.shape):
        fits = (index >= 0) & (index < size)
        inside = inside & fits
        places.append(np.where(fits, index, 0).astype(np.int64))
    if 0 in tensor.shape:
        return np.full(np.shape(inside), np.nan, tensor.dtype)
    return np.where(inside, tensor[tuple(places)], np.nan)


def _compare(predicate, a, b):
    """arith's predicates: true and false, or o/u and lt, le, gt, ge, eq, ne."""
    unordered = np.isnan(a) | np.isnan(b)
    if predicate in ("true", "false", "ord", "uno"):
        return {"true": np.ones_like(unordered), "false": np.zeros_like(unordered),
                "ord": ~unordered, "uno": unordered}[predicate]
    kind, relation = predicate[0], predicate[1:]
    holds = {"lt": a < b, "le": a <= b, "gt": a > b, "ge": a >= b, "eq": a == b,
             "ne": (a != b) & ~unordered}[relation]
    return holds | unordered if kind == "u" else holds


class _Graph:
    def __init__(self, function, arrays, sizes, scalar):
        self.arrays = arrays
        self.function, self.sizes, self.scalar = function, sizes, scalar
        self.exact = scalar == np.float64
        graph = function["reference"]
        self.last = []
        self.values, self.types = [None] * graph["values"], [None] * graph["values"]
        # The ternary caches among the values.
        self.caches = {}

    def shape(self, sizes):
        return tuple(self.sizes[s] if isinstance(s, str) else s for s in sizes)

    def region(self, region, inputs, rounding, loops=(), place=()):
        """What `region` yields; all of its values are in `last` then.

        `loops` are the sizes along the axes of the inputs; the values of `place`
        are those of the loops behind them.
        """
        values = list(inputs)
        for operation, *operands in region["ops"]:
            if operation == "const":
                value = self.scalar(float(operands[0]))
            elif operation == "truncf":
                value = values[operands[0]]
                if not self.exact:
                    value = round_to(np.asarray(value),
                                     operands[1] if len(operands) > 1 else rounding)
            elif operation == "cmpf":
                value = _compare(operands[0], values[operands[1]],
                                 values[operands[2]]).astype(self.scalar)
            elif operation == "index":
                axis = operands[0]
                if axis < len(loops):
                    shape = [1] * len(loops)
                    shape[axis] = loops[axis]
                    value = np.arange(loops[axis], dtype=self.scalar).reshape(shape)
                else:
                    value = self.scalar(place[axis - len(loops)])
            elif operation == "size":
                value = self.scalar(self.shape(operands)[0])
            elif operation == "load":
                value = _load(self.values[operands[0]],
                              [values[i] for i in operands[1:]])
            elif operation in _OPERATIONS:
                value = _OPERATIONS[operation](
                    *(np.asarray(values[i], self.scalar) for i in operands))
            else:
                raise Error(f"the reference uses '{operation}', which this package "
                            "does not know; update it")
            values.append(value)
        self.last = values
        return values[region["yield"]]

    def spread(self, value, dims, loops):
        """`value`, whose dimensions are those loops, with one axis a loop."""
        if len(set(dims)) != len(dims):
            raise Error("the reference reads a diagonal, which this package does "
                        "not evaluate")
        array = np.transpose(value, np.argsort(dims)) if dims else np.asarray(value)
        return array.reshape([loops[d] if d in dims else 1
                              for d in range(len(loops))])

    def matmul(self, step, stored):
        x, w = self.values[step["x"]], self.values[step["w"]]
        accumulator = x @ w.T
        encoding = step["w"] < len(self.function["arguments"]) and \
            self.function["arguments"][step["w"]].get("encoding")
        if encoding and encoding.get("storage") in (None, "two_four", "two_four_zero") \
                and not np.isfinite(x).all():
            # An absent weight meets nothing: infinity times it leaves no NaN.
            for row in np.argwhere(~np.isfinite(x).all(axis=-1)):
                terms = np.where(w != 0, x[tuple(row)] * w, 0)
                accumulator[tuple(row)] = terms.sum(axis=-1)
        inputs = [accumulator]
        for operand in step.get("operands", []):
            value = self.values[operand["value"]]
            if operand["broadcast"] == "per_token":
                value = value.reshape(accumulator.shape[:-1])[..., None]
            inputs.append(np.broadcast_to(value, accumulator.shape))
        return self.region(step["region"], inputs, self.rounding(stored, step["x"]))

    def rounding(self, stored, x):
        """What an unnamed truncf rounds to."""
        return self.types[x] if stored == "f32" else stored

    def inputs(self, step, loops):
        return [self.spread(self.values[i["value"]], i["dims"], loops)
                for i in step["inputs"]]

    def map(self, step, stored):
        loops = self.shape(step["shape"])
        inputs = [np.broadcast_to(i, loops) for i in self.inputs(step, loops)]
        result = self.region(step["region"], inputs, stored, loops)
        if "checked" in step["region"]:
            check_indices(self, step, self.last, loops)
        return np.broadcast_to(result, loops)

    def reduce(self, step, stored):
        shape = self.shape(step["shape"])
        reduced = self.shape(step["reduced"])
        inputs = self.inputs(step, shape + reduced)
        more = step.get("more", [])
        running = [np.full(shape, float(s["init"]), self.scalar)
                   for s in [step, *more]]
        for place in itertools.product(*map(range, reduced)):
            slices = [i[(...,) + tuple(p if i.shape[len(shape) + d] > 1 else 0
                                       for d, p in enumerate(place))]
                      for i in inputs]
            first = self.region(step["region"], [*running, *slices], stored, shape,
                                place)
            if "checked" in step["region"]:
                check_indices(self, step, self.last, shape, place)
            running = [np.broadcast_to(value, shape)
                       for value in [first, *(self.last[s["yield"]] for s in more)]]
        for further, value in zip(more, running[1:]):
            self.keep(further["out"], value, further.get("dtype") or
                      self.default({"out": further["out"], "inputs": []}))
        return running[0]

    def keep(self, number, value, stored):
        """Makes `value` what its type, `stored`, holds of it."""
        value = np.asarray(value, self.scalar)
        # What a cache stands for is exact.
        exact = self.exact or number in self.caches
        self.values[number] = value if exact else round_to(value, stored)
        self.types[number] = stored

    def reshape(self, step, stored):
        return self.values[step["value"]].reshape(self.shape(step["shape"]))

    def quantize(self, step, stored):
        """Integers of 8 bits for each token; their scales are a second value. All
        of it in float32, in the exact evaluation too."""
        x = round_to(np.asarray(self.values[step["x"]], np.float32),
                     self.types[step["x"]])
        one = np.float32
        largest = np.maximum(one(1e-5), np.abs(x).max(axis=-1, keepdims=True,
                                                      initial=0))
        scale = largest / one(127)
        value = np.clip(np.rint(x * (one(127) / largest)), -127, 127)
        finite = np.isfinite(x).all(axis=-1, keepdims=True)
        self.values[step["scale"]] = np.where(finite, scale,
                                              np.nan)[..., 0].astype(self.scalar)
        self.types[step["scale"]] = "f32"
        return np.where(finite, value, 0)

    def hadamard(self, step, stored):
        """Blocks of the last dimension times a Hadamard matrix, as a sum of two at a time."""
        v = np.array(self.values[step["x"]], self.scalar)
        if "signs" in step:
            v *= self.values[step["signs"]]
        shape, half = v.shape, 1
        while half < step["block"]:
            v = v.reshape(-1, 2, half)
            v = np.stack([v[:, 0] + v[:, 1], v[:, 0] - v[:, 1]], axis=1)
            half *= 2
        return v.reshape(shape) * self.scalar(step["block"] ** -0.5)

    def sample(self, step, stored):
        """A token of each row; in float32 on what is stored, in the exact evaluation too."""
        logits = round_to(np.asarray(self.values[step["logits"]], np.float32),
                          self.types[step["logits"]])
        names = ("temperature", "top_k", "top_p", "seed", "position")
        rows = logits.shape[:-1]
        return np.array([
            draw(logits[row], *(self.exactly(step[name])[row] for name in names))
            for row in np.ndindex(*rows)], self.scalar).reshape(rows)

    def exactly(self, value):
        """A value; of an argument, whose integers a float may not hold, as it is given."""
        return self.arrays[value] if value < len(self.arrays) else self.values[value]

    def attention(self, step, stored):
        out, lse = attention(self, step)
        if "lse" in step:
            self.values[step["lse"]], self.types[step["lse"]] = lse, "f32"
        return out

    def cache_append(self, step, stored):
        if "layout" in step:
            return self.append_to_pages(step)
        cache = self.caches[step["cache"]].append(
            self.values[step["tokens"]], self.values[step["lengths"]],
            step.get("method", "absmean"),
            self.values[step["pages"]] if "pages" in step else None)
        self.caches[step["out"]] = cache
        return cache.values(self.scalar)

    def append_to_pages(self, step):
        """A dense cache [P, G, page, D], or [P, page, G, D] of bshd, with new tokens in
        the pages that a table names."""
        cache = self.values[step["cache"]].copy()
        tokens, table = self.values[step["tokens"]], self.values[step["pages"]]
        # With positions behind the page or the entry, whatever the layout.
        pages, new = (cache, tokens) if step["layout"] == "bshd" else \
            (cache.swapaxes(1, 2), tokens.swapaxes(1, 2))
        page = pages.shape[1]
        for b, t in np.ndindex(*new.shape[:2]):
            position = int(self.values[step["lengths"]][b]) + t
            if 0 <= position < table.shape[1] * page:
                number = page_number(table, b, position, page, len(pages))
                pages[number, position % page] = new[b, t]
        return cache

    def default(self, step):
        """The type of a step's value: of the result it is, or of its input."""
        graph = self.function["reference"]
        if step["out"] in graph["results"]:
            return self.function["results"][
                graph["results"].index(step["out"])]["dtype"]
        source = step.get("x", step.get("value", step.get("q")))
        if source is None:
            source = step["inputs"][0]["value"] if step["inputs"] else None
        return "f32" if source is None else self.types[source]


def evaluate(function, arrays, sizes, scalar):
    """The results for `arrays`, which hold the arguments' types, as `scalar`."""
    graph = function.get("reference")
    if not graph:
        raise Error(f"the manifest has no reference for '{function['name']}'; run "
                    "it on the GPU")
    state = _Graph(function, arrays, sizes, scalar)
    for index, (array, spec) in enumerate(zip(arrays, function["arguments"])):
        if isinstance(array, TernaryCache):
            state.caches[index] = array
        state.values[index] = array.values(scalar) \
            if isinstance(array, (TernaryCache, TernaryMatrix)) \
            else to_float(array, spec["dtype"], scalar)
        state.types[index] = spec["dtype"]
    with np.errstate(all="ignore"):
        for step in graph["steps"]:
            stored = step.get("dtype") or state.default(step)
            evaluator = {"matmul": state.matmul, "map": state.map,
                         "reduce": state.reduce,
                         "reshape": state.reshape,
                         "quantize": state.quantize,
                         "hadamard": state.hadamard,
                         "sample": state.sample,
                         "attention": state.attention,
                         "cache_append": state.cache_append}.get(step["op"])
            if not evaluator:
                raise Error(f"the reference has a step '{step['op']}', which this "
                            "package does not know; update it")
            state.keep(step["out"], evaluator(step, stored), stored)
    return [state.caches.get(index, state.values[index])
            for index in graph["results"]]
