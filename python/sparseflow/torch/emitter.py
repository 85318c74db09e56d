# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""From a graph of aten operators to the text of a SparseFlow program.

The graph is that of fx with a fake tensor as meta["val"] of every node. Each node becomes
one operation on tensors; which of them share a kernel is the compiler's decision.
"""

import dataclasses
import math

import sympy
import torch
from torch import fx

from .. import forms
from ..forms import Form
from .scalars import Scalars, Unsupported, literal

DTYPES = {torch.float16: "f16", torch.bfloat16: "bf16", torch.float32: "f32",
          torch.int32: "i32", torch.int64: "i64", torch.bool: "i1"}


# What a row of attention's results may have.
MOST_FEATURES = 256


def size(value):
    """An int, or the expression of symbols that a symbolic size is."""
    if isinstance(value, torch.SymInt):
        value = value.node.expr
    return int(value) if isinstance(value, int) or value.is_Integer else sympy.expand(value)


@dataclasses.dataclass(frozen=True)
class _Value:
    """A tensor of the program: its name, sizes and element type."""
    name: str
    shape: tuple
    dtype: str

    @property
    def type(self):
        return f"tensor<{leading(self.shape)}{self.dtype}>"


def leading(shape):
    """Sizes as a tensor type begins with them: 2x?x64x."""
    return "".join(f"{s}x" if isinstance(s, int) else "?x" for s in shape)


@dataclasses.dataclass
class Emitted:
    """`program`: to compile. `arguments`: of each, the graph's placeholder, and the form
    of packed weights or None. `results`: their types, in the order of the graph's."""
    program: forms.Program
    arguments: list
    results: list


def _dims(indices):
    return "(" + ", ".join(indices) + ")"


def _map(rank, results):
    return f"affine_map<{_dims([f'd{i}' for i in range(rank)])} -> {_dims(results)}>"


