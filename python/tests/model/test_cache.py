# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models whose keys and values are kept as numbers of 8 bits, on the CPU and in the
simulator. Those of 4 bits: test_int4_cache.py."""

import contextlib
import dataclasses
import io
import json
import os
import tempfile
import unittest
from unittest import mock

import numpy as np

import sparseflow as sf
from sparseflow import bench, generate, perplexity
from sparseflow.model import Geometry, Model, Sampler, import_model
from sparseflow.model.__main__ import main
from sparseflow.model.cache import empty_cache, token_bytes
from sparseflow.model.description import read_geometry, set_cache
import tiny_models as tiny

tiny.share_programs()
TOKENS = [5, 96, 0, 17, 17, 33, 2, 80, 41, 9, 64]
# Two pages and a part of one.
POSITIONS = 150


class TestCache(unittest.TestCase):
    CACHES = ("int8", "e4m3")
    # Features of a head, and tokens that are chosen.
    SIZE, CHOSEN = tiny.SIZE, 12

    @classmethod
    def setUpClass(cls):
        patch = mock.patch.object(tiny, "SIZE", cls.SIZE)
        patch.start()
        cls.addClassCleanup(patch.stop)
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.at = lambda self, name: os.path.join(folder.name, name)
        cls.weights = tiny.random_weights(1)
        tiny.write_folder(os.path.join(folder.name, "hf"), cls.weights,
                          tiny.config(max_position_embeddings=POSITIONS))
        cls.models = {}
        for cache in cls.CACHES:
            path = os.path.join(folder.name, cache)
            import_model(os.path.join(folder.name, "hf"), path)
            set_cache(path, cache)
            cls.models[cache] = Model(path)

    def each(self):
        for cache, model in self.models.items():
            with self.subTest(cache):
                yield cache, model

    def test_several_texts(self):
        """Texts of different lengths in the same steps are what each is alone, on caches of
        numbers and dense ones; one that has ended has no more tokens, the others go on."""
        import_model(self.at("hf"), self.at("dense"))
        prompts = [TOKENS[:1], TOKENS, TOKENS[3:8], TOKENS[:2]]
        for model in (Model(self.at("dense")), *self.models.values()):
            with self.subTest(model.geometry.cache), \
                    mock.patch.dict(model.tokens, {"end": []}):
                alone = [list(model.generate(prompt, 9)) for prompt in prompts]
                for chunk in (3, 512):
                    steps = list(model.generate_texts(prompts, 9, chunk=chunk))
                    self.assertEqual([list(text) for text in zip(*steps)], alone)
                drawn = {"temperature": 3.0, "top_k": 40}
                # Each text has a seed of its own.
                steps = list(model.generate_texts(prompts, 9, Sampler(**drawn, seed=5)))
                self.assertEqual([list(text) for text in zip(*steps)], [
                    list(model.generate(prompt, 9, Sampler(**drawn, seed=5 + index)))
                    for index, prompt in enumerate(prompts)])
                with mock.patch.dict(model.tokens, {"end": [alone[1][2]]}):
                    ended = [list(model.generate(prompt, 9)) for prompt in prompts]
                    steps = list(model.generate_texts(prompts, 9))
                self.assertEqual([[token for token in text if token is not None]
                                  for text in zip(*steps)], ended)
                self.assertEqual(len(steps), max(map(len, ended)))
                self.assertEqual(list(model.generate_texts(prompts, 0)), [])
                self.check_ends(model, prompts, alone)
        for text, prompts in (("one prompt or more", []), ("at least one token", [[1], []]),
                              ("at most 150 tokens", [[1], [1] * 150])):
            with self.assertRaisesRegex(sf.Error, text):
                model.generate_texts(prompts, 3)

    def check_ends(self, model, prompts, alone):
        """Texts leave the steps when half of them have ended; the others go on as if alone,
        drawn with the seeds that they had."""
        drawn = Sampler(temperature=3.0, top_k=40, seed=5)
        choose, batches = model.choose, []

        def noted(logits, cache, sampler):
            batches.append(cache.batch)
            return choose(logits, cache, sampler)
        for sampler in (None, drawn):
            whole = list(zip(*model.generate_texts(prompts, 9, sampler)))
            # The first that makes neither of these goes on for a while.
            ends = [whole[1][2], whole[2][4]]
            with mock.patch.dict(model.tokens, {"end": ends}), \
                    mock.patch.object(model, "choose", noted):
                batches.clear()
                steps = list(model.generate_texts(prompts, 9, sampler))
            for text, tokens in zip(whole, zip(*steps)):
                last = next((i + 1 for i, token in enumerate(text) if token in ends), 9)
                self.assertEqual(tokens[:last], text[:last])
                self.assertEqual(set(tokens[last:]) - {None}, set())
            self.assertEqual(batches, sorted(batches, reverse=True))
            self.assertEqual(batches[0], 4)
            self.assertLessEqual(batches[-1], 2)

    def test_the_command_with_several_texts(self):
        model = self.models[self.CACHES[0]]
        with mock.patch("sparseflow.generate.load", return_value=model), \
                contextlib.redirect_stdout(io.StringIO()) as said, \
                contextlib.redirect_stderr(io.StringIO()) as speed:
            self.assertEqual(generate.main([model.folder, "--tokens", "5", "--tokens", "96,0,17",
                                            "--count", "4"]), 0)
        self.assertEqual(said.getvalue(), "".join(
            ",".join(map(str, model.generate(prompt, 4))) + "\n"
            for prompt in ([5], [96, 0, 17])))
        self.assertRegex(speed.getvalue(), "^2 prompts, 4 tokens in .* s, then .* tokens/s; memory")

    def test_bench_on_the_cpu(self):
        model, path = self.models[self.CACHES[0]], self.at("times.json")
        with mock.patch("sparseflow.bench.Model", return_value=model), \
                contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(bench.main([
                model.folder, "--device", "cpu", "--batch", "1,2", "--keys", "70", "--prompt", "9",
                "--steps", "2", "--samples", "3", "--json", path]), 0)
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
        self.assertEqual([(r["kind"], r["batch"], r.get("keys", r.get("tokens")))
                          for r in report["results"]],
                         [("decode", 1, 70), ("decode", 2, 70), ("prompt", 1, 9)])
        self.assertEqual(report["device"], "cpu")
        self.assertRegex(said.getvalue(), r"decode, 2 texts, 70 keys +[\d.]+ ms .* tokens/s\n")

    def near(self, cache, found, tokens, rows=slice(None)):
        """Within twice the error of rounding where the program rounds, of what is exact
        but for numbers of 8 bits in place of keys and values."""
        exact, plain = (tiny.Reference(self.weights, rounded, cache=cache)
                        .logits(tokens)[rows] for rounded in ("", "f16"))
        self.assertEqual(found.shape, exact.shape)
        self.assertTrue(np.isfinite(found).all())
        self.assertLess(np.linalg.norm(found - exact), 2 * np.linalg.norm(plain - exact))

    def test_prefill_steps_and_chunks(self):
        for name, model in self.each():
            whole = model.forward([TOKENS], model.cache(), last=False)[0]
            self.near(name, whole, TOKENS)
            dense = tiny.Reference(self.weights, "f16").logits(TOKENS)
            self.assertGreater(np.linalg.norm(whole - dense), 0)
            cache = model.cache()
            steps = np.concatenate([model.forward([[t]], cache)[0] for t in TOKENS])
            self.near(name, steps, TOKENS)
            cache = model.cache()
            for chunk in (TOKENS[:4], TOKENS[4:5], TOKENS[5:]):
                last = model.forward([chunk], cache)
            # A token is rounded when it arrives, however many arrive with it.
            np.testing.assert_allclose(last[0], whole[-1:], atol=0.02)

    @staticmethod
    def kept(keys, values):
        """What a cache rounds of new keys and values [B, T, G, D]."""
        return keys, values

    def test_pages_are_those_of_the_runtime(self):
        """Bit for bit, of texts of different lengths whose tokens cross pages."""
        random = np.random.default_rng(6)
        for name, model in self.each():
            cache, g = model.cache(2), model.geometry
            cache.make_room(3)
            expected = [[empty_cache(g, part, 2, 192) for part in ("key", "value")]
                        for _ in range(g.layers)]
            run, layers = model.run_entry, []

            def noted(entry, layer=-1, call=None, **state):
                if entry == "append":
                    layers.append((state["k"], state["v"]))
                return run(entry, layer, call, **state)
            with mock.patch.object(Model, "run_entry", lambda self, *a, **n: noted(*a, **n)):
                for count, ragged in ((60, None), (1, [40, 61]), (3, None), (66, None),
                                      (1, None), (17, None)):
                    before, layers[:] = cache.lengths, []
                    model.forward(random.integers(0, tiny.WORDS, (2, count)), cache)
                    for held, new in zip(expected, layers):
                        for index, tokens in enumerate(self.kept(*new)):
                            held[index] = held[index].append(
                                tokens.astype(np.float32).swapaxes(1, 2), before)
                    if ragged:
                        cache.lengths = np.array(ragged, np.int32)
            for layer, held in enumerate(expected):
                for ours, theirs in zip(cache.of_layer(layer), held):
                    count = ours.pages.shape[2]
                    self.assertEqual(count, 3)
                    np.testing.assert_array_equal(ours.pages, theirs.pages[:, :, :count])

    def test_steps_are_bound_once(self):
        """The same logits and pages as by name, over pages and where the cache grows."""
        for name, model in self.each():
            texts = [model.cache(), model.cache()]
            for cache in texts:
                cache.make_room(64)
                model.forward([(TOKENS * 6)[:62]], cache)
            bound = None
            for token in TOKENS[:5]:
                logits = model.forward([[token]], texts[0])
                with mock.patch.object(model, "_device", "by name"):
                    named = model.forward([[token]], texts[1])
                np.testing.assert_array_equal(logits, named)
                self.assertIsNone(texts[1].step)
                if texts[0].lengths[0] in (64, 67):
                    self.assertIs(texts[0].step, bound)
                bound = texts[0].step
            for layer in range(model.geometry.layers):
                for ours, theirs in zip(*(cache.of_layer(layer) for cache in texts)):
                    np.testing.assert_array_equal(ours.pages, theirs.pages)

    def test_texts_of_different_lengths(self):
        for name, model in self.each():
            both = tiny.step_of_two(model, [3, 50, 70], TOKENS[:4])
            self.near(name, both[0], [3, 50, 70], slice(-1, None))
            self.near(name, both[1], TOKENS[:4], slice(-1, None))

    def test_greedy_tokens_are_those_of_the_reference(self):
        compared = 0
        for name, model in self.each():
            exact = tiny.Reference(self.weights, cache=name)
            plain = tiny.Reference(self.weights, "f16", cache=name)
            text = TOKENS[:3]
            for token in model.generate(text, self.CHOSEN, chunk=2):
                logits = exact.logits(text)[-1]
                margin = np.diff(np.sort(logits)[-2:])[0]
                if margin > 4 * np.abs(plain.logits(text)[-1] - logits).max():
                    self.assertEqual(token, int(np.argmax(logits)))
                    compared += 1
                text = text + [token]
        self.assertGreater(compared, 4)

    def test_one_step_in_the_simulator(self):
        name = self.CACHES[0]
        model, filled = self.models[name], self.models[name].cache()
        model.forward([TOKENS[:5]], filled)
        found = Model(self.at(name), "sim").forward([[TOKENS[5]]], filled)[0]
        self.near(name, found, TOKENS[:6], slice(-1, None))

    def test_bytes_of_a_token(self):
        g = self.models["int8"].geometry
        # Rows of 16 features take 32 bytes, and a scale 2.
        self.assertEqual(token_bytes(g), 2 * g.kv_heads * 34)
        self.assertEqual(token_bytes(dataclasses.replace(g, cache="dense")),
                         4 * g.kv_heads * 16)
        self.assertEqual(token_bytes(dataclasses.replace(g, head_dim=128, cache="e4m3")),
                         2 * g.kv_heads * 130)

    def command(self, *arguments):
        with contextlib.redirect_stdout(io.StringIO()) as said, \
                contextlib.redirect_stderr(io.StringIO()) as errors:
            status = main(list(arguments))
        return status, said.getvalue(), errors.getvalue()

    def test_commands(self):
        path = self.at("commands")
        import_model(self.at("hf"), path)
        with open(os.path.join(path, "program.mlir"), encoding="utf-8") as file:
            dense = file.read()
        self.assertNotIn("cache", read_geometry(path)[0].to_json())
        status, said, _ = self.command("compile", path, "--target", "cpu", "--cache", "e4m3")
        self.assertEqual(status, 0)
        self.assertIn("compiles for this CPU", said)
        with open(os.path.join(path, "model.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file)["geometry"]["cache"], "e4m3")
        # The next one keeps it, another one changes it.
        self.assertEqual(self.command("compile", path, "--target", "cpu")[0], 0)
        self.assertEqual(read_geometry(path)[0].cache, "e4m3")
        with contextlib.redirect_stdout(io.StringIO()) as said:
            self.assertEqual(perplexity.main([path, "--tokens", ",".join(
                map(str, TOKENS)), "--window", "6"]), 0)
        losses = []
        for part in (TOKENS[:6], TOKENS[6:]):
            rows = tiny.Reference(self.weights, cache="e4m3").logits(part)[:-1]
            losses += list(np.log(np.exp(rows).sum(-1)) - rows[np.arange(len(rows)), part[1:]])
        np.testing.assert_allclose(float(said.getvalue().split()[1]),
                                   np.exp(np.mean(losses)), rtol=0.05)
        # What cannot be compiled leaves the folder as it was.
        status, _, errors = self.command("compile", path, "--target", "sm_1", "--cache", "int8")
        self.assertEqual(status, 1)
        self.assertRegex(errors, "^sparseflow: error: --target: unknown target 'sm_1'")
        self.assertEqual(read_geometry(path)[0].cache, "e4m3")
        self.command("compile", path, "--target", "cpu", "--cache", "dense")
        with open(os.path.join(path, "program.mlir"), encoding="utf-8") as file:
            self.assertEqual(file.read(), dense)
        self.assertEqual(os.listdir(path).count("program.mlir.new"), 0)
        with self.assertRaises(SystemExit), \
                contextlib.redirect_stderr(io.StringIO()) as errors:
            main(["compile", path, "--target", "cpu", "--cache", "int2"])
        self.assertIn("invalid choice: 'int2' (choose from 'dense', 'int8', 'e4m3', 'int4')",
                      errors.getvalue())

    def test_what_is_refused(self):
        g = self.models["int8"].geometry
        with self.assertRaisesRegex(
                sf.Error, "cache: expected one of dense, int8, e4m3, int4, found 'int2'"):
            dataclasses.replace(g, cache="int2")
        with self.assertRaisesRegex(sf.Error, "an encoder has no cache .* found int8"):
            Geometry("bert", 1, 64, 4, 4, 16, 64, 9, 9, 1e-5, rotary="", encoder=True,
                     cache="int8")


if __name__ == "__main__":
    unittest.main()
