# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plans, compression and back, of a random llama of two layers."""

import contextlib
import dataclasses
import io
import json
import os
import re
import shutil
import sys
import tempfile
import unittest
from unittest import mock

import numpy as np

import sparseflow as sf
from sparseflow.model import Model, import_model
from sparseflow.model.__main__ import main
from sparseflow.model.model import read_geometry
from sparseflow.model.compression.compressor import compress_model, unpack_model
from sparseflow.model.compression.layer import compress_matrices
from sparseflow.model.compression.plan import Plan, total_bytes
from sparseflow.model.compression.planner import (Budget, Option, Unit, choose, make_plan,
                                                  plan_text, predicted_times, preset_plan)
from sparseflow.model.compression.stream import Stream, divergence, windows_of
from sparseflow.model.packed import program_of_folder
from sparseflow.model.weights import open_weights

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tiny_models  # noqa: E402

tiny_models.share_programs()
PLAN = Plan([{"match": r"blk\.0\.attn_[qk]", "format": "2:4"},
             {"match": r"blk\.0\.attn_v", "format": "6:8"},
             {"match": r"blk\.0\.attn_output", "format": "int8"},
             {"layers": "attention", "format": "int4", "scale": 32},
             {"match": "ffn_down", "except": r"blk\.1", "format": "ternary2"},
             {"match": "ffn_up", "format": "ternary"},
             {"match": r"blk\.1\.ffn_gate", "format": "2:4+ternary"},
             {"match": r"blk\.0\.ffn_gate", "format": "dense", "reason": "asked for"}])


