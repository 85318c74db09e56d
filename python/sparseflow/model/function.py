# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The MLIR text of one function of a model: arguments, and the pieces of a layer."""

from __future__ import annotations

from typing import Dict, List, Mapping, Sequence, Tuple

from .geometry import Geometry

# Scalar arithmetic on %v : f32, with the result %act.
_ACTIVATIONS = {
    "silu": """    %neg = arith.negf %v : f32
    %exp = math.exp %neg : f32
    %one = arith.constant 1.0 : f32
    %den = arith.addf %exp, %one : f32
    %act = arith.divf %v, %den : f32
""",
    "gelu": """    %root = arith.constant 0.70710678118654752 : f32
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %arg = arith.mulf %v, %root : f32
    %erf = math.erf %arg : f32
    %cdf = arith.addf %erf, %one : f32
    %hv = arith.mulf %v, %half : f32
    %act = arith.mulf %hv, %cdf : f32
""",
    "gelu_tanh": """    %root = arith.constant 0.79788456080286536 : f32
    %cubic = arith.constant 0.044715 : f32
    %half = arith.constant 0.5 : f32
    %one = arith.constant 1.0 : f32
    %v2 = arith.mulf %v, %v : f32
    %v3 = arith.mulf %v2, %v : f32
    %cv = arith.mulf %v3, %cubic : f32
    %in = arith.addf %v, %cv : f32
    %arg = arith.mulf %in, %root : f32
    %tanh = math.tanh %arg : f32
    %cdf = arith.addf %tanh, %one : f32
    %hv = arith.mulf %v, %half : f32
    %act = arith.mulf %hv, %cdf : f32
""",
    "relu": """    %zero = arith.constant 0.0 : f32
    %act = arith.maximumf %v, %zero : f32
""",
    "relu2": """    %zero = arith.constant 0.0 : f32
    %relu = arith.maximumf %v, %zero : f32
    %act = arith.mulf %relu, %relu : f32
""",
}


