# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What each aten operator is in a program: one function an operator."""

import math
import operator

import torch
from torch import fx

from .emitter import DTYPES, Emitter, size
from .scalars import FLOATS, POINTWISE, Unsupported

_aten, _ours = torch.ops.aten, torch.ops.sparseflow
_HANDLERS = {}


def _emits(*packets):
    def register(function):
        for packet in packets:
            _HANDLERS[packet] = function
        return function
    return register


def handler_of(node):
    """The function that emits a node, or None where there is none."""
    if node.target is operator.getitem:
        return lambda e, node, given, index: e.values[given][index]
    packet = getattr(node.target, "overloadpacket", None)
    if packet in POINTWISE:
        return _pointwise
    return _HANDLERS.get(packet)


def emit(graph, on_cpu):
    """The Emitted program of a graph; Unsupported, with the `node`, where there is none."""
    return Emitter(graph, handler_of, on_cpu).emit()


def _pointwise(e, node, *given, **named):
    packet = node.target.overloadpacket
    kind, code = POINTWISE[packet]
    unknown = set(named) - {"alpha", "approximate"}
    if unknown:
        raise Unsupported(f"the argument {unknown.pop()}")
    shape, dtype = e.result_of(node)
    given, more = (given[:1], given[1:]) if packet is _aten.pow else (given, ())
    if any(isinstance(m, fx.Node) for m in more):
        raise Unsupported("a power that is computed")
    tensors = [e.tensor(a) for a in given if is_tensor(a)]
    if kind is None:
        kind = "f32" if dtype in FLOATS else dtype
        if packet in _COMPARISONS:
            metas = [a.meta["val"] if isinstance(a, fx.Node) else a for a in given]
            kind = DTYPES.get(torch.result_type(*metas))
            kind = "f32" if kind in FLOATS else kind
        if kind is None:
            raise Unsupported("a comparison of such elements")

    def body(s, *elements):
        elements, operands = iter(elements), []
        for argument in given:
            if is_tensor(argument):
                operands.append(s.cast(next(elements), e.tensor(argument).dtype, kind))
            elif isinstance(argument, (bool, int, float)):
                operands.append(s.const(argument, kind))
            else:
                raise Unsupported("a size as an operand")
        result = code(s, kind, *operands, *more, **named)
        return s.cast(result, "i1" if packet in _COMPARISONS else kind, dtype)
    return e.elementwise(shape, dtype, tensors, body)


_COMPARISONS = (_aten.eq, _aten.ne, _aten.lt, _aten.le, _aten.gt, _aten.ge)


def is_tensor(argument):
    """True for a node whose value is a tensor."""
    return isinstance(argument, fx.Node) and isinstance(argument.meta.get("val"),
                                                        torch.Tensor)


@_emits(_aten.clone, _aten.alias, _aten.detach, _aten.lift_fresh_copy)
def _same(e, node, x, **layout):
    return e.tensor(x)


@_emits(_aten._to_copy, torch.ops.prims.convert_element_type)
def _to(e, node, x, *ignored, **named):
    if is_tensor(x) and x.meta["val"].device != node.meta["val"].device:
        raise Unsupported("a copy to another device")
    return e.cast(e.tensor(x), e.result_of(node)[1])


@_emits(_aten.where)
def _where(e, node, condition, *values):
    if len(values) != 2 or not all(map(is_tensor, values)):
        raise Unsupported("other operands than three tensors")
    shape, dtype = e.result_of(node)
    tensors = [e.tensor(condition), *(e.cast(e.tensor(v), dtype) for v in values)]
    return e.elementwise(shape, dtype, tensors, lambda s, c, a, b: s.line(
        f"arith.select {c}, {a}, {b}", dtype))


@_emits(_aten.full, _aten.full_like, _aten.scalar_tensor)
def _full(e, node, *given, **named):
    if any(isinstance(a, fx.Node) for a in given[1:]):
        raise Unsupported("a number that is computed")
    shape, dtype = e.result_of(node)
    number = given[0] if node.target.overloadpacket is _aten.scalar_tensor else given[1]
    return e.filled(shape, dtype, number)


@_emits(_aten.arange)
def _arange(e, node, *given, **named):
    start, step = (given[0] if len(given) > 1 else 0), (given[2] if len(given) > 2 else 1)
    shape, dtype = e.result_of(node)
    if dtype not in ("i32", "i64") or not all(isinstance(n, int) for n in (start, step)):
        raise Unsupported("a range other than of whole numbers, from one, by one")

    def body(s):
        index = s.line("arith.index_cast", f"index to {dtype}",
                       s.line("linalg.index 0", "index"))
        scaled = s.add("muli", index, s.const(step, dtype), kind=dtype)
        return s.add("addi", scaled, s.const(start, dtype), kind=dtype)
    return e.elementwise(shape, dtype, [], body)


