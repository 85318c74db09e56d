# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checkpoints that are broken or claim what is not there: each one is an error that names
the file and the field, and nothing is written."""

import json
import os
import shutil
import struct
import unittest

import sparseflow as sf
from sparseflow.model import import_model
from support import FolderTest
import tiny_models as tiny

WEIGHTS = tiny.random_weights()
UP = "model.layers.0.mlp.up_proj.weight"


class RefusalTest(FolderTest):

    def refused(self, text, source, **options):
        before = sorted(os.listdir(self.folder))
        with self.assertRaises(sf.Error) as caught:
            import_model(source, self.path("m"), **options)
        self.assertIn(text, str(caught.exception))
        self.assertTrue(str(caught.exception).startswith(source), caught.exception)
        self.assertEqual(sorted(os.listdir(self.folder)), before)


class TestConfig(RefusalTest):

    def test_values(self):
        endless = float("inf")
        for text, members in (
                ("expected an architecture of BertForMaskedLM, BertModel", {"architectures": 5}),
                ("'hidden_size': expected a number", {"hidden_size": endless}),
                ("'hidden_size': expected a number", {"hidden_size": float("nan")}),
                ("'num_attention_heads': expected a number for the whole model, whole and "
                 "above 0, found 0", {"num_attention_heads": 0, "head_dim": None}),
                ("'vocab_size': expected a number for the whole model, whole", {"vocab_size": -1}),
                ("'head_dim': expected a number for the whole model, whole and above 0, found "
                 "2147483648", {"head_dim": 2 ** 31}),
                ("geometry: head_dim: expected a positive number, found 0",
                 {"head_dim": None, "hidden_size": 4}),
                # Two layers are there: which one is not is said before all are listed.
                ("no tensor 'model.layers.2.input_layernorm.weight'",
                 {"num_hidden_layers": 2 ** 31 - 1}),
                ("at most 16777216 positions, found 2147483647; give --positions",
                 {"max_position_embeddings": 2 ** 31 - 1}),
                ("'rms_norm_eps': expected a number", {"rms_norm_eps": -1}),
                ("'rope_theta': expected a number", {"rope_theta": 0}),
                ("'hidden_act': expected one of", {"hidden_act": ["silu"]}),
                ("'tie_word_embeddings': expected true or false, found 'no'",
                 {"tie_word_embeddings": "no"}),
                ("'use_sliding_window': expected true or false", {"use_sliding_window": 1}),
                ("'max_window_layers': expected a number",
                 {"use_sliding_window": True, "sliding_window": 4, "max_window_layers": "x"}),
                ("'layer_types': expected equal layers", {"layer_types": 2}),
                ("'quantization_config': expected none", {"quantization_config": "awq"}),
                ("'eos_token_id': expected the number of a token", {"eos_token_id": ["</s>"]}),
                ("has no 'factor'", {"rope_scaling": {"type": "linear", "factor": None}}),
                ("'factor': expected a number above 0, found 'x'",
                 {"rope_scaling": {"type": "linear", "factor": "x"}}),
                ("a low_freq_factor below high_freq_factor, found 4 and 4",
                 {"rope_scaling": {"rope_type": "llama3", "factor": 8.0, "low_freq_factor": 4.0,
                                   "high_freq_factor": 4.0,
                                   "original_max_position_embeddings": 16}})):
            with self.subTest(text):
                folder = self.path("hf")
                shutil.rmtree(folder, ignore_errors=True)
                tiny.write_folder(folder, WEIGHTS, tiny.config(**members))
                self.refused(text, folder)

    def test_positions_that_are_asked_for(self):
        folder = self.path("hf")
        tiny.write_folder(folder, WEIGHTS, tiny.config(max_position_embeddings=2 ** 31 - 1))
        self.assertEqual(import_model(folder, self.path("m"), positions=16).positions, 16)

    def test_no_number(self):
        weights = {**WEIGHTS, UP: WEIGHTS[UP].copy()}
        weights[UP][1, 2] = float("nan")
        tiny.write_folder(self.path("hf"), weights, tiny.config())
        for dtype in ("f16", "bf16"):
            self.refused(f"'blk.0.ffn_up.weight': 1 values are not finite in {dtype}, the "
                         "first at [1, 2] (nan); mend the checkpoint", self.path("hf"),
                         dtype=dtype)

    def test_lists_without_end(self):
        folder = self.path("hf")
        tiny.write_folder(folder, WEIGHTS, tiny.config())
        with open(os.path.join(folder, "config.json"), "w", encoding="utf-8") as file:
            file.write("[" * 100000)
        self.refused("config.json: expected a file of JSON", folder)


class TestSafetensors(RefusalTest):

    def test_headers(self):
        folder = self.path("hf")
        tiny.write_folder(folder, WEIGHTS, tiny.config())
        path = os.path.join(folder, "model.safetensors")
        with open(path, "rb") as file:
            data = file.read()
        size = 8 + int.from_bytes(data[:8], "little")
        header = json.loads(data[8:size])
        entry = header[UP]
        fields = "expected a dtype, a shape and two data_offsets, found"
        for text, changed in (
                ("a header that is a JSON object, found a list", []),
                (fields, {**header, UP: None}),
                (fields, {**header, UP: {"dtype": "F16", "shape": [1]}}),
                (fields, {**header, UP: {**entry, "dtype": ["F16"]}}),
                (fields, {**header, UP: {**entry, "shape": [100, "64"]}}),
                (fields, {**header, UP: {**entry, "shape": [-100, -64]}}),
                (fields, {**header, UP: {**entry, "data_offsets": [0]}}),
                (fields, {**header, UP: {**entry, "data_offsets": None}}),
                ("expected [0, 1000000000000000000000] of F16 inside of the file",
                 {**header, UP: {**entry, "shape": [0, 10 ** 21]}})):
            with self.subTest(text):
                head = json.dumps(changed).encode()
                with open(path, "wb") as file:
                    file.write(len(head).to_bytes(8, "little") + head + data[size:])
                self.refused(text, folder)
        with open(path, "wb") as file:
            file.write((100000).to_bytes(8, "little") + b"[" * 100000)
        self.refused("expected a header in JSON", folder)

    def test_index(self):
        folder = self.path("hf")
        tiny.write_folder(folder, WEIGHTS, tiny.config(), shards=2)
        path = os.path.join(folder, "model.safetensors.index.json")
        with open(path, encoding="utf-8") as file:
            index = json.load(file)
        for text, places in (
                ("'weight_map': expected an object, found a list", [1]),
                ("expected plain file names, found 'None'",
                 {**index["weight_map"], UP: None})):
            with self.subTest(text):
                with open(path, "w", encoding="utf-8") as file:
                    json.dump({"weight_map": places}, file)
                self.refused(text, folder)


    def test_an_index_of_shards_that_are_gone(self):
        folder = self.path("hf")
        tiny.write_folder(folder, WEIGHTS, tiny.config())
        with open(os.path.join(folder, "model.safetensors.index.json"), "w",
                  encoding="utf-8") as file:
            json.dump({"weight_map": {UP: "model-00001-of-00002.safetensors"}}, file)
        import_model(folder, self.path("m"))


class TestGguf(RefusalTest):

    def test_metadata(self):
        path, tensors = self.path("m.gguf"), tiny.gguf_tensors(WEIGHTS)
        for text, members in (
                ("'general.alignment': expected a power of two, found 0",
                 {"general.alignment": 0}),
                ("'general.alignment': expected a power of two, found 24",
                 {"general.alignment": 24}),
                ("'general.alignment': expected a whole number, found 'x'",
                 {"general.alignment": "x"}),
                ("'split.count': expected a whole number", {"split.count": [1]}),
                ("'llama.attention.head_count': expected a number",
                 {"llama.attention.head_count": 0}),
                ("'llama.attention.sliding_window': expected a number for the whole model, "
                 "whole and from 0 on, found -1", {"llama.attention.sliding_window": -1}),
                ("'tokenizer.ggml.eos_token_id': expected the number of a token",
                 {"tokenizer.ggml.eos_token_id": "x"})):
            with self.subTest(text):
                tiny.write_gguf(path, tiny.gguf_metadata(**members), tensors)
                self.refused(text, path)

    def test_vocabulary(self):
        path, tensors = self.path("m.gguf"), tiny.gguf_tensors(WEIGHTS)
        words = {"model": "gpt2", "pre": "gpt-2", "tokens": ["a", "b", "ab"],
                 "token_type": [1, 1, 1], "merges": ["a b"]}
        pieces = {**words, "model": "llama", "scores": [0.0, 0.0, -1.0]}
        for text, members in (
                ("'tokenizer.ggml.tokens': expected a list of texts, found 5",
                 {**words, "tokens": 5}),
                ("'tokenizer.ggml.tokens': expected a list of 2 texts, found [1, 2]",
                 {**words, "tokens": [1, 2]}),
                ("'tokenizer.ggml.token_type': expected a list of 3 numbers, found [1]",
                 {**words, "token_type": [1]}),
                ("'tokenizer.ggml.merges': expected a list of texts, found 3",
                 {**words, "merges": 3}),
                ("'tokenizer.ggml.scores': expected a list of 3 numbers, found [0.0]",
                 {**pieces, "scores": [0.0]}),
                ("'tokenizer.ggml.precompiled_charsmap': expected a list of numbers",
                 {**pieces, "precompiled_charsmap": "x"}),
                ("'tokenizer.ggml.unknown_token_id': expected 0 to 2, found 3",
                 {**pieces, "unknown_token_id": 3}),
                ("'bos_token_id': expected 0 to 96, found 97",
                 {**pieces, "bos_token_id": 97})):
            with self.subTest(text):
                tiny.write_gguf(path, tiny.gguf_metadata(**{
                    f"tokenizer.ggml.{key}": value for key, value in members.items()}), tensors)
                self.refused(text, path)

    def test_alignments(self):
        """Data begins at a multiple of what the file says."""
        for alignment in (8, 64):
            path, made = self.path(f"{alignment}.gguf"), self.path(f"of{alignment}")
            tiny.write_gguf(path, tiny.gguf_metadata(**{"general.alignment": alignment}),
                            tiny.gguf_tensors(WEIGHTS), alignment)
            import_model(path, made)
            found = sf.model.weights.open_weights(made).read("token_embd.weight")
            self.assertTrue((found == WEIGHTS["model.embed_tokens.weight"]).all())

    def test_bytes(self):
        path = self.path("m.gguf")
        tiny.write_gguf(path, tiny.gguf_metadata(), tiny.gguf_tensors(WEIGHTS))
        with open(path, "rb") as file:
            data = file.read()
        for text, changed in (
                ("is big-endian", data[:4] + struct.pack(">I", 3) + data[8:]),
                ("'blk.0.ffn_up.weight' is there twice", data.replace(
                    b"blk.1.ffn_up.weight", b"blk.0.ffn_up.weight"))):
            with self.subTest(text):
                with open(path, "wb") as file:
                    file.write(changed)
                self.refused(text, path)


if __name__ == "__main__":
    unittest.main()
