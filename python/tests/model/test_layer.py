# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The functions of a decode step, kernel by kernel on the simulator: a layer that writes
its keys and values into caches, and the choice of the next tokens."""

import dataclasses
import os
import unittest

import numpy as np

import sparseflow as sf
from sparseflow.model import Sampler, import_model
from sparseflow.model.cache import empty_cache
from sparseflow.model.description import set_cache
from sparseflow.model.model import Model
from sparseflow.model.packed import MERGED, merge_layers, program_of_folder
from sparseflow.model.program import build_program
from support import FolderTest
import tiny_models as tiny


class TestLayer(FolderTest):

    def check(self, weights, members, **options):
        """A layer on the simulator is project, a copy and block on the CPU."""
        tiny.write_folder(self.path("hf"), weights, members)
        import_model(self.path("hf"), self.path("m"), **options)
        model = Model(self.path("m"))
        g, random = model.geometry, np.random.default_rng(4)
        texts, tokens, room = 2, 3, 9
        x = random.standard_normal((texts, tokens, g.hidden)).astype(np.float16)
        caches = [random.standard_normal((texts, room, g.kv_heads, g.head_dim))
                  .astype(np.float16) for _ in range(2)]
        lengths = np.array([tokens, 8], np.int32)
        turns = {"lengths": lengths} if g.rotary else {}
        q, k, v = model.run_entry("project", 0, x=x, **turns)
        grown = [cache.copy() for cache in caches]
        for text, end in enumerate(lengths):
            for cache, new in zip(grown, (k, v)):
                cache[text, end - tokens:end] = new[text]
        y = model.run_entry("block", 0, x=x, q=q, keys=grown[0], values=grown[1],
                            lengths=lengths)
        merged = {"attn_qkv.weight": np.concatenate(
            [model.layer_weights(0)[f"attn_{name}.weight"] for name in "qkv"])}
        if g.has("attn_q.bias"):
            merged["attn_qkv.bias"] = np.concatenate(
                [model.layer_weights(0)[f"attn_{name}.bias"] for name in "qkv"])
        shared = {name: model._shared[name] for name in g.rotary_tables()}
        given = {**model.layer_weights(0), **merged, **shared, "x": x, "keys": caches[0],
                 "values": caches[1], "lengths": lengths}
        path = self.path("gpu.mlir")
        for text in (program_of_folder(self.path("m")), build_program(g)):
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            names = sf_names(text)
            found = sf.run(path, {name: given[name] for name in names}, entry="layer",
                           device="sim", options=["--races", "--target", "sm_90a"])
            for ours, theirs in zip(found, (y, *grown)):
                np.testing.assert_allclose(ours.astype(np.float32),
                                           theirs.astype(np.float32), rtol=2e-2,
                                           atol=2e-2)

    def test_llama(self):
        self.check(tiny.random_weights(1), tiny.config())

    def test_numbers(self):
        """A layer on the simulator is project, append and block on the CPU."""
        for name in ("int8", "e4m3"):
            with self.subTest(name):
                self.check_numbers(name)

    def check_numbers(self, name):
        folder = self.path(name)
        if not os.path.exists(self.path("hf")):
            tiny.write_folder(self.path("hf"), tiny.random_weights(1), tiny.config())
        import_model(self.path("hf"), folder)
        set_cache(folder, name)
        model = Model(folder)
        g, random = model.geometry, np.random.default_rng(4)
        texts, tokens = 2, 3
        x = random.standard_normal((texts, tokens, g.hidden)).astype(np.float16)
        caches = [empty_cache(g, part, texts, 64).append(
            random.standard_normal((texts, g.kv_heads, 64, g.head_dim)), [0] * texts)
            for part in ("key", "value")]
        lengths = np.array([tokens, 61], np.int32)
        q, k, v = model.run_entry("project", 0, x=x, lengths=lengths)
        grown = model.run_entry("append", keys=caches[0], values=caches[1], k=k, v=v,
                                lengths=lengths)
        y = model.run_entry("block", 0, x=x, q=q, keys=grown[0], values=grown[1],
                            lengths=lengths)
        given = {**model.layer_weights(0), "x": x, "keys": caches[0], "values": caches[1],
                 "lengths": lengths,
                 **{table: model._shared[table] for table in g.rotary_tables()}}
        found = sf.run(os.path.join(folder, "program.mlir"), given, entry="layer",
                       device="sim", options=["--races", "--target", "sm_90a"])
        np.testing.assert_allclose(found[0].astype(np.float32), y.astype(np.float32),
                                   rtol=2e-2, atol=2e-2)
        for ours, cache, new in zip(found[1:], grown, (k, v)):
            theirs = cache.values()
            # A step of the new tokens, whose f16 numbers may differ by a bit. All else
            # stays, in f16 as the command passes it: a bit of a scale.
            most = np.abs(theirs if g.spreads else new).max()
            step = {"int8": 1 / 127, "e4m3": 1 / 16, "int4": 1 / 7}[name] * most
            np.testing.assert_allclose(ours, theirs, rtol=0, atol=1.01 * float(step))
            for text, end in enumerate(lengths):
                kept = np.delete(np.arange(64), np.arange(end - tokens, end))
                np.testing.assert_allclose(ours[text][:, kept], theirs[text][:, kept],
                                           rtol=2 ** -9, atol=0)

    def test_gpt2(self):
        self.check(tiny.gpt2_weights(3), tiny.gpt2_config())

    def test_merged_quantized(self):
        """Queries, keys and values with scales of their rows become one matrix, bit for
        bit; those with a scale for the whole matrix stay three."""
        random = np.random.default_rng(6)
        rows = {"q": 24, "k": 8, "v": 9}
        for layout, most, scale, planes, groups in (
                ("tern.v1", 1, "row", 1, 1), ("tern.v1", 1, 32, 2, 3),
                ("int4.v1", 7, 32, 1, 3), ("int8.v1", 127, "row", 1, 1),
                ("tern.v1", 1, "tensor", 1, 1)):
            layer = {}
            for name, count in rows.items():
                trits = random.integers(-most, most + 1, (planes, count, 96), np.int8)
                shape = {"tensor": (planes, 1), "row": (planes, count)}.get(
                    scale, (planes, groups, count))
                layer[f"attn_{name}.weight"] = sf.TernaryMatrix.pack(
                    trits, random.integers(1, 9, shape).astype(np.float32), "f16", layout,
                    scale)
            parts = list(layer.values())
            merge_layers([layer])
            with self.subTest(layout=layout, scale=scale):
                if scale == "tensor":
                    self.assertEqual(list(layer.values()), parts)
                    continue
                self.assertEqual(list(layer), [MERGED])
                trits, scales = layer[MERGED].unpack()
                expected = [part.unpack() for part in parts]
                np.testing.assert_array_equal(
                    trits, np.concatenate([part for part, _ in expected], 1))
                np.testing.assert_array_equal(
                    scales, np.concatenate([part for _, part in expected], -1))

    def test_next(self):
        weights, members = tiny.random_weights(1), tiny.config()
        tiny.write_folder(self.path("hf"), weights, members)
        import_model(self.path("hf"), self.path("m"))
        geometry = Model(self.path("m")).geometry
        random = np.random.default_rng(7)
        for size in (97, 1009, 4096):
            path = self.path(f"{size}.mlir")
            with open(path, "w", encoding="utf-8") as file:
                file.write(build_program(dataclasses.replace(geometry, vocabulary=size)))
            logits = random.standard_normal((4, 1, size)).astype(np.float32)
            # Of equal ones the first; a NaN or an infinity is no token.
            logits[1, 0, [5, size - 2]] = 9
            logits[2, 0, size // 2] = np.nan
            logits[3, 0, 3] = np.inf
            ids, lengths = sf.run(path, {"logits": logits,
                                         "lengths": np.array([1, 2, 3, 4], np.int32),
                                         **Sampler().arguments(range(4))},
                                  entry="next", device="sim", options=["--target", "sm_90a"])
            self.assertEqual(ids[:, 0].tolist(),
                             [int(logits[0].argmax()), 5, -1, -1])
            self.assertEqual(lengths.tolist(), [2, 3, 4, 5])


def sf_names(text):
    """The names of layer's arguments."""
    body = text[text.index("func.func @layer("):]
    body = body[:body.index(") -> (")]
    return [part.split('"')[0] for part in body.split('sparseflow.name = "')[1:]]


if __name__ == "__main__":
    unittest.main()
