# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An imported llama beside float32 NumPy on the same GGUF file: perplexity, and greedy
tokens of several prompts.

usage: model_check.py FILE.gguf MODEL TEXT [--tokens N] [--prompts N] [--count N]

MODEL is the folder that `sparseflow model import FILE.gguf` wrote. The reference reads
the file with a reader of its own. A greedy token has to be the reference's wherever the
reference's two best logits are further apart than twice the largest difference of
logits that was seen on the text.
"""

import argparse
import sys

import numpy as np

from gguf_file import Gguf
from sparseflow.model import Model
from sparseflow.perplexity import loss_sum


class Llama:
    """Logits of one text, in float32."""

    def __init__(self, path):
        file = Gguf(path)
        get = lambda key: file.metadata["llama." + key]
        self.heads, self.groups = get("attention.head_count"), get("attention.head_count_kv")
        self.eps, self.layers = get("attention.layer_norm_rms_epsilon"), get("block_count")
        self.base = file.metadata.get("llama.rope.freq_base", 10000.0)
        self.w = {name: file.tensor(name) for name in file.names()}

    def norm(self, x, name):
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + self.eps) * self.w[name]

    def rotate(self, x):
        size = x.shape[-1]
        angle = np.outer(np.arange(len(x)), self.base ** (-np.arange(0, size, 2) / size))
        cos, sin = (f(angle)[:, None].astype("f4") for f in (np.cos, np.sin))
        result = np.empty_like(x)
        result[..., 0::2] = x[..., 0::2] * cos - x[..., 1::2] * sin
        result[..., 1::2] = x[..., 0::2] * sin + x[..., 1::2] * cos
        return result

    def logits(self, tokens):
        x, count = self.w["token_embd.weight"][tokens], len(tokens)
        mask = np.where(np.tri(count, dtype=bool), 0, -np.inf).astype("f4")
        for layer in range(self.layers):
            w = lambda name: self.w[f"blk.{layer}.{name}.weight"].T
            h = self.norm(x, f"blk.{layer}.attn_norm.weight")
            q = self.rotate((h @ w("attn_q")).reshape(count, self.heads, -1))
            k = self.rotate((h @ w("attn_k")).reshape(count, self.groups, -1))
            v = (h @ w("attn_v")).reshape(count, self.groups, -1)
            y = np.empty_like(q)
            for head in range(self.heads):
                group = head * self.groups // self.heads
                s = q[:, head] @ k[:, group].T / np.float32(np.sqrt(q.shape[-1])) + mask
                s = np.exp(s - s.max(-1, keepdims=True))
                y[:, head] = s / s.sum(-1, keepdims=True) @ v[:, group]
            x = x + y.reshape(count, -1) @ w("attn_output")
            h = self.norm(x, f"blk.{layer}.ffn_norm.weight")
            gate = h @ w("ffn_gate")
            x = x + (gate / (1 + np.exp(-gate)) * (h @ w("ffn_up"))) @ w("ffn_down")
        head = self.w.get("output.weight", self.w["token_embd.weight"])
        return self.norm(x, "output_norm.weight") @ head.T


def greedy(model, prompts, count):
    """`count` greedy tokens behind each prompt, all texts together."""
    longest = max(map(len, prompts))
    cache = model.cache(len(prompts))
    padded = np.array([list(p) + [0] * (longest - len(p)) for p in prompts], np.int32)
    logits = model.forward(padded, cache, last=False)
    cache.lengths = np.array([len(p) for p in prompts], np.int32)
    token = np.array([np.argmax(logits[i, len(p) - 1]) for i, p in enumerate(prompts)])
    made = [token]
    for step in range(count - 1):
        token = np.argmax(model.forward(token[:, None], cache)[:, -1], -1)
        made.append(token)
        print(f"\rstep {step + 2} of {count}", end="", file=sys.stderr)
    print(file=sys.stderr)
    return np.stack(made, 1)


def main():
    parser = argparse.ArgumentParser(description="An imported model beside NumPy.")
    parser.add_argument("gguf")
    parser.add_argument("model")
    parser.add_argument("text")
    parser.add_argument("--tokens", type=int, default=1024)
    parser.add_argument("--window", type=int, default=256)
    parser.add_argument("--prompts", type=int, default=20)
    parser.add_argument("--count", type=int, default=64)
    options = parser.parse_args()
    reference, model = Llama(options.gguf), Model(options.model)
    with open(options.text, encoding="utf-8") as file:
        tokens = model.tokenizer.encode(file.read())
    losses, largest, counted = np.zeros(2), 0.0, 0
    for begin in range(0, min(options.tokens, len(tokens)), options.window):
        part = np.array(tokens[begin:begin + options.window])
        ours = model.forward(part[None], model.cache(), last=False)[0]
        theirs = reference.logits(part)
        losses += [loss_sum(ours[:-1], part[1:]), loss_sum(theirs[:-1], part[1:])]
        largest = max(largest, float(np.abs(ours - theirs).max()))
        counted += len(part) - 1
        print(f"\r{counted} tokens", end="", file=sys.stderr)
    ours, theirs = np.exp(losses / counted)
    print(f"\nperplexity over {counted} tokens: {ours:.4f}, reference {theirs:.4f}, "
          f"{100 * (ours / theirs - 1):+.3f} %; largest difference of logits {largest:.4f}")

    # Prompts of 4 to 23 tokens, from the text behind that.
    starts = [options.tokens + 200 * i for i in range(options.prompts)]
    prompts = [tokens[start:start + 4 + i % 20] for i, start in enumerate(starts)]
    made = greedy(model, prompts, options.count)
    same = near = wrong = 0
    for prompt, new in zip(prompts, made):
        rows = reference.logits(np.concatenate([prompt, new[:-1]]))[len(prompt) - 1:]
        for row, token in zip(rows, new):
            two = np.sort(row)[-2:]
            if int(np.argmax(row)) == token:
                same += 1
            elif two[1] - row[token] <= 2 * largest:
                near += 1
            else:
                wrong += 1
    print(f"greedy tokens of {len(prompts)} prompts: {same} are the reference's, {near} "
          f"within {2 * largest:.4f} of it, {wrong} others")
    return 1 if wrong or abs(ours / theirs - 1) > 0.005 else 0


if __name__ == "__main__":
    sys.exit(main())
