# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a converted layer computes: its sizes, weights and epilogue, as one value.

A Form is written as text into the operators' calls, so that a traced or exported graph
says what it calls. From it follow the MLIR program that is compiled for a GPU, and the
same program as a reference graph, which NumPy evaluates on the CPU. Both are printed
from one list of steps; a test compares the graph with the compiler's manifest.
"""

import dataclasses
import functools

import numpy as np

from .errors import Error

TWO_FOUR, TERNARY = "2:4", "ternary"
# Layouts of ternary weights that GPU kernels read, and the encodings' names for them.
STORAGE = {"tern.v1": "codes", "tern24.v1": "two_four", "tern24z.v1": "two_four_zero"}
DTYPES = ("f16", "bf16")


def _literal(value):
    """A float constant as MLIR reads it: with a point."""
    text = repr(float(np.float32(value)))
    return text if "." in text else text.replace("e", ".0e")


class _Region:
    """The scalar arithmetic of an epilogue: acc, then the operands."""

    def __init__(self, *operands):
        self.inputs, self.ops = ("acc", *operands), []

    def add(self, operation, *operands):
        self.ops.append((f"v{len(self.ops)}", operation, operands))
        return self.ops[-1][0]

    def const(self, value):
        return self.add("const", float(np.float32(value)))


def _gelu(r, z):
    half = r.add("mulf", z, r.const(0.5))
    erf = r.add("erf", r.add("mulf", z, r.const(0.5 ** 0.5)))
    return r.add("mulf", half, r.add("addf", erf, r.const(1)))


def _gelu_tanh(r, z):
    cube = r.add("mulf", r.add("mulf", z, z), z)
    inner = r.add("addf", z, r.add("mulf", cube, r.const(0.044715)))
    tanh = r.add("tanh", r.add("mulf", inner, r.const((2 / np.pi) ** 0.5)))
    half = r.add("mulf", z, r.const(0.5))
    return r.add("mulf", half, r.add("addf", tanh, r.const(1)))


def _sigmoid_of(r, z, numerator=None):
    exp = r.add("exp", r.add("negf", z))
    one = r.const(1)
    return r.add("divf", numerator or one, r.add("addf", exp, one))


def _relu(r, z):
    return r.add("maximumf", z, r.const(0))


def _squared_relu(r, z):
    relu = _relu(r, z)
    return r.add("mulf", relu, relu)


ACTIVATIONS = {
    "none": lambda r, z: z,
    "relu": _relu,
    "squared_relu": _squared_relu,
    "gelu": _gelu,
    "gelu_tanh": _gelu_tanh,
    "silu": lambda r, z: _sigmoid_of(r, z, z),
    "sigmoid": _sigmoid_of,
    "tanh": lambda r, z: r.add("tanh", z),
}


@dataclasses.dataclass(frozen=True)
class Program:
    """MLIR text with a name for people, and options of `sparseflow compile`."""
    name: str
    text: str
    options: tuple = ()


@dataclasses.dataclass(frozen=True)
class Form:
    """A layer: y = activation(x w^T + bias), or, gated, activation(x g^T) * (x u^T).

    `op`: "linear" or "gated". `weights`: "2:4" or "ternary". `n`, `k`: out and in
    features. `dtype`: of x, y and bias, f16 or bf16. Of ternary weights: `layout`,
    `scale` ("tensor", "row" or columns), `scale_dtype`, `planes`, and `int8`:
    activations are rounded to 8 bits with a scale for each token.
    """
    op: str
    weights: str
    n: int
    k: int
    dtype: str
    bias: bool = False
    activation: str = "none"
    layout: str = "sf24.v1"
    scale: object = "row"
    scale_dtype: str = "f32"
    planes: int = 1
    int8: bool = False

    def __post_init__(self):
        if self.activation not in ACTIVATIONS:
            raise Error(f"expected an activation of {', '.join(ACTIVATIONS)}, found "
                        f"{self.activation}")
        if self.dtype not in DTYPES:
            raise Error(f"expected f16 or bf16 to compute in, found {self.dtype}")
        if self.n < 1 or self.k < 1:
            raise Error(f"expected sizes from 1 on, found N = {self.n}, K = {self.k}")
        if self.weights == TWO_FOUR and self.k % 4:
            raise Error("2:4 weights need a multiple of 4 in features, found "
                        f"{self.k}")
        if self.weights == TERNARY and self.layout not in STORAGE:
            raise Error(f"expected a layout of {', '.join(STORAGE)}, which kernels "
                        f"read, found {self.layout}")

    def __str__(self):
        """The text of parse: `op weights` and the fields that are not their default."""
        fields = [f"{f.name}={getattr(self, f.name)}"
                  for f in dataclasses.fields(self)[2:]
                  if getattr(self, f.name) != f.default]
        return " ".join([self.op, self.weights, *fields])

    @staticmethod
    @functools.lru_cache(maxsize=None)
    def parse(text):
        """The Form that str() wrote."""
        types = {f.name: f.type for f in dataclasses.fields(Form)}
        op, weights, *fields = (text + " ").split(" ")
        values = dict(field.partition("=")[::2] for field in fields if field)
        unknown = [name for name in values if name not in types]
        if op not in ("linear", "gated") or weights not in (TWO_FOUR, TERNARY) or unknown:
            raise Error(f"expected the text of a form, found '{text}'")
        for name, value in values.items():
            if types[name] is bool:
                values[name] = value == "True"
            elif types[name] is int or name == "scale" and value.isdigit():
                values[name] = int(value)
        return Form(op, weights, **values)

    def plain(self):
        """One product of these weights alone: no bias, no activation, no gate."""
        return dataclasses.replace(self, op="linear", bias=False, activation="none")

    def steps(self):
        """(result, weight, [(operand, broadcast)], region) of each matmul, in order."""
        last = _Region(*(["up"] if self.op == "gated" else []),
                       *(["bias"] if self.bias else []))
        z = "acc"
        if self.bias:
            z = last.add("addf", z, last.add("extf", "bias"))
        z = ACTIVATIONS[self.activation](last, z)
        if self.op == "linear":
            last.add("truncf", z)
            return [("y", "w", [("bias", "per_feature")] if self.bias else [], last)]
        z = last.add("mulf", z, last.add("extf", "up"))
        last.add("truncf", z)
        first = _Region()
        first.add("truncf", "acc")
        return [("up", "wu", [], first), ("y", "wg", [("up", "full")], last)]

    def arguments(self):
        """Names of the arguments, in order."""
        if self.op == "gated":
            return ["x", "wg", "wu"]
        return ["x", "w", *(["bias"] if self.bias else [])]

    def program(self):
        """The program to compile."""
        values = {name: f"%{name}" for name in (*self.arguments(), "up", "y")}
        types = self.types("?x")
        arguments = ", ".join(f"%{name}: {types[name]}" for name in self.arguments())
        y = types["y"]
        lines = [f"func.func @{self.op}({arguments}) -> {y} {{", *self.matmuls(values, "?x")]
        lines += [f"  return %y : {y}", "}", ""]
        name = f"{self.op}-{self.weights.replace(':', '')}-{self.n}x{self.k}-{self.dtype}"
        return Program(name, "\n".join(lines),
                       ("--activations", "i8") if self.int8 else ())

    def types(self, rows):
        """The type of each argument and value, `rows` the leading sizes of x: "2x?x"."""
        types = {"x": f"tensor<{rows}{self.k}x{self.dtype}>",
                 "bias": f"tensor<{self.n}x{self.dtype}>"}
        types.update(dict.fromkeys(("up", "y"), f"tensor<{rows}{self.n}x{self.dtype}>"))
        weight = f"tensor<{self.n}x{self.k}x{self.dtype}, {self._attribute()}>"
        types.update(dict.fromkeys(("w", "wg", "wu"), weight))
        return types

    def matmuls(self, values, rows):
        """Lines of MLIR: the matmuls, on and to the `values` of these names."""
        types = self.types(rows)
        for result, w, operands, region in self.steps():
            epilogue = "".join(
                f" epilogue({values[name]} : {types[name]}) as [{broadcast}]"
                for name, broadcast in operands)
            inputs = ", ".join(
                f"%in_{name}: {'f32' if name == 'acc' else self.dtype}"
                for name in region.inputs)
            yield from (
                f"  {values[result]} = sparseflow.matmul {values['x']}, {values[w]}"
                f"{epilogue} {{", f"  ^bb0({inputs}):", *self._scalar_lines(region),
                f"    sparseflow.yield %{region.ops[-1][0]} : {self.dtype}",
                f"  }} : {types['x']}, {types[w]} -> {types[result]}")

    def _attribute(self):
        if self.weights == TWO_FOUR:
            return "#sparseflow.nm<2:4>"
        planes = f", planes = {self.planes}" if self.planes > 1 else ""
        return (f"#sparseflow.ternary<{STORAGE[self.layout]}, scale = {self.scale} : "
                f"{self.scale_dtype}{planes}>")

    def _scalar_lines(self, region):
        def name(operand):
            return f"%in_{operand}" if operand in region.inputs else f"%{operand}"
        math = ("exp", "erf", "tanh")
        for result, op, operands in region.ops:
            if op == "const":
                yield f"    %{result} = arith.constant {_literal(operands[0])} : f32"
            elif op == "extf":
                yield f"    %{result} = arith.extf {name(operands[0])} : {self.dtype} to f32"
            elif op == "truncf":
                yield f"    %{result} = arith.truncf {name(operands[0])} : f32 to {self.dtype}"
            else:
                yield (f"    %{result} = {'math' if op in math else 'arith'}.{op} "
                       f"{', '.join(map(name, operands))} : f32")

    def function(self):
        """The function as a manifest describes it, with its reference graph."""
        arguments = [self._argument(name) for name in self.arguments()]
        values = {name: index for index, name in enumerate(self.arguments())}
        steps, x = [], "x"

        def new(name):
            values[name] = len(values)
            return values[name]

        if self.int8:
            x = "codes"
            steps.append({"op": "quantize", "x": 0, "out": new("codes"),
                          "scale": new("token_scale"), "shape": ["T", self.k]})
        for result, w, operands, region in self.steps():
            if self.int8:
                operands = [*operands, ("token_scale", "per_token")]
            given = [{"value": values[name], "broadcast": broadcast}
                     for name, broadcast in operands]
            steps.append({"op": "matmul", "x": values[x], "w": values[w],
                          "out": new(result), "dtype": self.dtype,
                          "shape": ["T", self.n], "operands": given,
                          "region": self._graph_region(region)})
        return {"name": self.op, "symbols": ["T"], "arguments": arguments,
                "results": [{"dtype": self.dtype, "shape": ["T", self.n]}],
                "reference": {"values": len(values), "steps": steps,
                              "results": [values["y"]]}}

    def _argument(self, name):
        shape = {"x": ["T", self.k], "bias": [self.n]}.get(name, [self.n, self.k])
        spec = {"name": name, "dtype": self.dtype, "shape": shape}
        if name.startswith("w"):
            spec["layout"] = self.layout
            spec["encoding"] = {"kind": "nm", "n": 2, "m": 4} \
                if self.weights == TWO_FOUR else \
                {"kind": "ternary", "storage": STORAGE[self.layout],
                 "scale": self.scale, "scale_dtype": self.scale_dtype,
                 "planes": self.planes}
        return spec

    def _graph_region(self, region):
        inputs = [*region.inputs, *(["token_scale"] if self.int8 else [])]
        index = {name: number for number, name in enumerate(inputs)}
        ops = []
        if self.int8:
            # Sums of integers become numbers first.
            ops.append(["mulf", 0, index["token_scale"]])
            index["acc"] = len(inputs)
        for result, op, operands in region.ops:
            given = [operand if op == "const" else index[operand] for operand in operands]
            ops.append([op, *given, *([self.dtype] if op == "truncf" else [])])
            index[result] = len(inputs) + len(ops) - 1
        return {"inputs": len(inputs), "ops": ops, "yield": len(inputs) + len(ops) - 1}


@dataclasses.dataclass(frozen=True)
class AttentionForm:
    """softmax(scale q k^T) v of q [B, heads, Q, d], k [B, key_heads, S, d] and v
    [B, key_heads, S, d_v], or, with `layout` "bshd", heads behind positions. `causal`:
    the last query stands at the last key."""
    heads: int
    key_heads: int
    d: int
    d_v: int
    dtype: str
    causal: bool
    scale: float
    layout: str = "bhsd"

    def __str__(self):
        return " ".join(["attention", *(f"{f.name}={getattr(self, f.name)}"
                                        for f in dataclasses.fields(self))])

    def _shape(self, heads, length, features):
        middle = [heads, length] if self.layout == "bhsd" else [length, heads]
        return ["B", *middle, features]

    def _shapes(self):
        return {"q": self._shape(self.heads, "Q", self.d),
                "k": self._shape(self.key_heads, "S", self.d),
                "v": self._shape(self.key_heads, "S", self.d_v),
                "o": self._shape(self.heads, "Q", self.d_v)}

    def program(self):
        """The program to compile; its symbols are B, Q and S in this order."""
        q, k, v, o = ("tensor<" + "x".join(
            "?" if isinstance(size, str) else str(size) for size in shape)
            + f"x{self.dtype}>" for shape in self._shapes().values())
        mask = "causal, " if self.causal else ""
        kind = "-causal" if self.causal else ""
        return Program(
            f"attention-{self.heads}x{self.key_heads}x{self.d}-{self.dtype}{kind}",
            f"""func.func @attention(%q: {q}, %k: {k}, %v: {v}) -> {o} {{
  %o = sparseflow.attention %q, %k, %v
    {{{mask}layout = #sparseflow.attention_layout<{self.layout}>, scale = {_literal(self.scale)} : f32}}
    : {q}, {k}, {v} -> {o}
  return %o : {o}
}}
""")

    def function(self):
        """The function as a manifest describes it, with its reference graph."""
        step = {"op": "attention", "q": 0, "k": 1, "v": 2, "out": 3, "dtype": self.dtype,
                "layout": self.layout, "scale": float(np.float32(self.scale)),
                "operands": []}
        if self.causal:
            step["causal"] = 1
        *arguments, result = [{"name": name, "dtype": self.dtype, "shape": shape}
                              for name, shape in self._shapes().items()]
        del result["name"]
        return {"name": "attention", "symbols": ["B", "Q", "S"], "arguments": arguments,
                "results": [result],
                "reference": {"values": 4, "steps": [step], "results": [3]}}


# Of a cache's kind: the storages of keys and values, and what the encoding is called.
CACHE_KINDS = {"int8": ("key_int8", "value_int8", "quantized"),
               "int4": ("key_int4", "value_int4", "quantized"),
               "e4m3": ("key_e4m3", "value_e4m3", "quantized"),
               "ternary": ("key_planes", "value_planes", "ternary")}
CACHE_SCALES = ("token", "token x 32", "token x 64", "token x 128")


@dataclasses.dataclass(frozen=True)
class CacheFormat:
    """How a cache holds keys and values: each "int8", "int4" or "e4m3", or both "ternary"; with a
    `scale` for each "token", or, of numbers, for 32, 64 or 128 features of one
    ("token x 32"), of `scale_dtype`. Trits are made by `method`, "absmean" or "twn"
    (docs/formats/ternary-cache.md)."""
    keys: str = "int8"
    values: str = "int8"
    scale: str = "token"
    scale_dtype: str = "f16"
    method: str = "absmean"

    def __post_init__(self):
        for kind in (self.keys, self.values):
            if kind not in CACHE_KINDS:
                raise Error(f"expected keys and values of {', '.join(CACHE_KINDS)}, "
                            f"found {kind}")
        if "ternary" in (self.keys, self.values) and self.keys != self.values:
            raise Error("expected keys and values that are both ternary, or neither, "
                        f"found {self.keys} and {self.values}")
        if self.scale not in CACHE_SCALES[:1 if self.keys == "ternary" else None]:
            raise Error("expected a scale of "
                        f"{', '.join(CACHE_SCALES)} (of trits: token), found {self.scale}")
        if self.scale_dtype not in ("f16", "bf16", "f32"):
            raise Error(f"expected scales of f16, bf16 or f32, found {self.scale_dtype}")
        methods = ("absmean", "twn") if self.keys == "ternary" else ("absmean",)
        if self.method not in methods:
            raise Error("expected a method of absmean, or of trits twn, found "
                        f"{self.method} of {self.keys}")

    def __str__(self):
        by = "" if self.method == "absmean" else f" by {self.method}"
        return f"{self.keys} {self.values} {self.scale} {self.scale_dtype}{by}"

    @staticmethod
    @functools.lru_cache(maxsize=None)
    def parse(text):
        """The CacheFormat that str() wrote."""
        form, _, method = text.partition(" by ")
        words = form.split()
        if len(words) < 4:
            raise Error(f"expected the text of a cache's format, found '{text}'")
        return CacheFormat(*words[:2], " ".join(words[2:-1]), words[-1], method or "absmean")

    @property
    def storages(self):
        """The storages of keys and of values."""
        return CACHE_KINDS[self.keys][0], CACHE_KINDS[self.values][1]


@dataclasses.dataclass(frozen=True)
class CacheAttentionForm:
    """New tokens [B, key_heads, Q, d] and [B, key_heads, Q, d_v] into quantized caches, and
    attention of queries [B, heads, Q, d] on all that the caches hold then: causal, the
    last query at the last key, and with a `window` (0: none) on so many keys. Scores s are
    `softcap` tanh(s / softcap), where that is not 0."""
    heads: int
    key_heads: int
    d: int
    d_v: int
    dtype: str
    cache: CacheFormat
    scale: float
    window: int = 0
    softcap: float = 0.0

    def __str__(self):
        return " ".join(["cache_attention", *(f"{f.name}={getattr(self, f.name)}"
                                              for f in dataclasses.fields(self))])

    def _arguments(self):
        """(name, type, shape, storage) of each argument; shapes with the symbols B, Q and S."""
        storages = self.cache.storages
        return [("q", self.dtype, ["B", self.heads, "Q", self.d], None),
                ("key", self.dtype, ["B", self.key_heads, "Q", self.d], None),
                ("value", self.dtype, ["B", self.key_heads, "Q", self.d_v], None),
                ("keys", self.dtype, ["B", self.key_heads, "S", self.d], storages[0]),
                ("values", self.dtype, ["B", self.key_heads, "S", self.d_v], storages[1]),
                ("before", "i32", ["B"], None), ("behind", "i32", ["B"], None)]

    def program(self):
        """The program to compile. `before` and `behind`: how many positions a batch entry
        has before the call and behind it."""
        kind = CACHE_KINDS[self.cache.keys][2]
        types = {"o": ("q", self.dtype, ["B", self.heads, "Q", self.d_v], None)}
        types.update({a[0]: a for a in self._arguments()})
        for name, (_, dtype, shape, storage) in types.items():
            sizes = "x".join("?" if isinstance(s, str) else str(s) for s in shape)
            encoding = (f", #sparseflow.{kind}<{storage}, scale = {self.cache.scale} : "
                        f"{self.cache.scale_dtype}>") if storage else ""
            types[name] = f"tensor<{sizes}x{dtype}{encoding}>"
        given = ", ".join(f"%{name}: {types[name]}" for name, *_ in self._arguments())
        results = f"({types['o']}, {types['keys']}, {types['values']})"
        window = f"window = {self.window} : i64, " if self.window else ""
        by = f" by <{self.cache.method}>" if kind == "ternary" else ""
        appends = "".join(
            f"  %all_{cache} = sparseflow.cache_append %{cache}, %{token} at %before{by}\n"
            f"    : {types[cache]}, {types[token]}, {types['before']}\n"
            for cache, token in (("keys", "key"), ("values", "value")))
        score = f""" score {{
  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32):
    %cap = arith.constant {_literal(self.softcap)} : f32
    %0 = arith.divf %s, %cap : f32
    %1 = math.tanh %0 : f32
    %2 = arith.mulf %1, %cap : f32
    sparseflow.yield %2 : f32
  }}""" if self.softcap else ""
        name = (f"cache-attention-{self.heads}x{self.key_heads}x{self.d}-{self.dtype}-"
                f"{self.cache.keys}-{self.cache.values}")
        return Program(name, f"""func.func @cache_attention({given}) -> {results} {{
{appends}  %o = sparseflow.attention %q, %all_keys, %all_values
    lengths(%behind : {types['behind']}){score} {{causal, {window}scale = {_literal(self.scale)} : f32}}
    : {types['q']}, {types['keys']}, {types['values']} -> {types['o']}
  return %o, %all_keys, %all_values : {results[1:-1]}
}}
""")

    def function(self):
        """Attention alone, of the caches when they hold the tokens: arguments q, keys,
        values and behind, as a manifest describes them, with the reference graph."""
        specs = {name: {"name": name, "dtype": dtype, "shape": shape}
                 for name, dtype, shape, _ in self._arguments()}
        step = {"op": "attention", "q": 0, "k": 1, "v": 2, "lengths": 3, "out": 4,
                "causal": 1, "dtype": self.dtype, "layout": "bhsd", "operands": [],
                "scale": float(np.float32(self.scale))}
        if self.window:
            step["window"] = self.window
        if self.softcap:
            step["region"] = {"inputs": 5, "yield": 8, "ops": [
                ["const", float(np.float32(self.softcap))], ["divf", 0, 5], ["tanh", 6],
                ["mulf", 7, 5]]}
        return {"name": "cache_attention", "symbols": ["B", "Q", "S"],
                "arguments": [specs[n] for n in ("q", "keys", "values", "behind")],
                "results": [{"dtype": self.dtype,
                             "shape": ["B", self.heads, "Q", self.d_v]}],
                "reference": {"values": 5, "steps": [step], "results": [4]}}
