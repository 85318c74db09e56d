# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""BitNet checkpoints and ternary GGUF files: they are imported as they are, in trits."""

import contextlib
import io
import json
import os
import shutil
import unittest
from unittest import mock

import numpy as np

import sparseflow as sf
from sparseflow.model import Model, import_model
from sparseflow.model.__main__ import main
from sparseflow.model.packed import program_of_folder
from sparseflow.packing import Container
from support import FolderTest
import tiny_models as tiny

tiny.share_programs()
TOKENS = [5, 96, 0, 17, 33, 2, 80]
TERNARY, Q2_0 = {"TQ1_0": 34, "TQ2_0": 35}, 42
# Sizes that are multiples of GGML's blocks.
SIZES = {"HIDDEN": 256, "HEADS": 4, "KEY_HEADS": 2, "SIZE": 64, "INNER": 512}


def is_matrix(name):
    return name.endswith("_proj.weight")


def random_trits(seed, scales, **options):
    """Weights of a BitNet, and the trits of its matrices by name; `scales` gives those of
    [N, K] from a random generator."""
    weights = tiny.random_weights(seed, sub_norms=True, tied=True, **options)
    random, trits = np.random.default_rng(seed), {}
    for name in filter(is_matrix, list(weights)):
        shape = weights[name].shape
        trits[name] = random.integers(-1, 2, shape, np.int8)
        factor = scales(random, *shape)
        weights[name] = trits[name] * np.repeat(factor, shape[1] // factor.shape[1], 1)
    return weights, trits


def one_scale(random, n, k):
    """A power of two, so that no type rounds it, near what keeps values near 1."""
    return np.full((n, 1), 2.0 ** -int(np.log2(k) / 2), np.float32)


def pack_bitnet(trits):
    """Rows in quarters, two bits each."""
    codes = (trits + 1).astype(np.uint8).reshape(4, -1, trits.shape[1])
    return codes[0] | codes[1] << 2 | codes[2] << 4 | codes[3] << 6


def tq2(trits):
    """Blocks of 256 of [N, K], without their scales."""
    codes = (trits + 1).astype(np.uint8).reshape(len(trits), -1, 2, 4, 32)
    return (codes << np.arange(0, 8, 2, dtype=np.uint8)[:, None]).sum(
        3, dtype=np.uint8).reshape(len(trits), -1, 64)


def tq1(trits):
    blocks = (trits + 1).reshape(len(trits), -1, 256)
    parts = ((blocks[..., :160], 32), (blocks[..., 160:240], 16), (blocks[..., 240:], 4))
    made = []
    for part, count in parts:
        digits = part.reshape(*part.shape[:2], -1, count).astype(int)
        value = sum(digits[..., i, :] * 3 ** (4 - i) for i in range(digits.shape[2]))
        made.append(-(-value * 256 // 243))
    return np.concatenate(made, -1).astype(np.uint8)


def q2(trits, columns):
    codes = (trits + 1).astype(np.uint8).reshape(len(trits), -1, columns // 4, 4)
    return (codes << np.arange(0, 8, 2, dtype=np.uint8)).sum(-1, dtype=np.uint8)


class BitNetTest(FolderTest):

    def check(self, weights):
        """The model in the folder "m" computes what `weights` do."""
        model = Model(self.path("m"))
        found = model.forward([TOKENS], model.cache(), last=False)[0]
        exact, plain = (tiny.Reference(weights, rounded, activation="relu2").logits(TOKENS)
                        for rounded in ("", "f16"))
        bound = np.linalg.norm(plain - exact)
        self.assertGreater(bound, 0)
        self.assertLess(np.linalg.norm(found - exact), 2 * bound)

    def remove(self, *names):
        for name in names:
            path = self.path(name)
            if os.path.isdir(path):
                shutil.rmtree(path)
            else:
                os.unlink(path)

    def stored(self, name):
        with Container(self.path("m/weights.sfpk")) as file:
            return file[name]


class TestCheckpoints(BitNetTest):

    def write(self, weights, trits=None, scale=None, rest=None, **quantization):
        """A Hugging Face folder; `scale`: of the file, beside packed trits."""
        members = tiny.config(
            architectures=["BitNetForCausalLM"], model_type="bitnet", hidden_act="relu2",
            tie_word_embeddings=True,
            quantization_config={"quant_method": "bitnet", **quantization})
        folder = self.path("hf")
        os.makedirs(folder)
        with open(os.path.join(folder, "config.json"), "w", encoding="utf-8") as file:
            json.dump(members, file)
        tensors = {name: value.astype("f2") for name, value in weights.items()}
        for name, codes in (trits or {}).items():
            tensors[name] = codes
            tensors[name + "_scale"] = np.asarray([scale(name)], np.float32)
        sf.save_safetensors(os.path.join(folder, "model.safetensors"),
                            {**tensors, **(rest or {})})
        return folder

    def test_packed_matrices_stay_trits(self):
        for kind in ("autobitlinear", "bitlinear"):
            weights, trits = random_trits(1, one_scale)
            factor = lambda name: np.abs(weights[name]).max()
            given = factor if kind == "autobitlinear" else lambda name: 1 / factor(name)
            with self.subTest(kind=kind):
                hf = self.write(weights, {name: pack_bitnet(value) for name, value
                                          in trits.items()}, given, linear_class=kind)
                geometry = import_model(hf, self.path("m"))
                self.assertEqual((geometry.family, geometry.activation, geometry.tied),
                                 ("bitnet", "relu2", True))
                self.assertEqual(sorted(os.listdir(self.path("m"))),
                                 ["model.json", "program.mlir", "weights.sfpk"])
                found = self.stored("blk.1.ffn_down.weight")
                name = "model.layers.1.mlp.down_proj.weight"
                self.assertEqual((found.scale, found.scale_dtype, found.dtype),
                                 ("row", "f32", "f16"))
                np.testing.assert_array_equal(found.unpack()[0][0], trits[name])
                np.testing.assert_array_equal(found.values(), weights[name])
                self.check(weights)
                program = program_of_folder(self.path("m"))
                self.assertEqual(program.count(
                    "f16, #sparseflow.ternary<codes, scale = row : f32>>"),
                    program.count("#sparseflow.ternary"))
                # Queries, keys and values are one matrix.
                self.assertIn("attn_qkv", program)
            self.remove("hf", "m")

    def test_master_weights_are_rounded_as_the_model_does(self):
        weights = tiny.random_weights(3, sub_norms=True, tied=True)
        hf = self.write(weights, quantization_mode="online", linear_class="autobitlinear")
        import_model(hf, self.path("m"))
        for name in filter(is_matrix, list(weights)):
            mean = np.abs(weights[name].astype(np.float64)).mean()
            weights[name] = np.clip(np.rint(weights[name] / mean), -1, 1) * mean
        name = "model.layers.0.self_attn.v_proj.weight"
        np.testing.assert_allclose(self.stored("blk.0.attn_v.weight").values(),
                                   weights[name], rtol=1e-6)
        self.check(weights)

    def test_refusals(self):
        weights, trits = random_trits(1, one_scale)
        name = "model.layers.1.self_attn.k_proj.weight"
        packed = {each: pack_bitnet(value) for each, value in trits.items()}
        broken = {**packed, name: packed[name] | np.uint8(3)}
        ones = lambda name: 1
        half = np.ones(2, np.float32)
        for text, changes in (
                ("'linear_class': expected 'bitlinear' or 'autobitlinear', found 'new'",
                 {"linear_class": "new"}),
                ("'modules_to_not_convert': expected a list of names, found 'lm_head'",
                 {"modules_to_not_convert": "lm_head"}),
                ("'quantization_mode': expected 'offline' or 'online', found 1",
                 {"quantization_mode": 1}),
                ("'use_rms_norm': expected False, found True", {"use_rms_norm": True}),
                ("expected none, or one whose quant_method is 'bitnet', found 'gptq'",
                 {"quant_method": "gptq"}),
                ("k_proj.weight', row 0, column 0: expected the code of a trit",
                 {"trits": broken}),
                ("weight'_scale: expected a finite scale other than 0, found 0.0",
                 {"scale": lambda name: 0}),
                ("weight'_scale: expected one scale, found .2.",
                 {"rest": {name + "_scale": half}}),
                ("there is no tensor 'model.layers.0.mlp.ffn_sub_norm.weight'",
                 {"without": "ffn_sub_norm"}),
                ("other.weight' is no part of the family bitnet",
                 {"rest": {"other.weight": half}})):
            with self.subTest(text=text):
                changes = {"trits": packed, "scale": ones, **changes}
                without = changes.pop("without", "nothing")
                hf = self.write({each: value for each, value in weights.items()
                                 if without not in each}, **changes)
                with self.assertRaisesRegex(sf.Error, text):
                    import_model(hf, self.path("m"))
                self.assertEqual(os.listdir(self.folder), ["hf"])
                self.remove("hf")

    def test_a_llama_may_be_quantized_so(self):
        """Without norms that a BitNet has, and with a head of its own."""
        weights, trits = random_trits(4, one_scale)
        weights = {name: value for name, value in weights.items()
                   if "sub_norm" not in name}
        random = np.random.default_rng(5)
        weights["lm_head.weight"] = random.normal(size=(tiny.WORDS, tiny.HIDDEN)) * 0.2
        hf = self.write(weights, {name: pack_bitnet(value) for name, value in trits.items()},
                        lambda name: np.abs(weights[name]).max(),
                        linear_class="autobitlinear")
        with open(os.path.join(hf, "config.json"), "r+", encoding="utf-8") as file:
            members = {**json.load(file), "architectures": ["LlamaForCausalLM"],
                       "tie_word_embeddings": False}
            file.seek(0)
            json.dump(members, file)
            file.truncate()
        geometry = import_model(hf, self.path("m"))
        self.assertEqual((geometry.family, geometry.tied), ("llama", False))
        np.testing.assert_array_equal(self.stored("blk.0.attn_q.weight").values(),
                                      weights["model.layers.0.self_attn.q_proj.weight"])
        np.testing.assert_array_equal(self.stored("output.weight"),
                                      weights["lm_head.weight"].astype("f2"))


@mock.patch.multiple(tiny, **SIZES)
class TestGguf(BitNetTest):

    def metadata(self, **changes):
        members = tiny.gguf_metadata()
        return {"general.architecture": "bitnet", "bitnet.rope.scaling.type": "linear",
                "bitnet.rope.scaling.factor": 1.0, "bitnet.hidden_activation": "relu2",
                **{key.replace("llama", "bitnet"): value for key, value in members.items()
                   if key != "general.architecture"}, **changes}

    def tensors(self, weights, encode):
        """`encode` gives type and bytes of a matrix by our name and its trits' name."""
        names = {**tiny._GGUF_NAMES, "self_attn.attn_sub_norm": "attn_sub_norm",
                 "mlp.ffn_sub_norm": "ffn_sub_norm"}
        result = {}
        for name, value in weights.items():
            ours = {"model.embed_tokens.weight": "token_embd.weight",
                    "model.norm.weight": "output_norm.weight"}.get(name)
            if ours is None:
                _, _, layer, rest = name.split(".", 3)
                ours = f"blk.{layer}.{names[rest[:-7]]}.weight"
            if is_matrix(name):
                kind, data = encode(name)
            else:
                kind, data = (0, value.astype("f4")) if value.ndim == 1 else \
                    (1, value.astype("f2"))
            result[ours] = (kind, list(value.shape), data.tobytes())
        return result

    @staticmethod
    def with_scales(blocks, weights, trits, columns, first=False):
        """Blocks [N, groups, bytes] with the scale of each, from where it has a trit."""
        groups = np.abs(weights.reshape(*blocks.shape[:2], columns)).max(-1)
        assert (np.abs(trits.reshape(*blocks.shape[:2], columns)).max(-1) == 1).all()
        scales = groups.astype(np.float16)[..., None].view(np.uint8)
        return np.concatenate([scales, blocks] if first else [blocks, scales], -1)

    def make(self, encode, scales, seed=1):
        weights, trits = random_trits(seed, scales, inner=SIZES["INNER"])
        tiny.write_gguf(self.path("m.gguf"), self.metadata(), self.tensors(
            weights, lambda name: encode(weights[name], trits[name])))
        import_model(self.path("m.gguf"), self.path("m"))
        return weights

    def test_one_scale_a_row(self):
        """Whatever the blocks are, equal scales of a row are one."""
        encoders = {
            "TQ1_0": lambda w, t: (34, self.with_scales(tq1(t), w, t, 256)),
            "TQ2_0": lambda w, t: (35, self.with_scales(tq2(t), w, t, 256)),
            "Q2_0": lambda w, t: (Q2_0, self.with_scales(q2(t, 64), w, t, 64, True)),
            "older Q2_0": lambda w, t: (Q2_0, self.with_scales(q2(t, 128), w, t, 128, True)),
            "PQ2_0": lambda w, t: (142, self.with_scales(q2(t, 128), w, t, 128, True))}
        for name, encode in encoders.items():
            with self.subTest(name=name):
                weights = self.make(encode, one_scale)
                found = self.stored("blk.0.attn_k.weight")
                self.assertEqual((found.scale, found.scale_dtype), ("row", "f16"))
                np.testing.assert_array_equal(
                    found.values(), weights["model.layers.0.self_attn.k_proj.weight"])
            self.remove("m", "m.gguf")
        # All are the same model.
        weights = self.make(encoders["TQ1_0"], one_scale)
        self.check(weights)

    def test_scales_of_blocks(self):
        for columns, encode in (
                (256, lambda w, t: (35, self.with_scales(tq2(t), w, t, 256))),
                (64, lambda w, t: (Q2_0, self.with_scales(q2(t, 64), w, t, 64, True)))):
            def scales(random, n, k):
                return random.uniform(0.02, 0.2, (n, k // columns)).astype(
                    "f2").astype("f4")
            with self.subTest(columns=columns):
                weights = self.make(encode, scales, 2)
                found = self.stored("blk.1.ffn_down.weight")
                self.assertEqual((found.scale, found.scale_dtype), (columns, "f16"))
                np.testing.assert_array_equal(
                    found.values(), weights["model.layers.1.mlp.down_proj.weight"])
                self.check(weights)
            self.remove("m", "m.gguf")

    def test_a_scale_of_its_own(self):
        """Trits with blocks of scale 1, and the matrix's scale in a tensor."""
        weights, trits = random_trits(6, one_scale, inner=SIZES["INNER"])
        tensors = self.tensors(weights, lambda name: (35, self.with_scales(
            tq2(trits[name]), trits[name].astype("f4"), trits[name], 256)))
        apart = np.float32(0.1)
        for name in list(tensors):
            if tensors[name][0] == 35:
                tensors[name.replace(".weight", ".scale")] = (0, [1], apart.tobytes())
        for name in trits:
            weights[name] = trits[name] * apart
        tiny.write_gguf(self.path("m.gguf"), self.metadata(
            **{"general.architecture": "bitnet-b1.58",
               **{key.replace("bitnet", "bitnet-b1.58"): value
                  for key, value in self.metadata().items() if key[:7] == "bitnet."}}),
            tensors)
        self.assertEqual(import_model(self.path("m.gguf"), self.path("m")).activation,
                         "relu2")
        found = self.stored("blk.0.ffn_up.weight")
        self.assertEqual((found.scale, found.scale_dtype), ("row", "f32"))
        np.testing.assert_array_equal(found.values(),
                                      weights["model.layers.0.mlp.up_proj.weight"])
        self.check(weights)

    def test_an_embedding_of_trits_is_dense(self):
        weights, trits = random_trits(7, one_scale, inner=SIZES["INNER"])
        table = np.random.default_rng(8).integers(-1, 2, (tiny.WORDS, 256), np.int8)
        weights["model.embed_tokens.weight"] = table * np.float32(0.5)
        tensors = self.tensors(weights, lambda name: (35, self.with_scales(
            tq2(trits[name]), weights[name], trits[name], 256)))
        tensors["token_embd.weight"] = (35, list(table.shape), self.with_scales(
            tq2(table), weights["model.embed_tokens.weight"], table, 256).tobytes())
        tiny.write_gguf(self.path("m.gguf"), self.metadata(), tensors)
        import_model(self.path("m.gguf"), self.path("m"))
        np.testing.assert_array_equal(self.stored("token_embd.weight"),
                                      weights["model.embed_tokens.weight"])

    def test_integers_of_32_columns(self):
        """Q4_0 and Q8_0 stay what they are where that is asked for: the same model as
        without, bit by bit."""
        random = np.random.default_rng(9)
        for kind, layout, size in ((2, "int4.v1", 18), (8, "int8.v1", 34)):
            def encode(name):
                blocks = random.integers(0, 256, (weights[name].size // 32, size), np.uint8)
                blocks[blocks == 128] = 0
                blocks[:, :2] = random.uniform(0.001, 0.01, (len(blocks), 1)).astype(
                    "f2").view(np.uint8)
                return kind, blocks
            with self.subTest(layout=layout):
                weights, _ = random_trits(1, one_scale, inner=SIZES["INNER"])
                tiny.write_gguf(self.path("m.gguf"), self.metadata(),
                                self.tensors(weights, encode))
                import_model(self.path("m.gguf"), self.path("m"))
                import_model(self.path("m.gguf"), self.path("packed"), quantized=True)
                self.assertIn("weights.safetensors", os.listdir(self.path("m")))
                with Container(self.path("packed/weights.sfpk")) as file:
                    self.assertEqual(file.layouts(), [layout])
                    found = file["blk.0.attn_v.weight"]
                self.assertEqual((found.scale, found.scale_dtype), (32, "f16"))
                dense, kept = (Model(self.path(name)) for name in ("m", "packed"))
                np.testing.assert_array_equal(
                    found.values().astype("f2"), dense.layer_weights(0)["attn_v.weight"])
                np.testing.assert_array_equal(*(
                    model.forward([TOKENS], model.cache(), last=False)
                    for model in (dense, kept)))
                self.assertIn(f"quantized<{layout[:4]}, scale = 32 : f16>",
                              program_of_folder(self.path("packed")))
            self.remove("m", "packed", "m.gguf")

    def test_what_quantized_does_not_keep(self):
        """A matrix in another type is dense, and that is said."""
        weights, _ = random_trits(1, one_scale, inner=SIZES["INNER"])
        for text, kinds in (("14 of 14 matrices", ()), ("13 of 14", ("0.mlp.up_proj",)),
                            ("", ("_proj",))):
            def encode(name):
                kept = any(kind in name for kind in kinds)
                return (8, np.zeros(weights[name].size // 32 * 34, np.uint8)) if kept else \
                    (1, weights[name].astype("f2"))
            with self.subTest(text):
                tiny.write_gguf(self.path("m.gguf"), self.metadata(),
                                self.tensors(weights, encode))
                with contextlib.redirect_stderr(io.StringIO()) as said, \
                        contextlib.redirect_stdout(io.StringIO()):
                    self.assertEqual(main(["import", self.path("m.gguf"), "-o",
                                           self.path("m"), "--quantized"]), 0)
                found = [line for line in said.getvalue().splitlines() if "Q8_0" in line]
                self.assertEqual(len(found), bool(text))
                self.assertIn(text, "".join(found))
            self.remove("m", "m.gguf")

    def test_refusals(self):
        weights, trits = random_trits(1, one_scale, inner=SIZES["INNER"])
        encode = lambda name: (35, self.with_scales(tq2(trits[name]), weights[name],
                                                    trits[name], 256))
        tensors = self.tensors(weights, encode)
        kind, shape, data = tensors["blk.0.attn_q.weight"]
        code = b"\xff" + data[1:]
        for text, change, members in (
                ("blk.0.attn_q.weight', row 0, column 0", {"blk.0.attn_q.weight": (
                    kind, shape, code)}, {}),
                ("expected one of .*TQ1_0, TQ2_0, Q2_0.*, found I2_S",
                 {"blk.0.attn_q.weight": (36, shape, data)}, {}),
                ("'bitnet.hidden_activation': expected one of .*, found 'swiglu'", {},
                 {"bitnet.hidden_activation": "swiglu"}),
                (r"'bitnet.hidden_activation': expected one of .*, found \['relu2'\]", {},
                 {"bitnet.hidden_activation": ["relu2"]}),
                (r"tensor 'token_embd.weight': expected rows of 256 numbers, found \[\]",
                 {"token_embd.weight": (0, [], bytes(4))}, {}),
                ("attn_q.scale': expected one finite scale, found .2.",
                 {"blk.0.attn_q.scale": (0, [2], np.ones(2, "f4").tobytes())}, {})):
            with self.subTest(text=text):
                tiny.write_gguf(self.path("bad.gguf"), self.metadata(**members),
                                {**tensors, **change})
                with self.assertRaisesRegex(sf.Error, text):
                    import_model(self.path("bad.gguf"), self.path("m"))
                self.assertEqual(os.listdir(self.folder), ["bad.gguf"])


if __name__ == "__main__":
    unittest.main()