class ModelFunction:
    """The text of a function: arguments by name, then lines of its body."""

    def __init__(self, name: str, geometry: Geometry,
                 encodings: Mapping[str, str] = {}) -> None:
        self.name, self.g, self.encodings = name, geometry, encodings
        # Types of the matrices among the arguments.
        self.matrices: Dict[str, str] = {}
        self.arguments: List[Tuple[str, str]] = []
        self.lines: List[str] = []
        self.count = 0

    def argument(self, name: str, kind: str) -> str:
        """An argument: its value. Names have dots, which values' may not begin with."""
        self.arguments.append((name, kind))
        return "%" + name.replace(".", "_")

    def weight(self, name: str, specs: Dict[str, Tuple[str, List[int]]]) -> str:
        dtype, shape = specs[name]
        encoding = self.encodings.get(name, "")
        kind = (f"tensor<{'x'.join(map(str, shape))}x{dtype}"
                f"{', ' if encoding else ''}{encoding}>")
        value = self.argument(name, kind)
        self.matrices[value] = kind
        return value

    def emit(self, text: str) -> None:
        self.lines.append(text.rstrip("\n"))

    def value(self) -> str:
        self.count += 1
        return f"%{self.count}"

    def tokens(self, source: str, kind: str) -> None:
        """Defines %B and %T, the leading sizes of `source`."""
        self.emit("  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
                  f"  %B = tensor.dim {source}, %c0 : {kind}\n"
                  f"  %T = tensor.dim {source}, %c1 : {kind}")

    def text(self, results: Sequence[Tuple[str, str]]) -> str:
        def argument(name: str, kind: str) -> str:
            value = f'%{name.replace(".", "_")}'
            constant = ", sparseflow.constant" if value in self.matrices else ""
            return f'{value}: {kind} {{sparseflow.name = "{name}"{constant}}}'
        arguments = ",\n    ".join(argument(*each) for each in self.arguments)
        kinds = ", ".join(kind for _, kind in results)
        values = ", ".join(value for value, _ in results)
        body = "\n".join(self.lines)
        return (f"func.func @{self.name}(\n    {arguments}) -> ({kinds}) {{\n{body}\n"
                f"  return {values} : {kinds}\n}}\n")

    # --- pieces of a layer

    def tensor(self, *shape: object, dtype: str = "") -> str:
        """The type of activations: B, T, then `shape`."""
        return f"tensor<?x?x{''.join(f'{s}x' for s in shape)}{dtype or self.g.dtype}>"

    def generic(self, maps: Sequence[str], reduces: bool,
                inputs: Sequence[Tuple[str, str]], output: Tuple[str, str], block: str,
                body: str) -> str:
        """A linalg.generic whose last dimension is reduced, or none."""
        result = self.value()
        rank = 4 if maps[0].startswith("#heads") else 3
        loops = ["parallel"] * rank
        if reduces:
            loops[-1] = "reduction"
        iterators = ", ".join(f'"{loop}"' for loop in loops)
        given = ""
        if inputs:
            given = (f"\n      ins({', '.join(v for v, _ in inputs)} : "
                     f"{', '.join(k for _, k in inputs)})")
        self.emit(f"  {result} = linalg.generic {{indexing_maps = [{', '.join(maps)}],\n"
                  f"      iterator_types = [{iterators}]}}{given}\n"
                  f"      outs({output[0]} : {output[1]}) {{\n  ^bb0({block}):\n"
                  f"{body.rstrip()}\n  }} -> {output[1]}")
        return result

    def empty(self, kind: str, fill: bool = False) -> str:
        value = self.value()
        self.emit(f"  {value} = tensor.empty(%B, %T) : {kind}")
        if not fill:
            return value
        zero, filled = self.value(), self.value()
        self.emit(f"  {zero} = arith.constant 0.0 : f32\n"
                  f"  {filled} = linalg.fill ins({zero} : f32) outs({value} : {kind}) "
                  f"-> {kind}")
        return filled

    def norm(self, x: str, shape: Sequence[int], weight: str, bias: str = "",
             kind: str = "") -> str:
        """Normalizes the last dimension, of `shape` behind B and T."""
        g, heads = self.g, len(shape) == 2
        whole = "#heads" if heads else "#x"
        token = "#heads_token" if heads else "#token"
        feature = "#heads_feature" if heads else "#feature"
        data = self.tensor(*shape)
        sums = self.tensor(*shape[:-1], dtype="f32")
        size, d = float(shape[-1]), g.dtype
        mean = ""
        inputs, maps, block = [(x, data)], [whole], f"%in: {d}"
        centre = ""
        if (kind or g.norm) == "layer":
            mean = self.generic([whole, token], True, inputs,
                                (self.empty(sums, True), sums), f"%in: {d}, %sum: f32",
                                f"    %v = arith.extf %in : {d} to f32\n"
                                "    %s = arith.addf %sum, %v : f32\n"
                                "    linalg.yield %s : f32")
            inputs = inputs + [(mean, sums)]
            maps = maps + [token]
            block += ", %total: f32"
            centre = ("    %mean = arith.divf %total, %size : f32\n"
                      "    %v = arith.subf %wide, %mean : f32\n")
        load = (f"    %size = arith.constant {size:.1f} : f32\n"
                f"    %{'wide' if centre else 'v'} = arith.extf %in : {d} to f32\n"
                + centre)
        squares = self.generic([*maps, token], True, inputs,
                               (self.empty(sums, True), sums), block + ", %sum: f32",
                               load + "    %square = arith.mulf %v, %v : f32\n"
                               "    %s = arith.addf %sum, %square : f32\n"
                               "    linalg.yield %s : f32")
        vector = f"tensor<{shape[-1]}xf32>"
        inputs = inputs + [(squares, sums), (weight, vector)]
        maps = maps + [token, feature]
        block += ", %sum: f32, %scale: f32"
        shift, last = "", "%scaled"
        if bias:
            inputs.append((bias, vector))
            maps.append(feature)
            block += ", %shift: f32"
            shift, last = "    %moved = arith.addf %scaled, %shift : f32\n", "%moved"
        return self.generic(
            [*maps, whole], False, inputs, (self.empty(data), data), block + f", %o: {d}",
            load + f"    %epsilon = arith.constant {g.epsilon:e} : f32\n"
            "    %mean2 = arith.divf %sum, %size : f32\n"
            "    %safe = arith.addf %mean2, %epsilon : f32\n"
            "    %r = math.rsqrt %safe : f32\n"
            "    %n = arith.mulf %v, %r : f32\n"
            "    %scaled = arith.mulf %n, %scale : f32\n" + shift +
            f"    %h = arith.truncf {last} : f32 to {d}\n    linalg.yield %h : {d}")

    def matmul(self, x: str, k: int, weight: str, n: int, bias: str = "",
               activation: str = "", gate: str = "", residual: str = "",
               dtype: str = "") -> str:
        """x w^T, then in this order: bias, activation, times `gate`, plus `residual`."""
        d = self.g.dtype
        out = dtype or d
        operands: List[Tuple[str, str, str, str]] = []
        body, last = "", "%acc"
        if bias:
            operands.append((bias, f"tensor<{n}xf32>", "per_feature", "%bias: f32"))
            body += "    %biased = arith.addf %acc, %bias : f32\n"
            last = "%biased"
        if activation:
            body += _ACTIVATIONS[activation].replace("%v ", f"{last} ") \
                .replace("%v,", f"{last},")
            last = "%act"
        for name, value, op in (("gate", gate, "mulf"), ("residual", residual, "addf")):
            if value:
                operands.append((value, self.tensor(n), "full", f"%{name}: {d}"))
                body += (f"    %{name}32 = arith.extf %{name} : {d} to f32\n"
                         f"    %with_{name} = arith.{op} {last}, %{name}32 : f32\n")
                last = f"%with_{name}"
        if out != "f32":
            body += f"    %out = arith.truncf {last} : f32 to {out}\n"
            last = "%out"
        epilogue = ""
        if operands:
            values, kinds, broadcasts = (", ".join(o[part] for o in operands)
                                         for part in range(3))
            epilogue = f" epilogue({values} : {kinds}) as [{broadcasts}]"
        block = ", ".join(["%acc: f32", *(o[3] for o in operands)])
        result = self.value()
        self.emit(f"  {result} = sparseflow.matmul {x}, {weight}{epilogue} {{\n"
                  f"  ^bb0({block}):\n{body}    sparseflow.yield {last} : {out}\n"
                  f"  }} : {self.tensor(k)}, {self.matrices[weight]} -> "
                  f"{self.tensor(n, dtype=out)}")
        return result

    def hadamard(self, x: str, size: int, signs: str, block: int) -> str:
        """x times signs and a Hadamard matrix, block by block."""
        result = self.value()
        self.emit(f"  {result} = sparseflow.hadamard {x} signs({signs} : tensor<{size}xf32>) "
                  f"block {block}\n      : {self.tensor(size)}")
        return result

    def spread(self, x: str, count: int) -> str:
        """Queries or keys, of for_cache, as the cache asks for them: where its numbers
        have few bits, times a Hadamard matrix. Scores stay what they are."""
        if not self.g.spreads:
            return x
        result = self.value()
        self.emit(f"  {result} = sparseflow.hadamard {x} block {self.g.head_dim}\n      : "
                  f"{self.heads(count, True)}")
        return result

    def split_heads(self, x: str, heads: int) -> str:
        size = self.g.head_dim
        result = self.value()
        self.emit(f"  {result} = tensor.expand_shape {x} [[0], [1], [2, 3]] "
                  f"output_shape [%B, %T, {heads}, {size}]\n      : "
                  f"{self.tensor(heads * size)} into {self.tensor(heads, size)}")
        return result

    def heads(self, count: int, first: bool = False) -> str:
        """The type of queries, keys or values [B, T, heads, features]; heads `first`:
        [B, heads, T, features]."""
        if not first:
            return self.tensor(count, self.g.head_dim)
        return f"tensor<?x{count}x?x{self.g.head_dim}x{self.g.dtype}>"

    def exchange(self, x: str, count: int, first: bool) -> str:
        """x with heads `first`, or behind the tokens again."""
        source, kind = self.heads(count, not first), self.heads(count, first)
        empty, result = self.value(), self.value()
        self.emit(f"  {empty} = tensor.empty(%B, %T) : {kind}\n"
                  f"  {result} = linalg.transpose ins({x} : {source})\n"
                  f"      outs({empty} : {kind}) permutation = [0, 2, 1, 3]")
        return result

    def for_cache(self, x: str, count: int) -> str:
        """Queries, keys or values in the order that the cache asks for: pages of numbers
        belong to a head."""
        return self.exchange(x, count, True) if self.g.cached else x

    @property
    def _layout(self) -> List[str]:
        return [] if self.g.cached else ["layout = #sparseflow.attention_layout<bshd>"]

    def cache(self, part: str) -> str:
        """The type of the cache of `part`, "key" or "value"."""
        g = self.g
        if not g.cached:
            return self.tensor(g.kv_heads, g.head_dim)
        return (f"tensor<?x{g.kv_heads}x?x{g.head_dim}x{g.dtype}, #sparseflow.quantized<"
                f"{part}_{g.cache}, scale = {g.cache_scale} : f16>>")

    def past(self, lengths: str) -> str:
        """What caches hold without the new tokens, of what they hold with them."""
        empty, result = self.value(), self.value()
        self.emit(f"  {empty} = tensor.empty(%B) : tensor<?xi32>\n"
                  f"  {result} = linalg.generic {{indexing_maps = [#text_only, #text_only],\n"
                  f"      iterator_types = [\"parallel\"]}} ins({lengths} : tensor<?xi32>)\n"
                  f"      outs({empty} : tensor<?xi32>) {{\n"
                  "  ^bb0(%length: i32, %o: i32):\n"
                  "    %new = arith.index_cast %T : index to i32\n"
                  "    %old = arith.subi %length, %new : i32\n"
                  "    linalg.yield %old : i32\n  } -> tensor<?xi32>")
        return result

    def append(self, part: str, cache: str, new: str, past: str) -> str:
        """The cache of `part` with new tokens, of for_cache, behind the `past` ones."""
        g, result = self.g, self.value()
        layout = "".join(f"\n      {{{text}}}" for text in self._layout)
        self.emit(f"  {result} = sparseflow.cache_append {cache}, {new} at {past}{layout}\n"
                  f"      : {self.cache(part)}, {self.heads(g.kv_heads, g.cached)}, "
                  "tensor<?xi32>")
        return result

    def distances(self, table: str) -> Tuple[str, str]:
        """What is added to the scores of T tokens by how far they are apart, and its type."""
        kind, empty, result = f"tensor<{self.g.heads}x?x?xf32>", self.value(), self.value()
        self.emit(f"  {empty} = tensor.empty(%T, %T) : {kind}\n"
                  f"  {result} = linalg.generic {{indexing_maps = [#x],\n"
                  "      iterator_types = [\"parallel\", \"parallel\", \"parallel\"]}\n"
                  f"      outs({empty} : {kind}) {{\n  ^bb0(%o: f32):\n"
                  "    %h = linalg.index 0 : index\n    %i = linalg.index 1 : index\n"
                  "    %j = linalg.index 2 : index\n"
                  "    %zero = arith.constant 0 : index\n    %one = arith.constant 1 : index\n"
                  "    %ahead = arith.subi %j, %i : index\n"
                  "    %back = arith.subi %i, %j : index\n"
                  "    %behind = arith.cmpi sgt, %ahead, %zero : index\n"
                  "    %side = arith.select %behind, %one, %zero : index\n"
                  "    %far = arith.select %behind, %ahead, %back : index\n"
                  f"    %v = tensor.extract {table}[%h, %side, %far] : "
                  f"tensor<{self.g.heads}x2x{self.g.positions}xf32>\n"
                  f"    linalg.yield %v : f32\n  }} -> {kind}")
        return result, kind

    def attention(self, q: str, k: str, v: str, lengths: str, table: str = "") -> str:
        """Attention of the last T tokens, of for_cache, over a cache, or an encoder's
        text: [B, T, heads, features]. `table`: of numbers for distances, or none."""
        g, queries, result = self.g, self.heads(self.g.heads, self.g.cached), self.value()
        attributes = ([] if g.encoder else ["causal"]) + \
            ([f"window = {g.window} : i64"] if g.window else []) + self._layout
        score = ""
        if table:
            added, kind = self.distances(table)
            score = (f"operands({added} : {kind}) as [\"hqk\"] score {{\n"
                     "  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %added: f32):\n"
                     "    %sum = arith.addf %s, %added : f32\n"
                     "    sparseflow.yield %sum : f32\n  } ")
        self.emit(f"  {result} = sparseflow.attention {q}, {k}, {v} lengths({lengths} : "
                  f"tensor<?xi32>)\n      {score}{{{', '.join(attributes)}}}\n      : {queries}, "
                  f"{self.cache('key')}, {self.cache('value')} -> {queries}")
        return self.exchange(result, g.heads, False) if g.cached else result

    def rotate(self, x: str, heads: int, lengths: str, cos: str, sin: str) -> str:
        """Rotary positions: the last token is at the last key."""
        g, data = self.g, self.tensor(heads, self.g.head_dim)
        table = f"tensor<{g.positions}x{g.head_dim // 2}xf32>"
        d = g.dtype
        if g.rotary == "split":
            pairs = (f"    %half = arith.constant {g.head_dim // 2} : index\n"
                     f"    %whole = arith.constant {g.head_dim} : index\n"
                     "    %pair = arith.remsi %d, %half : index\n"
                     "    %across = arith.addi %d, %half : index\n"
                     "    %other = arith.remsi %across, %whole : index\n"
                     "    %first = arith.cmpi slt, %d, %half : index\n")
        else:
            pairs = ("    %zero = arith.constant 0 : index\n"
                     "    %one = arith.constant 1 : index\n"
                     "    %two = arith.constant 2 : index\n"
                     "    %pair = arith.divsi %d, %two : index\n"
                     "    %odd = arith.remsi %d, %two : index\n"
                     "    %back = arith.muli %odd, %two : index\n"
                     "    %next = arith.addi %d, %one : index\n"
                     "    %other = arith.subi %next, %back : index\n"
                     "    %first = arith.cmpi eq, %odd, %zero : index\n")
        return self.generic(
            ["#heads", "#heads_entry", "#heads"], False,
            [(x, data), (lengths, "tensor<?xi32>")], (self.empty(data), data),
            f"%in: {d}, %length: i32, %o: {d}",
            "    %b = linalg.index 0 : index\n    %t = linalg.index 1 : index\n"
            "    %h = linalg.index 2 : index\n    %d = linalg.index 3 : index\n"
            "    %last = arith.index_cast %length : i32 to index\n"
            "    %past = arith.subi %last, %T : index\n"
            "    %p = arith.addi %past, %t : index\n" + pairs +
            f"    %partner = tensor.extract {x}[%b, %t, %h, %other] : {data}\n"
            f"    %c = tensor.extract {cos}[%p, %pair] : {table}\n"
            f"    %s = tensor.extract {sin}[%p, %pair] : {table}\n"
            "    %minus = arith.negf %s : f32\n"
            "    %sign = arith.select %first, %minus, %s : f32\n"
            f"    %a = arith.extf %in : {d} to f32\n"
            f"    %z = arith.extf %partner : {d} to f32\n"
            "    %ac = arith.mulf %a, %c : f32\n"
            "    %zs = arith.mulf %z, %sign : f32\n"
            "    %sum = arith.addf %ac, %zs : f32\n"
            f"    %r = arith.truncf %sum : f32 to {d}\n    linalg.yield %r : {d}")
