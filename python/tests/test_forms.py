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
from sparseflow.dtypes import as_dtype, to_float
from sparseflow.forms import (ACTIVATIONS, AttentionForm, CacheAttentionForm, CacheFormat,
                              Form)
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
CACHES = [
    CacheAttentionForm(4, 2, 40, 24, "f16", CacheFormat("int8", "int4"), 0.125),
    CacheAttentionForm(4, 2, 40, 40, "bf16", CacheFormat("int4", "int8", "token x 32", "f32"),
                       0.25, 5, 1.5),
    CacheAttentionForm(2, 2, 64, 64, "f16", CacheFormat("ternary", "ternary"), 0.125),
    CacheAttentionForm(2, 2, 64, 32, "f16", CacheFormat("ternary", "ternary", method="twn"), 0.5),
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


def filled(rng, shape, storage, form):
    """A cache whose values f16 and bf16 hold: a run takes them as its argument."""
    most = {"s": 1, "8": 127, "4": 7}[storage[-1]]
    numbers = rng.integers(-most, most + 1, shape).astype(np.int8)
    numbers[..., ::32] = most
    groups = -(-shape[3] // 32) if form.scale == "token x 32" else 1
    return sf.TernaryCache.pack(numbers, np.ldexp(1, rng.integers(-8, -6, (*shape[:3], groups))),
                                storage, form.scale, form.scale_dtype)


class Forms(FolderTest):
    def manifest(self, program, name="manifest.json"):
        # Kernels aside a manifest says the same of every target: the one with few.
        sf.compile(program.text, self.path(name), ["sm_80"], emit="manifest",
                   options=program.options)
        with open(self.path(name), encoding="utf-8") as file:
            return json.load(file)["functions"][0]

    def test_graph_is_the_compilers(self):
        for form in (*FORMS, *ATTENTION):
            with self.subTest(form=str(form)):
                self.assertEqual(described(form.function()),
                                 described(self.manifest(form.program())))

    def test_caches_of_few_bits(self):
        # The program on the CPU device; its attention alone, on caches that were appended
        # to here, is what the CPU computes in PyTorch.
        rng = np.random.default_rng(8)
        for form in CACHES:
            with self.subTest(str(form)):
                # The first entry begins before the cache: two tokens are dropped.
                before = np.array([-2, 60], np.int32)
                q, key, value = (as_dtype(rng.normal(0, 1, (2, heads, 4, d)), form.dtype)
                                 for heads, d in ((form.heads, form.d), (2, form.d),
                                                  (2, form.d_v)))
                caches = [filled(rng, (2, 2, 64, d), storage, form.cache)
                          for d, storage in zip((form.d, form.d_v), form.cache.storages)]
                device = sf.run(form.program().text, {
                    "q": q, "key": key, "value": value, "keys": caches[0],
                    "values": caches[1], "before": before, "behind": before + 4})
                for cache, tokens, found in zip(caches, (key, value), device[1:]):
                    cache.append(to_float(tokens, form.dtype, np.float32), before,
                                 form.cache.method, in_place=True)
                    np.testing.assert_array_equal(cache.values(), found)
                function = form.function()
                given = [function, [q, *caches, before + 4], {"B": 2, "Q": 4, "S": 64}]
                exact, = reference.evaluate(*given, np.float64)
                found, = reference.evaluate(*given, np.float32)
                bound = 4e-3 if form.dtype == "f16" else 3e-2
                for result in (found, to_float(device[0], form.dtype, np.float64)):
                    np.testing.assert_allclose(result, exact, atol=bound)
                # Queries that stand before the cache see nothing.
                self.assertFalse(exact[0, :, :2].any())
                step = self.manifest(form.program())["reference"]["steps"][-1]
                mine = dict(function["reference"]["steps"][0], q=0, k=7, v=8, lengths=6, out=9)
                self.assertEqual(step, mine)
                self.assertIs(CacheFormat.parse(str(form.cache)),
                              CacheFormat.parse(str(form.cache)))
                self.assertEqual(CacheFormat.parse(str(form.cache)), form.cache)

    def test_refuses_caches(self):
        for given, text in ((("int8", "f16"), "expected keys and values of int8, .*found f16"),
                            (("int8", "ternary"), "both ternary, or neither"),
                            (("ternary", "ternary", "token x 32"), "of trits: token"),
                            (("int8", "int8", "token", "f16", "twn"), "of trits twn, found twn"),
                            (("int8", "int8", "head"), "expected a scale of token"),
                            (("int8", "int8", "token", "f64"), "found f64")):
            with self.assertRaisesRegex(sf.Error, text):
                CacheFormat(*given)
        with self.assertRaisesRegex(sf.Error, "the text of a cache's format"):
            CacheFormat.parse("int8")

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