class Emitter:
    """Writes a graph's program; raises Unsupported, with `node`, where it cannot.

    `handler_of`: the function of (emitter, node, *arguments) that emits a node, or None.
    `on_cpu`: the program is for the CPU device.
    """

    def __init__(self, graph, handler_of, on_cpu):
        self.graph, self.handler_of, self.on_cpu = graph, handler_of, on_cpu
        self.values, self.symbols, self.int8 = {}, {}, None
        # Of each argument: the placeholder, the form of packed weights, the type.
        self.arguments, self.head, self.body = [], [], []
        # Names of transposed values: what they were, and the order that undoes it.
        self.untransposed = {}
        # Names of reshaped values: what they were; of repeated ones: what is repeated,
        # along which dimension.
        self._unshaped, self._repeated = {}, {}
        self._count, self._sizes = 0, {}

    def emit(self):
        for node in self.graph.nodes:
            try:
                self._node(node)
            except Unsupported as error:
                error.node = error.node or node
                raise
        return self._emitted

    # --- names, sizes, types

    def new(self):
        self._count += 1
        return f"%n{self._count}"

    def line(self, text):
        self.body.append("  " + text)

    def result_of(self, node, index=None):
        """The shape and type that a node's value has."""
        value = node.meta["val"] if index is None else node.meta["val"][index]
        if value.dtype not in DTYPES:
            raise Unsupported(f"elements of {value.dtype}")
        return tuple(size(s) for s in value.shape), DTYPES[value.dtype]

    def index(self, expression):
        """The name of a size of type index, computed once at the program's begin."""
        if expression in self._sizes:
            return self._sizes[expression]
        name = f"%s{len(self._sizes)}"
        if isinstance(expression, int):
            text = f"arith.constant {expression} : index"
        elif expression in self.symbols:
            argument, dimension = self.symbols[expression]
            where = self.index(dimension)
            name = f"%s{len(self._sizes)}"
            text = f"tensor.dim {argument.name}, {where} : {argument.type}"
        elif isinstance(expression, (sympy.Add, sympy.Mul, sympy.Integer)):
            parts = [self.index(size(part)) for part in expression.args]
            what = "addi" if isinstance(expression, sympy.Add) else "muli"
            *rest, last = parts
            for part in rest:
                name = self.new()
                self.head.append(f"  {name} = arith.{what} {part}, {last} : index")
                last = name
            self._sizes[expression] = last
            return last
        else:
            raise Unsupported(f"a size of {expression}")
        self._sizes[expression] = name
        self.head.append(f"  {name} = {text}")
        return name

    def dynamic(self, shape):
        return ", ".join(self.index(s) for s in shape if not isinstance(s, int))

    def empty(self, shape, dtype):
        value = _Value(self.new(), shape, dtype)
        self.line(f"{value.name} = tensor.empty({self.dynamic(shape)}) : {value.type}")
        return value

    def filled(self, shape, dtype, number):
        constant, empty = self.new(), self.empty(shape, dtype)
        kind = "" if dtype == "i1" else f" : {dtype}"
        self.line(f"{constant} = arith.constant {literal(number, dtype)}{kind}")
        value = _Value(self.new(), shape, dtype)
        self.line(f"{value.name} = linalg.fill ins({constant} : {dtype}) "
                  f"outs({empty.name} : {value.type}) -> {value.type}")
        return value

    # --- operations

    def generic(self, shape, dtype, inputs, body, loops=0, out=None, init=None):
        """A linalg.generic. `inputs`: (value, results of its map); `body`: of Scalars and
        the names of the elements, the last of which is the result's old one; returns the
        name of its new one. `loops`: how many are reduced; `out`: the result's map."""
        rank = len(shape) + loops
        out = [f"d{i}" for i in range(len(shape))] if out is None else out
        start = init or self.empty(shape, dtype)
        scalars = Scalars()
        names = [f"%e{i}" for i in range(len(inputs) + 1)]
        last = body(scalars, *names)
        kinds = [value.dtype for value, _ in inputs] + [dtype]
        block = ", ".join(f"{n}: {k}" for n, k in zip(names, kinds))
        maps = ", ".join(_map(rank, m) for _, m in [*inputs, (None, out)])
        iterators = ", ".join(['"reduction"' if f"d{i}" not in out else '"parallel"'
                               for i in range(rank)])
        given = ""
        if inputs:
            given = (f" ins({', '.join(v.name for v, _ in inputs)} : "
                     f"{', '.join(v.type for v, _ in inputs)})")
        result = _Value(self.new(), shape, dtype)
        self.line(f"{result.name} = linalg.generic {{indexing_maps = [{maps}], "
                  f"iterator_types = [{iterators}]}}{given} outs({start.name} : "
                  f"{result.type}) {{")
        self.body += [f"  ^bb0({block}):", *scalars.lines,
                      f"    linalg.yield {last} : {dtype}"]
        self.line(f"}} -> {result.type}")
        return result

    @staticmethod
    def broadcast(value, shape):
        """The results of the map that reads a value for each element of `shape`."""
        offset = len(shape) - len(value.shape)
        return ["0" if s == 1 and shape[i + offset] != 1 else f"d{i + offset}"
                for i, s in enumerate(value.shape)]

    def elementwise(self, shape, dtype, values, body):
        """`body`: of Scalars and an element of each value."""
        def code(s, *names):
            return body(s, *names[:-1])
        # What is computed of a transposed value is computed of the value, and transposed.
        order = next((self.untransposed[v.name][1] for v in values
                      if v.shape == shape and v.name in self.untransposed), None)
        if order is None:
            return self.generic(shape, dtype, [(v, self.broadcast(v, shape))
                                               for v in values], code)
        back = _inverse(order)

        def read(value):
            source, undoing = self._transposed(value)
            if value.shape == shape and undoing == order:
                return source, [f"d{i}" for i in range(len(shape))]
            # Dimension i of the result is back[i] of what is computed.
            return value, [d if d == "0" else f"d{back[int(d[1:])]}"
                           for d in self.broadcast(value, shape)]
        result = self.generic(tuple(shape[d] for d in order), dtype, [*map(read, values)],
                              code)
        return self.permuted(result, back)

    def cast(self, value, dtype):
        if value.dtype == dtype:
            return value
        return self.elementwise(value.shape, dtype, [value],
                                lambda s, a: s.cast(a, value.dtype, dtype))

    def reduced(self, value, dims, operation, start, keep):
        """A fold of f32 numbers over some dimensions."""
        rank = len(value.shape)
        dims = [d % rank for d in dims] if dims else list(range(rank))
        kept = [i for i in range(rank) if i not in dims]
        out = [f"d{i}" for i in kept]
        shape = tuple(value.shape[i] for i in kept)
        total = self.generic(
            shape, "f32", [(value, [f"d{i}" for i in range(rank)])],
            lambda s, a, old: s.add(operation, old, s.cast(a, value.dtype, "f32")),
            len(dims), out, self.filled(shape, "f32", start))
        if not keep:
            return total
        return self.reshape(total, tuple(1 if i in dims else s
                                         for i, s in enumerate(value.shape)))

    def reshape(self, value, shape):
        if value.shape == shape:
            return value
        before = self._unshaped.get(value.name)
        if before and before.shape == shape:
            return before
        result = self._reshape(value, shape)
        self._unshaped[result.name] = value
        source, dim = self._repeated.get(value.name, (None, 0))
        if source and dim and shape == (*value.shape[:dim - 1], size(
                value.shape[dim - 1] * value.shape[dim]), *value.shape[dim + 1:]):
            # Every element of dimension dim - 1, several times.
            self._repeated[result.name] = (self.reshape(
                source, (*source.shape[:dim], *source.shape[dim + 1:])), None)
        return result

    def expanded(self, value, shape):
        """A value whose dimensions of size 1 are repeated to a larger shape."""
        result = self.elementwise(shape, value.dtype, [value], lambda s, a: a)
        if len(shape) == len(value.shape):
            larger = [i for i, (a, b) in enumerate(zip(value.shape, shape)) if a != b]
            if len(larger) == 1:
                self._repeated[result.name] = (value, larger[0])
        return result

    def _reshape(self, value, shape):
        groups = _groups(value.shape, shape)
        middle = tuple(size(math.prod(value.shape[i] for i in g)) for g, _ in groups)
        if len(middle) < len(value.shape):
            value = self._reassociate("collapse", value, middle, [g for g, _ in groups])
        if len(middle) < len(shape):
            value = self._reassociate("expand", value, shape, [g for _, g in groups])
        return value

    def _reassociate(self, what, value, shape, groups):
        result = _Value(self.new(), shape, value.dtype)
        sizes = ""
        if what == "expand":
            sizes = " output_shape [" + ", ".join(
                str(s) if isinstance(s, int) else self.index(s) for s in shape) + "]"
        self.line(f"{result.name} = tensor.{what}_shape {value.name} "
                  f"{[list(g) for g in groups]}{sizes} : {value.type} into {result.type}")
        return result

    def _transposed(self, value):
        """What a transposed value was, and the order that undoes it; (None, None) of others."""
        return self.untransposed.get(value.name, (None, None))

    def permuted(self, value, order):
        order = [d % len(order) for d in order]
        if order == sorted(order):
            return value
        source, undoing = self._transposed(value)
        if undoing == order:
            return source
        shape = tuple(value.shape[d] for d in order)
        moved = [d for d in order if value.shape[d] != 1]
        if moved == sorted(moved):
            return self.reshape(value, shape)
        empty, result = self.empty(shape, value.dtype), self.new()
        result = _Value(result, shape, value.dtype)
        self.line(f"{result.name} = linalg.transpose ins({value.name} : {value.type}) "
                  f"outs({empty.name} : {result.type}) permutation = {order}")
        # What undoes it needs no operation; attention reads what was transposed.
        self.untransposed[result.name] = (value, _inverse(order))
        return result

    def sliced(self, value, dimension, start, length):
        if start == 0 and length == value.shape[dimension]:
            return value
        source, order = self._transposed(value)
        if source:
            back = _inverse(order)
            return self.permuted(self.sliced(source, back[dimension], start, length), back)
        shape = tuple(length if i == dimension else s for i, s in enumerate(value.shape))
        result = _Value(self.new(), shape, value.dtype)

        def text(numbers):
            return "[" + ", ".join(str(n) if isinstance(n, int) else self.index(n)
                                   for n in numbers) + "]"
        offsets = [start if i == dimension else 0 for i in range(len(shape))]
        self.line(f"{result.name} = tensor.extract_slice {value.name}{text(offsets)}"
                  f"{text(shape)}{text([1] * len(shape))} : {value.type} to {result.type}")
        return result

    def concatenated(self, values, dimension, shape, dtype):
        sources = [self._transposed(v) for v in values]
        order = sources[0][1]
        if order and all(o == order for _, o in sources):
            back = _inverse(order)
            return self.permuted(self.concatenated(
                [v for v, _ in sources], back[dimension], tuple(shape[d] for d in order),
                dtype), back)
        result = _Value(self.new(), shape, dtype)
        self.line(f"{result.name} = tensor.concat dim({dimension}) "
                  f"{', '.join(v.name for v in values)} : "
                  f"({', '.join(v.type for v in values)}) -> {result.type}")
        return result

    # --- nodes

    def _node(self, node):
        if node.op == "placeholder":
            self.values[node] = self._placeholder(node)
        elif node.op == "output":
            self._finish(node.args[0])
        elif isinstance(node.meta.get("val"), (torch.SymInt, int)):
            self.values[node] = size(node.meta["val"])
        elif node.op == "call_function":
            handler = self.handler_of(node)
            if handler is None:
                raise Unsupported("no form in a program")
            self.values[node] = handler(self, node, *node.args, **node.kwargs)
        else:
            raise Unsupported(f"{node.op} {node.target}")

    def _placeholder(self, node):
        value = node.meta["val"]
        if not isinstance(value, torch.Tensor):
            return size(value)
        name = f"%a{len(self.arguments)}"
        self.arguments.append([node, None, None])
        if value.dtype == torch.uint8:
            return _Value(name, (), "")
        shape, dtype = self.result_of(node)
        result = _Value(name, shape, dtype)
        self.arguments[-1][2] = result.type
        for dimension, expression in enumerate(shape):
            if isinstance(expression, sympy.Symbol):
                self.symbols.setdefault(expression, (result, dimension))
        return result

    def _finish(self, outputs):
        results = []
        for output in outputs if isinstance(outputs, (tuple, list)) else [outputs]:
            value = self.values.get(output) if isinstance(output, fx.Node) else None
            if not isinstance(value, _Value) or not value.dtype or \
                    value.name.startswith("%a"):
                raise Unsupported("a result that is no tensor of the program", output)
            if any(not isinstance(s, int) and s not in self.symbols for s in value.shape):
                raise Unsupported("a result of a size that is computed", output)
            results.append(value)
        unread = [node for node, form, kind in self.arguments if not (form or kind)]
        if unread:
            raise Unsupported(f"bytes that no layer reads: {unread[0]}")
        arguments = ", ".join(f"%a{i}: {kind}"
                              for i, (_, _, kind) in enumerate(self.arguments))
        kinds = ", ".join(value.type for value in results)
        text = "\n".join([f"func.func @main({arguments}) -> ({kinds}) {{", *self.head,
                          *self.body,
                          f"  return {', '.join(v.name for v in results)} : {kinds}",
                          "}", ""])
        self._emitted = Emitted(
            forms.Program("graph", text, ("--activations", "i8") if self.int8 else ()),
            [(node, form) for node, form, _ in self.arguments],
            [value.dtype for value in results])

    def tensor(self, argument):
        """The value of an argument that has to be a tensor."""
        value = self.values.get(argument) if isinstance(argument, fx.Node) else None
        if not isinstance(value, _Value) or not value.dtype:
            raise Unsupported("an operand that is no tensor of the program")
        return value

    def number(self, argument):
        """A size of an argument: int or an expression."""
        if isinstance(argument, fx.Node):
            argument = argument.meta["val"]
        return size(argument)

    def packed(self, argument, form):
        """The name of packed weights, all of whose readers have the same form."""
        value = self.values.get(argument)
        entry = next((a for a in self.arguments if a[0] is argument), None)
        if entry is None or value.dtype:
            raise Unsupported("packed weights that are computed")
        plain = form.plain()
        if entry[1] not in (None, plain):
            raise Unsupported("packed weights of two forms")
        entry[1:] = plain, form.types("")["w"]
        return value.name

    def layer(self, node, x, weights, bias, form):
        form, x = Form.parse(form), self.tensor(x)
        if form.weights == forms.TERNARY:
            # An option of the compiler, for all of a program.
            if self.int8 not in (None, form.int8):
                raise Unsupported("ternary layers with and without activations of 8 bits")
            if form.int8 and self.on_cpu:
                raise Unsupported("activations of 8 bits have programs for GPUs only")
            self.int8 = form.int8
        shape, dtype = self.result_of(node)
        if len(shape) < 2:
            x = self.reshape(x, (1, *x.shape))
        result = _Value(self.new(), (*x.shape[:-1], form.n), dtype)
        names = ["w"] if form.op == "linear" else ["wg", "wu"]
        values = {"x": x.name, "y": result.name, "up": self.new()}
        for name, weight in zip(names, weights):
            values[name] = self.packed(weight, form)
        if bias is not None:
            values["bias"] = self.tensor(bias).name
        self.body += form.matmuls(values, leading(x.shape[:-1]))
        return self.reshape(result, shape)

    def _whole(self, value):
        """What a value is whose heads are those of another one, several times each."""
        source, dim = self._repeated.get(value.name, (None, 0))
        return source if source and dim is None and len(source.shape) == 4 and \
            source.shape[0] == value.shape[0] and source.shape[2:] == value.shape[2:] else value

    def attention(self, q, k, v, causal, scale, behind=None, window=0, inside=False):
        """`behind`: lengths; query i of Q sees the keys up to its entry's - Q + i, the last
        `window` of them, 0 for all. `inside`: there are as many keys as the lengths say."""
        q, k, v = self.tensor(q), self._whole(self.tensor(k)), self._whole(self.tensor(v))
        if len(q.shape) != 4 or q.dtype not in forms.DTYPES or \
                {k.dtype, v.dtype} != {q.dtype}:
            raise Unsupported("attention other than [B, H, S, D] of f16 or bf16")
        if not all(isinstance(s, int) for s in (q.shape[1], k.shape[1], q.shape[3],
                                                v.shape[3])):
            raise Unsupported("attention of any number of heads or features")
        if max(q.shape[3], v.shape[3]) > MOST_FEATURES:
            raise Unsupported(f"attention of more than {MOST_FEATURES} features a head")
        if k.shape[1] != v.shape[1] or q.shape[1] % k.shape[1]:
            raise Unsupported("attention whose heads do not fit one another")
        shape = (*q.shape[:3], v.shape[3])
        lengths, score, words = "", "", ["causal"] if causal else []
        if behind is not None and window and inside:
            behind = self.tensor(behind)
            lengths, words = f" lengths({behind.name} : {behind.type})", ["causal"]
        elif behind is not None:
            lengths, score = self._visible(q, behind, window)
        if window and not score:
            words.append(f"window = {window} : i64")
        swap = [0, 2, 1, 3]
        before = [self._transposed(t) for t in (q, k, v)]
        swapped = all(order == swap for _, order in before)
        if swapped:
            q, k, v = (value for value, _ in before)
            shape = (shape[0], shape[2], shape[1], shape[3])
        result = _Value(self.new(), shape, q.dtype)
        words.append(f"layout = #sparseflow.attention_layout<{'bshd' if swapped else 'bhsd'}>")
        self.line(f"{result.name} = sparseflow.attention {q.name}, {k.name}, {v.name}"
                  f"{lengths} {score}"
                  f"{{{', '.join(words)}, scale = {literal(scale, 'f32')} : f32}} : "
                  f"{q.type}, {k.type}, {v.type} -> {result.type}")
        return self.permuted(result, swap) if swapped else result

    def _visible(self, q, lengths, window):
        """Of attention: its lengths, and what leaves out keys behind each query, and those in
        front of its window."""
        lengths, queries = self.tensor(lengths), q.shape[2]
        if not isinstance(queries, int):
            raise Unsupported("a mask of any number of queries")
        text = f" lengths({lengths.name} : {lengths.type})"
        if queries == 1 and not window:
            return text, ""
        # `causal` and `window` count from the last key, which lengths beyond it would move.
        # Operands of scores are floats: positions are, too.
        past = self.elementwise(lengths.shape, "f32", [lengths], lambda s, n: s.add(
            "subf", s.cast(n, lengths.dtype, "f32"), s.const(queries)))
        return text, (
            f"operands({past.name} : {past.type}) as [\"b\"] score {{\n"
            "  ^bb0(%s: f32, %b: i32, %h: i32, %i: i32, %j: i32, %past: f32):\n"
            "    %query = arith.sitofp %i : i32 to f32\n"
            "    %key = arith.sitofp %j : i32 to f32\n"
            "    %last = arith.addf %query, %past : f32\n"
            "    %seen = arith.cmpf ole, %key, %last : f32\n"
            + (f"    %width = arith.constant {float(window)} : f32\n"
               "    %first = arith.subf %last, %width : f32\n"
               "    %behind = arith.cmpf ogt, %key, %first : f32\n"
               "    %both = arith.andi %seen, %behind : i1\n" if window else "") +
            "    %none = arith.constant 0xFF800000 : f32\n"
            f"    %kept = arith.select {'%both' if window else '%seen'}, %s, %none : f32\n"
            "    sparseflow.yield %kept : f32\n  } ")

    def appended(self, cache, dim, tokens, taken, base):
        """A cache with tokens from the position on that is `taken` + base."""
        cache, tokens = self.tensor(cache), self.tensor(tokens)
        if not cache.name.startswith("%a") or len(cache.shape) != 4 or dim not in (1, 2) or \
                cache.dtype not in forms.DTYPES or not all(
                    isinstance(cache.shape[d], int) for d in (3 - dim, 3)):
            raise Unsupported("a write to other than a cache of keys or values")
        taken = self.reshape(self.tensor(taken), ())
        past = self.elementwise((cache.shape[0],), "i32", [taken], lambda s, n: s.add(
            "addi", s.cast(n, taken.dtype, "i32"), s.const(base, "i32"), kind="i32"))
        result = _Value(self.new(), cache.shape, cache.dtype)
        self.line(f"{result.name} = sparseflow.cache_append {cache.name}, {tokens.name} at "
                  f"{past.name} {{layout = #sparseflow.attention_layout<"
                  f"{'bhsd' if dim == 2 else 'bshd'}>}} : {cache.type}, {tokens.type}, "
                  f"{past.type}")
        return result


