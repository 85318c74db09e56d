# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A manifest's step `sample` with NumPy (docs/formats/bundle.md)."""

import numpy as np

_WORD = 2 ** 32 - 1
# 2^-f for f from 0 to 1.
_POWER = (0.00010902318, -0.0012747481, 0.00957918, -0.05549076, 0.24022436, -0.69314706,
          1.0)


def philox(seed, position):
    """The first 64 bits of Philox-4x32-10 with this key and the counter (position, 0,
    0, 0), the low word first."""
    key = [seed & _WORD, seed >> 32 & _WORD]
    counter = [position & _WORD, 0, 0, 0]
    for _ in range(10):
        low, high = 0xD2511F53 * counter[0], 0xCD9E8D57 * counter[2]
        counter = [high >> 32 ^ counter[1] ^ key[0], high & _WORD,
                   low >> 32 ^ counter[3] ^ key[1], low & _WORD]
        key = [key[0] + 0x9E3779B9 & _WORD, key[1] + 0xBB67AE85 & _WORD]
    return counter[0] | counter[1] << 32


def _weights(logits, temperature):
    """Ratios to the largest probability, times 2^40, rounded."""
    one = np.float32
    scale = min(one(np.log2(np.e)) / one(temperature), np.finfo(one).max)
    y = (logits.max() - logits) * one(scale)
    y = np.where(y < 63, y, one(63)).astype(one)
    whole = np.floor(y)
    power = np.full_like(y, _POWER[0])
    for factor in _POWER[1:]:
        power = power * (y - whole) + one(factor)
    return (power * one(2 ** 24)).astype(np.uint64) << np.uint64(16) >> \
        whole.astype(np.uint64)


def draw(logits, temperature, top_k, top_p, seed, position):
    """The token of a row of float32 logits, by the rule of `sparseflow.sample`."""
    logits = logits + np.float32(0)
    if np.isnan(logits).any() or np.isinf(logits.max()):
        return -1
    if not temperature > 0:
        return int(logits.argmax())
    weights = _weights(logits, temperature)
    least = -np.inf
    if 1 <= top_k < len(logits):
        least = np.partition(logits, -int(top_k))[-int(top_k)]
    if not top_p >= 1:
        # Down to which logit: sums of all weights from each one on, by decreasing logits.
        order = np.argsort(-logits, kind="stable")
        order = order[logits[order] >= least]
        sums = np.cumsum(weights[order])
        share = int(np.float32(top_p) * np.float32(2 ** 32)) if top_p > 0 else 0
        limit = max(1, int(sums[-1]) * share >> 32)
        least = logits[order[np.searchsorted(sums, np.uint64(limit))]]
    sums = np.cumsum(np.where(logits >= least, weights, np.uint64(0)))
    place = philox(int(seed), int(position)) * int(sums[-1]) >> 64
    return int(np.searchsorted(sums, np.uint64(place), side="right"))
