# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a graph says of places: integers that count up from a place, and masks that
compare two of them.

A static cache is written at positions `arange(T) + taken`, and its attention's mask is
`arange(S) <= arange(T) + taken`, spelled in many ways. Each integer tensor that is a sum of
its own indices, a constant and one tensor of one element is a Count; everything else is
None, and stays what it is. A number of the host that is not known is such an element, too.
"""

import dataclasses
import functools
import operator

import torch
from torch import fx
from torch.fx.experimental.symbolic_shapes import statically_known_true

_aten = torch.ops.aten


@dataclasses.dataclass(frozen=True)
class Count:
    """An integer tensor whose element at i is steps . i + base + `taken`'s only element.

    `steps`: a coefficient for each dimension, 0 for those of size 1; `taken`: a node of
    one element or of a number, or None.
    """
    steps: tuple
    base: int
    taken: object = None


@dataclasses.dataclass(frozen=True)
class Behind:
    """A mask that lets query i of each entry see the keys up to its own, i + base + `taken`;
    of these the last `window`, 0 for all."""
    base: int
    taken: object = None
    window: int = 0


def _shape(node):
    return tuple(node.meta["val"].shape)


def _is_integer(node):
    value = node.meta.get("val") if isinstance(node, fx.Node) else None
    return isinstance(value, torch.Tensor) and value.dtype in (torch.int32, torch.int64)


def _number(argument):
    """A number that is known, or None."""
    return argument if isinstance(argument, int) and not isinstance(argument, bool) else None


def _kept(steps, source, target):
    """The steps of a reshape that only adds or removes dimensions of size 1, or None."""
    left = [(step, size) for step, size in zip(steps, source) if size != 1]
    wanted = [size for size in target if size != 1]
    if [size for _, size in left] != wanted:
        return None
    rest = iter(left)
    return tuple(0 if size == 1 else next(rest)[0] for size in target)


def _spread(found, operand, target):
    """The steps of an operand, a tensor or a number, that is repeated to a larger shape."""
    source = _shape(operand) if isinstance(operand, fx.Node) and not _is_sized(operand) else ()
    more = len(target) - len(source)
    return tuple(0 if i < more or source[i - more] == 1 else found.steps[i - more]
                 for i in range(len(target)))


_RESHAPES = (_aten.unsqueeze, _aten.squeeze, _aten.view, _aten.reshape, _aten._unsafe_view)
_SAME = (_aten.clone, _aten.alias, _aten.detach, _aten.lift_fresh_copy)
# What moves elements, or names them again.
MOVES = _SAME + _RESHAPES + (_aten.expand,)


def _through(node, inner):
    """The Count of a node of MOVES whose first operand has the Count `inner`, or None."""
    packet = node.target.overloadpacket
    if inner is None or packet in _SAME:
        return inner
    if packet is _aten.expand:
        steps = _spread(inner, node.args[0], _shape(node))
    else:
        steps = _kept(inner.steps, _shape(node.args[0]), _shape(node))
    return None if steps is None else Count(steps, inner.base, inner.taken)


def _sized(node):
    """The Count of a node that is a number of the host."""
    if node.target in (operator.add, operator.sub):
        a, b = _pair(node.args)
        sign = -1 if node.target is operator.sub else 1
        if b.taken is None or (a.taken is None and sign > 0):
            return Count((), a.base + sign * b.base, a.taken or b.taken)
    if node.target in (torch.sym_max, torch.sym_min):
        a, b = (n.meta["val"] if isinstance(n, fx.Node) else n for n in node.args)
        for number, most in ((0, a >= b), (1, b >= a)):
            if statically_known_true(most):
                return _pair(node.args)[number if node.target is torch.sym_max else 1 - number]
    return Count((), 0, node)


def _is_sized(node):
    return isinstance(node.meta.get("val"), torch.SymInt)


def count(node):
    """The Count of an integer node, or None."""
    if _is_sized(node):
        return _sized(node)
    if not _is_integer(node):
        return None
    shape, packet = _shape(node), getattr(node.target, "overloadpacket", None)
    found = None
    if packet is _aten.arange:
        start = _number(node.args[0]) if len(node.args) > 1 else 0
        step = _number(node.args[2]) if len(node.args) > 2 else 1
        if start is not None and step is not None:
            found = Count((0 if shape == (1,) else step,), start)
    elif packet is _aten._to_copy and _is_integer(node.args[0]):
        found = count(node.args[0])
    elif packet in (_aten.add, _aten.sub):
        found = _sum(node, shape, -1 if packet is _aten.sub else 1)
    elif packet is _aten.slice:
        found = _slice(*node.args)
    elif packet is _aten.select:
        found = _select(count(node.args[0]), *node.args[1:])
    elif packet is _aten.cat:
        found = _cat(shape, *node.args)
    elif packet is _aten.cumsum and truth(node.args[0]) is False:
        found = Count((0,) * len(shape), 0)
    elif packet is _aten.index:
        # Any element of a constant.
        inner = count(node.args[0])
        if inner and not any(inner.steps) and inner.taken is None:
            found = Count((0,) * len(shape), inner.base)
    elif packet in MOVES:
        found = _through(node, count(node.args[0]))
    if found is None and all(size == 1 for size in shape):
        return Count((0,) * len(shape), 0, node)
    return found


def _sum(node, shape, sign):
    if node.kwargs.get("alpha", 1) != 1:
        return None
    a, b = _pair(node.args)
    if a is None or b is None or (a.taken is not None and b.taken is not None) or \
            (sign < 0 and b.taken is not None):
        return None
    steps = [_spread(t, n, shape) for t, n in zip((a, b), node.args)]
    return Count(tuple(x + sign * y for x, y in zip(*steps)), a.base + sign * b.base,
                 a.taken if b.taken is None else b.taken)


def _slice(x, dim=0, start=None, end=None, step=1):
    inner, start, dim = count(x), 0 if start is None else _number(start), dim % len(_shape(x))
    if inner is None or start is None or start < 0 or step != 1:
        return None
    return Count(inner.steps, inner.base + inner.steps[dim] * start, inner.taken)


def _select(inner, dim, index):
    if inner is None or _number(index) is None or index < 0:
        return None
    dim %= len(inner.steps)
    return Count((*inner.steps[:dim], *inner.steps[dim + 1:]),
                 inner.base + inner.steps[dim] * index, inner.taken)


def _cat(shape, tensors, dim=0):
    dim %= len(shape)
    parts = [count(t) for t in tensors]
    if len(parts) != 2 or any(p is None or p.taken is not None for p in parts):
        return None
    (first, second), sizes = parts, [_shape(t)[dim] for t in tensors]
    if not isinstance(sizes[0], int) or not sizes[0]:
        return None
    step, rest = divmod(second.base - first.base, sizes[0])
    if rest or any(size != 1 and p.steps[dim] != step for p, size in zip(parts, sizes)) or \
            any(a != b for i, (a, b) in enumerate(zip(first.steps, second.steps)) if i != dim):
        return None
    return Count((*first.steps[:dim], step, *first.steps[dim + 1:]), first.base)


def truth(node):
    """True or False where all elements of a mask are known to be that, else None."""
    packet = getattr(getattr(node, "target", None), "overloadpacket", None)
    if packet in MOVES:
        return truth(node.args[0])
    if packet in (_aten.ones, _aten.new_ones, _aten.ones_like):
        return True if node.meta["val"].dtype == torch.bool else None
    if packet in (_aten.full, _aten.full_like, _aten.new_full):
        return node.args[1] if isinstance(node.args[1], bool) else None
    if packet in (_aten.logical_and, _aten.bitwise_and):
        known = [truth(n) if isinstance(n, fx.Node) else None for n in node.args]
        return False if False in known else True if known == [True, True] else None
    if packet in (_aten.eq, _aten.ne):
        a, b = _pair(node.args)
        if a is None or b is None or any(a.steps) or any(b.steps) or a.taken is not b.taken:
            return None
        return (a.base == b.base) == (packet is _aten.eq)
    return None


def _pair(arguments):
    """The Counts of two operands, tensors or numbers."""
    return [count(a) if isinstance(a, fx.Node) else
            None if _number(a) is None else Count((), _number(a)) for a in arguments[:2]]


# a OP b as: larger - smaller >= this.
_ORDERS = {_aten.le: (False, 0), _aten.lt: (False, 1), _aten.ge: (True, 0),
           _aten.gt: (True, 1)}


def mask(node):
    """The Behind of a mask [.., Q, S], or None."""
    found = _differences(node)
    if not found or len(found[0][0].steps) < 2:
        return None
    queries, keys = _shape(node)[-2:]
    ahead = (*[0] * (len(found[0][0].steps) - 2), 0 if queries == 1 else 1,
             0 if keys == 1 else -1)
    # What bounds a query's keys from above, and from below: the tightest of each counts.
    ends, begins = [], []
    for c, sign in found:
        if c.steps == ahead and (sign > 0 or c.taken is None):
            ends.append(c)
        elif c.steps == tuple(-step for step in ahead) and (sign < 0 or c.taken is None):
            begins.append(c)
        else:
            return None
    if not ends or any(c.taken is not ends[0].taken for c in ends + begins):
        return None
    base = min(c.base for c in ends)
    window = min((base + c.base + 1 for c in begins), default=0)
    return Behind(base, ends[0].taken, window) if not begins or window > 0 else None


def _differences(node):
    """Pairs of a Count and the sign of what it has taken; where none of them is negative, and
    nowhere else, a mask is true. None where that is not known."""
    packet = getattr(getattr(node, "target", None), "overloadpacket", None)
    if packet in _ORDERS:
        swapped, least = _ORDERS[packet]
        small, large = node.args[::-1] if swapped else node.args
        a, b = _pair((small, large))
        if a is None or b is None:
            return None
        left, right = (_spread(t, n, _shape(node)) for t, n in ((a, small), (b, large)))
        steps = tuple(y - x for x, y in zip(left, right))
        taken, sign = (b.taken, 1) if a.taken is None else (a.taken, -1)
        if a.taken is not None and b.taken is not None:
            # What both have taken is none of the difference.
            if a.taken is not b.taken:
                return None
            taken = None
        return [(Count(steps, b.base - a.base - least, taken), sign)]
    if packet in (_aten.logical_and, _aten.bitwise_and):
        found = []
        for operand in node.args:
            if truth(operand) is True:
                continue
            inner = _differences(operand) if isinstance(operand, fx.Node) else None
            if inner is None:
                return None
            found += [(Count(_spread(c, operand, _shape(node)), c.base, c.taken), sign)
                      for c, sign in inner]
        return found
    if packet in MOVES:
        move = functools.partial(_through, node)
    elif packet is _aten.select:
        def move(inner):
            return _select(inner, *node.args[1:])
    else:
        return None
    found = [(move(c), sign) for c, sign in _differences(node.args[0]) or ()]
    return None if not found or any(c is None for c, _ in found) else found
