# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m sparseflow.generate M --prompt TEXT`: a model continues a text, or several."""

from __future__ import annotations

import argparse
import sys
import time
from typing import List, Optional, Sequence, Tuple

from .errors import Error
from .model.command import (add_model_options, load, parse_tokens, peak_memory,
                            progress, progress_done, run_command)
from .model.description import read_geometry
from .model.geometry import Geometry
from .model.model import Model, check_decoder, check_prompt
from .model.sampling import Sampler
from .model.tokenizer import Tokenizer


def _prompts(options: argparse.Namespace, geometry: Geometry, begin: List[int]
             ) -> Tuple[List[List[int]], Optional[Tokenizer]]:
    """The tokens of each prompt, and what makes them text."""
    if (options.prompt is None) == (options.tokens is None):
        raise Error("expected a prompt, --prompt TEXT or --tokens NUMBERS, found "
                    + ("none" if options.prompt is None else "both"))
    tokenizer = None
    if options.prompt is None:
        prompts = [parse_tokens(tokens) for tokens in options.tokens]
    else:
        tokenizer = Tokenizer(options.model, begin)
        prompts = [tokenizer.encode(text) for text in options.prompt]
    for prompt in prompts:
        check_prompt(geometry, prompt, options.count)
    return prompts, tokenizer


def _generate(options: argparse.Namespace) -> None:
    if options.count < 1:
        raise Error(f"--count: expected 1 or more, found {options.count}")
    sampler = Sampler(options.temperature, options.top_k, options.top_p, options.seed)
    # Before the model, which takes seconds to compile.
    geometry, special = read_geometry(options.model)
    check_decoder(options.model, geometry)
    prompts, tokenizer = _prompts(options, geometry, special["begin"])
    model = load(options)
    if len(prompts) == 1:
        _one(model, prompts[0], options.count, sampler, tokenizer)
    else:
        _several(model, prompts, options.count, sampler, tokenizer)


def _one(model: Model, prompt: List[int], count: int, sampler: Sampler,
         tokenizer: Optional[Tokenizer]) -> None:
    """Shows a text as it grows."""
    # Before the prompt is shown, behind which no error should stand.
    tokens = model.generate(prompt, count, sampler)
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
    _say_speed(f"prompt {len(prompt)} tokens", first - begin, len(made) - 1, end - first)


def _several(model: Model, prompts: List[List[int]], count: int, sampler: Sampler,
             tokenizer: Optional[Tokenizer]) -> None:
    """Continues all texts in the same steps, and shows them at the end: each behind its
    number, or, of numbers, on a line of its own."""
    made: List[List[int]] = [[] for _ in prompts]
    begin = first = time.monotonic()
    for tokens in model.generate_texts(prompts, count, sampler):
        if not made[0]:
            first = time.monotonic()
        for text, token in zip(made, tokens):
            if token is not None:
                text.append(token)
        progress(f"{len(prompts)} texts", max(map(len, made)) / count)
    end = time.monotonic()
    progress_done()
    for index, (prompt, text) in enumerate(zip(prompts, made)):
        print(f"[{index + 1}] {tokenizer.decode(prompt + text)}" if tokenizer else
              ",".join(map(str, text)), flush=True)
    _say_speed(f"{len(prompts)} prompts, {sum(map(len, prompts))} tokens", first - begin,
               sum(map(len, made)) - len(made), end - first)


def _say_speed(what: str, prompt: float, steps: int, seconds: float) -> None:
    speed = f"{steps / seconds:.1f} tokens/s" if steps else "one token"
    print(f"{what} in {prompt:.2f} s, then {speed}; memory {peak_memory()}", file=sys.stderr)


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """The command; its exit status."""
    parser = argparse.ArgumentParser(prog="python -m sparseflow.generate",
                                     description="Continue a text with a model.")
    add_model_options(parser)
    parser.add_argument("--prompt", metavar="TEXT", action="append",
                        help="the text to continue; may be repeated: all texts are continued "
                        "in the same steps, and shown at the end")
    parser.add_argument("--tokens", metavar="N,N...", action="append",
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
