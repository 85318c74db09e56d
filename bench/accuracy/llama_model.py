# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The reference of the accuracy tables: a llama in float32, block by block (torch)."""

import torch
import torch.nn.functional as F


class Llama:
    """The model of a GGUF file. Weights are in `blocks[i][NAME]` and may be replaced.

    `cached`: what attention reads in place of keys (after their positions) and values,
    [windows, heads, length, features].
    """

    ROLES = ("attn_norm", "attn_q", "attn_k", "attn_v", "attn_output",
             "ffn_norm", "ffn_gate", "ffn_up", "ffn_down")

    def __init__(self, gguf, device="cpu"):
        self.cached = lambda x: x
        get = lambda key: gguf.metadata["llama." + key]
        read = lambda name: torch.from_numpy(gguf.tensor(name)).to(device)
        self.heads, self.kv_heads = get("attention.head_count"), get("attention.head_count_kv")
        self.head_size = get("embedding_length") // self.heads
        self.eps = get("attention.layer_norm_rms_epsilon")
        self.base = gguf.metadata.get("llama.rope.freq_base", 10000.0)
        self.embedding = read("token_embd.weight")
        head = "output.weight" if "output.weight" in gguf.names() else "token_embd.weight"
        self.head = read(head)
        self.norm = read("output_norm.weight")
        self.blocks = [{role: read(f"blk.{i}.{role}.weight") for role in self.ROLES}
                       for i in range(get("block_count"))]

    def rms_norm(self, x, weight):
        return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + self.eps) * weight

    def _rope(self, x):
        """Rotates pairs (2i, 2i + 1): the order that GGUF files of llama have."""
        length, size = x.shape[-2:]
        frequency = self.base ** (-torch.arange(0, size, 2, dtype=torch.float64) / size)
        angle = torch.outer(torch.arange(length, dtype=torch.float64), frequency)
        cos, sin = angle.cos().to(x), angle.sin().to(x)
        even, odd = x[..., 0::2], x[..., 1::2]
        return torch.stack([even * cos - odd * sin, even * sin + odd * cos], -1).flatten(-2)

    def attention(self, x, block):
        """The first half of a block, with its residual; x is [windows, length, hidden]."""
        h = self.rms_norm(x, block["attn_norm"])
        split = lambda y, heads: y.unflatten(-1, (heads, -1)).transpose(1, 2)
        q = self._rope(split(h @ block["attn_q"].T, self.heads))
        k = self.cached(self._rope(split(h @ block["attn_k"].T, self.kv_heads)))
        v = self.cached(split(h @ block["attn_v"].T, self.kv_heads))
        y = F.scaled_dot_product_attention(q, k, v, is_causal=True, enable_gqa=True)
        return x + y.transpose(1, 2).flatten(-2) @ block["attn_output"].T

    def hidden(self, h, block):
        """What the down projection reads, of the normalized `h`."""
        return F.silu(h @ block["ffn_gate"].T) * (h @ block["ffn_up"].T)

    def feed_forward(self, x, block):
        h = self.rms_norm(x, block["ffn_norm"])
        return x + self.hidden(h, block) @ block["ffn_down"].T

    def perplexity(self, ids):
        """exp of the mean loss of all tokens of [windows, length] but each first."""
        total, count = 0.0, 0
        for window in ids:
            x = self.embedding[window[None]]
            for block in self.blocks:
                x = self.feed_forward(self.attention(x, block), block)
            logits = self.rms_norm(x, self.norm)[0, :-1] @ self.head.T
            total += F.cross_entropy(logits, window[1:], reduction="sum").item()
            count += len(window) - 1
        return float(torch.tensor(total / count).exp())


def tokenizer(gguf):
    """The byte-level BPE of the file (package tokenizers)."""
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    tokens = gguf.metadata["tokenizer.ggml.tokens"]
    merges = [tuple(pair.split(" ")) for pair in gguf.metadata["tokenizer.ggml.merges"]]
    result = Tokenizer(models.BPE({token: i for i, token in enumerate(tokens)}, merges))
    result.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True),
         pre_tokenizers.ByteLevel(add_prefix_space=False)])
    result.decoder = decoders.ByteLevel()
    return result