def _inverse(order):
    """The order of dimensions that undoes another one."""
    return [order.index(d) for d in range(len(order))]


def _smaller(a, b):
    """True where a is less than b for whatever values its symbols have."""
    if isinstance(a, int) and isinstance(b, int):
        return a < b
    return sympy.cancel(sympy.sympify(b) / a).as_numer_denom()[1] == 1


def _groups(source, target):
    """Pairs of dimensions of both shapes whose products are equal, in order."""
    if 0 in source or 0 in target:
        raise Unsupported("a reshape of no elements")
    groups, i, j = [], 0, 0
    while i < len(source) and j < len(target):
        left, right, a, b = [i], [j], source[i], target[j]
        while sympy.expand(a - b) != 0:
            if i + 1 < len(source) and _smaller(a, b):
                i += 1
                left.append(i)
                a = a * source[i]
            elif j + 1 < len(target) and _smaller(b, a):
                j += 1
                right.append(j)
                b = b * target[j]
            else:
                raise Unsupported(f"a reshape of {list(source)} to {list(target)}")
        groups.append((left, right))
        i, j = i + 1, j + 1
    # What is left has one element.
    if groups:
        groups[-1][0].extend(range(i, len(source)))
        groups[-1][1].extend(range(j, len(target)))
        return groups
    return []

