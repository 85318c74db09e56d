# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Scalar code of elementwise aten operators, as lines of MLIR.

Floats are computed in f32 and rounded once an operator, as torch does.
"""

import math

import numpy as np
import torch

from ..errors import Error
from ..forms import ACTIVATIONS

_aten = torch.ops.aten
FLOATS = ("f16", "bf16", "f32")
INTEGERS = ("i1", "i32", "i64")


class Unsupported(Error):
    """A node has no form in a program: why, and which `node`, where that is known."""

    def __init__(self, why, node=None):
        super().__init__(why)
        self.node = node


def literal(value, dtype):
    """A constant as MLIR reads it: floats of any value, integers, flags."""
    if dtype in INTEGERS:
        return str(int(value)) if dtype != "i1" else ("true" if value else "false")
    value = float(np.float32(value))
    if not math.isfinite(value):
        bits = {"f16": "7C00", "bf16": "7F80", "f32": "7F800000"}[dtype]
        if math.isnan(value):
            bits = bits[0] + "F" + "C0" + bits[4:] if dtype != "f16" else "7E00"
        elif value < 0:
            bits = "F" + bits[1:]
        return "0x" + bits
    text = repr(value)
    return text if "." in text else text.replace("e", ".0e")


class Scalars:
    """Lines of scalar operations, and names for their results.

    `add` and `const` are those of an epilogue's region, so that ACTIVATIONS write here,
    too; their values are f32.
    """
    _MATH = ("exp", "erf", "tanh", "log", "sqrt", "rsqrt", "sin", "cos", "absf", "absi")

    def __init__(self):
        self.lines, self._count = [], 0

    def line(self, operation, kind, *operands):
        """`%new = operation operands : kind`; the new name."""
        name = f"%b{self._count}"
        self._count += 1
        given = f" {', '.join(operands)}" if operands else ""
        self.lines.append(f"    {name} = {operation}{given}{' : ' + kind if kind else ''}")
        return name

    def add(self, operation, *operands, kind="f32"):
        dialect = "math" if operation in self._MATH else "arith"
        return self.line(f"{dialect}.{operation}", kind, *operands)

    def const(self, value, kind="f32"):
        return self.line(f"arith.constant {literal(value, kind)}",
                         "" if kind == "i1" else kind)

    def cast(self, value, source, to):
        """A conversion as torch does it, but of floats to integers: out of range, torch
        gives what the processor does, and nothing is defined here."""
        if source == to:
            return value
        if to == "i1":
            zero = self.const(0, "f32" if source in FLOATS else source)
            if source in FLOATS:
                return self.line("arith.cmpf une,", "f32", self.cast(value, source, "f32"),
                                 zero)
            return self.line("arith.cmpi ne,", source, value, zero)
        if source in FLOATS:
            if to in FLOATS:
                if source != "f32" and to != "f32":
                    return self.cast(self.cast(value, source, "f32"), "f32", to)
                return self.add("extf" if to == "f32" else "truncf", value,
                                kind=f"{source} to {to}")
            raise Unsupported("a conversion of floats to integers")
        if to in FLOATS:
            whole = self.add("uitofp" if source == "i1" else "sitofp", value,
                             kind=f"{source} to f32")
            return self.cast(whole, "f32", to)
        if source == "i1":
            return self.add("extui", value, kind=f"i1 to {to}")
        return self.add("extsi" if to == "i64" else "trunci", value,
                        kind=f"{source} to {to}")


def _float(function):
    """An operator that computes in f32, whatever it is given."""
    return ("f32", function)


def _alpha(float_op, integer_op):
    def scaled(s, kind, a, b, alpha=1):
        if alpha != 1:
            b = s.add("mulf" if kind == "f32" else "muli", b, s.const(alpha, kind),
                      kind=kind)
        return s.add(float_op if kind == "f32" else integer_op, a, b, kind=kind)
    return (None, scaled)


def _both(float_op, integer_op):
    return (None, lambda s, kind, a, b: s.add(float_op if kind == "f32" else integer_op,
                                              a, b, kind=kind))


def _compare(float_test, integer_test):
    def test(s, kind, a, b):
        operation = f"arith.cmpf {float_test}," if kind == "f32" else \
            f"arith.cmpi {'u' + integer_test[1:] if kind == 'i1' and len(integer_test) > 2 else integer_test},"
        return s.line(operation, kind, a, b)
    return (None, test)


def _unary(float_op):
    return _float(lambda s, kind, a: s.add(float_op, a))


def _neg(s, kind, a):
    if kind == "f32":
        return s.add("negf", a)
    return s.add("subi", s.const(0, kind), a, kind=kind)


def _power(s, kind, a, exponent):
    """Of whole exponents from -2 to 4, without 0."""
    def product(count):
        result = a
        for _ in range(count - 1):
            result = s.add("mulf", result, a)
        return result
    if exponent in (1, 2, 3, 4):
        return product(int(exponent))
    if exponent in (-1, -2):
        return s.add("divf", s.const(1), product(int(-exponent)))
    raise Unsupported(f"a power of {exponent}")


def _gelu(s, kind, a, approximate="none"):
    return ACTIVATIONS["gelu_tanh" if approximate == "tanh" else "gelu"](s, a)


def _activation(name):
    return _float(lambda s, kind, a: ACTIVATIONS[name](s, a))


def _relu(s, kind, a):
    return s.add("maximumf" if kind == "f32" else "maxsi", a, s.const(0, kind), kind=kind)


def _logical(operation):
    return ("i1", lambda s, kind, a, b: s.add(operation, a, b, kind="i1"))


# Operator: (the type it computes in, or None for that of its operands; its code, of
# (scalars, that type, operands, other arguments)).
POINTWISE = {
    _aten.add: _alpha("addf", "addi"), _aten.sub: _alpha("subf", "subi"),
    _aten.rsub: (None, lambda s, kind, a, b: s.add("subf" if kind == "f32" else "subi", b, a,
                                                  kind=kind)),
    _aten.mul: _both("mulf", "muli"), _aten.maximum: _both("maximumf", "maxsi"),
    _aten.minimum: _both("minimumf", "minsi"),
    _aten.div: _float(lambda s, kind, a, b: s.add("divf", a, b)),
    _aten.neg: (None, _neg), _aten.relu: (None, _relu),
    _aten.abs: _unary("absf"), _aten.exp: _unary("exp"), _aten.log: _unary("log"),
    _aten.sqrt: _unary("sqrt"), _aten.rsqrt: _unary("rsqrt"), _aten.sin: _unary("sin"),
    _aten.cos: _unary("cos"), _aten.erf: _unary("erf"), _aten.tanh: _unary("tanh"),
    _aten.reciprocal: _float(lambda s, kind, a: s.add("divf", s.const(1), a)),
    _aten.sigmoid: _activation("sigmoid"), _aten.silu: _activation("silu"),
    _aten.gelu: _float(_gelu), _aten.pow: _float(_power),
    _aten.eq: _compare("oeq", "eq"), _aten.ne: _compare("une", "ne"),
    _aten.lt: _compare("olt", "slt"), _aten.le: _compare("ole", "sle"),
    _aten.gt: _compare("ogt", "sgt"), _aten.ge: _compare("oge", "sge"),
    _aten.logical_and: _logical("andi"), _aten.logical_or: _logical("ori"),
    _aten.logical_not: ("i1", lambda s, kind, a: s.add("xori", a, s.const(1, "i1"),
                                                       kind="i1")),
}
