# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models: from checkpoints of tiny random decoders to logits, on the CPU."""

import contextlib
import importlib
import io
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

import numpy as np

import sparseflow as sf
from sparseflow import generate, perplexity
from sparseflow.cli import Compiled
from sparseflow.model import Family, Model, Sampler, import_model, register
from sparseflow.model import llama
from sparseflow.model.model import read_geometry
from support import FolderTest
import tiny_models as tiny

TOKENS = [5, 96, 0, 17, 17, 33, 2, 80, 41, 9, 64]


class ModelTest(FolderTest):

    def load(self, weights, members=None, **options):
        tiny.write_folder(self.path("hf"), weights, members or tiny.config())
        import_model(self.path("hf"), self.path("m"), **options)
        return Model(self.path("m"))

    def near(self, found, exact, plain):
        """Within twice the error of rounding where the program rounds."""
        bound = np.linalg.norm(plain - exact)
        self.assertGreater(bound, 0)
        self.assertTrue(np.isfinite(found).all())
        self.assertEqual(found.shape, exact.shape)
        self.assertLess(np.linalg.norm(found - exact), 2 * bound)

    def check(self, found, weights, tokens=TOKENS, rows=slice(None), dtype="f16",
              **reference):
        self.near(found, *(
            tiny.Reference(weights, rounded, **reference).logits(tokens)[rows]
            for rounded in ("", dtype)))


