# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Encoders: a random BERT of two layers, imported, planned and compressed."""

import contextlib
import io
import json
import math
import os
import sys
import tempfile
import unittest

import numpy as np

import sparseflow as sf
from sparseflow import generate, perplexity
from sparseflow.model import Model, import_model
from sparseflow.model.__main__ import main
from sparseflow.model.geometry import Geometry
from sparseflow.model.compression.planner import Budget
from sparseflow.model.compression.stream import cosines, distance

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import tiny_models as tiny  # noqa: E402

tiny.share_programs()
HIDDEN, HEADS, INNER, WORDS, LAYERS, POSITIONS = 48, 4, 72, 61, 2, 20
CONFIG = {"architectures": ["BertModel"], "hidden_size": HIDDEN, "num_hidden_layers": LAYERS,
          "num_attention_heads": HEADS, "intermediate_size": INNER, "vocab_size": WORDS,
          "max_position_embeddings": POSITIONS, "layer_norm_eps": 1e-12,
          "hidden_act": "gelu", "position_embedding_type": "absolute"}


def random_weights(seed):
    """Values that f16 holds, by names of Hugging Face files."""
    random = np.random.default_rng(seed)

    def normal(*shape, scale=1.0, mean=0.0):
        return (random.normal(size=shape) * scale + mean).astype("f2").astype("f4")
    result = {"embeddings.word_embeddings.weight": normal(WORDS, HIDDEN),
              "embeddings.position_embeddings.weight": normal(POSITIONS, HIDDEN, scale=.5),
              "embeddings.token_type_embeddings.weight": normal(2, HIDDEN, scale=.5),
              "pooler.dense.weight": normal(HIDDEN, HIDDEN),
              "pooler.dense.bias": normal(HIDDEN)}
    norms = ["embeddings.LayerNorm"]
    for layer in range(LAYERS):
        p = f"encoder.layer.{layer}."
        norms += [p + "attention.output.LayerNorm", p + "output.LayerNorm"]
        for name, n, k in (("attention.self.query", HIDDEN, HIDDEN),
                           ("attention.self.key", HIDDEN, HIDDEN),
                           ("attention.self.value", HIDDEN, HIDDEN),
                           ("attention.output.dense", HIDDEN, HIDDEN),
                           ("intermediate.dense", INNER, HIDDEN),
                           ("output.dense", HIDDEN, INNER)):
            result[f"{p}{name}.weight"] = normal(n, k, scale=1.2 / math.sqrt(k))
            result[f"{p}{name}.bias"] = normal(n, scale=.3)
    for name in norms:
        result[name + ".weight"] = normal(HIDDEN, scale=.2, mean=1)
        result[name + ".bias"] = normal(HIDDEN, scale=.3)
    return result


def as_roberta(weights, pad):
    """The same model as a RoBERTa has it: positions behind the padding token's, one type of
    segments, and names of a model that guesses words."""
    result = dict(weights)
    places = "embeddings.position_embeddings.weight"
    result[places] = np.concatenate([np.full((pad + 1, HIDDEN), 9, "f4"), weights[places]])
    types = "embeddings.token_type_embeddings.weight"
    result[types] = weights[types][:1]
    result = {"roberta." + name: value for name, value in result.items()
              if not name.startswith("pooler.")}
    return {**result, "lm_head.dense.weight": np.ones((HIDDEN, HIDDEN), "f4"),
            "lm_head.bias": np.ones(WORDS, "f4")}


DISTILBERT = {"attention.self.query": "attention.q_lin", "attention.self.key": "attention.k_lin",
              "attention.self.value": "attention.v_lin",
              "attention.output.dense": "attention.out_lin",
              "attention.output.LayerNorm": "sa_layer_norm", "intermediate.dense": "ffn.lin1",
              "output.dense": "ffn.lin2", "output.LayerNorm": "output_layer_norm"}


