# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Stages of a layer: what its matrices read, and the dense model that they come near."""

import os
import sys
import tempfile
import unittest

import numpy as np

import sparseflow as sf
from sparseflow.model import Model, import_model
from sparseflow.model.compression.compressor import compress_model
from sparseflow.model.compression.plan import Plan
from sparseflow.model.compression.stages import LayerStages
from sparseflow.model.compression.stream import Stream, divergence, replace

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tiny_models  # noqa: E402


tiny_models.share_programs()


class TestStages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        tiny_models.require_openblas()
        cls.folder = tempfile.TemporaryDirectory()
        cls.at = lambda self, name: os.path.join(cls.folder.name, name)
        source, cls.model = (os.path.join(cls.folder.name, name)
                             for name in ("checkpoint", "model"))
        tiny_models.write_folder(source, tiny_models.random_weights(), tiny_models.config())
        import_model(source, cls.model)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_stages_against_float64(self):
        """Moments and targets of every stage of layer 0, half compressed, against sums of
        the reference's own activations; and what targets are worth."""
        tokens = np.random.default_rng(8).integers(0, 97, (21, 48)).astype(np.int32)
        model = Model(self.model)
        stream = Stream(model, tokens)
        dense = {name: array.astype(np.float64)
                 for name, array in model.layer_weights(0).items()}
        exact = stream.at(0, stream.x)
        stages = LayerStages(stream, exact)
        self.assertEqual((stream.layer, exact.layer), (0, 1))
        # Other queries, gate and up: what later stages read is not what dense ones do.
        random = np.random.default_rng(9)
        replace(model, 0, {
            name: (model.layer_weights(0)[name]
                   + random.normal(size=dense[name].shape) * 0.05).astype(np.float16)
            for name in ("attn_q.weight", "ffn_up.weight", "ffn_gate.weight")})
        now = {name: array.astype(np.float64)
               for name, array in model.layer_weights(0).items()}

        def norm(x, weight):
            return x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * weight

        def layer(weights, flat):
            """What the matrices read, the stream behind attention and behind the layer."""
            x = stream.x.astype(np.float64)
            h = norm(x, weights["attn_norm.weight"])
            middle = x + flat @ weights["attn_output.weight"].T
            up = norm(middle, weights["ffn_norm.weight"])
            gate = up @ weights["ffn_gate.weight"].T
            hidden = gate / (1 + np.exp(-gate)) * (up @ weights["ffn_up.weight"].T)
            return (h, flat, up, hidden), middle, middle + hidden @ weights["ffn_down.weight"].T
        flats = {}
        for key, weights in (("now", now), ("dense", dense)):
            replace(model, 0, {name: weights[name].astype(np.float16) for name in (
                "attn_q.weight", "ffn_up.weight", "ffn_gate.weight")})
            flats[key] = np.concatenate([
                stream.probe(x)[1] for x in stream.parts()]).astype(np.float64)
        replace(model, 0, {name: now[name].astype(np.float16) for name in (
            "attn_q.weight", "ffn_up.weight", "ffn_gate.weight")})
        reads, middle, _ = layer(now, flats["now"])
        wanted, dense_middle, dense_out = layer(dense, flats["dense"])
        x = stream.x.astype(np.float64)
        aims = {"attn_k.weight": wanted[0] @ dense["attn_k.weight"].T,
                "attn_output.weight": dense_middle - x,
                "ffn_gate.weight": wanted[2] @ dense["ffn_gate.weight"].T,
                "ffn_down.weight": dense_out - middle}
        for stage, (name, aim) in enumerate(aims.items()):
            moments, targets = stages.statistics(stage, [name], "blk.0.")
            read = reads[stage].reshape(-1, reads[stage].shape[-1])
            second = read.T @ read / len(read)
            cross = aim.reshape(len(read), -1).T @ read / len(read)
            for found, reference in ((moments.matrix(f"blk.0.{name}"), second),
                                     (targets[f"blk.0.{name}"], cross)):
                # Activations are f16 numbers after some ten roundings.
                self.assertLess(np.linalg.norm(found - reference),
                                0.005 * np.linalg.norm(reference), name)
        # Too short a text, or nothing to come near: the matrix's own outputs.
        short = stream.at(0, stream.x[:2])
        short.windows = tokens[:2]
        for given in (short.at(0, short.x), None):
            self.assertEqual(LayerStages(short, given).statistics(
                3, ["ffn_down.weight"], "blk.0.")[1], {})

    def test_near_the_dense_model(self):
        """2:4 loses less where matrices make up for what those before them lost."""
        tokens = np.random.default_rng(8).integers(0, 97, (48, 48)).astype(np.int32)
        exact = Stream(Model(self.model), tokens[40:]).outputs()
        plan, losses = Plan([{"layers": "all", "format": "2:4"}]), {}
        for near in ("dense", "own"):
            report = compress_model(self.model, plan, tokens[:40], self.at(near), near=near)
            self.assertEqual({entry["near"] for entry in report["matrices"]}, {near})
            losses[near] = divergence(
                exact, Stream(Model(self.at(near)), tokens[40:]).outputs())
        self.assertLess(losses["dense"], losses["own"])
        # Methods that leave the weights that stay have nothing to aim with.
        mixed = Plan([{"match": "0.ffn_up", "format": "2:4", "method": "wanda"},
                      {"match": "0.ffn_gate", "format": "2:4", "sweeps": 1}])
        report = compress_model(self.model, mixed, tokens[:21], self.at("mixed"))
        self.assertEqual({entry["name"]: entry["near"] for entry in report["matrices"]
                          if entry["format"] != "dense"},
                         {"blk.0.ffn_gate.weight": "dense", "blk.0.ffn_up.weight": "own"})
        with self.assertRaisesRegex(sf.Error, "near dense or own, found 'it'"):
            compress_model(self.model, plan, tokens, self.at("none"), near="it")


if __name__ == "__main__":
    unittest.main()
