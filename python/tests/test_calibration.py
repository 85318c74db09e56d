# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import json
import os
import unittest

import numpy as np

import sparseflow as sf
from support import FolderTest, load_safetensors

try:
    import torch
except ImportError:
    torch = None


def layer(seed=1, n=48, k=64, tokens=700):
    """Weights, and inputs that are correlated and of different sizes."""
    rng = np.random.default_rng(seed)
    mix = np.eye(k) + 0.3 * rng.standard_normal((k, k))
    inputs = rng.standard_normal((tokens, k)) @ mix * rng.uniform(0.2, 3, k)
    return (rng.standard_normal((n, k)).astype(np.float32),
            inputs.astype(np.float32))


class Calibration(FolderTest):
    def test_moments_are_the_mean_over_all_inputs(self):
        _, x = layer()
        moments = sf.Moments()
        moments.add("w", x[:100])
        moments.add(["w", "v"], x[100:].reshape(30, 20, 64))
        moments.add("w", x[:0])
        expected = x.astype(float).T @ x / len(x)
        np.testing.assert_allclose(moments.matrix("w"), expected, rtol=1e-4, atol=1e-4)
        self.assertEqual((moments.count("w"), moments.count("v"), moments.count("u")),
                         (700, 600, 0))
        self.assertEqual(moments.names(), ["w", "v"])
        with self.assertRaisesRegex(sf.Error, "expected 64 columns as before, found 32"):
            moments.add("w", x[:, :32])
        with self.assertRaisesRegex(sf.Error, "no inputs of 'u'"):
            moments.matrix("u")
        with self.assertRaisesRegex(sf.Error, "nothing to save"):
            sf.Moments().save(os.path.join(self.folder, "none"))

    def test_calibrated_pruning_loses_less(self):
        w, x = layer()
        path = lambda name: os.path.join(self.folder, name)
        moments = sf.Moments()
        moments.add("w", x)
        moments.save(path("moments"))
        sf.save_safetensors(path("in"), {"w": w, "b": np.ones(48, np.float32)})
        error = {}
        for method in ("magnitude", "wanda", "sparsegpt", "refit"):
            text = sf.compress_file(path("in"), path("out"), "w", method=method,
                                    moments=path("moments"))
            self.assertIn("w: 48 x 64, 2:4 by " + method, text)
            # Nothing is left to prune.
            sf.pack_file(path("out"), path("sfpk"), "w", prune=False, dtype="f16")
            pruned = sf.Container(path("sfpk"))["w"].values().astype(float)
            error[method] = np.linalg.norm(x @ (pruned - w).T) / np.linalg.norm(x @ w.T)
        self.assertLess(error["wanda"], error["magnitude"])
        self.assertLess(error["sparsegpt"], 0.9 * error["wanda"])
        self.assertLess(error["refit"], 0.97 * error["sparsegpt"])
        with self.assertRaisesRegex(sf.Error, "expected --moments"):
            sf.compress_file(path("in"), path("out"), "w")

    def test_targets_make_up_for_inputs_that_are_wrong(self):
        w, x = layer()
        rng = np.random.default_rng(5)
        seen = x @ (np.eye(64) + 0.05 * rng.standard_normal((64, 64))) * 0.9
        path = lambda name: os.path.join(self.folder, name)
        moments, targets = sf.Moments(), sf.Targets()
        moments.add("w", seen)
        targets.add("w", seen[:100], x[:100] @ w.T)
        targets.add("w", seen[100:].reshape(30, 20, 64), (x[100:] @ w.T).reshape(30, 20, 48))
        np.testing.assert_allclose(targets.matrix("w"), w @ (x.T @ seen) / len(x),
                                   rtol=1e-3, atol=1e-3)
        moments.save(path("moments"))
        targets.save(path("targets"))
        sf.save_safetensors(path("in"), {"w": w})
        error = {}
        for name in (None, path("targets")):
            sf.compress_file(path("in"), path("out"), "w", format="int8",
                             moments=path("moments"), targets=name)
            near = load_safetensors(path("out"))["w"]
            error[name] = np.linalg.norm(seen @ near.T - x @ w.T) / np.linalg.norm(x @ w.T)
        self.assertLess(error[path("targets")], 0.3 * error[None])
        with self.assertRaisesRegex(sf.Error, "as many outputs as inputs, 700, found 3"):
            targets.add("w", seen, x[:3])
        with self.assertRaisesRegex(sf.Error, "nothing to save"):
            sf.Targets().save(path("none"))

    def test_a_plan_mixes_formats(self):
        w, x = layer()
        path = lambda name: os.path.join(self.folder, name)
        sf.save_safetensors(path("in"), {"a.w": w, "b.w": w, "c.w": w})
        rules = [{"match": "^a", "format": "6:8", "method": "magnitude"},
                 {"match": "^c", "format": "dense"},
                 {"match": "w", "format": "int4", "method": "magnitude", "scale": 32}]
        with open(path("plan"), "w", encoding="utf-8") as file:
            json.dump({"format": "sparseflow-compress-plan", "version": 1,
                       "rules": rules}, file)
        text = sf.compress_file(path("in"), path("out"), plan=path("plan"))
        self.assertIn("a.w: 48 x 64, 6:8 by magnitude", text)
        self.assertIn("b.w: 48 x 64, int4 by magnitude", text)
        self.assertNotIn("c.w", text)
        out = load_safetensors(path("out"))
        self.assertEqual(np.count_nonzero(out["a.w"]), w.size * 6 // 8)
        np.testing.assert_array_equal(out["c.w"], w)
        self.assertLessEqual(len(np.unique(out["b.w"][0, :32])), 15)

    @unittest.skipUnless(torch, "no torch")
    def test_watches_linear_layers(self):
        model = torch.nn.Sequential(torch.nn.Linear(8, 6), torch.nn.ReLU(),
                                    torch.nn.Linear(6, 4).to(torch.bfloat16))
        model[1].register_forward_hook(lambda *a: a[-1].to(torch.bfloat16))
        x = torch.randn(5, 3, 8)
        moments = sf.Moments()
        with moments.watch(model):
            model(x)
        model(x)
        self.assertEqual(moments.names(), ["0.weight", "2.weight"])
        self.assertEqual(moments.count("0.weight"), 15)
        flat = x.reshape(-1, 8).numpy()
        np.testing.assert_allclose(moments.matrix("0.weight"), flat.T @ flat / 15,
                                   rtol=1e-4, atol=1e-5)
        with self.assertRaisesRegex(sf.Error, "no linear layer of the model matches"):
            with moments.watch(model, "attention"):
                pass


if __name__ == "__main__":
    unittest.main()
