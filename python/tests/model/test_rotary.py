# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rotary positions that are stretched: yarn and longrope, beside those that transformers
computes, and in models longer than they were."""

import math
import unittest

import numpy as np

import sparseflow as sf
from sparseflow.model import Model, import_model
from sparseflow.model.families.rotary import angles_of, complete, longest
from support import FolderTest
import tiny_models as tiny

tiny.share_programs()
ORIGINAL = "original_max_position_embeddings"
LONG = [1.0, 1.25, 1.5, 2.0, 4.0, 8.0, 16.0, 32.0]
SHORT = [1.0, 1.0, 1.0, 1.0, 1.0, 1.5, 2.0, 2.5]
# Parameters, positions, and what transformers 5.24 makes of them with 16 features and 10000 as
# the base: frequencies and attention factor.
FOUND = (
    ({"rope_type": "yarn", "factor": 4.0}, 32768,
     [1, 0.3162278, 0.1, 0.03162278, 0.01, 0.002569351, 0.000625, 0.0001383497], 1.138629),
    ({"rope_type": "yarn", "factor": 2.0, ORIGINAL: 4096, "mscale": .707, "mscale_all_dim": .5,
      "beta_fast": 64.0, "beta_slow": 2.0, "truncate": False}, 65536,
     [1, 0.3162278, 0.1, 0.02645439, 0.006704648, 0.001594953, 0.0005, 0.0001581139], 1.013868),
    ({"type": "yarn", "factor": 8.0, ORIGINAL: 1000, "attention_factor": .75}, 1000,
     [1, 0.3162278, 0.078125, 0.01778781, 0.0034375, 0.0003952847, 0.000125, 3.952847e-05],
     0.75),
    ({"rope_type": "longrope", ORIGINAL: 4096, "short_factor": [1.0] * 8, "long_factor": LONG},
     16384, [1, 0.2529822, 0.06666667, 0.01581139, 0.0025, 0.0003952847, 6.25e-05,
             9.882118e-06], 1.080123))


def yarn(theta, factor, original):
    """The same of yarn, pair by pair: those that turn more than 32 times within the original
    positions stay, those that turn less than once are stretched."""
    def pair(turns):
        return tiny.SIZE / 2 * math.log(original / (2 * math.pi * turns), theta)
    first, last = max(math.floor(pair(32)), 0), min(math.ceil(pair(1)), tiny.SIZE - 1)
    result = []
    for index in range(tiny.SIZE // 2):
        plain = theta ** (-2 * index / tiny.SIZE)
        share = min(max((index - first) / (last - first), 0), 1)
        result.append(plain / factor * share + plain * (1 - share))
    return np.array(result), 1 + math.log(factor) / 10


class TestRotary(FolderTest):
    TEXT = [int(t) for t in np.random.default_rng(4).integers(0, tiny.WORDS, 40)]

    def load(self, name, weights, members, **options):
        tiny.write_folder(self.path("of_" + name), weights, members)
        geometry = import_model(self.path("of_" + name), self.path(name), **options)
        return geometry, Model(self.path(name))

    def check(self, model, text, weights, **choices):
        """Logits are as near to the exact ones as those of the same steps in f16, twice."""
        found = model.forward([text], model.cache(), last=False)[0]
        exact, plain = (tiny.Reference(weights, rounded, **choices).logits(text)
                        for rounded in ("", "f16"))
        self.assertLess(np.linalg.norm(found - exact), 2 * np.linalg.norm(plain - exact))

    def test_as_transformers_computes_them(self):
        for scaling, positions, frequencies, factor in FOUND:
            with self.subTest(scaling):
                found = angles_of(10000.0, 16, complete(scaling, positions, None), positions, "m")
                np.testing.assert_allclose(found.frequencies, frequencies, rtol=1e-6)
                self.assertAlmostEqual(found.factor, factor, places=6)
        for kind, positions, expected in (("yarn", 48, 96), ("yarn", 100, 100),
                                          ("linear", 48, 48)):
            scaling = {"rope_type": kind, "factor": 4.0, ORIGINAL: 24}
            self.assertEqual(longest(scaling, positions), expected)

    def test_yarn_on_a_model_as_it_was(self):
        """As a config of Qwen 2.5 is changed for long texts: its positions stay."""
        weights = tiny.random_weights(3, biases=True)
        for number, (positions, scaling) in enumerate((
                (12, {"type": "yarn", "factor": 4.0, ORIGINAL: 12}),
                (12, {"rope_type": "yarn", "factor": 4.0, ORIGINAL: None}),
                (48, {"rope_type": "yarn", "factor": 4.0, ORIGINAL: 12}))):
            with self.subTest(scaling, positions=positions):
                geometry, model = self.load(f"m{number}", weights, tiny.config(
                    architectures=["Qwen2ForCausalLM"], max_position_embeddings=positions,
                    rope_scaling=scaling))
                self.assertEqual(geometry.positions, 48)
                frequencies, turned = yarn(100.0, 4.0, 12)
                self.check(model, self.TEXT, weights, frequencies=frequencies, turned=turned)

    def test_yarn_of_metadata(self):
        weights = tiny.random_weights(4)
        said = {"llama.rope.scaling.type": "yarn", "llama.rope.scaling.factor": 4.0,
                "llama.rope.scaling.original_context_length": 12}
        path, tensors = self.path("m.gguf"), tiny.gguf_tensors(weights)
        tiny.write_gguf(path, tiny.gguf_metadata(**said), tensors)
        self.assertEqual(import_model(path, self.path("m")).positions, 48)
        frequencies, turned = yarn(100.0, 4.0, 12)
        self.check(Model(self.path("m")), self.TEXT, weights, frequencies=frequencies,
                   turned=turned)
        for key, value, text in (("type", "longrope", "'none' or 'linear' or 'yarn'"),
                                 ("yarn_ext_factor", 0.0, "yarn_ext_factor': expected 1"),
                                 ("yarn_beta_fast", -1.0, "yarn_beta_fast': expected a number")):
            with self.subTest(key):
                tiny.write_gguf(path, tiny.gguf_metadata(
                    **{**said, f"llama.rope.scaling.{key}": value}), tensors)
                with self.assertRaisesRegex(sf.Error, text):
                    import_model(path, self.path("none"))

    def test_longrope(self):
        """Factors are those of long texts unless the model is imported for short ones."""
        weights = tiny.random_weights(5)
        plain = 100.0 ** (-np.arange(0, tiny.SIZE, 2) / tiny.SIZE)
        scaling = {"short_factor": SHORT, "long_factor": LONG}
        grown = math.sqrt(1 + math.log(3) / math.log(16))
        for name, changes, positions, factors, turned in (
                # As Phi 3 says it, with older names of the kind.
                ("long", {"rope_scaling": {**scaling, "type": "su"}, ORIGINAL: 16}, None, LONG,
                 grown),
                ("short", {"rope_scaling": {**scaling, "type": "yarn"}, ORIGINAL: 16}, 16, SHORT,
                 grown),
                ("given", {"rope_parameters": {
                    **scaling, "rope_type": "longrope", ORIGINAL: 16, "factor": 9.0,
                    "rope_theta": 100.0}}, None, LONG, math.sqrt(1 + math.log(9) / math.log(16))),
                ("as_it_was", {"rope_scaling": {**scaling, "type": "longrope"}}, None, SHORT, 1),
                ("attention", {"rope_scaling": {**scaling, "type": "longrope",
                                                "attention_factor": 1.5}}, 9, SHORT, 1.5)):
            with self.subTest(name):
                _, model = self.load(name, weights, tiny.config(**changes), positions=positions)
                self.check(model, self.TEXT[:positions], weights, turned=turned,
                           frequencies=plain / np.array(factors))

    def test_some_features_alone(self):
        """The first of a head turn, as in Phi 4 mini; the others stay."""
        weights = tiny.random_weights(6)
        for name, share, turned, changes in (
                ("half", .5, 8, {"partial_rotary_factor": .5}),
                ("most", .75, 12, {"rope_parameters": {
                    "rope_theta": 100.0, "partial_rotary_factor": .75}}),
                ("whole", 1, 16, {"partial_rotary_factor": 1.0}),
                ("stretched", .5, 8, {"partial_rotary_factor": .5, ORIGINAL: 16, "rope_scaling": {
                    "type": "longrope", "long_factor": LONG[:4], "short_factor": SHORT[:4]}})):
            with self.subTest(name):
                _, model = self.load(name, tiny.join_matrices(weights), tiny.config(
                    architectures=["Phi3ForCausalLM"], **changes))
                frequencies = 100.0 ** (-np.arange(0, turned, 2) / turned)
                choices = {"frequencies": frequencies}
                if name == "stretched":
                    choices = {"frequencies": frequencies / np.array(LONG[:4]),
                               "turned": math.sqrt(1 + math.log(3) / math.log(16))}
                self.check(model, self.TEXT, weights, **choices)
        for number, (text, share) in enumerate((
                ("expected an even number of the 16 features, found 0.2 of them", 0.2),
                ("expected an even number of the 16 features, found 0.05", 0.05),
                ("'partial_rotary_factor': expected a number above 0, at most 1, found 1.5", 1.5),
                ("'partial_rotary_factor': expected a number above 0, at most 1, found 'x'",
                 "x"))):
            with self.subTest(text), self.assertRaisesRegex(sf.Error, text):
                self.load(f"part{number}", tiny.join_matrices(weights), tiny.config(
                    architectures=["Phi3ForCausalLM"], partial_rotary_factor=share))

    def test_what_is_refused(self):
        rope = {"rope_type": "longrope", "short_factor": SHORT, "long_factor": LONG}
        for number, (text, scaling) in enumerate((
                ("rope_scaling: expected linear, llama3, yarn, longrope or default, found "
                 "'dynamic'", {"rope_type": "dynamic", "factor": 2.0}),
                ("rope_scaling of type yarn has no 'factor'", {"rope_type": "yarn"}),
                ("rope_scaling of type longrope has no 'short_factor'",
                 {**rope, "short_factor": None}),
                ("rope_scaling: 'long_factor': expected 8 numbers above 0, found \\[1.0\\]",
                 {**rope, "long_factor": [1.0], ORIGINAL: 24}),
                ("'short_factor': expected 8 numbers above 0, found .*nan",
                 {**rope, "short_factor": [math.nan] * 8}),
                ("'attention_factor': expected a number above 0, found 'x'",
                 {**rope, "attention_factor": "x"}),
                ("rope_scaling: expected a rope_theta other than 1",
                 {"rope_type": "yarn", "factor": 2.0, "rope_theta": 1}),
                ("expected finite angles", {"rope_type": "linear", "factor": 1e-320}),
                ("at most 16777216 positions, found 2147483648",
                 {"rope_type": "yarn", "factor": 1e300}))):
            with self.subTest(text), self.assertRaisesRegex(sf.Error, text):
                self.load(f"bad{number}", tiny.random_weights(),
                          tiny.config(rope_parameters=scaling))


if __name__ == "__main__":
    unittest.main()
