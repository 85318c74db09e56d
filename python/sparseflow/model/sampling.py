# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the next token is chosen; `next` of a model's program does it (sparseflow.sample)."""

from __future__ import annotations

import secrets
from typing import Dict, Optional, Sequence

import numpy as np

from ..arrays import is_whole
from ..errors import Error, checked_methods


@checked_methods
class Sampler:
    """How tokens are chosen from logits.

    `temperature` 0 is greedy (of equal ones the first). Otherwise a token is drawn
    from softmax(logits / temperature), of which the `top_k` likeliest (0: all) stay,
    and of these the fewest whose probabilities sum to `top_p`. With a `seed` (64 bits)
    a text is continued by the same tokens on every device; without one, by others each
    time.
    """

    def __init__(self, temperature: float = 0.0, top_k: int = 0, top_p: float = 1.0,
                 seed: Optional[int] = None) -> None:
        if not temperature >= 0 or not np.isfinite(temperature):
            raise Error(f"expected a temperature of 0 or more, found {temperature}")
        if not is_whole(top_k) or not 0 <= top_k < 2 ** 31:
            raise Error(f"expected top_k of 0 to 2^31 - 1, found {top_k}")
        if not 0 < top_p <= 1:
            raise Error(f"expected top_p above 0 and at most 1, found {top_p}")
        if seed is not None and not is_whole(seed):
            raise Error(f"expected a seed that is a whole number, found {seed}")
        self.temperature, self.top_k, self.top_p = temperature, top_k, top_p
        self.seed = secrets.randbits(64) if seed is None else int(seed)

    def arguments(self, texts: Sequence[int]) -> Dict[str, np.ndarray]:
        """What the program's `next` takes for these texts, by number: each has a seed of its
        own, whatever others there are."""
        batch = len(texts)
        seeds = [(self.seed + int(text)) % 2 ** 64 for text in texts]
        return {"temperature": np.full(batch, self.temperature, np.float32),
                "top_k": np.full(batch, self.top_k, np.int32),
                "top_p": np.full(batch, self.top_p, np.float32),
                "seeds": np.array(seeds, np.uint64).view(np.int64)}


def checked(tokens: np.ndarray) -> np.ndarray:
    """Tokens that were chosen; an error where logits were not finite."""
    if tokens.min() < 0:
        raise Error("expected finite logits, found NaN or an infinity: activations "
                    "left the range of the model's type; import with --dtype bf16")
    return tokens