@_emits(_aten.view, _aten._unsafe_view, _aten.reshape, _aten.unsqueeze, _aten.squeeze)
def _view(e, node, x, *ignored):
    if node.target is _aten.view.dtype:
        raise Unsupported("a view of another type")
    return e.reshape(e.tensor(x), e.result_of(node)[0])


@_emits(_aten.expand)
def _expand(e, node, x, *ignored, **named):
    x, (shape, dtype) = e.tensor(x), e.result_of(node)
    if x.shape == shape:
        return x
    return e.expanded(x, shape)


@_emits(_aten.permute)
def _permute(e, node, x, order):
    return e.permuted(e.tensor(x), order)


@_emits(_aten.transpose)
def _transpose(e, node, x, first, second):
    x = e.tensor(x)
    order = list(range(len(x.shape)))
    order[first], order[second] = order[second], order[first]
    return e.permuted(x, order)


@_emits(_aten.t)
def _t(e, node, x):
    x = e.tensor(x)
    return e.permuted(x, list(range(len(x.shape)))[::-1])


@_emits(_aten.slice)
def _slice(e, node, x, dimension=0, start=None, end=None, step=1):
    x, (shape, _) = e.tensor(x), e.result_of(node)
    dimension %= len(x.shape)
    start = 0 if start is None else e.number(start)
    if step != 1 or not isinstance(start, int):
        raise Unsupported("a slice with a step, or from a computed place")
    if start < 0:
        start = size(x.shape[dimension] + start)
        if not isinstance(start, int):
            raise Unsupported("a slice that counts from an unknown end")
    if start and not isinstance(x.shape[dimension], int):
        raise Unsupported("a slice of an unknown size")
    start = min(max(start, 0), x.shape[dimension]) if start else 0
    return e.sliced(x, dimension, start, shape[dimension])


@_emits(_aten.select)
def _select(e, node, x, dimension, index):
    x, (shape, _) = e.tensor(x), e.result_of(node)
    dimension %= len(x.shape)
    index = e.number(index)
    if isinstance(index, int) and index < 0:
        index = size(x.shape[dimension] + index)
    return e.reshape(e.sliced(x, dimension, index, 1), shape)


@_emits(_aten.split_with_sizes, _aten.split)
def _split(e, node, x, sizes, dimension=0):
    x, parts, begin = e.tensor(x), [], 0
    dimension %= len(x.shape)
    for part in node.meta["val"]:
        length = size(part.shape[dimension])
        parts.append(e.sliced(x, dimension, begin, length))
        begin = size(begin + length)
    return parts


@_emits(_aten.cat)
def _cat(e, node, tensors, dimension=0):
    shape, dtype = e.result_of(node)
    # Tensors of one empty dimension are nothing, whatever the others are.
    values = [e.cast(e.tensor(t), dtype) for t in tensors]
    values = [v for v in values if 0 not in v.shape]
    if not values or any(len(v.shape) != len(shape) for v in values):
        raise Unsupported("a concatenation of nothing")
    if len(values) == 1:
        return values[0]
    return e.concatenated(values, dimension % len(shape), shape, dtype)


@_emits(_aten.embedding)
def _embedding(e, node, table, ids, *ignored, **named):
    table, ids, (shape, dtype) = e.tensor(table), e.tensor(ids), e.result_of(node)
    last = len(shape) - 1

    def body(s, i, old):
        row = s.line("arith.index_cast", f"{ids.dtype} to index", i)
        column = s.line(f"linalg.index {last}", "index")
        return s.line(f"tensor.extract {table.name}[{row}, {column}]", table.type)
    return e.generic(shape, dtype, [(ids, [f"d{i}" for i in range(last)])], body)


@_emits(_aten.sum, _aten.mean)
def _sum(e, node, x, dims=None, keepdim=False, dtype=None):
    x, (_, out) = e.tensor(x), e.result_of(node)
    if out not in FLOATS:
        raise Unsupported("a sum of integers")
    total = e.reduced(x, dims, "addf", 0, keepdim)
    if node.target.overloadpacket is _aten.mean:
        total = _over_count(e, total, x, dims)
    return e.cast(total, out)


def _over_count(e, total, x, dims):
    counts = [x.shape[d] for d in (dims or range(len(x.shape)))]
    if not all(isinstance(c, int) for c in counts):
        raise Unsupported("a mean over a size that is not known")
    count = math.prod(counts)
    return e.elementwise(total.shape, "f32", [total], lambda s, a: s.add(
        "divf", a, s.const(count)))


@_emits(_aten.amax)
def _amax(e, node, x, dims=(), keepdim=False):
    x, (_, out) = e.tensor(x), e.result_of(node)
    if out not in FLOATS:
        raise Unsupported("a maximum of integers")
    return e.cast(e.reduced(x, dims, "maximumf", -math.inf, keepdim), out)