class TestLlama(ModelTest):
    """One model, of three shards, that is compiled once."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.weights = tiny.random_weights(1)
        cls.source, cls.made = (os.path.join(folder.name, name) for name in ("hf", "m"))
        tiny.write_folder(cls.source, cls.weights, tiny.config(), shards=3)
        import_model(cls.source, cls.made)
        cls.model = Model(cls.made)

    def test_prefill_steps_and_chunks(self):
        model = self.model
        whole = model.forward([TOKENS], model.cache(), last=False)[0]
        self.check(whole, self.weights)
        # Token by token, behind a cache of growing length.
        cache = model.cache()
        steps = np.concatenate([model.forward([[t]], cache)[0] for t in TOKENS])
        self.check(steps, self.weights)
        self.assertEqual(cache.lengths.tolist(), [len(TOKENS)])
        # In chunks; the last token's logits alone.
        cache = model.cache()
        for chunk in (TOKENS[:4], TOKENS[4:5], TOKENS[5:]):
            last = model.forward([chunk], cache)
        self.assertEqual(last.shape, (1, 1, tiny.WORDS))
        self.check(last[0], self.weights, rows=slice(-1, None))

    def test_steps_follow_the_cache_and_the_weights(self):
        """Steps of one text are bound once: two texts in turn, a cache that grows, and a
        weight that is replaced."""
        model = Model(self.made)
        texts = (TOKENS, TOKENS[::-1])
        caches = [model.cache(), model.cache()]
        for cache in caches:
            cache.make_room(3)
        for index in range(len(TOKENS)):
            for text, cache in zip(texts, caches):
                found = model.forward([[text[index]]], cache)[0]
                self.check(found, self.weights, text[:index + 1], slice(-1, None))
        bound = caches[0].step
        logits = model.forward([[5]], caches[0])
        self.assertIs(caches[0].step, bound)
        kept = logits.copy()
        # Of the last layer, so that no key or value depends on it.
        held = model.layer_weights(tiny.LAYERS - 1)
        held["ffn_down.weight"] = np.zeros_like(held["ffn_down.weight"])
        changed = model.forward([[5]], caches[1])
        whole = model.forward([texts[1] + [5]], model.cache())
        np.testing.assert_allclose(changed, whole, atol=0.02)
        model.forward([[8]], caches[0])
        self.assertIsNot(caches[0].step, bound)
        # Logits are the caller's: the steps behind them wrote others.
        np.testing.assert_array_equal(logits, kept)

    def test_texts_of_different_lengths(self):
        both = tiny.step_of_two(self.model, [3, 50, 70], TOKENS[:4])
        self.check(both[0], self.weights, [3, 50, 70], slice(-1, None))
        self.check(both[1], self.weights, TOKENS[:4], slice(-1, None))

    def test_greedy_tokens_are_those_of_the_reference(self):
        made = list(self.model.generate(TOKENS[:3], 12, chunk=2))
        exact = tiny.Reference(self.weights)
        plain = tiny.Reference(self.weights, "f16")
        text, compared = TOKENS[:3], 0
        for token in made:
            logits = exact.logits(text)[-1]
            margin = np.diff(np.sort(logits)[-2:])[0]
            if margin > 4 * np.abs(plain.logits(text)[-1] - logits).max():
                self.assertEqual(token, int(np.argmax(logits)))
                compared += 1
            text = text + [token]
        self.assertGreater(compared, len(made) // 2)
        # 12 tokens, or one that ends the text.
        self.assertTrue(len(made) == 12 or made[-1] == 1)

    def test_one_step_in_the_simulator(self):
        filled = self.model.cache()
        self.model.forward([TOKENS[:5]], filled)
        found = Model(self.made, "sim").forward([[TOKENS[5]]], filled)[0]
        self.check(found, self.weights, TOKENS[:6], slice(-1, None))

    def after(self, lengths):
        """A step of two texts, of which a cache says these lengths."""
        cache = self.model.cache(2)
        self.model.forward([[3, 4], [5, 6]], cache)
        cache.lengths = np.array(lengths)
        return self.model.forward([[7], [8]], cache)

    def test_calls_that_do_not_fit(self):
        model = self.model
        for text, call in (
                ("tokens of 0 to 96, found 3 to 97",
                 lambda: model.forward([[3, 97]], model.cache())),
                # 3, of 32 bits.
                ("tokens of 0 to 96, found 4294967299 to 4294967299",
                 lambda: model.forward([[2 ** 32 + 3]], model.cache())),
                ("tokens of 0 to 96, found float64",
                 lambda: model.forward([[1.5]], model.cache())),
                ("tokens of 0 to 96, found 3 to 4294967299",
                 lambda: model.generate([3, 2 ** 32 + 3], 9)),
                (r"tokens \[2, T\]", lambda: model.forward([[3]], model.cache(2))),
                ("at most 48 tokens",
                 lambda: model.forward([[3] * 49], model.cache())),
                ("at most 48 tokens.*40 and 9",
                 lambda: list(model.generate([1] * 40, 9))),
                ("at least one token", lambda: list(model.generate([], 9))),
                ("0 or more new tokens, found -1", lambda: model.generate([1], -1)),
                ("0 or more new tokens, found 1.5", lambda: model.generate([1], 1.5)),
                ("pieces of 1 or more tokens, found 0",
                 lambda: model.generate([1], 2, chunk=0)),
                ("pieces of 1 or more tokens, found -1",
                 lambda: model.generate([1], 2, chunk=-1)),
                (r"lengths of 2 texts, whole numbers of 0 or more, found \[2, -1\]",
                 lambda: self.after([2, -1])),
                (r"lengths of 2 texts, .*found \[2.5, 1.0\]", lambda: self.after([2.5, 1])),
                (r"lengths of 2 texts, .*found \[2\]", lambda: self.after([2])),
                ("found 1099511627777", lambda: self.after([2 ** 40, 1])),
                (r"top_k of 0 to 2\^31 - 1, found 1.5", lambda: Sampler(1, 1.5)),
                ("Sampler: TypeError", lambda: Sampler("warm")),
                ("seed that is a whole number, found 1.5", lambda: Sampler(1, seed=1.5)),
                ("expected a folder that is not there",
                 lambda: import_model(self.source, self.made)),
                ("expected a folder to make, found none",
                 lambda: import_model(self.source, "")),
                ("model.json/m: not written: .*File exists|Not a directory",
                 lambda: import_model(self.source, os.path.join(self.made, "model.json/m"))),
                ("expected threads of 0 to 4096, found 4097",
                 lambda: Model(self.made, threads=4097))):
            with self.subTest(text), self.assertRaisesRegex(sf.Error, text):
                call()

    def test_commands(self):
        def python(*arguments):
            return subprocess.run([sys.executable, "-m", *arguments],
                                  capture_output=True, text=True, check=False)
        tokens = ",".join(map(str, TOKENS))
        made = list(self.model.generate(TOKENS, 3))
        with mock.patch.dict(os.environ, SPARSEFLOW_LIBCUDA="/none"):
            result = python("sparseflow.generate", self.made, "--tokens", tokens,
                            "--count", "3")
        self.assertEqual(result.stdout, ",".join(map(str, made)) + "\n")
        self.assertRegex(result.stderr, r"prompt 11 tokens in .* tokens/s; memory \d+")
        self.assertRegex(result.stderr, "^remark: device cpu: no NVIDIA driver: cannot open /none\n")
        # The model of the class, which is compiled.
        with mock.patch("sparseflow.perplexity.load", return_value=self.model), \
                contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(perplexity.main([self.made, "--tokens", tokens, "--window",
                                              "6"]), 0)
        self.assertIn("over 9 tokens in windows of 6\n", said.getvalue())
        exact = tiny.Reference(self.weights)
        losses = []
        for part in (TOKENS[:6], TOKENS[6:]):
            rows = exact.logits(part)[:-1]
            shares = np.exp(rows) / np.exp(rows).sum(-1, keepdims=True)
            losses += list(-np.log(shares[np.arange(len(rows)), part[1:]]))
        found = re.match(r"perplexity ([\d.]+) over 9 tokens", said.getvalue())
        np.testing.assert_allclose(float(found.group(1)), np.exp(np.mean(losses)),
                                   rtol=0.005)
        # Windows are no longer than the model's positions.
        with mock.patch("sparseflow.perplexity.load", return_value=self.model), \
                contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(perplexity.main([self.made, "--tokens", tokens]), 0)
        self.assertIn("over 10 tokens in windows of 48\n", said.getvalue())

    def test_text_that_a_terminal_does_not_have(self):
        """Nor a last character that did not end."""
        class Halves:
            def __init__(self, folder, begin):
                del folder, begin

            def encode(self, text):
                return [len(text)]

            def decode(self, tokens):
                return (len(tokens) * b"\xc3\xa9")[:-1].decode("utf-8", "replace")
        self.assertEqual(list(self.model.generate([1], 0)), [])
        written = io.BytesIO()
        with mock.patch("sparseflow.generate.load", return_value=self.model), \
                mock.patch("sparseflow.generate.Tokenizer", Halves), \
                contextlib.redirect_stdout(io.TextIOWrapper(written, "ascii")), \
                contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(generate.main([self.made, "--prompt", "a", "--count", "2"]), 0)
            sys.stdout.flush()
            self.assertEqual(written.getvalue(), b"\\xe9\\xe9\\ufffd\n")

    def test_what_the_compiler_says(self):
        made = Compiled("", {}, "sparseflow: note: nothing is known of the GPU 'nope'")
        with mock.patch("sparseflow.model.__main__.compile_model", return_value=made), \
                contextlib.redirect_stdout(io.StringIO()), \
                contextlib.redirect_stderr(io.StringIO()) as said:
            status = importlib.import_module("sparseflow.model.__main__").main(
                ["compile", self.made, "--target", "sm_90a", "--gpu", "nope"])
        self.assertEqual((status, said.getvalue()), (0, made.messages + "\n"))

    def test_commands_that_do_not_fit(self):
        """All of them before the program is compiled."""
        for text, command, arguments in (
                ("expected a prompt", "generate", [self.made]),
                ("found 'a'", "generate", [self.made, "--tokens", "a"]),
                ("between them, found '1,,2'", "perplexity", [self.made, "--tokens", "1,,2"]),
                ("at most 48 tokens, the model's positions, found 2 and 47 new ones",
                 "generate", [self.made, "--tokens", "1,2", "--count", "47"]),
                ("at least one token, found none", "generate", [self.made, "--tokens", ""]),
                ("tokens of 0 to 96, found 97 to 97", "generate",
                 [self.made, "--tokens", "97", "--count", "2"]),
                ("has no tokenizer.json", "generate", [self.made, "--prompt", "a"]),
                ("has no tokenizer.json", "perplexity",
                 [self.made, "--text", os.path.join(self.made, "model.json")]),
                ("at least 2 tokens, found 1 and 2", "perplexity",
                 [self.made, "--tokens", "1,2", "--window", "1"]),
                ("at least 2 tokens, found 48 and 1", "perplexity",
                 [self.made, "--tokens", "1"]),
                ("--threads: expected 0 to 4096, found -1", "generate",
                 [self.made, "--tokens", "1", "--threads", "-1"]),
                ("--threads: expected 0 to 4096, found 5000", "model",
                 ["rotate", self.made, "-o", self.path("r"), "--threads", "5000"]),
                ("--target cpu has none", "model",
                 ["compile", self.made, "--target", "cpu", "--gpu", "NVIDIA H200"]),
                ("--output belongs to --plan", "model",
                 ["compile", self.made, "-o", self.path("r")]),
                ("no-plan.json", "model",
                 ["compile", self.made, "--plan", self.path("no-plan.json")]),
                ("--target cpu has none", "model",
                 ["compile", self.made, "--target", "cpu", "--activations", "i8"]),
                ("model.json: there is no such file; expected a model's folder", "generate",
                 [self.source, "--tokens", "1"])):
            module = importlib.import_module(
                "sparseflow.model.__main__" if command == "model" else
                "sparseflow." + command)
            with self.subTest(text), contextlib.redirect_stdout(io.StringIO()) as said, \
                    contextlib.redirect_stderr(io.StringIO()) as errors, \
                    mock.patch("sparseflow.model.model.CpuProgram", side_effect=AssertionError):
                self.assertEqual((module.main(arguments), said.getvalue()), (1, ""))
                self.assertRegex(errors.getvalue(), "^error: .*" + text)

    def test_a_model_of_another_version(self):
        """Or one that was changed by hand."""
        with open(os.path.join(self.made, "model.json"), encoding="utf-8") as file:
            content = json.load(file)
        for text, changed in (
                ("version 1, found .*2", {"version": 2}),
                ("geometry: layers: expected a positive", {"layers": True}),
                ("geometry: epsilon: expected a number from 0 on, found 'x'", {"epsilon": "x"}),
                ("geometry: window: expected a number from 0 on, found 1.5", {"window": 1.5}),
                ("geometry: tied: expected true or false, found 'no'", {"tied": "no"}),
                ("tokens: 'begin': expected a list of numbers, found 5",
                 {"tokens": {"begin": 5, "end": []}}),
                ("tokens: 'end': expected a list of numbers, found null",
                 {"tokens": {"begin": []}})):
            inner = {} if set(changed) & set(content) else changed
            with open(self.path("model.json"), "w", encoding="utf-8") as file:
                json.dump({**content, **({} if inner else changed),
                           "geometry": {**content["geometry"], **inner}}, file)
            with self.subTest(text), \
                    self.assertRaisesRegex(sf.Error, "model.json: .*" + text):
                Model(self.folder)
        shutil.copytree(self.made, self.path("gone"))
        os.remove(self.path("gone/program.mlir"))
        with self.assertRaisesRegex(sf.Error, "program.mlir: cannot be read: .*No such file"):
            Model(self.path("gone"))


class TestFamilies(ModelTest):

    def test_gguf_has_pairs_of_neighbours(self):
        weights = tiny.random_weights(4, tied=True)
        tiny.write_gguf(self.path("m.gguf"), tiny.gguf_metadata(),
                        tiny.gguf_tensors(weights))
        geometry = import_model(self.path("m.gguf"), self.path("m"))
        self.assertEqual((geometry.rotary, geometry.tied), ("interleaved", True))
        model = Model(self.path("m"))
        self.check(model.forward([TOKENS], model.cache(), last=False)[0], weights)

    def test_gguf_frequencies(self):
        """As llama.cpp reads them: linear where nothing says so, and by an older name."""
        tensors = tiny.gguf_tensors(tiny.random_weights(4, tied=True))
        plain = 100.0 ** (-np.arange(0, tiny.SIZE, 2) / tiny.SIZE)
        factors = np.arange(1, 1 + tiny.SIZE // 2, dtype="f4")

        def angles(named, rope_freqs=None):
            more = {} if rope_freqs is None else {
                "rope_freqs.weight": (0, list(rope_freqs.shape), rope_freqs.tobytes())}
            tiny.write_gguf(self.path("m.gguf"), tiny.gguf_metadata(
                **{f"llama.rope.{key}": value for key, value in named.items()}),
                {**tensors, **more})
            shutil.rmtree(self.path("m"), ignore_errors=True)
            import_model(self.path("m.gguf"), self.path("m"))
            return np.arccos(sf.model.weights.open_weights(self.path("m")).read("rope.cos")[1])

        for expected, named, given in (
                (plain, {}, None), (plain / 4, {"scaling.factor": 4.0}, None),
                (plain / 4, {"scaling.type": "linear", "scaling.factor": 4.0}, None),
                (plain, {"scaling.type": "none", "scaling.factor": 4.0}, None),
                (plain, {"scaling.type": "linear", "scaling.factor": 0.0}, None),
                (plain / 2, {"scale_linear": 2.0, "scaling.attn_factor": 1.0}, None),
                (plain / 4, {"scale_linear": 2.0, "scaling.factor": 4.0}, None),
                (plain / factors / 2, {"scaling.factor": 2.0}, factors)):
            with self.subTest(named):
                np.testing.assert_allclose(angles(named, given), expected, rtol=1e-4,
                                           atol=1e-4)
        for text, named, given in (
                ("'llama.rope.scaling.attn_factor': expected 1, found 0.5",
                 {"scaling.attn_factor": 0.5}, None),
                ("'rope_freqs.weight': expected 8 finite .* found .7., the least 1.0", {},
                 factors[:7]),
                ("'rope_freqs.weight': expected 8 .* the least 0.0", {}, factors - 1)):
            with self.subTest(text), self.assertRaisesRegex(sf.Error, text):
                angles(named, given)

    def test_gguf_in_parts(self):
        tensors = tiny.gguf_tensors(tiny.random_weights(4, tied=True))
        tiny.write_gguf(self.path("m.gguf"), tiny.gguf_metadata(), tensors)
        import_model(self.path("m.gguf"), self.path("m"))
        # As llama.cpp splits it where the first part shall have no tensors.
        names = list(tensors)

        def write(part, own, **metadata):
            path = self.path(f"m-{part + 1:05}-of-00003.gguf")
            members = {"split.no": part, "split.count": 3,
                       "split.tensors.count": len(names), **metadata}
            tiny.write_gguf(path, members, {name: tensors[name] for name in own})
            return path

        first = write(0, [], **tiny.gguf_metadata())
        write(1, names[:5])
        third = write(2, names[5:])
        import_model(first, self.path("parts"))
        for file in os.listdir(self.path("m")):
            with open(os.path.join(self.path("m"), file), "rb") as whole, \
                    open(os.path.join(self.path("parts"), file), "rb") as joined:
                self.assertEqual(whole.read(), joined.read(), file)
        for path, own, text in (
                (third, names[5:], "is one of 3 parts; expected the first one, "
                 "NAME-00001-of-00003.gguf"),
                (first, names[4:], f"'{names[4]}' is also in .*-00002-of-00003.gguf"),
                (first, names[6:], f"expected {len(names)} tensors in all parts, found "
                 f"{len(names) - 1}")):
            with self.subTest(text):
                write(2, own)
                with self.assertRaisesRegex(sf.Error, text):
                    import_model(path, self.path("bad"))
        os.rename(third, self.path("away"))
        with self.assertRaisesRegex(sf.Error, "00003-of-00003.gguf: there is no such file"):
            import_model(first, self.path("bad"))
        os.rename(self.path("m-00002-of-00003.gguf"), third)
        write(1, names[5:])
        with self.assertRaisesRegex(sf.Error, "'split.no': expected 2, found 1"):
            import_model(first, self.path("bad"))
        self.assertFalse(os.path.exists(self.path("bad")))

    def test_biases_norms_of_heads_a_window_and_stretched_frequencies(self):
        weights = tiny.random_weights(5, biases=True, head_norms=True)
        scaling = {"rope_type": "llama3", "factor": 4.0, "low_freq_factor": 1.0,
                   "high_freq_factor": 4.0, "original_max_position_embeddings": 24}
        model = self.load(weights, tiny.config(
            architectures=["MistralForCausalLM"], sliding_window=4,
            rope_scaling=scaling))
        plain = 100.0 ** (-np.arange(0, tiny.SIZE, 2) / tiny.SIZE)
        expected = []
        for frequency in plain:
            turns = 24 * frequency / (2 * np.pi)
            share = min(max((turns - 1) / 3, 0), 1)
            expected.append(frequency * (share + (1 - share) / 4))
        self.assertTrue(np.any(np.abs(np.array(expected) - plain) > 1e-3))
        found = model.forward([TOKENS], model.cache(), last=False)[0]
        self.check(found, weights, window=4, frequencies=np.array(expected))

    def test_gpt2(self):
        weights = tiny.gpt2_weights(9)
        model = self.load(weights, tiny.gpt2_config())
        # Nor is compiled what the CPU does not call.
        self.assertNotIn("layer", model._call.functions)
        cache = model.cache()
        found = np.concatenate([model.forward([part], cache, last=False)[0]
                                for part in (TOKENS[:4], TOKENS[4:])])
        self.near(found, *(tiny.gpt2_logits(weights, TOKENS, rounded)
                           for rounded in ("", "f16")))
        tiny.write_folder(self.path("relu"), weights,
                          {**tiny.gpt2_config(), "activation_function": "relu"})
        import_model(self.path("relu"), self.path("of_relu"))
        model = Model(self.path("of_relu"))
        self.near(model.forward([TOKENS], model.cache(), last=False)[0],
                  *(tiny.gpt2_logits(weights, TOKENS, rounded, relu=True)
                    for rounded in ("", "f16")))

    def test_a_family_of_ones_own_in_bf16(self):
        @register
        class Own(llama.Llama):
            """Norms behind attention and activation, as BitNet has them."""
            name = "own"
            architectures = ("OwnForCausalLM",)
            tensors = {**llama.Llama.tensors,
                       "blk.attn_sub_norm": "model.layers.{}.self_attn.attn_sub_norm",
                       "blk.ffn_sub_norm": "model.layers.{}.mlp.ffn_sub_norm"}
        self.assertTrue(issubclass(Own, Family))
        weights = tiny.random_weights(7, sub_norms=True)
        members = tiny.config(architectures=["OwnForCausalLM"], hidden_act="relu2")
        model = self.load(weights, members, dtype="bf16")
        found = model.forward([TOKENS], model.cache(), last=False)[0]
        self.check(found, weights, dtype="bf16", activation="relu2")


class TestFiles(ModelTest):

    def refused(self, text, weights=None, members=None, kind=sf.Error, **options):
        weights = tiny.random_weights() if weights is None else weights
        folder = self.path(f"hf{len(os.listdir(self.folder))}")
        tiny.write_folder(folder, weights, members or tiny.config())
        before = sorted(os.listdir(self.folder))
        with self.assertRaisesRegex(kind, text):
            import_model(folder, self.path("m"), **options)
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_what_is_refused(self):
        weights = tiny.random_weights()
        missing = dict(weights)
        del missing["model.layers.1.mlp.up_proj.weight"]
        self.refused("no tensor 'model.layers.1.mlp.up_proj.weight'.*blk.1.ffn_up",
                     missing)
        self.refused("expected the shape .*100, 64.* by the config, found .*64, 100",
                     {**weights, "model.layers.0.mlp.up_proj.weight":
                      weights["model.layers.0.mlp.down_proj.weight"]})
        # A bias of one layer only, and a tensor that nothing reads.
        bias = np.zeros(tiny.HEADS * tiny.SIZE, "f4")
        self.refused("layers.1.self_attn.q_proj.bias' is no part of",
                     {**weights, "model.layers.1.self_attn.q_proj.bias": bias})
        self.refused("no tensor 'model.layers.1.self_attn.q_proj.bias'",
                     {**weights, "model.layers.0.self_attn.q_proj.bias": bias})
        big = {**weights, "lm_head.weight": weights["lm_head.weight"].copy()}
        big["lm_head.weight"][3, 4] = np.inf
        self.refused(r"'output.weight': 1 values .* f16, the first at \[3, 4\]", big)
        for members, text in (
                ({"architectures": ["MambaForCausalLM"]}, "found MambaForCausalLM"),
                ({"hidden_act": "mish"}, "'hidden_act': expected .* found 'mish'"),
                ({"rope_scaling": {"rope_type": "yarn"}}, "'factor'|found 'yarn'"),
                ({"quantization_config": {"bits": 4}}, "'quantization_config'"),
                ({"partial_rotary_factor": 0.5}, "'partial_rotary_factor'"),
                ({"rope_parameters": {"rope_theta": 9., "partial_rotary_factor": 0.5}},
                 "'partial_rotary_factor': expected 1, found 0.5"),
                ({"rope_parameters": {"full_attention": {"rope_theta": 9.}}},
                 "rotary parameters for all layers"),
                ({"rope_scaling": ["linear"]}, "rotary parameters for all layers"),
                ({"num_key_value_heads": 4}, "multiple of the key heads"),
                ({"num_hidden_layers": None}, "no 'num_hidden_layers'"),
                ({"hidden_size": "big"}, "'hidden_size': expected a number"),
                ({"layer_types": ["full_attention", "sliding_attention"]},
                 "expected equal layers"),
                ({"use_sliding_window": True, "sliding_window": 4,
                  "max_window_layers": 1}, "found max_window_layers 1 of 2 layers")):
            with self.subTest(text):
                self.refused(text, members=tiny.config(**members))
        self.refused("1 to 48 positions", positions=49)

    def test_which_layers_have_a_window(self):
        qwen = {"architectures": ["Qwen2ForCausalLM"], "sliding_window": 4}
        for number, (window, members) in enumerate((
                (0, {}),
                (0, {"use_sliding_window": True}),
                (4, {"use_sliding_window": True, "max_window_layers": 0}),
                (0, {"use_sliding_window": True, "max_window_layers": 2}),
                (0, {"use_sliding_window": True, "layer_types": 2 * ["full_attention"]}),
                (4, {"use_sliding_window": True,
                     "layer_types": 2 * ["sliding_attention"]}))):
            with self.subTest(members):
                tiny.write_folder(self.path(f"hf{number}"), tiny.random_weights(),
                                  tiny.config(**qwen, **members))
                made = self.path(f"m{number}")
                import_model(self.path(f"hf{number}"), made)
                self.assertEqual(read_geometry(made)[0].window, window)

    def test_gguf_refusals(self):
        tensors = tiny.gguf_tensors(tiny.random_weights())
        name = "blk.0.ffn_up.weight"
        for text, metadata, changed in (
                ("ffn_up.weight': expected one of F32, .*found IQ4_XS", {},
                 {name: (23, [tiny.INNER, tiny.HIDDEN], b"\0" * 3600)}),
                ("ffn_up.weight': expected rows of whole blocks of 256, found 64 columns", {},
                 {name: (12, [tiny.INNER, tiny.HIDDEN], b"\0" * 3600)}),
                ("'prism.hadamard.block': expected a key that version 1 has",
                 {"prism.hadamard.block": 128}, {}),
                ("found mamba", {"general.architecture": "mamba"}, {}),
                ("'llama.expert_count'", {"llama.expert_count": 8}, {}),
                ("no 'llama.block_count'", {"llama.block_count": None}, {})):
            with self.subTest(text):
                members = {key: value for key, value
                           in tiny.gguf_metadata(**metadata).items()
                           if value is not None}
                tiny.write_gguf(self.path("bad.gguf"), members,
                                {**tensors, **changed})
                with self.assertRaisesRegex(sf.Error, text):
                    import_model(self.path("bad.gguf"), self.path("m"))
                self.assertEqual(os.listdir(self.folder), ["bad.gguf"])
        with open(self.path("bad.gguf"), "r+b") as file:
            file.truncate(900)
        with self.assertRaisesRegex(sf.Error, "is it complete"):
            import_model(self.path("bad.gguf"), self.path("m"))

    def test_quantized_tensors(self):
        """Blocks by hand: what each format means, element by element."""
        from sparseflow.model.gguf import GgufFile
        random = np.random.default_rng(8)
        scales = random.normal(size=(6, 2)).astype("f2")
        codes = random.integers(0, 256, (6, 16)).astype("u1")
        bytes8 = random.integers(-128, 128, (6, 32)).astype("i1")
        nibbles = np.concatenate([codes & 15, codes >> 4], 1).astype("f4")
        d, m = scales[:, :1].astype("f4"), scales[:, 1:].astype("f4")
        bf16 = random.integers(0, 0x7F00, 96).astype("u2")
        blocks = {
            "q4_0": (2, np.hstack([scales[:, :1].view("u1"), codes]),
                     d * (nibbles - 8)),
            "q4_1": (3, np.hstack([scales.view("u1"), codes]), d * nibbles + m),
            "q8_0": (8, np.hstack([scales[:, :1].copy().view("u1"),
                                   bytes8.view("u1")]), d * bytes8),
            "bf16": (30, bf16, (bf16.astype("u4") << 16).view("f4"))}
        tiny.write_gguf(self.path("q.gguf"), {"general.architecture": "llama"}, {
            name: (kind, [3, values.size // 3], np.ascontiguousarray(raw).tobytes())
            for name, (kind, raw, values) in blocks.items()})
        file = GgufFile(self.path("q.gguf"))
        for name, (_, _, values) in blocks.items():
            with self.subTest(name):
                np.testing.assert_array_equal(file.read(name),
                                              values.reshape(3, -1))


class TestSampler(unittest.TestCase):

    def test_arguments(self):
        arguments = Sampler(0.5, 3, 0.25, seed=2 ** 64 - 1).arguments(range(2))
        self.assertEqual({name: values.tolist() for name, values in arguments.items()},
                         {"temperature": [0.5, 0.5], "top_k": [3, 3],
                          "top_p": [0.25, 0.25], "seeds": [-1, 0]})
        self.assertNotEqual(Sampler().seed, Sampler().seed)

    def test_invalid(self):
        with self.assertRaisesRegex(sf.Error, "temperature of 0 or more"):
            Sampler(-1)
        with self.assertRaisesRegex(sf.Error, "top_k of 0"):
            Sampler(top_k=True)
        with self.assertRaisesRegex(sf.Error, "top_p above 0"):
            Sampler(top_p=0)


if __name__ == "__main__":
    unittest.main()
