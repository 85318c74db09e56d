# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The next token: the likeliest one, or a random one of the likely ones."""

from __future__ import annotations

from typing import Optional

import numpy as np

from ..errors import Error


class Sampler:
    """Chooses tokens from logits [B, V].

    `temperature` 0 is greedy (of equal ones the first). Otherwise a token is drawn
    from softmax(logits / temperature), of which the `top_k` likeliest (0: all) stay,
    and of these the fewest whose probabilities sum to `top_p`.
    """

    def __init__(self, temperature: float = 0.0, top_k: int = 0, top_p: float = 1.0,
                 seed: Optional[int] = None) -> None:
        if not temperature >= 0 or not np.isfinite(temperature):
            raise Error(f"expected a temperature of 0 or more, found {temperature}")
        if top_k < 0:
            raise Error(f"expected top_k of 0 or more, found {top_k}")
        if not 0 < top_p <= 1:
            raise Error(f"expected top_p above 0 and at most 1, found {top_p}")
        self.temperature, self.top_k, self.top_p = temperature, top_k, top_p
        self._random = np.random.default_rng(seed)

    def __call__(self, logits: np.ndarray) -> np.ndarray:
        """The chosen tokens, int32 [B]."""
        if not np.isfinite(logits).all():
            raise Error("expected finite logits, found NaN or an infinity: activations "
                        "left the range of the model's type; import with --dtype bf16")
        if self.temperature == 0:
            return np.argmax(logits, axis=-1).astype(np.int32)
        return np.array([self._draw(row) for row in logits], np.int32)

    def _draw(self, logits: np.ndarray) -> int:
        order = np.argsort(-logits, kind="stable")
        if self.top_k:
            order = order[:self.top_k]
        scaled = logits[order].astype(np.float64) / self.temperature
        shares = np.exp(scaled - scaled[0])
        shares /= shares.sum()
        before = np.cumsum(shares) - shares
        kept = shares[before < self.top_p]
        return int(order[self._random.choice(len(kept), p=kept / kept.sum())])
