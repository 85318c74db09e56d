# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Replaces products with constant weights in an ONNX file by calls of bundles."""

from __future__ import annotations

import json
import os
import re
import shutil
import tempfile
from typing import Any, Dict, List, NamedTuple, Optional, Sequence, Set, Tuple, Union

import numpy as np

from ..bundle import Bundle
from ..bundle_cache import digest
from ..cli import compile as compile_program
from ..errors import Error, checked
from ..forms import TERNARY, TWO_FOUR, Form
from ..packing import pack
from ..ternary import pack_ternary
from .graph import FLOAT, FLOAT16, Model, names, node, tensor
from .products import Matcher, Product
from .wire import Message

DOMAIN = "sparseflow"
_Path = Union[str, "os.PathLike[str]"]


class Decision(NamedTuple):
    """What became of a product: the node's `name`, its weight's `shape` (N, K) (None where
    there is none), what it became, `to` ("2:4", "ternary", or "" where it was left), and
    the reason or what was lost, `text`."""
    name: str
    shape: Optional[Tuple[int, int]]
    to: str
    text: str

    def __str__(self) -> str:
        size = "" if self.shape is None else f" {list(self.shape)}"
        return f"{self.name}{size}: {f'to {self.to}, ' if self.to else 'left, '}{self.text}"


class Report(NamedTuple):
    """What convert did: a Decision for each product, and the folder of `bundles`."""
    decisions: List[Decision]
    bundles: str

    def __str__(self) -> str:
        return "\n".join(map(str, self.decisions))


def _write_bundle(folder: str, form: Form, targets: Sequence[str]) -> str:
    """Makes the bundle of a form, unless it is there; returns its name in the folder.
    Without targets it has no kernels, only what the CPU evaluates."""
    program = form.program()
    name = f"{program.name}-{digest(program)}"
    path = os.path.join(folder, name)
    if os.path.isdir(path):
        have = [p["target"] for p in Bundle(path).function().get("programs", [])]
        if set(targets) <= set(have):
            return name
    os.makedirs(folder, exist_ok=True)
    work = tempfile.mkdtemp(dir=folder, prefix=".compiling-")
    try:
        made = os.path.join(work, "bundle")
        if targets:
            compile_program(program.text, made, list(targets), options=program.options)
        else:
            os.mkdir(made)
            with open(os.path.join(made, "manifest.json"), "w", encoding="utf-8") as file:
                json.dump({"format": "sparseflow-bundle", "version": 1,
                           "functions": [form.function()]}, file)
        if os.path.isdir(path):
            os.rename(path, os.path.join(work, "old"))
        os.rename(made, path)
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return name


class _Converter:
    """One run of convert: the options, and what goes into the new file."""

    def __init__(self, model: Model, form: Dict[str, Any], prune: bool, method: str,
                 folder: str, targets: Sequence[str]) -> None:
        self.model, self.form, self.prune, self.method = model, form, prune, method
        self.folder, self.targets = folder, targets
        self.tensors: List[Message] = []
        self._packed: Dict[Any, Tuple[str, str]] = {}
        self._biases: Dict[Any, str] = {}
        # Values that a cast to f32 makes.
        self.widened: Set[str] = set()

    def pack(self, product: Product, form: Form) -> Tuple[str, str]:
        """The initializer with the packed weight, and what packing lost."""
        key = (product.weight, product.rows, product.factor)
        if key in self._packed:
            return self._packed[key]
        dense = self.model.constant(product.weight).astype(np.float32) * np.float32(
            product.factor)
        if not product.rows:
            dense = dense.T
        name = f"{product.weight}.{len(self._packed)}.{form.layout}"
        if form.weights == TWO_FOUR:
            matrix: Any = pack(dense, "f16", self.prune, product.weight)
            energy = matrix.report["energy"]
            kept = matrix.report["kept_energy"] / energy if energy else 1.0
            lost = f"{kept:.1%} of the energy kept"
        else:
            matrix = pack_ternary(dense, "f16", form.layout, form.scale, form.scale_dtype,
                                  form.planes, self.method, name=product.weight)
            lost = f"relative error {matrix.report['relative_error']:.3f}"
        self.tensors.append(tensor(name, matrix.blob))
        self._packed[key] = name, lost
        return self._packed[key]

    def bias(self, product: Product) -> str:
        """The initializer with the bias in f16."""
        key = (product.bias, product.bias_factor)
        if key not in self._biases:
            numbers = self.model.constant(product.bias).reshape(-1).astype(np.float32)
            name = f"{product.bias}.{len(self._biases)}.f16"
            with np.errstate(over="ignore"):
                rounded = (numbers * np.float32(product.bias_factor)).astype(np.float16)
            if not np.isfinite(rounded).all():
                raise Error(f"{product.bias}: expected a bias that f16 can hold, found one "
                            "beyond 65504 or none; leave it out with exclude")
            self.tensors.append(tensor(name, rounded))
            self._biases[key] = name
        return self._biases[key]

    def calls(self, product: Product, casts: Dict[str, str],
              form: Form) -> Tuple[List[Message], str]:
        """The nodes instead of a product's, and what packing lost. `casts`: values that
        have been rounded to f16 before, which this adds to."""
        packed, lost = self.pack(product, form)
        made, wide = [], self.model.type(product.weight) == FLOAT
        x, y = product.x, product.y
        if wide:
            if x not in casts:
                casts[x] = f"{x}.f16"
                made.append(node("Cast", [x], [casts[x]], to=FLOAT16))
            x, y = casts[x], f"{y}.f16"
            # Who reads it next need not round it again.
            casts[product.y] = y
        inputs = [x, packed, *([self.bias(product)] if product.bias else [])]
        name = names([self.model.nodes[product.nodes[0]]])[0]
        made.append(node("Call", inputs, [y], f"{name}.call", DOMAIN,
                         bundle=_write_bundle(self.folder, form, self.targets)))
        if wide:
            self.widened.add(product.y)
            made.append(node("Cast", [y], [product.y], to=FLOAT))
        return made, lost

    def used(self, nodes: List[Message]) -> List[Message]:
        """Without casts of ours, and constants of products, that nothing reads."""
        read = self.model.pinned().union(*(n.texts(1) for n in nodes))
        return [n for n in nodes if n.texts(2)[0] in read or
                not (n.texts(2)[0] in self.widened or n.text(4) == "Constant")]

    def form_of(self, product: Product) -> Tuple[Optional[Form], Tuple[int, int], str]:
        """The form of a product, or None with the reason; and its sizes (N, K)."""
        shape = self.model.shape(product.weight)
        assert shape is not None
        n, k = shape if product.rows else shape[::-1]
        try:
            return Form("linear", n=n, k=k, dtype="f16", bias=bool(product.bias),
                        activation=product.activation, **self.form), (n, k), ""
        except Error as error:
            return None, (n, k), str(error)