def as_distilbert(weights):
    """The same model, whose types of segments have to be 0, as a DistilBERT has it."""
    result = {}
    for name, value in weights.items():
        if name.startswith("embeddings.") and "token_type" not in name:
            result[name] = value
        elif name.startswith("encoder."):
            _, _, layer, rest = name.split(".", 3)
            stem, end = rest.rsplit(".", 1)
            result[f"transformer.layer.{layer}.{DISTILBERT[stem]}.{end}"] = value
    return result


MPNET = {"attention.self.query": "attention.attn.q", "attention.self.key": "attention.attn.k",
         "attention.self.value": "attention.attn.v", "attention.output.dense": "attention.attn.o",
         "attention.output.LayerNorm": "attention.LayerNorm"}
# The distances with which the next bucket begins.
EDGES = [1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 23, 32, 46, 64, 91]


def as_mpnet(weights, buckets):
    """The same model, whose types of segments have to be 0, with numbers for distances."""
    places = "embeddings.position_embeddings.weight"
    result = {"encoder.relative_attention_bias.weight": buckets}
    for name, value in weights.items():
        if name == places:
            value = np.concatenate([np.full((2, HIDDEN), 9, "f4"), value])
        elif name.startswith("encoder."):
            _, _, layer, rest = name.split(".", 3)
            stem, end = rest.rsplit(".", 1)
            name = f"encoder.layer.{layer}.{MPNET.get(stem, stem)}.{end}"
        if "token_type" not in name:
            result[name] = value
    return result


