# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Layers' programs and their reference graphs: what is compiled is what NumPy computes."""

import dataclasses
import json
import unittest

import numpy as np

import sparseflow as sf
from sparseflow import reference
from sparseflow.forms import ACTIVATIONS, AttentionForm, Form
from support import FolderTest

TERN = {"layout": "tern.v1"}
FORMS = [
    *(Form("linear", "2:4", 24, 16, "f16", True, name) for name in ACTIVATIONS),
    Form("gated", "2:4", 24, 16, "bf16", activation="silu"),
    Form("linear", "2:4", 7, 36, "bf16"),
    Form("linear", "ternary", 24, 40, "f16", **TERN, int8=True),
    Form("linear", "ternary", 24, 40, "bf16", True, "gelu_tanh", **TERN, int8=True),
    Form("linear", "ternary", 24, 40, "bf16", True, "silu", **TERN, scale=32),
    Form("linear", "ternary", 24, 40, "f16", **TERN, scale="tensor", planes=2),
    Form("linear", "ternary", 24, 40, "f16", layout="tern24.v1", scale_dtype="f16"),
    Form("linear", "ternary", 24, 40, "f16", True, layout="tern24z.v1", int8=True),
    Form("gated", "ternary", 24, 40, "bf16", activation="squared_relu", **TERN, int8=True),
]
ATTENTION = [
    AttentionForm(4, 2, 40, 24, "f16", True, 0.125),
    AttentionForm(4, 4, 16, 16, "bf16", False, 1e-5, "bshd"),
]


def described(function):
    """What a manifest says of a function, without kernels; symbols by their order."""
    names = {name: f"size {i}" for i, name in enumerate(function["symbols"])}

    def renamed(value):
        if isinstance(value, dict):
            return {k: renamed(v) for k, v in value.items()}
        if isinstance(value, list):
            return [renamed(v) for v in value]
        return names.get(value, value) if isinstance(value, str) else value
    fields = ("name", "arguments", "results", "reference")
    found = renamed({field: function[field] for field in fields})
    for step in found["reference"]["steps"]:
        step.pop("shape", None)
    return found


class Forms(FolderTest):
    def manifest(self, program, name="manifest.json"):
        sf.compile(program.text, self.path(name), ["sm_90a"], emit="manifest",
                   options=program.options)
        with open(self.path(name), encoding="utf-8") as file:
            return json.load(file)["functions"][0]

    def test_graph_is_the_compilers(self):
        for form in (*FORMS, *ATTENTION):
            with self.subTest(form=str(form)):
                self.assertEqual(described(form.function()),
                                 described(self.manifest(form.program())))

    def test_text(self):
        for form in FORMS:
            self.assertEqual(Form.parse(str(form)), form)
            self.assertEqual(Form.parse(str(form.plain())).activation, "none")
        for text in ("linear", "dense 2:4 n=8", "linear 2:4 n=8 k=8 dtype=f16 width=8"):
            with self.assertRaisesRegex(sf.Error, "expected"):
                Form.parse(text)

    def test_numbers(self):
        """The compiled program on the CPU device, the graph in NumPy, and float64."""
        rng = np.random.default_rng(3)
        form = Form("gated", "2:4", 24, 16, "f16", activation="silu")
        x, gate, up = (rng.uniform(-2, 2, shape).astype(np.float16)
                       for shape in ((5, 16), (24, 16), (24, 16)))
        gate, up = sf.pack(gate), sf.pack(up)
        found, = reference.evaluate(form.function(), [x, gate.unpack(), up.unpack()],
                                    {"T": 5}, np.float32)
        device = sf.run(form.program().text, {"x": x, "wg": gate, "wu": up})
        z, u = (x.astype(np.float64) @ w.values().astype(np.float64).T for w in (gate, up))
        exact = z / (1 + np.exp(-z)) * u
        for result in (found, device):
            np.testing.assert_allclose(result, exact, rtol=2e-3, atol=2e-3)

    def test_refuses(self):
        good = {"op": "linear", "weights": "2:4", "n": 8, "k": 8, "dtype": "f16"}
        for change, text in (({"activation": "mish"}, "expected an activation of none, relu"),
                             ({"dtype": "f32"}, "expected f16 or bf16"),
                             ({"n": 0}, "expected sizes from 1 on, found N = 0"),
                             ({"k": 6}, "a multiple of 4 in features, found 6"),
                             ({"weights": "ternary", "layout": "tern3.v1"},
                              "expected a layout of tern.v1")):
            with self.subTest(text=text), self.assertRaisesRegex(sf.Error, text):
                dataclasses.replace(Form(**good), **change)


if __name__ == "__main__":
    unittest.main()
