# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`sparseflow rotate`: a llama computes the same, by both kinds of names."""

import os
import subprocess
import unittest

import numpy as np

import sparseflow as sf
from support import FolderTest, load_safetensors

WORDS, HIDDEN, HEADS, KEY_HEADS, SIZE, MIDDLE = 30, 36, 4, 2, 12, 40
SHAPES = {"input_layernorm": (HIDDEN,), "post_attention_layernorm": (HIDDEN,),
          "self_attn.q_proj": (HEADS * SIZE, HIDDEN),
          "self_attn.k_proj": (KEY_HEADS * SIZE, HIDDEN),
          "self_attn.v_proj": (KEY_HEADS * SIZE, HIDDEN),
          "self_attn.o_proj": (HIDDEN, HEADS * SIZE),
          "mlp.gate_proj": (MIDDLE, HIDDEN), "mlp.up_proj": (MIDDLE, HIDDEN),
          "mlp.down_proj": (HIDDEN, MIDDLE)}
GGUF = {"input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm",
        "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k",
        "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output",
        "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up",
        "mlp.down_proj": "ffn_down", "model.embed_tokens": "token_embd",
        "model.norm": "output_norm", "lm_head": "output"}


def llama():
    rng = np.random.default_rng(9)
    shapes = {"model.embed_tokens": (WORDS, HIDDEN), "model.norm": (HIDDEN,),
              "lm_head": (WORDS, HIDDEN)}
    for i in range(2):
        shapes.update({f"model.layers.{i}.{name}": s for name, s in SHAPES.items()})
    return {f"{name}.weight": rng.standard_normal(shape).astype(np.float32)
            for name, shape in shapes.items()}


def logits(weights, ids):
    """In float64; positions, which a rotation does not touch, are left out."""
    w = {name: value.astype(float) for name, value in weights.items()}
    norm = lambda x, g: x / np.sqrt((x * x).mean(-1, keepdims=True) + 1e-5) * g
    x = w["model.embed_tokens.weight"][ids]
    for i in range(2):
        get = lambda name: w[f"model.layers.{i}.{name}.weight"]
        h = norm(x, get("input_layernorm"))
        split = lambda name, n: (h @ get(name).T).reshape(-1, n, SIZE).transpose(1, 0, 2)
        q = split("self_attn.q_proj", HEADS)
        k, v = (np.repeat(split(f"self_attn.{name}_proj", KEY_HEADS), HEADS // KEY_HEADS, 0)
                for name in "kv")
        s = q @ k.transpose(0, 2, 1) / 40 + np.triu(np.full((len(ids),) * 2, -np.inf), 1)
        p = np.exp(s - s.max(-1, keepdims=True))
        y = (p / p.sum(-1, keepdims=True) @ v).transpose(1, 0, 2).reshape(len(ids), -1)
        x = x + y @ get("self_attn.o_proj").T
        h = norm(x, get("post_attention_layernorm"))
        gate = h @ get("mlp.gate_proj").T
        x = x + (gate / (1 + np.exp(-gate)) * (h @ get("mlp.up_proj").T)) @ get("mlp.down_proj").T
    return norm(x, w["model.norm.weight"]) @ w["lm_head.weight"].T


def gguf_name(name):
    stem = name.removesuffix(".weight")
    if stem in GGUF:
        return GGUF[stem] + ".weight"
    _, _, layer, rest = stem.split(".", 3)
    return f"blk.{layer}.{GGUF[rest]}.weight"


class Rotation(FolderTest):
    def rotate(self, tensors, *options):
        path = lambda name: os.path.join(self.folder, name)
        sf.save_safetensors(path("in"), tensors)
        done = subprocess.run([sf.find_command(), "rotate", path("in"), "-o", path("out"),
                               *options], capture_output=True, text=True, check=False)
        return done, load_safetensors(path("out")) if done.returncode == 0 else None

    def test_a_rotated_llama_computes_the_same(self):
        weights, ids = llama(), [3, 29, 0, 17, 3]
        before = logits(weights, ids)
        for names in (str, gguf_name):
            done, rotated = self.rotate({names(n): w for n, w in weights.items()},
                                        "--head-size", "12", "--seed", "4")
            self.assertIn("the stream of 36 rotated in blocks of 36, values by heads",
                          done.stdout)
            rotated = {n: rotated[names(n)] for n in weights}
            after = logits(rotated, ids)
            # F32 weights, float64 arithmetic: some roundings of 2^-24 a weight.
            np.testing.assert_allclose(after, before, atol=1e-5 * np.abs(before).max())
            for name, value in rotated.items():
                if "norm" in name:
                    np.testing.assert_array_equal(value, 1)
                else:
                    self.assertGreater(np.abs(value - weights[name]).max(), 0.1)

    def test_what_is_no_llama_is_refused(self):
        weights = llama()
        for change, message in (
                ({"model.layers.0.self_attn.q_proj.bias": np.ones(4, np.float32)},
                 "a llama without biases"),
                ({"lm_head.weight": None}, "a tied embedding has to be stored twice"),
                ({"model.embed_tokens.weight": None}, "found no embedding"),
                ({"model.norm.weight": None}, "expected the norm before it, 'model.norm"),
                ({"model.layers.1.mlp.down_proj.weight": np.ones((35, 40), np.float32)},
                 r"expected 36 numbers of the residual stream, found [35, 40]")):
            tensors = {n: w for n, w in {**weights, **change}.items() if w is not None}
            done, _ = self.rotate(tensors)
            self.assertEqual(done.returncode, 1)
            self.assertIn(message, done.stderr)
            self.assertFalse(os.path.exists(os.path.join(self.folder, "out")))
        done, _ = self.rotate(weights, "--head-size", "7")
        self.assertIn("expected heads of 7 values, found [24, 36]", done.stderr)


if __name__ == "__main__":
    unittest.main()
