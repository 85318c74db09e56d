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


def quantized(x, cache):
    """What a cache keeps of keys or values x [tokens, heads, features]: numbers times a scale
    in f16 for each token and head, or, of int4, for 32 features."""
    if cache == "dense":
        return x
    most = {"int8": 127, "e4m3": 448, "int4": 7}[cache]
    groups = x.reshape(*x.shape[:-1], -1, 32 if cache == "int4" else x.shape[-1])
    scale = (np.abs(groups).max(-1, keepdims=True) / most).astype(np.float16).astype(x.dtype)
    number = groups / np.where(scale, scale, 1)
    return (scale * (round_e4m3(number) if cache == "e4m3" else
                     np.clip(np.rint(number), -most, most))).reshape(x.shape)


@functools.lru_cache(maxsize=None)
def hadamard(order):
    """(-1)^popcount(i & j) over the root of the order."""
    bits = np.arange(order)[:, None] & np.arange(order)
    return np.vectorize(lambda b: (-1.0) ** bin(b).count("1"))(bits) / order ** 0.5


def attention(q, k, v, store, cache="dense", causal=True, window=0,
              added=0.0):
    """[tokens, features of all heads] of q [tokens, heads, features], k and v [tokens, key
    heads, features]. `store` rounds as the program does what it stores, `window`: keys that a
    query sees, 0 for all; `added`: to scores [heads, queries, keys]."""
    count = len(q)
    if cache == "int4":
        # Spread, so that no feature is large in every token; scores stay what they are.
        spread = hadamard(q.shape[-1]).astype(q.dtype)
        q, k = (store(y @ spread) for y in (q, k))
    k, v = (np.repeat(quantized(y, cache), q.shape[1] // y.shape[1], axis=1) for y in (k, v))
    scores = np.einsum("qhd,khd->hqk", q, k) / math.sqrt(q.shape[-1]) + added
    distance = np.arange(count)[:, None] - np.arange(count)
    seen = distance >= 0 if causal else np.ones_like(distance, bool)
    if window:
        seen &= distance < window
    scores = np.where(seen, scores, -np.inf)
    shares = np.exp(scores - scores.max(-1, keepdims=True))
    shares /= shares.sum(-1, keepdims=True)
    return store(np.einsum("hqk,khd->qhd", shares, v).reshape(count, -1))