def _new_nodes(model: Model, converter: _Converter, include: Optional[str],
               exclude: Optional[str]) -> Tuple[List[Message], List[Decision]]:
    matcher = Matcher(model)
    decisions: List[Decision] = []
    calls: Dict[int, Tuple[Product, Form, int]] = {}
    dropped = set()
    for product in matcher.find():
        name = names([model.nodes[product.nodes[0]]])[0]
        form, shape, reason = converter.form_of(product)
        texts = (name, product.weight)
        if include and not any(re.search(include, text) for text in texts):
            reason = "not included"
        if exclude and any(re.search(exclude, text) for text in texts):
            reason = "excluded"
        if form is None or reason:
            decisions.append(Decision(name, shape, "", reason))
            continue
        # Where its last input is there: where its last node stood.
        calls[max(product.nodes)] = product, form, len(decisions)
        dropped.update(product.nodes)
        decisions.append(Decision(name, shape, form.weights, form.activation))
    nodes: List[Message] = []
    casts: Dict[str, str] = {}
    for place, old in enumerate(model.nodes):
        if place in calls:
            product, form, index = calls[place]
            made, lost = converter.calls(product, casts, form)
            nodes += made
            fused = [*(["bias"] if product.bias else []),
                     *([form.activation] if form.activation != "none" else [])]
            decisions[index] = decisions[index]._replace(
                text=lost + (f", with {' and '.join(fused)}" if fused else ""))
        elif place not in dropped:
            nodes.append(old.message)
    for left, reason in matcher.left:
        decisions.append(Decision(names([left])[0], None, "", reason))
    return converter.used(nodes), decisions


@checked
def convert(source: _Path, output: _Path, format: str = "2:4",
            include: Optional[str] = None, exclude: Optional[str] = None,
            prune: bool = True, layout: Optional[str] = None, activations: str = "i8",
            method: str = "lloyd", targets: Union[str, Sequence[str]] = (),
            bundles: Optional[_Path] = None) -> Report:
    """Writes the ONNX model `source` to `output` with calls of packed products in place of
    MatMul and Gemm with constant weights; returns a Report.

    `format`: "2:4" or "ternary". `include`, `exclude`: regular expressions of names of
    nodes or weights. `prune`: of 2:4, whether to keep the two largest of every four, or to
    refuse weights that are not 2:4. Of ternary: `layout`, "tern.v1" or "tern24.v1",
    `activations`, "i8" or "f16", and the `method` of ternarize. `targets`: GPUs to compile
    for, such as ["sm_90a"], by the sparseflow command; without them the bundles are for
    the CPU alone. `bundles`: the folder to put them into, `output` with .bundles behind it
    unless told, which sessions name in the entry sparseflow.bundles of their options.
    """
    if format not in (TWO_FOUR, TERNARY):
        raise Error(f"expected the format {TWO_FOUR} or {TERNARY}, found {format}")
    if activations not in ("i8", "f16"):
        raise Error(f"expected activations of i8 or f16, found {activations}")
    form: Dict[str, Any] = {"weights": format}
    if format == TERNARY:
        form.update(layout=layout or "tern.v1", int8=activations == "i8")
    elif layout is not None:
        raise Error(f"a layout is chosen for ternary weights, found {layout} for {format}")
    targets = [targets] if isinstance(targets, str) else list(targets)
    folder = os.fspath(bundles) if bundles is not None else f"{os.fspath(output)}.bundles"
    model = Model(source)
    converter = _Converter(model, form, prune, method, folder, targets)
    nodes, decisions = _new_nodes(model, converter, include, exclude)
    if not any(decision.to for decision in decisions):
        raise Error(f"{os.fspath(source)}: expected a product to convert, found none:\n" +
                    "\n".join(map(str, decisions)))
    model.write(output, nodes, converter.tensors, DOMAIN)
    return Report(decisions, folder)
