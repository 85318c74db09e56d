# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reference of model_check.py: a llama of a GGUF file in NumPy."""

import copy

import numpy as np

from gguf_file import Gguf


class Llama:
    """Logits of one text, in float32."""

    def __init__(self, path):
        file = Gguf(path)
        get = lambda key: file.metadata["llama." + key]
        self.heads, self.groups = get("attention.head_count"), get("attention.head_count_kv")
        self.eps, self.layers = get("attention.layer_norm_rms_epsilon"), get("block_count")
        self.base = file.metadata.get("llama.rope.freq_base", 10000.0)
        self.name = file.metadata.get("general.name", "a llama")
        self.half = False
        self.w = {name: file.tensor(name) for name in file.names()}

    def rounded(self):
        """The same model as a program in f16 computes it: matrices, and what is kept
        between operations, are rounded to f16; vectors and sums are in float32."""
        other = copy.copy(self)
        other.half = True
        other.w = {name: other._kept(w) if w.ndim == 2 else w for name, w in self.w.items()}
        return other

    def _kept(self, x):
        return x.astype(np.float16).astype(np.float32) if self.half else x

    def norm(self, x, name):
        return self._kept(x / np.sqrt((x * x).mean(-1, keepdims=True) + self.eps)
                          * self.w[name])

    def rotate(self, x):
        size = x.shape[-1]
        angle = np.outer(np.arange(len(x)), self.base ** (-np.arange(0, size, 2) / size))
        cos, sin = (f(angle)[:, None].astype("f4") for f in (np.cos, np.sin))
        result = np.empty_like(x)
        result[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
        result[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
        return self._kept(result)

    def attention(self, q, k, v):
        y, count = np.empty_like(q), len(q)
        mask = np.where(np.tri(count, dtype=bool), 0, -np.inf).astype("f4")
        for head in range(self.heads):
            group = head * self.groups // self.heads
            s = q[:, head] @ k[:, group].T / np.float32(np.sqrt(q.shape[-1])) + mask
            s = np.exp(s - s.max(-1, keepdims=True))
            y[:, head] = self._kept(s) @ v[:, group] / s.sum(-1, keepdims=True)
        return self._kept(y.reshape(count, -1))

    def logits(self, tokens):
        keep, w = self._kept, lambda name: self.w[name + ".weight"].T
        x, count = self.w["token_embd.weight"][tokens], len(tokens)
        for layer in range(self.layers):
            p = f"blk.{layer}."
            h = self.norm(x, p + "attn_norm.weight")
            q, k, v = (keep(h @ w(p + name)).reshape(count, heads, -1) for name, heads in
                       (("attn_q", self.heads), ("attn_k", self.groups),
                        ("attn_v", self.groups)))
            y = self.attention(self.rotate(q), self.rotate(k), v)
            x = keep(x + y @ w(p + "attn_output"))
            h = self.norm(x, p + "ffn_norm.weight")
            gate = h @ w(p + "ffn_gate")
            gate = keep(gate / (1 + np.exp(-gate)))
            x = keep(x + keep(gate * (h @ w(p + "ffn_up"))) @ w(p + "ffn_down"))
        head = self.w.get("output.weight", self.w["token_embd.weight"])
        return self.norm(x, "output_norm.weight") @ head.T
