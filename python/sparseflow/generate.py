# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m sparseflow.generate M --prompt TEXT`: a model continues a text."""

from __future__ import annotations

import argparse
import sys
import time
from typing import List, Optional, Sequence

from .errors import Error
from .model.command import (add_model_options, load, parse_tokens, peak_memory,
                            run_command)
from .model.description import read_geometry
from .model.model import check_decoder, check_prompt
from .model.sampling import Sampler
from .model.tokenizer import Tokenizer


def _generate(options: argparse.Namespace) -> None:
    if (options.prompt is None) == (options.tokens is None):
        raise Error("expected a prompt, --prompt TEXT or --tokens NUMBERS, found "
                    + ("none" if options.prompt is None else "both"))
    if options.count < 1:
        raise Error(f"--count: expected 1 or more, found {options.count}")
    sampler = Sampler(options.temperature, options.top_k, options.top_p, options.seed)
    # Before the model, which takes seconds to compile.
    geometry, special = read_geometry(options.model)
    check_decoder(options.model, geometry)
    tokenizer = None
    if options.prompt is None:
        prompt = parse_tokens(options.tokens)
    else:
        tokenizer = Tokenizer(options.model, special["begin"])
        prompt = tokenizer.encode(options.prompt)
    check_prompt(geometry, prompt, options.count)
    model = load(options)
    # Before the prompt is shown, behind which no error should stand.
    tokens = model.generate(prompt, options.count, sampler)
    made: List[int] = []
    # Without a last character that new tokens may complete.
    shown = tokenizer.decode(prompt).rstrip("\ufffd") if tokenizer else ""
    if tokenizer:
        print(shown, end="", flush=True)
    begin = first = time.monotonic()
    for token in tokens:
        if not made:
            first = time.monotonic()
        made.append(token)
        if tokenizer:
            text = tokenizer.decode(prompt + made)
            # A character may need several tokens.
            if not text.endswith("\ufffd"):
                print(text[len(shown):], end="", flush=True)
                shown = text
    end = time.monotonic()
    # What was kept back, if the last character did not end.
    print(tokenizer.decode(prompt + made)[len(shown):] if tokenizer else
          ",".join(map(str, made)), flush=True)
    steps = len(made) - 1
    speed = f"{steps / (end - first):.1f} tokens/s" if steps else "one token"
    print(f"prompt {len(prompt)} tokens in {first - begin:.2f} s, then {speed}; "
          f"memory {peak_memory()}", file=sys.stderr)


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """The command; its exit status."""
    parser = argparse.ArgumentParser(prog="python -m sparseflow.generate",
                                     description="Continue a text with a model.")
    add_model_options(parser)
    parser.add_argument("--prompt", metavar="TEXT", help="the text to continue")
    parser.add_argument("--tokens", metavar="N,N...",
                        help="its tokens instead; then tokens are printed")
    parser.add_argument("--count", type=int, default=64, metavar="N",
                        help="new tokens at most (default: 64)")
    parser.add_argument("--temperature", type=float, default=0.0,
                        help="0 is greedy (default)")
    parser.add_argument("--top-k", type=int, default=0, metavar="K",
                        help="draw from the K likeliest (default: from all)")
    parser.add_argument("--top-p", type=float, default=1.0, metavar="P",
                        help="draw from the likeliest whose shares sum to P")
    parser.add_argument("--seed", type=int, help="of drawn tokens")
    options = parser.parse_args(arguments)
    return run_command(lambda: _generate(options), options)


if __name__ == "__main__":
    sys.exit(main())
