# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What checkpoints of a family mean: what they need not say, and what they have beside the
usual."""

import unittest

import numpy as np

import sparseflow as sf
from sparseflow.model import Model, import_model
from sparseflow.model.packed import program_of_folder
from sparseflow.model.weights import open_weights
from support import FolderTest
import tiny_models as tiny

tiny.share_programs()
TOKENS = [5, 96, 0, 17, 33, 2, 80]


class TestFamilies(FolderTest):

    def load(self, name, weights, members):
        tiny.write_folder(self.path("of_" + name), weights, members)
        return import_model(self.path("of_" + name), self.path(name))

    def test_a_gpt2_with_a_head_of_its_own(self):
        weights, members = tiny.gpt2_weights(2), tiny.gpt2_config()
        head = np.random.default_rng(3).normal(size=(tiny.WORDS, tiny.HIDDEN)) * .2
        apart = {**weights, "lm_head.weight": head.astype("f2").astype("f4")}
        # Names with and without a prefix.
        named = {name if name == "lm_head.weight" else "transformer." + name: value
                 for name, value in apart.items()}
        for number, (tied, held) in enumerate(((False, apart), (False, named), (True, apart),
                                               (None, named), (None, weights))):
            said = {} if tied is None else {"tie_word_embeddings": tied}
            with self.subTest(tied=tied, number=number):
                geometry = self.load(f"m{number}", held, {**members, **said})
                self.assertEqual(geometry.tied, tied is not False)
                model = Model(self.path(f"m{number}"))
                found = model.forward([TOKENS], model.cache(), last=False)[0]
                exact, plain = (tiny.gpt2_logits(weights if geometry.tied else apart, TOKENS,
                                                 rounded) for rounded in ("", "f16"))
                self.assertLess(np.linalg.norm(found - exact),
                                2 * np.linalg.norm(plain - exact))
        with self.assertRaisesRegex(sf.Error, "no tensor 'transformer.lm_head.weight'"):
            self.load("none", weights, {**members, "tie_word_embeddings": False})
        self.assertIn("%output_weight: ", program_of_folder(self.path("m0")))

    def test_a_gpt2_that_is_quantized(self):
        with self.assertRaisesRegex(sf.Error, "'quantization_config': expected none, found "
                                    ".*'gptq'.* which the family gpt2 does not have"):
            self.load("m", tiny.gpt2_weights(2), {**tiny.gpt2_config(), "quantization_config": {
                "quant_method": "gptq"}})

    def test_a_gpt2_with_a_bias_in_one_layer(self):
        weights = tiny.gpt2_weights(2)
        # A mask of older files is none.
        weights["h.1.attn.bias"] = np.ones((1, 1, 4, 4), "f4")
        del weights["h.0.attn.c_attn.bias"]
        with self.assertRaisesRegex(sf.Error, "'h.1.attn.c_attn.bias' is no part of"):
            self.load("m", weights, tiny.gpt2_config())

    def check(self, name, weights, **choices):
        """The model's logits are as near to the exact ones as those of the same steps in f16,
        twice."""
        model = Model(self.path(name))
        found = model.forward([TOKENS], model.cache(), last=False)[0]
        exact, plain = (tiny.Reference(weights, rounded, **choices).logits(TOKENS)
                        for rounded in ("", "f16"))
        self.assertLess(np.linalg.norm(found - exact), 2 * np.linalg.norm(plain - exact))

    def test_a_phi_3_whose_matrices_are_joined(self):
        weights = tiny.random_weights(8)
        joined = tiny.join_matrices(weights)
        self.assertEqual(len(joined), len(weights) - 3 * tiny.LAYERS)
        members = tiny.config(architectures=["Phi3ForCausalLM"], original_max_position_embeddings=
                              4096)
        for name, changes, window in (("short", {"sliding_window": 4}, 4),
                                      # As long as all positions, and longer.
                                      ("whole", {"sliding_window": 48}, 0),
                                      ("none", {"sliding_window": None}, 0), ("absent", {}, 0)):
            with self.subTest(name):
                geometry = self.load(name, joined, {**members, **changes})
                self.assertEqual((geometry.family, geometry.window), ("phi3", window))
                self.check(name, weights, window=window)
        up = "model.layers.1.mlp.gate_up_proj.weight"
        for number, (text, changed, changes) in enumerate((
                (f"'{up}': expected the shape .100, 64. by the config, found .199, 64.",
                 {**joined, up: joined[up][:199]}, {}),
                ("qkv_proj.weight': expected the shape .96, 64. by the config, found .160, 64.",
                 joined, {"num_key_value_heads": 6}),
                ("'quantization_config': expected none", joined, {"quantization_config": {
                    "quant_method": "bitnet"}}),
                ("no tensor 'model.layers.0.self_attn.qkv_proj.weight' .for 'blk.0.attn_q.w",
                 weights, {}))):
            with self.subTest(text), self.assertRaisesRegex(sf.Error, text):
                self.load(f"bad{number}", changed, {**members, **changes})

    def test_a_gemma(self):
        """Embeddings times the root of their size, and norms whose weights lack 1."""
        # 1 more than f16 holds of each norm.
        held = {name: (value - 1).astype("f2").astype("f4") if "norm" in name else value
                for name, value in tiny.random_weights(9, tied=True).items()}
        held["model.embed_tokens.weight"] /= 8
        weights = {name: value + 1 if "norm" in name else value for name, value in held.items()}
        choices = {"scales": (8.0, 1.0, 1.0, 1.0), "activation": "gelu_tanh"}
        members = tiny.config(architectures=["GemmaForCausalLM"])
        for name, said in (("absent", {"hidden_act": None}), ("older", {"hidden_act": "gelu"})):
            with self.subTest(name):
                geometry = self.load(name, held, {**members, **said})
                self.assertEqual((geometry.embed_scale, geometry.tied), (8.0, True))
                self.check(name, weights, **choices)
        # Files of GGUF have the 1; queries and keys are not in pairs of neighbours.
        tensors = {name: held for name, held in tiny.gguf_tensors(weights).items()
                   if not name.endswith(("attn_q.weight", "attn_k.weight"))}
        for layer in range(tiny.LAYERS):
            for part in "qk":
                value = weights[f"model.layers.{layer}.self_attn.{part}_proj.weight"]
                tensors[f"blk.{layer}.attn_{part}.weight"] = (
                    1, list(value.shape), value.astype("f2").tobytes())
        said = {key.replace("llama.", "gemma."): value
                for key, value in tiny.gguf_metadata().items()}
        tiny.write_gguf(self.path("m.gguf"), {**said, "general.architecture": "gemma"}, tensors)
        import_model(self.path("m.gguf"), self.path("gguf"))
        self.check("gguf", weights, **choices)
        with self.assertRaisesRegex(sf.Error, "found Gemma2ForCausalLM"):
            self.load("second", held, {**members, "architectures": ["Gemma2ForCausalLM"]})

    def test_pairs_of_neighbours(self):
        """Ernie 4.5 and Helium rotate features (2i, 2i + 1)."""
        weights = tiny.random_weights(11, tied=True)
        paired = tiny.pair_neighbours(weights)
        for architecture, said in (("Ernie4_5", {}), ("Helium", {"tie_word_embeddings": True})):
            with self.subTest(architecture):
                geometry = self.load(architecture, paired, tiny.config(
                    architectures=[architecture + "ForCausalLM"], **said))
                self.assertEqual((geometry.rotary, geometry.tied), ("interleaved", True))
                self.check(architecture, weights)

    def test_a_granite(self):
        weights = tiny.random_weights(10, biases=True, tied=True)
        factors = {"embedding_multiplier": 3.0, "attention_multiplier": 0.1,
                   "residual_multiplier": 0.22, "logits_scaling": 8.0}
        members = tiny.config(architectures=["GraniteForCausalLM"], tie_word_embeddings=True)
        self.load("scaled", weights, {**members, **factors})
        self.check("scaled", weights, scales=(3.0, 0.1 * tiny.SIZE ** 0.5, 0.22, 1 / 8))
        # Without factors scores are not divided by the root of a head's features.
        self.load("bare", weights, {**members, "attention_multiplier": None})
        self.check("bare", weights, scales=(1.0, tiny.SIZE ** 0.5, 1.0, 1.0))
        for number, (text, said) in enumerate((
                ("'logits_scaling': expected a number", {"logits_scaling": 0}),
                ("embed_scale: expected a number above 0, at most 65504, found 1000000",
                 {"embedding_multiplier": 1e6}),
                ("'quantization_config': expected none", {"quantization_config": {
                    "quant_method": "bitnet"}}))):
            with self.subTest(text), self.assertRaisesRegex(sf.Error, text):
                self.load(f"bad{number}", weights, {**members, **factors, **said})

    def test_what_a_config_need_not_say(self):
        """As the library that writes them takes it where it is absent."""
        absent = ("hidden_act", "rms_norm_eps", "rope_theta")
        for architecture, weights, theta, expected in (
                ("Llama", tiny.random_weights(), 10000.0, ("silu", 1e-6, 0)),
                ("Mistral", tiny.random_weights(), 10000.0, ("silu", 1e-6, 4096)),
                ("BitNet", tiny.random_weights(sub_norms=True), 500000.0,
                 ("relu2", 1e-5, 0)),
                ("SeedOss", tiny.random_weights(biases=True), 10000.0, ("silu", 1e-6, 0)),
                ("Ernie4_5", tiny.random_weights(tied=True), 500000.0, ("silu", 1e-5, 0)),
                ("Helium", tiny.random_weights(), 100000.0, ("silu", 1e-8, 0)),
                ("Phi3", tiny.join_matrices(tiny.random_weights()), 10000.0,
                 ("silu", 1e-5, 0))):
            with self.subTest(architecture):
                members = tiny.config(architectures=[architecture + "ForCausalLM"])
                geometry = self.load(architecture, weights, {
                    key: value for key, value in members.items() if key not in absent})
                self.assertEqual((geometry.activation, geometry.epsilon, geometry.window),
                                 expected)
                cos = open_weights(self.path(architecture)).read("rope.cos")
                angles = np.outer(np.arange(tiny.POSITIONS),
                                  theta ** (-np.arange(0, tiny.SIZE, 2) / tiny.SIZE))
                np.testing.assert_allclose(cos, np.cos(angles), atol=1e-6)
        said = self.load("none", tiny.random_weights(), tiny.config(
            architectures=["MistralForCausalLM"], sliding_window=None))
        self.assertEqual(said.window, 0)


if __name__ == "__main__":
    unittest.main()
