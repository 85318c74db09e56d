# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The perplexity of a Hugging Face model whose keys and values lie in a PackedCache.

usage: hf_cache.py MODEL TEXT [--gguf FILE] [--tokens N] [--window N]

MODEL is what transformers loads: a folder, or with --gguf the folder of that file. Each
window is read from an empty cache, all but its first token are predicted. Prints a table
in Markdown; computed in float32, keys, values and queries rounded to f16 for caches of
few bits.
"""

import argparse
import math

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

from sparseflow.torch import hf_cache

FORMATS = [("int8", "int8"), ("e4m3", "e4m3"), ("int8", "int4"), ("int4", "int8"), ("int4", "int4"),
           ("int4", "int4", "token x 32"), ("ternary", "ternary")]


def perplexity(model, tokens, window, make):
    total, count = 0.0, 0
    for begin in range(0, len(tokens), window):
        part = tokens[begin:begin + window][None]
        if part.shape[1] < 2:
            continue
        logits = model(part, past_key_values=make(), use_cache=True).logits[0, :-1]
        losses = torch.nn.functional.cross_entropy(logits.double(), part[0, 1:],
                                                   reduction="sum")
        total, count = total + float(losses), count + part.shape[1] - 1
    return math.exp(total / count)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("model")
    parser.add_argument("text")
    parser.add_argument("--gguf")
    parser.add_argument("--tokens", type=int, default=4096)
    parser.add_argument("--window", type=int, default=512)
    options = parser.parse_args()
    named = {"gguf_file": options.gguf} if options.gguf else {}
    tokenizer = AutoTokenizer.from_pretrained(options.model, **named)
    model = AutoModelForCausalLM.from_pretrained(options.model, dtype=torch.float32,
                                                 attn_implementation="sparseflow", **named)
    model.eval()
    with open(options.text, encoding="utf-8") as file:
        tokens = tokenizer(file.read(), return_tensors="pt").input_ids[0][:options.tokens]
    print("| keys | values | a scale for | perplexity | of dense |\n|---|---|---|---|---|")
    dense = None
    with torch.no_grad():
        for formats in [None, *FORMATS]:
            found = perplexity(model, tokens, options.window, lambda: (
                hf_cache.PackedCache(*formats) if formats else None))
            dense = dense or found
            names = (*formats, "token")[:3] if formats else ("f32", "f32", "")
            print("| " + " | ".join(names) + f" | {found:.4g} | {found / dense:.4g} |",
                  flush=True)


if __name__ == "__main__":
    main()