@_emits(_aten._softmax)
def _softmax(e, node, x, dimension, half_to_float):
    x, (shape, dtype) = e.tensor(x), e.result_of(node)
    most = e.reduced(x, [dimension], "maximumf", -math.inf, True)
    powers = e.elementwise(shape, "f32", [x, most], lambda s, a, m: s.add(
        "exp", s.add("subf", s.cast(a, x.dtype, "f32"), m)))
    total = e.reduced(powers, [dimension], "addf", 0, True)
    return e.elementwise(shape, dtype, [powers, total], lambda s, a, t: s.cast(
        s.add("divf", a, t), "f32", dtype))


@_emits(_aten.native_layer_norm)
def _layer_norm(e, node, x, normalized, weight, bias, epsilon):
    x, (shape, dtype) = e.tensor(x), e.result_of(node, 0)
    dims = range(-len(normalized), 0)
    mean = _over_count(e, e.reduced(x, dims, "addf", 0, True), x, dims)
    centred = e.elementwise(shape, "f32", [x, mean], lambda s, a, m: s.add(
        "subf", s.cast(a, x.dtype, "f32"), m))
    return [_scaled(e, centred, dims, epsilon, weight, bias, dtype), None, None]


@_emits(_aten.rms_norm, _aten._fused_rms_norm)
def _rms_norm(e, node, x, normalized, weight=None, epsilon=None):
    several = node.target.overloadpacket is _aten._fused_rms_norm
    x, (_, dtype) = e.tensor(x), e.result_of(node, 0 if several else None)
    if epsilon is None:
        epsilon = torch.finfo(torch.float32 if several else
                              node.meta["val"].dtype).eps
    result = _scaled(e, x, range(-len(normalized), 0), epsilon, weight, None, dtype)
    return [result, None] if several else result


def _scaled(e, x, dims, epsilon, weight, bias, dtype):
    """x over the root of its mean square, times weight, plus bias."""
    squares = e.elementwise(x.shape, "f32", [x], lambda s, a: s.add(
        "mulf", *[s.cast(a, x.dtype, "f32")] * 2))
    mean = _over_count(e, e.reduced(squares, dims, "addf", 0, True), x, dims)
    more = [e.tensor(t) for t in (weight, bias) if t is not None]
    operations = ["mulf", "addf"] if weight is not None else ["addf"]

    def body(s, a, m, *rest):
        root = s.add("rsqrt", s.add("addf", m, s.const(epsilon)))
        y = s.add("mulf", s.cast(a, x.dtype, "f32"), root)
        for element, value, operation in zip(rest, more, operations):
            y = s.add(operation, y, s.cast(element, value.dtype, "f32"))
        return s.cast(y, "f32", dtype)
    return e.elementwise(x.shape, dtype, [x, mean, *more], body)


@_emits(_ours.linear)
def _linear(e, node, x, packed, bias, form):
    return e.layer(node, x, [packed], bias, form)


@_emits(_ours.gated)
def _gated(e, node, x, gate, up, form):
    return e.layer(node, x, [gate, up], None, form)


def _checked_square(e, q, k, causal):
    """Torch's causal attention counts from the first key, ours from the last."""
    if causal and e.tensor(q).shape[-2] != e.tensor(k).shape[-2]:
        raise Unsupported("causal attention of fewer or more queries than keys")


@_emits(_ours.attention)
def _attention(e, node, q, k, v, causal, scale):
    return e.attention(q, k, v, causal, scale)


@_emits(_ours.sdpa)
def _kept_attention(e, node, q, k, v, mask, dropout, causal, scale, gqa):
    if mask is not None:
        raise Unsupported("attention with a mask")
    if dropout:
        raise Unsupported("attention with dropout")
    _checked_square(e, q, k, causal)
    return e.attention(q, k, v, causal, _scale(e, q, scale))


@_emits(_ours.attention_behind)
def _attention_behind(e, node, q, k, v, lengths, scale, gqa, window=0, inside=False):
    return e.attention(q, k, v, lengths is None, _scale(e, q, scale), lengths, window, inside)


@_emits(_ours.written)
def _written(e, node, cache, dim, tokens, taken, base):
    return e.appended(cache, dim, tokens, taken, base)


def _scale(e, q, scale):
    if scale is not None:
        return scale
    features = e.tensor(q).shape[-1]
    if not isinstance(features, int):
        raise Unsupported("attention of any number of features")
    return 1 / math.sqrt(features)


@_emits(_aten._scaled_dot_product_flash_attention_for_cpu,
        _aten._scaled_dot_product_flash_attention,
        _aten._scaled_dot_product_efficient_attention,
        _aten._scaled_dot_product_cudnn_attention)
def _sdpa(e, node, *given, **named):
    """The kinds of torch's attention: of each, operands by the names of its schema."""
    schema = node.target._schema.arguments
    values = {a.name: a.default_value for a in schema if a.has_default_value()}
    values.update(zip((a.name for a in schema), given))
    values.update(named)
    result = _kept_attention(
        e, node, values["query"], values["key"], values["value"],
        values.get("attn_mask", values.get("attn_bias")),
        values["dropout_p"] or values.get("return_debug_mask"), values["is_causal"],
        values.get("scale"), gqa=False)
    return [result] + [None] * 8
