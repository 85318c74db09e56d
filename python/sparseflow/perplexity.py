# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`python -m sparseflow.perplexity M --text FILE`: how well a model predicts a text."""

from __future__ import annotations

import argparse
import sys
import time
from typing import Callable, Optional, Sequence, Tuple

import numpy as np

from .errors import Error, checked
from .model.command import (add_model_options, load, parse_tokens, progress,
                            progress_done, read_text, run_command)
from .model.description import read_geometry
from .model.geometry import Geometry
from .model.model import Model, check_decoder, check_tokens
from .model.tokenizer import Tokenizer


def loss_sum(logits: np.ndarray, targets: np.ndarray) -> float:
    """The sum of -log softmax(logits [T, V])[t, targets[t]], in float64."""
    rows = logits.astype(np.float64)
    top = rows.max(axis=-1)
    total = np.log(np.exp(rows - top[:, None]).sum(axis=-1)) + top
    return float((total - rows[np.arange(len(targets)), targets]).sum())


@checked
def perplexity(model: Model, tokens: Sequence[int], window: int = 512,
               show: Callable[[str, float], None] = lambda what, done: None
               ) -> Tuple[float, int]:
    """exp of the mean loss over the tokens of windows of `window` tokens, each on its
    own, all but the first of each; and how many tokens that are."""
    window = min(window, model.geometry.positions)
    _check(tokens, window, model.geometry)
    total, count = 0.0, 0
    for begin in range(0, len(tokens), window):
        part = np.asarray(tokens[begin:begin + window], np.int32)
        if len(part) < 2:
            continue
        logits = model.forward(part[None], model.cache(), last=False)[0]
        total += loss_sum(logits[:-1], part[1:])
        count += len(part) - 1
        show(f"{count} tokens", min(1.0, (begin + window) / len(tokens)))
    return float(np.exp(total / count)), count


def _check(tokens: Sequence[int], window: int, geometry: Geometry) -> None:
    if window < 2 or len(tokens) < 2:
        raise Error(f"expected windows and a text of at least 2 tokens, found {window} "
                    f"and {len(tokens)}")
    check_tokens(geometry, tokens)


def _measure(options: argparse.Namespace) -> None:
    if (options.text is None) == (options.tokens is None):
        raise Error("expected a text, --text FILE or --tokens NUMBERS, found "
                    + ("none" if options.text is None else "both"))
    if options.limit is not None and options.limit < 2:
        raise Error(f"--limit: expected 2 or more, found {options.limit}")
    # Before the model, which takes seconds to compile.
    geometry, special = read_geometry(options.model)
    check_decoder(options.model, geometry)
    if options.text is None:
        tokens = parse_tokens(options.tokens)
    else:
        text = read_text(options.text)
        tokens = Tokenizer(options.model, special["begin"]).encode(text)
    window = min(options.window, geometry.positions)
    _check(tokens, window, geometry)
    model = load(options)
    begin = time.monotonic()
    value, count = perplexity(model, tokens[:options.limit], window, progress)
    progress_done()
    print(f"perplexity {value:.4f} over {count} tokens in windows of {window}", flush=True)
    print(f"{count / (time.monotonic() - begin):.1f} tokens/s", file=sys.stderr)


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """The command; its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m sparseflow.perplexity",
        description="The perplexity of a model on a text.")
    add_model_options(parser)
    parser.add_argument("--text", metavar="FILE", help="a file of text in UTF-8")
    parser.add_argument("--tokens", metavar="N,N...", help="tokens instead of a text")
    parser.add_argument("--window", type=int, default=512, metavar="N",
                        help="tokens that are read at once (default: 512)")
    parser.add_argument("--limit", type=int, metavar="N",
                        help="use the first N tokens only")
    options = parser.parse_args(arguments)
    return run_command(lambda: _measure(options), options)


if __name__ == "__main__":
    sys.exit(main())
