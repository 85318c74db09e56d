# Part of the SparseFlow project, under the Apache License v2.0 with LLVM
# Exceptions. See LICENSE for license information.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Attention of one text, and what caches keep of keys and values, in NumPy. Shares nothing
with the package: references of the tests and of the search for models compute by it."""

import functools
import math

import numpy as np


def round_e4m3(x):
    """The nearest floats of 8 bits, 3 of them mantissa, ties to even."""
    _, exponent = np.frexp(x)
    # Below 2^-6 steps do not grow smaller.
    unit = np.exp2(np.maximum(exponent - 1, -6) - 3)
    return np.clip(np.rint(x / unit) * unit, -448, 448)


# The largest number of a cache, and what kernels multiply probabilities by.
_NUMBERS = {"int8": (127, 64), "e4m3": (448, 256), "int4": (7, 4)}


def quantized(x, cache):
    """What a cache keeps of keys or values x [tokens, heads, features]: numbers [tokens, heads,
    groups, features of one], and the scale in f16 of each group, of int4 32 features, else all."""
    if cache == "dense":
        return x[:, :, None], np.ones((*x.shape[:-1], 1, 1), x.dtype)
    most, _ = _NUMBERS[cache]
    groups = x.reshape(*x.shape[:-1], -1, 32 if cache == "int4" else x.shape[-1])
    scale = (np.abs(groups).max(-1, keepdims=True) / most).astype(np.float16).astype(x.dtype)
    number = groups / np.where(scale, scale, 1)
    return round_e4m3(number) if cache == "e4m3" else np.clip(np.rint(number), -most, most), scale


@functools.lru_cache(maxsize=None)
def hadamard(order):
    """(-1)^popcount(i & j) over the root of the order."""
    bits = np.arange(order)[:, None] & np.arange(order)
    return np.vectorize(lambda b: (-1.0) ** bin(b).count("1"))(bits) / order ** 0.5


def seen(count, causal, window):
    """Which keys queries see: [queries, keys]."""
    distance = np.arange(count)[:, None] - np.arange(count)
    keys = distance >= 0 if causal else np.ones_like(distance, bool)
    return keys & (distance < window) if window else keys


def attention(q, k, v, store, cache="dense", causal=True, window=0,
              added=0.0, weigh=None):
    """[tokens, features of all heads] of q [tokens, heads, features], k and v [tokens, key
    heads, features]. `store` rounds as the program does what it stores, `window`: keys that a
    query sees, 0 for all; `added`: to scores [heads, queries, keys]; `weigh`: rounds
    probabilities, and their products with scales of values, as kernels do."""
    count, repeats = len(q), q.shape[1] // k.shape[1]
    if cache == "int4":
        # Spread, so that no feature is large in every token; scores stay what they are.
        spread = hadamard(q.shape[-1]).astype(q.dtype)
        q, k = (store(y @ spread) for y in (q, k))
    (k, unit), (v, scale) = ([np.repeat(part, repeats, axis=1)
                              for part in quantized(y, cache)] for y in (k, v))
    k = (k * unit).reshape(count, q.shape[1], -1)
    scores = np.einsum("qhd,khd->hqk", q, k) / math.sqrt(q.shape[-1]) + added
    scores = np.where(seen(count, causal, window), scores, -np.inf)
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    total = shares.sum(-1).T[:, :, None]
    # One for each group of features: [heads, queries, keys, groups].
    shares, scale = shares[..., None], scale.transpose(1, 0, 2, 3)[:, None, :, :, 0]
    if weigh:
        _, factor = _NUMBERS.get(cache, (1, 1))
        shares, scale = weigh(factor * shares), scale / factor
        if cache != "dense":
            shares, scale = weigh(shares * scale * factor), 1 / factor
    y = np.einsum("hqkg,khgd->qhgd", shares * scale, v).reshape(count, q.shape[1], -1)
    return store((y / total).reshape(count, -1))
