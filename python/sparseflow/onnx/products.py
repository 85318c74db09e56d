# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products with constant weights in an ONNX graph, with what can be computed with them:
a bias and an activation."""

from __future__ import annotations

import math
from typing import Dict, List, NamedTuple, Optional, Set, Tuple

import numpy as np

from .graph import FLOAT, FLOAT16, Model, Node

_SINGLE = {"Relu": "relu", "Tanh": "tanh", "Sigmoid": "sigmoid"}


class Product(NamedTuple):
    """y = activation(x w^T + bias): the names of x, w and the bias ("": none) in the
    graph, whether the weight stands as [N, K] there and what it is multiplied by, and the
    nodes (by their places) that compute it, the product first."""
    x: str
    weight: str
    rows: bool
    factor: float
    bias: str
    bias_factor: float
    activation: str
    y: str
    nodes: Tuple[int, ...]


class Matcher:
    """Finds products; `left` has the others with the reason."""

    def __init__(self, model: Model) -> None:
        self.model = model
        self._pinned: Set[str] = model.pinned()
        self._uses: Dict[str, List[int]] = {}
        for place, node in enumerate(model.nodes):
            for name in node.inputs:
                self._uses.setdefault(name, []).append(place)
        self.left: List[Tuple[Node, str]] = []

    def find(self) -> List[Product]:
        """The products, in the order of the graph."""
        found = []
        for place, node in enumerate(self.model.nodes):
            if node.domain not in ("", "ai.onnx") or node.op not in ("MatMul", "Gemm"):
                continue
            reason = self._refusal(node)
            if reason:
                self.left.append((node, reason))
            else:
                found.append(self._product(place, node))
        return found

    def _refusal(self, node: Node) -> Optional[str]:
        model, weight = self.model, node.inputs[1]
        shape = model.shape(weight)
        if shape is None:
            return "its second input is computed"
        if len(shape) != 2 or 0 in shape:
            return f"its weight is no matrix: {list(shape)}"
        if model.type(weight) not in (FLOAT, FLOAT16):
            return f"its weight is of type {model.type(weight)} of ONNX, not f32 or f16"
        if node.op == "Gemm":
            if node.attribute("transA", 0):
                return "its first input is transposed"
            if len(node.inputs) > 2 and node.inputs[2] and \
                    not self._is_bias(node.inputs[2], self._features(node, shape)):
                return "what it adds is no constant for each feature"
        return None

    @staticmethod
    def _features(node: Node, shape: Tuple[int, ...]) -> int:
        return shape[0] if node.op == "Gemm" and node.attribute("transB", 0) else shape[1]

    def _is_bias(self, name: str, features: int) -> bool:
        shape = self.model.shape(name)
        return shape is not None and shape in ((features,), (1, features)) and \
            self.model.type(name) in (FLOAT, FLOAT16)

    def _product(self, place: int, node: Node) -> Product:
        rows, factor, bias, bias_factor = False, 1.0, "", 1.0
        if node.op == "Gemm":
            rows, factor = bool(node.attribute("transB", 0)), node.attribute("alpha", 1.0)
            bias_factor = node.attribute("beta", 1.0)
            bias = node.inputs[2] if len(node.inputs) > 2 else ""
        nodes, y = [place], node.outputs[0]
        if not bias:
            add = self._only_user(y)
            if add is not None and self.model.nodes[add].op == "Add":
                other = self._other(add, y)
                shape = self.model.shape(node.inputs[1])
                assert shape is not None
                if self.model.shape(other) == (self._features(node, shape),) and \
                        self._is_bias(other, self._features(node, shape)):
                    bias, bias_factor = other, 1.0
                    nodes.append(add)
                    y = self.model.nodes[add].outputs[0]
        activation, more = self._activation(y)
        if more:
            y = self.model.nodes[more[-1]].outputs[0]
        return Product(node.inputs[0], node.inputs[1], rows, factor, bias, bias_factor,
                       activation, y, (*nodes, *more))

    def _users(self, name: str) -> List[int]:
        """Nodes that read a value which nothing else does."""
        return [] if name in self._pinned else self._uses.get(name, [])

    def _only_user(self, name: str) -> Optional[int]:
        users = self._users(name)
        return users[0] if len(users) == 1 else None

    def _other(self, place: int, name: str) -> str:
        """The other input of a node with two."""
        inputs = self.model.nodes[place].inputs
        return inputs[1] if inputs[0] == name else inputs[0]

    def _then(self, name: str, op: str, constant: Optional[float] = None) -> Optional[int]:
        """The only user of `name`, if it is `op` with this constant."""
        place = self._only_user(name)
        if place is None or self.model.nodes[place].op != op:
            return None
        if constant is not None:
            found = self.model.scalar(self._other(place, name))
            if found is None or not np.isclose(found, constant, rtol=1e-3):
                return None
        return place

    def _activation(self, y: str) -> Tuple[str, List[int]]:
        """An activation that reads y, and the nodes of it, the last one last."""
        users = self._users(y)
        if len(users) == 1:
            node = self.model.nodes[users[0]]
            if node.op in _SINGLE:
                return _SINGLE[node.op], users
            if node.op == "Gelu":
                tanh = node.attribute("approximate", "none") == "tanh"
                return "gelu_tanh" if tanh else "gelu", users
        if len(users) == 2:
            for first, second in (users, users[::-1]):
                found = self._silu(y, first, second) or self._gelu(y, first, second)
                if found:
                    return found
        return "none", []

    def _silu(self, y: str, sigmoid: int, product: int) -> Optional[Tuple[str, List[int]]]:
        """y sigmoid(y)"""
        nodes = self.model.nodes
        if nodes[sigmoid].op != "Sigmoid" or nodes[product].op != "Mul":
            return None
        if self._then(nodes[sigmoid].outputs[0], "Mul") != product:
            return None
        return "silu", [sigmoid, product]

    def _gelu(self, y: str, first: int, half: int) -> Optional[Tuple[str, List[int]]]:
        """y (1 + erf(y / sqrt 2)) / 2, in the orders that exporters write."""
        nodes, scale = self.model.nodes, self.model.scalar(self._other(first, y))
        expected = {"Div": math.sqrt(2), "Mul": math.sqrt(0.5)}.get(nodes[first].op)
        if scale is None or expected is None or not np.isclose(scale, expected, rtol=1e-3):
            return None
        if nodes[first].op == "Div" and nodes[first].inputs[0] != y:
            return None
        erf = self._then(nodes[first].outputs[0], "Erf")
        plus = None if erf is None else self._then(nodes[erf].outputs[0], "Add", 1.0)
        if erf is None or plus is None or nodes[half].op != "Mul":
            return None
        product = self._then(nodes[plus].outputs[0], "Mul")
        if product is None:
            return None
        if product == half:
            # y times the sum, and then a half
            last = self._then(nodes[half].outputs[0], "Mul", 0.5)
            return None if last is None else ("gelu", [first, erf, plus, half, last])
        # A half of y, times the sum.
        scalar = self.model.scalar(self._other(half, y))
        if scalar is None or not np.isclose(scalar, 0.5, rtol=1e-3) or \
                self._then(nodes[half].outputs[0], "Mul") != product:
            return None
        return "gelu", [first, erf, plus, half, product]