def embedding(weights, tokens, pooled=slice(None), relu=False, largest=False, buckets=None):
    """Of one text, in float64: the mean of the `pooled` tokens, or their `largest` numbers, of
    length 1. `buckets`: what distances add to scores."""
    w = {name: value.astype(np.float64) for name, value in weights.items()}
    erf = np.vectorize(math.erf)

    def norm(x, name):
        x = x - x.mean(-1, keepdims=True)
        scale = 1 / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-12)
        return x * scale * w[name + ".weight"] + w[name + ".bias"]

    def linear(x, name):
        return x @ w[name + ".weight"].T + w[name + ".bias"]
    count = len(tokens)
    x = norm(w["embeddings.word_embeddings.weight"][np.asarray(tokens)]
             + w["embeddings.position_embeddings.weight"][:count]
             + w["embeddings.token_type_embeddings.weight"][0], "embeddings.LayerNorm")
    for layer in range(LAYERS):
        p = f"encoder.layer.{layer}."
        q, k, v = (linear(x, f"{p}attention.self.{name}").reshape(count, HEADS, -1)
                   for name in ("query", "key", "value"))
        scores = np.einsum("qhd,khd->hqk", q, k) / math.sqrt(HIDDEN // HEADS)
        if buckets is not None:
            ahead = np.arange(count) - np.arange(count)[:, None]
            number = np.searchsorted(EDGES, np.abs(ahead), "right") + 16 * (ahead > 0)
            scores += buckets.astype(np.float64)[number].transpose(2, 0, 1)
        shares = np.exp(scores)
        shares /= shares.sum(-1, keepdims=True)
        y = np.einsum("hqk,khd->qhd", shares, v).reshape(count, -1)
        x = norm(x + linear(y, p + "attention.output.dense"), p + "attention.output.LayerNorm")
        h = linear(x, p + "intermediate.dense")
        h = np.maximum(h, 0) if relu else h / 2 * (1 + erf(h / math.sqrt(2)))
        x = norm(x + linear(h, p + "output.dense"), p + "output.LayerNorm")
    y = x.max(0) if largest else x[pooled].mean(0)
    return y / np.linalg.norm(y)


class TestEncoder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.weights = random_weights(5)
        cls.source, cls.made = (os.path.join(cls.folder.name, name)
                                for name in ("checkpoint", "model"))
        tiny.write_folder(cls.source, cls.weights, CONFIG)
        cls.geometry = import_model(cls.source, cls.made)
        cls.model = Model(cls.made)
        cls.tokens = [int(t) for t in np.random.default_rng(6).integers(0, WORDS, 400)]

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def refused(self, text, call, *arguments, **named):
        with self.assertRaises(sf.Error) as caught:
            call(*arguments, **named)
        self.assertIn(text, str(caught.exception))

    def test_texts_of_different_lengths(self):
        lengths = [13, 1, 7]
        # What stands behind a text is read, and must not count.
        texts = np.array(self.tokens[:39], np.int32).reshape(3, 13)
        found = self.model.embed(texts, lengths)
        self.assertEqual((found.shape, found.dtype), ((3, HIDDEN), np.float32))
        exact = np.array([embedding(self.weights, text[:length])
                          for text, length in zip(texts, lengths)])
        # Each of some thirty roundings to f16 is at most 2^-11 of a value.
        np.testing.assert_allclose(found, exact, atol=2e-3)
        np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1, rtol=1e-5)
        np.testing.assert_allclose(self.model.embed(texts[0]), found[:1], atol=1e-3)

    def test_one_text_in_the_simulator(self):
        text = self.tokens[:5]
        found = Model(self.made, "sim").embed(text)[0]
        np.testing.assert_allclose(found, embedding(self.weights, text), atol=2e-3)

    def pooled(self, name, modules=None, **modes):
        """A folder of sentence-transformers with these modules, by type and path."""
        folder = self.path(name)
        tiny.write_folder(folder, self.weights, CONFIG)
        if modules is not None:
            with open(os.path.join(folder, "modules.json"), "w", encoding="utf-8") as file:
                json.dump([{"idx": index, "name": str(index), "path": path,
                            "type": f"sentence_transformers.models.{kind}"}
                           for index, (kind, path) in enumerate(modules)], file)
        for path in ("1_Pooling", "pool"):
            os.mkdir(os.path.join(folder, path))
            with open(os.path.join(folder, path, "config.json"), "w",
                      encoding="utf-8") as file:
                # What is not listed is not read.
                json.dump(modes if path == "pool" or modules is None else {}, file)
        return folder

    def test_the_first_token(self):
        source = self.pooled("first", [("Transformer", ""), ("Pooling", "pool"),
                                       ("Normalize", "2_Normalize")],
                             pooling_mode_cls_token=True, pooling_mode_mean_tokens=False)
        made = self.path("of_first")
        self.assertEqual(import_model(source, made).pooling, "first")
        texts = np.array(self.tokens[:16], np.int32).reshape(2, 8)
        exact = np.array([embedding(self.weights, text[:length], pooled=slice(1))
                          for text, length in zip(texts, (8, 3))])
        for device in ("cpu", "sim"):
            with self.subTest(device):
                np.testing.assert_allclose(Model(made, device).embed(texts, [8, 3]), exact,
                                           atol=2e-3)

    def test_the_largest_of_each_feature(self):
        source = self.pooled("largest", pooling_mode_max_tokens=True)
        made = self.path("of_largest")
        self.assertEqual(import_model(source, made).pooling, "max")
        texts = np.array(self.tokens[:16], np.int32).reshape(2, 8)
        # Of a text of one token, and of one behind which others stand.
        for device in ("cpu", "sim"):
            model = Model(made, device)
            for lengths in ((8, 3), (1, 5)):
                exact = np.array([embedding(self.weights, text[:length], largest=True)
                                  for text, length in zip(texts, lengths)])
                with self.subTest(device, lengths=lengths):
                    np.testing.assert_allclose(model.embed(texts, lengths), exact, atol=2e-3)

    def test_a_roberta(self):
        text, plain = self.tokens[:11], CONFIG
        for number, (pad, said) in enumerate(((1, {}), (1, {"pad_token_id": 1}),
                                              (0, {"pad_token_id": 0}), (3, {"pad_token_id": 3}))):
            with self.subTest(pad=pad, said=said):
                members = {**plain, "max_position_embeddings": POSITIONS + pad + 1, **said,
                           "architectures": ["XLMRobertaModel" if number else "RobertaForMaskedLM"]}
                folder, made = self.path(f"roberta{number}"), self.path(f"of_roberta{number}")
                tiny.write_folder(folder, as_roberta(self.weights, pad), members)
                geometry = import_model(folder, made)
                self.assertEqual((geometry.family, geometry.positions), ("roberta", POSITIONS))
                np.testing.assert_allclose(Model(made).embed(text)[0],
                                           embedding(self.weights, text), atol=2e-3)
        # Shorter than all: the first rows are still the padding's.
        import_model(folder, self.path("short"), positions=11)
        np.testing.assert_allclose(Model(self.path("short")).embed(text)[0],
                                   embedding(self.weights, text), atol=2e-3)
        for text, changes in (
                ("geometry: positions: expected a positive number, found 0",
                 {"max_position_embeddings": 4}),
                ("expected the shape [24, 48] by the config, found [20, 48]",
                 {"max_position_embeddings": 28}),
                ("'pad_token_id': expected a number", {"pad_token_id": -1}),
                ("'position_embedding_type': expected 'absolute', found 'relative_key', which "
                 "the family roberta does", {"position_embedding_type": "relative_key"})):
            folder = self.path("roberta_" + next(iter(changes)) + str(len(text)))
            tiny.write_folder(folder, as_roberta(self.weights, 3), {**members, **changes})
            self.refused(text, import_model, folder, self.path("none"))

    def test_a_distilbert(self):
        types = "embeddings.token_type_embeddings.weight"
        weights = {**self.weights, types: np.zeros((1, HIDDEN), "f4")}
        members = {"architectures": ["DistilBertModel"], "dim": HIDDEN, "n_layers": LAYERS,
                   "n_heads": HEADS, "hidden_dim": INNER, "vocab_size": WORDS,
                   "max_position_embeddings": POSITIONS}
        bare = as_distilbert(weights)
        longer = {**{"distilbert." + name: value for name, value in bare.items()},
                  "vocab_transform.weight": np.ones((HIDDEN, HIDDEN), "f4")}
        text = self.tokens[:11]
        for name, held, activation in (("bare", bare, "gelu"), ("longer", longer, "relu")):
            with self.subTest(name):
                folder, made = self.path("distilbert_" + name), self.path("of_distil_" + name)
                tiny.write_folder(folder, held, {**members, "activation": activation})
                self.assertEqual(import_model(folder, made).family, "distilbert")
                exact = embedding(weights, text, relu=activation == "relu")
                np.testing.assert_allclose(Model(made).embed(text)[0], exact, atol=2e-3)
        folder = self.path("distilbert_more")
        tiny.write_folder(folder, {**bare, "classifier.weight": np.ones((2, HIDDEN), "f4")},
                          members)
        self.refused("'classifier.weight' is no part of the family distilbert", import_model,
                     folder, self.path("none"))

    def test_an_mpnet(self):
        random = np.random.default_rng(8)
        places, types = (f"embeddings.{name}_embeddings.weight" for name in
                         ("position", "token_type"))
        weights = {**self.weights, types: np.zeros((1, HIDDEN), "f4"),
                   places: random.normal(size=(150, HIDDEN)).astype("f2").astype("f4")}
        buckets = (2 * random.normal(size=(32, HEADS))).astype("f2").astype("f4")
        members = {**CONFIG, "architectures": ["MPNetForMaskedLM"], "pad_token_id": 0,
                   "max_position_embeddings": 152, "relative_attention_num_buckets": 32}
        held, folder, made = as_mpnet(weights, buckets), self.path("mpnet"), self.path("of_mpnet")
        tiny.write_folder(folder, {**{"mpnet." + name: held[name] for name in held},
                                   "lm_head.bias": np.ones(WORDS, "f4")}, members)
        geometry = import_model(folder, made)
        self.assertEqual((geometry.family, geometry.positions, geometry.distances),
                         ("mpnet", 150, True))
        # Far enough for the last bucket of both sides.
        texts = np.array(self.tokens[:300], np.int32).reshape(2, 150)
        exact = np.array([embedding(weights, text[:length], buckets=buckets)
                          for text, length in zip(texts, (150, 31))])
        np.testing.assert_allclose(Model(made).embed(texts, [150, 31]), exact, atol=2e-3)
        self.assertGreater(np.abs(exact[0] - embedding(weights, texts[0])).max(), 0.02)
        # Cut, the numbers of the nearer distances are the same; and by kernels.
        import_model(folder, self.path("cut"), positions=15)
        for device in ("cpu", "sim"):
            np.testing.assert_allclose(
                Model(self.path("cut"), device).embed(texts[:, :15], [15, 4]),
                [embedding(weights, text[:length], buckets=buckets)
                 for text, length in zip(texts, (15, 4))], atol=2e-3)
        for number, (text, changed, changes) in enumerate((
                ("'relative_attention_num_buckets': expected 32, found 16", held,
                 {"relative_attention_num_buckets": 16}),
                ("'encoder.relative_attention_bias.weight': expected the shape [4, 2, 150] by "
                 "the config, found [31, 4]",
                 {**held, "encoder.relative_attention_bias.weight": buckets[:31]}, {}),
                ("no tensor 'encoder.relative_attention_bias.weight'",
                 {name: value for name, value in held.items() if "relative" not in name}, {}))):
            tiny.write_folder(self.path(f"mpnet{number}"), changed, {**members, **changes})
            self.refused(text, import_model, self.path(f"mpnet{number}"), self.path("none"))
        self.refused("distances: expected an encoder", Geometry, "llama", 1, 8, 1, 1, 8, 8, 8, 8,
                     1e-5, distances=True)

    def test_modules(self):
        model, pool = ("Transformer", ""), ("Pooling", "pool")
        for name, modules, mode, text in (
                ("dense", [model, pool, ("Dense", "2_Dense"), ("Normalize", "")], "mean_tokens",
                 "'sentence_transformers.models.Dense' in '2_Dense', which"),
                ("order", [pool, model], "mean_tokens", "in this order, found "),
                ("last", [model, pool], "lasttoken", "found pooling_mode_lasttoken, which"),
                ("unlisted", None, "weightedmean_tokens", "pooling_mode_weightedmean_tokens"),
                ("empty", [model, pool], "", "found none")):
            with self.subTest(name):
                said = {f"pooling_mode_{mode}": True} if mode else {}
                folder = self.pooled("of_" + name, modules, **said)
                self.refused(text, import_model, folder, self.path("none"))
        # Over the root of their number: of length 1 it is the mean.
        folder = self.pooled("root", [model, pool], pooling_mode_mean_sqrt_len_tokens=True)
        self.assertEqual(import_model(folder, self.path("of_root")), self.geometry)
        with open(os.path.join(folder, "modules.json"), "w", encoding="utf-8") as file:
            file.write("{}")
        self.refused("expected a JSON array, found a dict", import_model, folder,
                     self.path("none"))

    def test_another_activation(self):
        tiny.write_folder(self.path("relu"), self.weights, {**CONFIG, "hidden_act": "relu"})
        import_model(self.path("relu"), self.path("of_relu"))
        text = self.tokens[:9]
        np.testing.assert_allclose(Model(self.path("of_relu")).embed(text)[0],
                                   embedding(self.weights, text, relu=True), atol=2e-3)
        tiny.write_folder(self.path("mish"), self.weights, {**CONFIG, "hidden_act": "mish"})
        self.refused("'hidden_act': expected one of silu, ", import_model, self.path("mish"),
                     self.path("none"))

    def test_types_of_segments(self):
        for shape in ((2, 1), (0, HIDDEN), (HIDDEN,)):
            weights = {**self.weights, "embeddings.token_type_embeddings.weight":
                       np.ones(shape, "f4")}
            folder = self.path("types_" + "_".join(map(str, shape)))
            tiny.write_folder(folder, weights, CONFIG)
            self.refused(f"expected rows of 48 numbers, found {list(shape)}", import_model,
                         folder, self.path("none"))

    def test_plan_and_compress(self):
        tiny.require_openblas()
        tokens = ",".join(map(str, self.tokens[:320]))
        given = ["--tokens", tokens, "--window", "16"]
        plan, output = self.path("plan.json"), self.path("compressed")
        self.assertEqual(main(["plan", self.made, "--budget", "cosine=0.99", "--formats",
                               "int4,int8", "--sample", "4", *given, "-o", plan]), 0)
        with open(plan, encoding="utf-8") as file:
            self.assertIn("of the cosine for", json.load(file)["rules"][0]["reason"])
        self.assertEqual(main(["compress", self.made, "--plan", plan, *given,
                               "--text-tokens", ",".join(map(str, self.tokens[320:])), "-o",
                               output]), 0)
        with open(os.path.join(output, "report.json"), encoding="utf-8") as file:
            report = json.load(file)
        self.assertEqual(report["cosine"]["texts"], 5)
        self.assertGreater(report["cosine"]["mean"], 0.98)
        self.assertLess(report["bytes"], 0.6 * report["dense_bytes"])
        # Of 320 tokens: too few for matrices of 48 and 72 columns to aim at more.
        self.assertEqual({entry["near"] for entry in report["matrices"]}, {"own"})
        texts = np.array(self.tokens[320:], np.int32).reshape(5, 16)
        compressed = Model(output).embed(texts)
        found = cosines([self.model.embed(texts)], [compressed])
        # Full windows, and the embeddings of the folder as it was written.
        self.assertAlmostEqual(found.mean(), report["cosine"]["mean"], places=4)
        self.assertEqual(main(["unpack", output, "-o", self.path("dense")]), 0)
        np.testing.assert_array_equal(Model(self.path("dense")).embed(texts), compressed)

    def test_cosines(self):
        x, y = np.eye(3, dtype="f4")[:2], np.array([[1, 0, 0], [0, .6, .8]], "f4")
        np.testing.assert_allclose(cosines([x], [y[:1], y[1:]]), [1, .6], rtol=1e-6)
        self.assertAlmostEqual(distance([x], [y]), 0.2, places=6)
        self.assertEqual(Budget.parse("cosine=0.75"), Budget("cosine", 0.25))

    def test_what_is_refused(self):
        self.refused("is an encoder, which embeds texts", self.model.forward, [[1]],
                     self.model.cache())
        self.refused("is an encoder, which embeds texts", self.model.generate, [1], 64)
        for command in (generate, perplexity):
            with contextlib.redirect_stderr(io.StringIO()) as lines:
                self.assertEqual(command.main([self.made, "--tokens", "1,2"]), 1)
            self.assertIn("is an encoder, which embeds texts", lines.getvalue())
        self.refused("expected at most 20 tokens", self.model.embed, [[1] * 21])
        self.refused("expected the lengths of 1 texts, 1 to 2, found [3]", self.model.embed,
                     [[1, 2]], [3])
        self.refused("expected tokens of 0 to 60", self.model.embed, [[61]])
        self.refused("embedded positions and no window", Geometry, "bert", 1, 8, 1, 1, 8, 8,
                     8, 8, 1e-5, encoder=True)
        for budget, text in (("perplexity=+5%", "expected cosine=0.99, as the model is an"),
                             ("cosine=1", "expected perplexity=+5%, cosine=0.99")):
            with contextlib.redirect_stderr(io.StringIO()) as lines:
                self.assertEqual(main(["plan", self.made, "--budget", budget, "--tokens",
                                       "1,2,3,4", "--window", "4", "-o",
                                       self.path("none.json")]), 1)
            self.assertIn(text, lines.getvalue())


if __name__ == "__main__":
    unittest.main()