class TestCompressModel(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        tiny_models.require_openblas()
        cls.folder = tempfile.TemporaryDirectory()
        cls.at = lambda self, name: os.path.join(cls.folder.name, name)
        tiny_models.write_folder(os.path.join(cls.folder.name, "checkpoint"),
                                 tiny_models.random_weights(), tiny_models.config())
        cls.model = os.path.join(cls.folder.name, "model")
        import_model(os.path.join(cls.folder.name, "checkpoint"), cls.model)
        cls.geometry = read_geometry(cls.model)[0]
        random = np.random.default_rng(3)
        cls.tokens = [int(t) for t in random.integers(0, 97, 120)]
        cls.windows = windows_of(cls.tokens, 24, 5, "tokens")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def refused(self, text, call, *arguments, **named):
        with self.assertRaises(sf.Error) as caught:
            call(*arguments, **named)
        self.assertIn(text, str(caught.exception))

    def test_a_plan_says_what_caches_are(self):
        path, out = self.at("cache.json"), self.at("cached")
        Plan([], cache="e4m3").write(path)
        plan = Plan.read(path)
        report = compress_model(self.model, plan, self.windows[:1], out,
                                held_out=self.tokens[:30])
        self.assertEqual(read_geometry(out)[0], dataclasses.replace(
            self.geometry, cache="e4m3"))
        found = report["perplexity"]
        self.assertNotEqual(found["before"], found["after"])
        self.assertLess(abs(found["after"] / found["before"] - 1), 0.2)
        # A model of such a cache is compressed like any other, and keeps it.
        again = compress_model(out, Plan([]), self.windows[:1], self.at("again"),
                               held_out=self.tokens[:30])
        self.assertEqual(read_geometry(self.at("again"))[0].cache, "e4m3")
        self.assertEqual(again["perplexity"]["before"], again["perplexity"]["after"])
        self.refused("cache: int4 needs heads of a power of two of features, from 64 to "
                     "16384, found 16", compress_model, self.model, Plan([], cache="int4"),
                     self.windows[:1], self.at("refused"))
        for cache in ('"int2"', "8"):
            with open(path, "w", encoding="utf-8") as file:
                file.write('{"format": "sparseflow-compress-plan", "version": 1, '
                           f'"rules": [], "cache": {cache}}}')
            self.refused("cache.json: cache: expected one of dense, int8, e4m3, int4, found "
                         + cache, Plan.read, path)

    def test_inputs_of_matrices(self):
        """What the probe says the matrices read, against the reference's own pass."""
        model = Model(self.model)
        self.refused("expected windows of at most 48 tokens, the model's positions", Stream,
                     model, np.zeros((1, 60), np.int32))
        # A row of the embedding is read for each token, wherever that would be.
        for windows, found in ((self.windows[:2] + 97, "tokens of 0 to 96, found "),
                               (self.windows[:2] / 2, "tokens of 0 to 96, found float64")):
            self.refused(found, Stream, model, windows)
            self.refused(found, make_plan, model, windows, Budget.parse("bytes=50%"))
            self.refused(found, compress_model, self.model, preset_plan("all", "int4"),
                         windows, self.at("none"))
        self.refused("a sample of at least one text, found 0", make_plan, model, self.windows,
                     Budget.parse("bytes=50%"), sample=0)
        stream, read = Stream(model, self.windows[:2]), {}
        logits = np.concatenate(stream.outputs())
        exact = model.forward(self.windows[:2], model.cache(2), last=False)
        exact = exact - np.log(np.exp(exact.astype(np.float64)).sum(-1, keepdims=True))
        np.testing.assert_allclose(logits, exact, atol=2e-5)
        stream.read(lambda names, x: read.update(dict.fromkeys(names, x)))
        weights = {n: w.astype(np.float64) for n, w in model.layer_weights(0).items()}
        x = stream.x.astype(np.float64)
        h = x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * weights["attn_norm.weight"]
        np.testing.assert_allclose(read["attn_k.weight"], h, atol=4e-3)
        y = x + read["attn_output.weight"].astype(np.float64) @ weights["attn_output.weight"].T
        h = y / np.sqrt((y * y).mean(-1, keepdims=True) + 1e-5) * weights["ffn_norm.weight"]
        np.testing.assert_allclose(read["ffn_up.weight"], h, atol=1e-2)
        gate = h @ weights["ffn_gate.weight"].T
        hidden = gate / (1 + np.exp(-gate)) * (h @ weights["ffn_up.weight"].T)
        np.testing.assert_allclose(read["ffn_down.weight"], hidden, atol=4e-2)
        self.assertEqual(set(read), set(model.geometry.matrices()))

    def test_head(self):
        plan = Plan([{"layers": "head", "format": "int8"}])
        output, dense = self.at("int8-head"), self.at("int8-head-dense")
        report = compress_model(self.model, plan, self.windows, output,
                                held_out=self.tokens[::-1])
        entry = report["matrices"][-1]
        self.assertEqual((entry["name"], entry["format"], entry["packed"]),
                         ("output.weight", "int8", True))
        before, after = (report["perplexity"][key] for key in ("before", "after"))
        self.assertNotEqual(before, after)
        self.assertLess(abs(after / before - 1), 0.02)
        self.assertIn("%output_weight: tensor<", program_of_folder(output))
        self.assertIn("xf16, #sparseflow.quantized<int8, scale = row : f16>> "
                      '{sparseflow.name = "output.weight"', program_of_folder(output))
        # The embedding stays, and a rounded row is off by half a step at most.
        read = Model(output)._shared
        given = Model(self.model)._shared
        source = "output.weight" if "output.weight" in given else "token_embd.weight"
        np.testing.assert_array_equal(read["token_embd.weight"], given["token_embd.weight"])
        off = np.abs(read["output.weight"].astype(np.float32) - given[source])
        most = np.abs(given[source].astype(np.float32)).max(1)
        self.assertTrue((off.max(1) <= 0.51 * most / 127 + 1e-3 * most).all())
        unpack_model(output, dense)
        np.testing.assert_array_equal(Model(dense)._shared["output.weight"],
                                      read["output.weight"])
        for rule in ({"format": "2:4"}, {"format": "int8", "scale": 128}):
            self.refused("head: expected int8 or dense without a method or a scale",
                         Plan([{"layers": "head", **rule}]).head, self.geometry)
        self.refused("expected a decoder, found an encoder", plan.head,
                     dataclasses.replace(self.geometry, encoder=True, rotary=""))

    def test_compress_resume_and_unpack(self):
        parts, output = self.at("parts"), self.at("packed")
        # A folder that cannot be made: what was computed is kept.
        with open(self.at("file"), "w", encoding="utf-8"):
            pass
        seen = []

        def full(what, done):
            seen.append(what)
            if what == "packing":
                raise OSError(28, "No space left on device")
        self.refused("No space left on device; finished layers are kept in", compress_model,
                     self.model, PLAN, self.windows, output, resume=parts, progress=full)
        self.assertFalse(os.path.exists(output))
        self.assertEqual(len([f for f in os.listdir(parts) if f.endswith("tensors")]), 2)
        self.refused("expected layers of this model, plan and calibration",
                     compress_model, self.model, PLAN, self.windows[:4], output,
                     resume=parts)
        report = compress_model(self.model, PLAN, self.windows, output, resume=parts,
                                held_out=self.tokens[::-1])
        self.assertFalse(os.path.exists(parts))

        self.assertEqual((report["bytes"], report["dense_bytes"]),
                         total_bytes(self.geometry, PLAN.choose(self.geometry)))
        self.assertLess(report["stored_bytes"], report["dense_bytes"])
        self.assertGreater(report["perplexity"]["after"], 1)
        packed = {entry["name"]: entry["packed"] for entry in report["matrices"]}
        formats = {entry["name"]: entry["format"] for entry in report["matrices"]}
        for name, form in formats.items():
            self.assertEqual(packed[name], form in ("2:4", "int4", "int8", "ternary",
                                                    "2:4+ternary"), name)
        for entry in report["matrices"]:
            self.assertLess(entry.get("packing_error", 0), 1e-3)
            if entry["format"] == "dense":
                self.assertEqual((entry["snr_db"], entry["kept_energy"]), (None, 1.0))
            else:
                self.assertGreater(entry["output_error"], 0)
                self.assertLess(entry["output_error"], 0.9)

        # Each matrix is what its format holds, and unpacking changes nothing.
        unpack_model(output, self.at("dense"))
        compressed, dense = open_weights(output), open_weights(self.at("dense"))
        with compressed:
            for name in self.geometry.tensors():
                array = compressed.bits(name)
                np.testing.assert_array_equal(array, dense.bits(name))
                form = formats.get(name, "dense")
                groups = {"2:4": (4, 2), "6:8": (8, 6), "2:4+ternary": (4, 2)}.get(form)
                if groups:
                    kept = (array != 0).reshape(array.shape[0], -1, groups[0]).sum(-1)
                    self.assertLessEqual(kept.max(), groups[1])
                if form == "ternary":
                    for column in range(0, array.shape[1], 32):
                        part = np.abs(array[:, column:column + 32].astype("f4"))
                        self.assertTrue(((part == 0) | (part == part.max(
                            1, keepdims=True))).all())
        self.refused("dense already", unpack_model, self.at("dense"), self.at("again"))
        with open(os.path.join(output, "report.html"), encoding="utf-8") as file:
            page = file.read()
        self.assertIn("Perplexity", page)
        self.assertEqual(page.count("<canvas"), 2 * sum(
            form != "dense" for form in formats.values()))
        self.assertIsNone(re.search(r"(src|href)=", page))
        with open(os.path.join(output, "report.json"), encoding="utf-8") as file:
            self.assertEqual(json.load(file), report)

    def test_plan_within_a_budget(self):
        path, known = self.at("plan.json"), self.at("losses.json")
        command = ["plan", self.model, "--tokens", ",".join(map(str, self.tokens)),
                   "--window", "24", "--formats", "int8,int4", "--layers", "ffn",
                   "--resume", known]
        budget = ["--budget", "bytes=40%", "-o", path]

        # A run that ends within the second layer, and one that goes on.
        measured: list = []

        def fail(*arguments):
            if len(measured) == 3:
                raise KeyboardInterrupt
            measured.append(arguments)
            return compress_matrices(*arguments)
        where = "sparseflow.model.compression.planner.compress_matrices"
        with mock.patch(where, fail), contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(main([*command, *budget]), 130)
        with open(known, encoding="utf-8") as file:
            self.assertEqual(list(json.load(file)["losses"]),
                             ["0 ffn int8", "0 ffn int4", "1 ffn int8"])
        with mock.patch(where, wraps=compress_matrices) as calls:
            self.assertEqual(main([*command, *budget]), 0)
            self.assertEqual(calls.call_count, 1)
            # Another budget needs no measurement, and the first run's file no folder.
            self.assertEqual(main([*command, "--budget", "bytes=60%", "-o",
                                   self.at("other.json")]), 0)
            self.assertEqual(calls.call_count, 1)
        self.assertEqual(main([*command[:-2], "--budget", "bytes=40%", "-o",
                               self.at("whole.json")]), 0)
        self.assertEqual(Plan.read(self.at("whole.json")).rules, Plan.read(path).rules)
        for text, message in (("{}", "expected losses that an earlier plan kept"),
                              ('{"losses": {}}', "found those of other work")):
            with open(known, "w", encoding="utf-8") as file:
                file.write(text)
            with contextlib.redirect_stderr(io.StringIO()) as errors:
                self.assertEqual(main([*command, *budget]), 1)
            self.assertIn(message, errors.getvalue())
        plan = Plan.read(path)
        choices = plan.choose(self.geometry)
        ffn = {name: choice for name, choice in choices.items() if "ffn" in name}
        now, before = total_bytes(self.geometry, ffn)
        self.assertLessEqual(now, 0.4 * before)
        self.assertTrue(all(rule["reason"] for rule in plan.rules))
        self.assertTrue(all(choices[name].format == "dense" for name in choices
                            if name not in ffn))

    def test_plan_that_cannot_be_written(self):
        os.mkdir(self.at("taken"))
        before = sorted(os.listdir(self.at("")))
        self.refused("taken: cannot be written", preset_plan("all", "int4").write,
                     self.at("taken"))
        self.assertEqual(sorted(os.listdir(self.at(""))), before)

    def test_layers_by_name(self):
        names = ["blk.0.ffn_up.weight", "blk.1.attn_q.weight"]
        choices = preset_plan(",".join(names), "int4").choose(self.geometry)
        self.assertEqual([n for n, c in choices.items() if c.format == "int4"], names)
        choices = preset_plan("attention", "2:4").choose(self.geometry)
        self.assertEqual(sum(c.format == "2:4" for c in choices.values()), 8)
        self.refused("the model has no matrix of such a name", preset_plan(
            "blk.0.up,blk.9.down", "int4").choose, self.geometry)

    def test_columns_that_a_format_does_not_take(self):
        """Rows of ffn_down have 100 columns, 12 groups of 8 and a half."""
        plan = preset_plan("all", "6:8", self.geometry)
        choices = plan.choose(self.geometry)
        self.assertEqual({name.split(".")[2] for name, choice in choices.items()
                          if choice.format == "dense"}, {"ffn_down"})
        self.assertIn("dense, rows of 100 columns are no whole groups of 8", plan_text(plan))
        self.assertEqual(len(preset_plan("all", "2:4", self.geometry).rules), 1)
        self.refused("--format: '6:8' is for rows of whole groups of 8 columns, found 100 in",
                     preset_plan, "ffn_down", "6:8", self.geometry)
        self.refused("'(' is not a regular expression", preset_plan, "(", "6:8", self.geometry)
        self.refused("rule 1: '6:8' is for rows of whole groups of 8 columns, found 100 columns "
                     "of 'blk.0.ffn_down.weight'; give it another format",
                     Plan([{"layers": "all", "format": "6:8"}]).choose, self.geometry)
        # Of those that are measured, too.
        path = self.at("groups.json")
        for layers, formats, chosen in (("ffn", "6:8", "dense"), ("ffn", "6:8,int8", "int8"),
                                        ("attention", "6:8", "6:8")):
            self.assertEqual(main([
                "plan", self.model, "--tokens", ",".join(map(str, self.tokens)), "--window",
                "24", "--formats", formats, "--layers", layers, "--budget",
                "perplexity=+900%", "-o", path]), 0)
            rules = Plan.read(path).rules
            self.assertEqual({rule["format"] for rule in rules}, {chosen})
            if chosen == "dense":
                self.assertIn("no format here takes rows of so many", rules[0]["reason"])
        # What has no kernel takes what dense weights do.
        odd = dataclasses.replace(self.geometry, inner=102)
        times = predicted_times(odd, ["2:4"], "sm_80", 16)
        self.assertEqual(times["2:4", tiny_models.HIDDEN, 102],
                         times["dense", tiny_models.HIDDEN, 102])

    def test_choice(self):
        """Against all combinations, where options lie on a hull."""
        def unit(layer, int8, int4):
            return Unit(layer, "ffn", [f"{layer}"], [
                Option("dense", 0, 100, 10), Option("int8", int8, 50, 10),
                Option("int4", int4, 25, 6)])
        units = [unit(0, .01, .05), unit(1, .02, .30)]

        def formats(text):
            return [option.format for option in choose(units, Budget.parse(text))]
        self.assertEqual(formats("bytes=100%"), ["dense", "dense"])
        self.assertEqual(formats("bytes=160B"), ["int8", "dense"])
        self.assertEqual(formats("bytes=50%"), ["int8", "int8"])
        self.assertEqual(formats("bytes=80B"), ["int4", "int8"])
        self.assertEqual(formats("bytes=50B"), ["int4", "int4"])
        self.assertEqual(formats("perplexity=+3.1%"), ["int8", "int8"])
        self.assertEqual(formats("perplexity=+0.1%"), ["dense", "dense"])
        self.assertEqual(formats("time=80%"), ["int4", "dense"])
        self.refused("the smallest that these formats reach", choose, units,
                     Budget.parse("bytes=49B"))
        for text in ("bytes=fast", "perplexity=5%", "time=3MB", "bytes=1us", "size=1",
                     "bytes=1.2.3%"):
            self.refused("--budget: ", Budget.parse, text)

    def test_divergence(self):
        p = np.log(np.array([[[0.5, 0.25, 0.25]]]))
        q = np.log(np.array([[[0.25, 0.5, 0.25]]]))
        self.assertAlmostEqual(divergence([p], [q]), 0.25 * np.log(2))
        self.assertEqual(divergence([p], [p]), 0)

    def test_bad_input(self):
        output = self.at("none")
        self.refused("expected a text of at least 24 tokens, one window, found 3",
                     windows_of, [1, 2, 3], 24, 4, "text")
        self.refused("expected windows of 2 or more", windows_of, [1, 2, 3], 1, 4, "text")
        self.refused("model.json: there is no such file; expected a model's folder",
                     unpack_model, output, self.at("dense"))
        bad = {"the model has no matrix of such a name": [
                   {"match": r"blk\.7\.", "format": "2:4"}],
               "rules before it take all of the 7 matrices": [
                   {"layers": "all", "format": "2:4"},
                   {"match": r"blk\.1\.", "format": "int4"}],
               "is not a regular expression": [{"match": "(", "format": "2:4"}]}
        for text, rules in bad.items():
            self.refused(text, Plan(rules).choose, self.geometry)
        for text, members, rule in (
                ("rule 1: layers: expected all, attention, ffn, head, found 'some'", {},
                 {"layers": "some"}),
                ("expected the members about, cache, format, rules, version; found 'cash'",
                 {"cash": "int8"}, {"layers": "ffn"}),
                ("found 'row'", {}, {"layers": "ffn", "row": 1}),
                ("except belongs to match", {}, {"layers": "ffn", "except": "up"}),
                ("match: expected a text, found 3", {}, {"match": 3}),
                ("method: expected magnitude, wanda, sparsegpt, gptq, refit, found \"best\"",
                 {}, {"layers": "ffn", "method": "best"}),
                ("scale: expected a whole number from 1 to 1048576, found 0", {},
                 {"layers": "ffn", "scale": 0}),
                ("sweeps: expected a whole number from 0 to 1000, found true", {},
                 {"layers": "ffn", "sweeps": True})):
            with open(self.at("bad.json"), "w", encoding="utf-8") as file:
                json.dump({"format": "sparseflow-compress-plan", "version": 1, **members,
                           "rules": [{"format": "2:4", **rule}]}, file)
            self.refused(text, Plan.read, self.at("bad.json"))
        # A format that compress does not know is its own error.
        self.refused("expected a format: N:M with M at most 16", compress_model, self.model,
                     Plan([{"layers": "ffn", "format": "5:3"}]), self.windows, output)
        # NaN in the weights.
        dense = open_weights(self.model).bits("blk.0.ffn_up.weight")
        broken = self.at("broken")
        shutil.copytree(self.model, broken)
        raw = dense.tobytes()
        with open(os.path.join(broken, "weights.safetensors"), "r+b") as file:
            file.seek(file.read().index(raw))
            file.write(np.array([np.nan], np.float16).tobytes())
        self.refused("NaN", compress_model, broken,
                     Plan([{"layers": "ffn", "format": "2:4"}]), self.windows, output)
        self.assertFalse(os.path.exists(output))
        # Fewer inputs than columns: singular moments, which damping mends.
        report = compress_model(self.model, Plan([{"match": r"blk\.0\.ffn_up",
                                                   "format": "int8"}]),
                                self.windows[:1, :2], self.at("few"))
        self.assertTrue(all(np.isfinite(entry["output_error"])
                            for entry in report["matrices"]))


if __name__ == "__main__":
    unittest.main()
